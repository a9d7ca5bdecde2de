package memory

import (
	"github.com/oomdoc/oomdoc/parser"
)

// Planner judges changes to the settings of an incident's run. Its zero value is ready.
type Planner struct{}

// WhatIf says what becomes of the failure when settings change.
func (Planner) WhatIf(inc *parser.Incident, c Change) Verdict { return FromIncident(inc).WhatIf(c) }

// Fit finds the value of a setting that cures the failure.
func (Planner) Fit(inc *parser.Incident, setting string) (float64, Verdict) {
	return FromIncident(inc).Fit(setting)
}

// Ledgers says where the memory of each device went.
func (Planner) Ledgers(inc *parser.Incident) []Ledger { return IncidentLedgers(inc) }

// WhatIf says what becomes of the failure when settings change. A change that moves no setting in
// the direction that helps this kind of failure comes out short; one whose effect depends on
// figures that the log lacks, unknown.
func (s *State) WhatIf(c Change) Verdict {
	if s.Failure == DeviceFull {
		return s.whatIfTorch(c)
	}
	p := s.apply(c)
	helps, harms, told := s.direction(c)
	list := s.inequalities(p)
	if q, ok := s.leaves(p, helps); ok && len(list) > 0 {
		list = append(list, q)
	}
	v := judge(list)
	v.Ledgers = s.planLedger(p)
	switch {
	case s.Failure == NoFailure:
		if p.missing != "" {
			v.Kind = Unknown
		}
	case !told:
		v.Kind = Unknown
	case !helps:
		v.Kind = Short
		v.Basis = softer(v.Basis, Derived)
	case p.missing != "" && (harms || v.Kind != Fits):
		v.Kind = Unknown
	}
	return v
}

// direction says whether a change moves a setting the way that helps, or the way that harms; told is
// false where what one of them does is not known and none helps.
func (s *State) direction(c Change) (helps, harms, told bool) {
	told = true
	for n, v := range c {
		dir, ok := s.Effect(n)
		told = told && ok
		moved := 1
		if was := s.current(n); was.ok {
			switch {
			case v == was.v:
				moved = 0
			case v < was.v:
				moved = -1
			}
		} else if dir < 0 {
			moved = -1 // not set so far; setting it is meant to lower it
		}
		helps = helps || dir*moved > 0
		harms = harms || dir*moved < 0
	}
	return helps, harms, told || helps
}

// current returns the value of a setting in force.
func (s *State) current(setting string) amount {
	a := s.now
	switch setting {
	case "gpu_memory_utilization":
		return a.util
	case "kv_cache_memory_bytes":
		return a.kv
	case "max_model_len":
		return a.maxLen
	case "max_num_seqs":
		return a.maxSeqs
	case "max_num_batched_tokens":
		return a.maxTokens
	case "kv_cache_dtype":
		return a.kvWidth
	case "dtype":
		return a.width
	case "cudagraph_max_size":
		return a.graphSize
	case "cudagraph_estimated":
		return a.graphs
	case "tensor_parallel_size":
		return a.tp
	case "pipeline_parallel_size":
		return a.pp
	case "cpu_offload":
		return a.offload
	case "gpu_total":
		return a.total
	case "startup_free":
		return a.free0
	case "other_processes":
		return a.others
	case "enforce_eager":
		if a.eager {
			return derived(1)
		}
		return derived(0)
	case "quantization":
		return derived(s.bits())
	case "gradient_checkpointing":
		return or(s.stated(setting), estimated(0))
	case "world_size":
		return or(s.stated(setting), estimated(1))
	case "optimizer":
		return estimated(8)
	}
	return s.stated(setting)
}

// inequalities are the conditions a plan has to satisfy, as far as the log lets them be stated: that
// of the failure itself, and those that the change brings nearer.
func (s *State) inequalities(p plan) []inequality {
	var list []inequality
	add := func(q inequality, ok bool) {
		if ok {
			list = append(list, q)
		}
	}
	raised := p.util.ok && s.now.util.ok && p.util.v > s.now.util.v
	own, ok := s.decisive(p)
	if !ok && s.Failure != NoFailure {
		return nil
	}
	add(own, ok)
	if p.kvSet && !s.now.kvSet && s.poolSide() {
		q, ok := s.device(p)
		if !ok {
			return nil // how much the device has beside it is not known
		}
		add(q, ok)
	}
	if s.acc.startupCheck && s.Failure != StartupCheck && (s.Failure == NoFailure || raised) {
		add(p.startup())
	}
	if s.headroomSide() && p.shift < 0 && p.need.ok && p.kv.ok {
		add(s.enough(p))
	}
	if raised && (s.poolSide() || s.Failure == NoFailure) {
		add(s.reserve(p))
	}
	return list
}

// decisive is the condition that failed.
func (s *State) decisive(p plan) (inequality, bool) {
	switch s.Failure {
	case StartupCheck:
		return p.startup()
	case WeightsLoad:
		return s.loads(p)
	case ProfileRun:
		return s.profiles(p)
	case Preemption:
		return s.eases(p)
	case NoPool, PoolBelowRequest, NoFailure:
		return s.enough(p)
	case PoolAllocation, GraphCapture, SamplerWarmup, ServingStep:
		return s.outside(p)
	}
	return inequality{}, false
}
