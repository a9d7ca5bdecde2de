package memory

import (
	"math"

	"github.com/oomdoc/oomdoc/fact"
)

// State is what the log tells about the memory of one device and the settings in force, with the
// defaults of the engine's version filled in and marked as estimated.
type State struct {
	Failure Failure
	Engine  string
	Phase   string

	facts   fact.Facts // of the run, those of the incident on top
	own     fact.Facts // of the incident alone
	acc     accounting
	now     account
	need    demand
	shape   shape
	known   bool // shape is
	chunked bool // chunked prefill is on
}

// stated returns a fact as an amount, unknown where the log does not state it or states nonsense.
func (s *State) stated(name string) amount {
	f, ok := s.facts[name]
	if !ok || !(f.Kind.Numeric() || f.Kind == fact.Bool) || math.IsNaN(f.Num) || math.IsInf(f.Num, 0) {
		return amount{}
	}
	if math.Abs(f.Num) >= 1<<60 {
		return amount{} // 17179869184 GiB is what a driver prints that does not know
	}
	slack := f.Slack
	if f.Kind == fact.Bytes && s.Engine == "vllm" {
		slack = math.Min(slack, 0.005*gib) // two decimals, of which vLLM prints no trailing zeros
	}
	return amount{v: f.Num, ok: true, basis: Stated, line: f.Line, slack: slack}
}

// account is the engine's account of one device.
type account struct {
	total   amount
	free0   amount // free when the engine started
	others  amount // what other processes hold
	util    amount
	weights amount
	act     amount // peak activations
	nonTor  amount // non-torch
	wn      amount // weights and non-torch in one figure
	graphs  amount // the part of CUDA graphs inside the budget: the estimate where it is taken off
	outside amount // CUDA graphs outside the budget
	kv      amount
	kvSet   bool    // the pool's size is set by hand
	ep      bool    // experts are split over the ranks
	noise   float64 // how far two boots of one configuration lie apart, bytes
	eager   bool

	// Settings in force.
	maxLen, maxSeqs, maxTokens, tp, pp, kvWidth, width, offload, graphSize amount
}
