package memory

import (
	"math"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
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

// NewState reads facts that belong to one moment of one run. Engine and phase may be empty.
func NewState(facts fact.Facts, engine, phase string) *State {
	return newState(facts, facts, engine, phase)
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
	s := newState(inc.Facts, all, inc.Engine, inc.Phase)
	if s.Failure == NoFailure && inc.Class == parser.ClassDegraded {
		s.Failure = Preemption
	}
	return s
}

func newState(own, all fact.Facts, engine, phase string) *State {
	s := &State{Engine: engine, Phase: phase, facts: all, own: own}
	if s.Engine == "" && hasAny(all, "gpu_memory_utilization", "startup_total", "num_gpu_blocks", "kv_needed", "kv_cache_tokens", "kv_cache") {
		s.Engine = "vllm"
	}
	s.Failure = failureOf(own, all, phase, s.Engine)
	s.acc = accountingOf(all)
	s.shape, s.known = lookupShape(all.Text("model"))
	on, stated := all.Num("enable_chunked_prefill")
	s.chunked = on != 0 || !stated && s.acc.v1
	s.now = s.readAccount()
	s.need = s.readDemand()
	return s
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

// or returns the first amount that is known.
func or(list ...amount) amount {
	for _, a := range list {
		if a.ok {
			return a
		}
	}
	return amount{}
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
	noise   float64 // how far two boots of one configuration lie apart, bytes
	eager   bool

	// Settings in force.
	maxLen, maxSeqs, maxTokens, tp, pp, kvWidth, width, offload, graphSize amount
}

// readAccount takes the account from the log and completes it with the engine's own equation,
// utilization × total = weights + non-torch + activations (+ graph estimate) + KV cache.
func (s *State) readAccount() account {
	a := account{
		total:   or(s.stated("startup_total"), s.stated("gpu_total")),
		free0:   s.stated("startup_free"),
		weights: s.stated("weights"),
		act:     s.stated("activation_peak"),
		nonTor:  s.stated("non_torch"),
		wn:      s.stated("weights_and_non_torch"),
		util:    s.stated("gpu_memory_utilization"),
		kv:      or(s.stated("kv_cache"), s.stated("kv_available")),
		maxLen:  s.stated("max_model_len"),
		offload: or(s.stated("cpu_offload"), estimated(0)),
		tp:      or(s.stated("tensor_parallel_size"), estimated(1)),
		pp:      or(s.stated("pipeline_parallel_size"), estimated(1)),
	}
	if s.Failure == PoolBelowRequest {
		a.kv = or(s.stated("kv_available"), s.stated("kv_cache"))
	}
	if a.util.v <= 0 || a.util.v > 1 {
		a.util = amount{}
	}
	desired := s.stated("desired")
	if !a.util.ok && desired.ok && a.total.ok && a.total.v > 0 {
		a.util = derived(hundredth(desired.v / a.total.v))
	}
	if !a.total.ok && desired.ok && a.util.ok {
		a.total = derived(desired.v / a.util.v)
	}
	if !a.util.ok && s.Engine == "vllm" {
		a.util = estimated(s.acc.utilization)
	}
	if b := s.stated("kv_cache_memory_bytes"); b.ok && b.v > 0 {
		a.kvSet, a.kv = true, or(a.kv, b)
	}
	eager := s.stated("enforce_eager")
	a.eager = eager.v != 0
	s.readGraphs(&a)
	s.readPeaks(&a)
	s.readSettings(&a)
	s.readPool(&a)
	a.noise = noiseOf(a.total)
	if o := s.stated("other_processes"); o.ok {
		a.others = o
	} else if a.total.ok && a.free0.ok {
		a.others = derived(math.Max(0, a.total.v-a.free0.v))
	}
	return a
}

// readGraphs splits CUDA graphs into what the budget counts and what comes on top.
func (s *State) readGraphs(a *account) {
	est, act := s.stated("cudagraph_estimated"), s.stated("cudagraph")
	switch {
	case a.eager:
		a.graphs, a.outside = derived(0), derived(0)
	case s.acc.graphsInside && est.ok:
		a.graphs = est
		if act.ok {
			a.outside = derived(math.Max(0, act.v-est.v))
		}
	default:
		a.graphs = derived(0)
		a.outside = or(act, est)
	}
	if s.acc.graphsInside && !est.ok && !a.eager {
		a.graphs = amount{}
	}
}

// readPeaks derives activations from a peak that has the weights or the graphs in it.
func (s *State) readPeaks(a *account) {
	if p := s.stated("peak_torch"); !a.act.ok && p.ok && a.weights.ok {
		a.act = derived(math.Max(0, p.v-a.weights.v))
		a.act.slack = p.slack + a.weights.slack
	}
	if s.acc.estimateInA && a.wn.ok && a.act.ok && a.graphs.ok {
		a.act = a.act.plus(-math.Min(a.graphs.v, a.act.v), Derived)
	}
	if a.wn.ok && a.weights.ok && !a.nonTor.ok && a.wn.v >= a.weights.v {
		a.nonTor = derived(a.wn.v - a.weights.v)
	}
	if !a.weights.ok && a.wn.ok && a.nonTor.ok {
		a.weights = derived(a.wn.v - a.nonTor.v)
	}
}

// readPool derives the KV cache where the log states it in another way.
func (s *State) readPool(a *account) {
	if a.kv.ok {
		return
	}
	if block, ok := s.swapBlock(); ok {
		if n := s.stated("num_gpu_blocks"); n.ok {
			a.kv = derived(n.v * block)
			return
		}
	}
	if n := s.stated("kv_cache_tokens"); n.ok && s.linearShape() {
		a.kv = derived(n.v * s.shape.kvBytes(a.kvWidth.v, a.tp.v, a.pp.v))
		return
	}
	used := a.wn
	if a.weights.ok && a.nonTor.ok {
		used = derived(a.weights.v + a.nonTor.v)
	}
	if a.total.ok && a.util.ok && used.ok && a.act.ok && a.graphs.ok {
		a.kv = derived(a.util.v*a.total.v - used.v - a.act.v - a.graphs.v)
	}
}

// linearShape reports whether the model is known and its cache is so many bytes a token.
func (s *State) linearShape() bool { return s.known && s.shape.layers > 0 && s.shape.stateGroups == 0 }

// swapBlock is the size of a KV cache block by V0's count of host blocks: floor(swap space / block).
func (s *State) swapBlock() (float64, bool) {
	n := s.stated("num_cpu_blocks")
	if !n.ok || n.v < 1 {
		return 0, false
	}
	swap := or(s.stated("swap_space"), estimated(s.acc.swap))
	// The count is rounded down, so the quotient is high by at most one part in the count; a block is
	// a whole number of 2 KiB, which takes that rest away.
	return floorTo(swap.v/n.v, 2048), swap.v > 0
}

// readSettings fills in the settings in force, defaults marked as estimated.
func (s *State) readSettings(a *account) {
	a.width = estimated(2)
	if t := strings.ToLower(s.facts.Text("dtype")); strings.Contains(t, "float32") || t == "float" || t == "fp32" {
		a.width = derived(4)
	}
	a.kvWidth = estimated(a.width.v)
	switch t := strings.ToLower(s.facts.Text("kv_cache_dtype")); {
	case strings.Contains(t, "fp8"), strings.Contains(t, "int8"):
		a.kvWidth = derived(1)
	case strings.Contains(t, "float32"):
		a.kvWidth = derived(4)
	case strings.Contains(t, "float16"):
		a.kvWidth = derived(2)
	}
	large := a.total.ok && a.total.v >= 70*gib // all but the A100, which the log does not name
	seqs, tokens := 256.0, 2048.0
	switch {
	case s.acc.v1 && large:
		seqs, tokens = 1024, 8192
	case !s.acc.v1 && !s.chunked && a.maxLen.ok:
		tokens = math.Max(2048, a.maxLen.v)
	}
	a.maxSeqs = or(s.stated("max_num_seqs"), s.stated("dummy_requests"), estimated(seqs))
	a.maxTokens = or(s.stated("max_num_batched_tokens"), estimated(tokens))
	a.graphSize = or(s.stated("cudagraph_max_size"), estimated(math.Min(512, 2*a.maxSeqs.v)))
}
