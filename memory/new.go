package memory

import (
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
)

// NewState reads facts that belong to one moment of one run. Engine and phase may be empty.
func NewState(facts fact.Facts, engine, phase string) *State {
	return newState(facts, facts, engine, phase, nil)
}

// FromIncident reads an incident and what its run had stated before it.
func FromIncident(inc *parser.Incident) *State {
	all := make(fact.Facts, len(inc.Before)+len(inc.Facts))
	for n, f := range inc.Before {
		all[n] = f
	}
	for n, f := range inc.Facts {
		all[n] = f
	}
	s := newState(inc.Facts, all, inc.Engine, inc.Phase, inc.Frames)
	if s.Failure == NoFailure && inc.Class == parser.ClassDegraded {
		s.Failure = Preemption
	}
	return s
}

func newState(own, all fact.Facts, engine, phase string, frames []parser.Frame) *State {
	s := &State{Engine: engine, Phase: phase, facts: all, own: own}
	if s.Engine == "" && hasAny(all, "gpu_memory_utilization", "startup_total", "num_gpu_blocks", "kv_needed", "kv_cache_tokens", "kv_cache", "kv_available") {
		s.Engine = "vllm"
	}
	s.Failure = failureOf(own, all, phase, s.Engine)
	s.shape, s.known = lookupShape(all.Text("model"))
	s.acc = accountingOf(all, frames, s.known && s.shape.params > 0)
	on, stated := all.Num("enable_chunked_prefill")
	s.chunked = on != 0 || !stated && s.acc.v1
	s.now = s.readAccount()
	s.need = s.readDemand()
	return s
}
