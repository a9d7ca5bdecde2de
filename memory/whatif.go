package memory

import (
	"math"
	"slices"
)

// WhatIf says what becomes of the failure when settings change: the change is worked into the account, and the
// stage that failed and all that follow, as far as the figures reach, are run again. A change that moves no
// setting in the direction that helps this kind of failure comes out short; one whose effect depends on
// figures that the log lacks, unknown.
func (s *State) WhatIf(c Change) Verdict {
	if s.Failure == DeviceFull {
		return s.whatIfTorch(c)
	}
	p := s.apply(c)
	helps, harms, told := s.direction(c)
	list := s.steps(&p, helps)
	own := stages[s.Failure]
	if !helps && s.Failure != NoFailure {
		list = slices.DeleteFunc(list, func(q step) bool { return q.stage != own })
	}
	shown := own
	if own == "" {
		shown = StagePoolSize
	}
	v := judge(list, shown)
	for _, q := range list {
		if q.stage != own {
			v.Later = append(v.Later, q.said())
		}
	}
	v.Assumes = p.assumes
	v.Ledgers = s.planLedger(p, s.missing(p))
	switch {
	case p.refused != "":
		v.Kind, v.Basis, v.Refused, v.Sums, v.Margin, v.Later = Short, Derived, true, p.refused, 0, nil
	case s.Failure == NoFailure:
		if p.missing != "" {
			v.open()
		}
	case !told:
		v.open()
	case !helps:
		v.Kind = Short
		v.Basis = softer(v.Basis, Derived)
	case s.decides(p.missing) && (harms || v.Kind != Fits):
		v.open()
	}
	if v.Kind == Fits && len(v.Assumes) > 0 {
		v.Kind, v.held = Borderline, true // it may run with another value than the default
	}
	if len(v.Assumes) > 0 && v.Kind != Unknown {
		v.Basis = Estimated
	}
	return v
}

// decides reports whether the stage that failed cannot be judged without this figure. What the pool is made of
// does not decide a failure before there is one.
func (s *State) decides(missing string) bool {
	switch missing {
	case "":
		return false
	case "weights", "activation_peak", "window", "vocab_size", "cudagraph_estimated":
		return s.Failure != StartupCheck && s.Failure != WeightsLoad && s.Failure != ProfileRun
	}
	return true
}

// open takes back what cannot be said: sums in which a term is missing prove nothing.
func (v *Verdict) open() { v.Kind, v.Sums, v.Stage, v.Later, v.Margin = Unknown, "", "", nil, 0 }

// steps are the conditions that a plan has to satisfy, in the order of the engine's life, as far as the log
// lets them be stated: that of the failure itself, those that follow, and earlier ones that the change brings
// nearer. None where the failure's own cannot be stated.
func (s *State) steps(p *plan, helps bool) []step {
	var list []step
	add := func(stage Stage, q inequality, ok bool) bool {
		if ok {
			list = append(list, step{stage, q})
		}
		return ok
	}
	raised := p.util.ok && s.now.util.ok && p.util.v > s.now.util.v
	poolSet := p.kvSet && (!s.now.kvSet || p.kv.v != s.now.kv.v)
	own := stages[s.Failure]
	found := s.Failure == NoFailure
	mine := func(stage Stage, q inequality, ok bool) { found = add(stage, q, ok) || found }

	switch q, ok := p.startup(s.acc.startupCheck); {
	case own == StageStartup:
		mine(own, q, ok)
	case s.Failure == NoFailure || raised:
		add(StageStartup, q, ok)
	}
	if own == StageLoad {
		q, ok := s.loads(*p)
		mine(own, q, ok)
	}
	if own == StageProfile {
		q, ok := s.profiles(*p)
		mine(own, q, ok)
	}
	switch {
	case own == StagePoolSize || own == "":
		q, ok := s.enough(*p)
		mine(StagePoolSize, q, ok)
	case own == StageStartup || own == StageLoad || own == StageProfile:
		q, ok := s.leaves(p, helps)
		add(StagePoolSize, q, ok)
	case s.headroomSide() && p.shift < 0 && p.need.ok && p.kv.ok:
		q, ok := s.enough(*p)
		add(StagePoolSize, q, ok)
	}
	if poolSet && (s.poolSide() || own == "") {
		q, ok := s.device(*p)
		if !add(StageAllocation, q, ok) {
			return nil // how much the device has beside it is not known
		}
	}
	if own == StageAllocation {
		q, ok := s.outside(*p)
		mine(own, q, ok)
		q, ok = s.captures(*p, q)
		add(StageCapture, q, ok)
	}
	if own == StageCapture || own == StageWarmup || s.Failure == ServingStep {
		q, ok := s.outside(*p)
		mine(own, q, ok)
	}
	if raised && (s.poolSide() || own == "") {
		q, ok := s.reserve(*p)
		add(StageCapture, q, ok)
	}
	if s.Failure == Preemption {
		q, ok := s.eases(*p)
		mine(own, q, ok)
	}
	if !found {
		return nil
	}
	return list
}

// missing is how much memory the condition that failed lacks, bytes.
func (s *State) missing(p plan) float64 {
	if s.Failure == StartupCheck && p.util.assumed {
		return 0 // the check is about the utilization that was asked for, and the log has lost it
	}
	for _, q := range s.steps(&p, false) {
		if q.stage == stages[s.Failure] && !q.tokens {
			return math.Max(0, -q.margin)
		}
	}
	return 0
}
