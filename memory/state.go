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

// demand is what one request of L tokens takes from the KV cache of one rank: slope·L + constant,
// L rounded up to a block.
type demand struct {
	ok       bool
	slope    float64 // bytes per token
	constant float64 // bytes, whatever the length: windows, recurrent states
	block    float64 // tokens
	basis    Basis
	anchor   float64 // the longest sequence that fits the stated pool by the engine's own count; 0 when not stated
	slack    float64 // uncertainty of the demand at the stated length, bytes
	beyond   bool    // the length is one that the model may not accept
	least    float64 // the factor by which the demand may be smaller, where the model's heads are not known; 0 where they are
}

// at is the demand of a request of n tokens, bytes.
func (d demand) at(n float64) float64 { return d.constant + d.slope*ceilTo(n, d.block) }

// spare is one block: it is kept back because the engine sets a null block aside that its own
// estimate did not count until mid-2026.
func (d demand) spare() float64 { return d.slope * d.block }

// longest is the longest sequence that a pool holds, in whole blocks.
func (d demand) longest(pool float64) float64 {
	if !d.ok || pool <= d.constant {
		return 0
	}
	return floorTo((pool-d.constant)/d.slope, d.block)
}
