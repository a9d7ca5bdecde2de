package memory

import (
	"math"
	"strings"
)

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
		ep:      s.stated("enable_expert_parallel").v != 0,
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
		a.util = assumed(s.acc.utilization)
	}
	s.readEquivalence(&a)
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

// readEquivalence takes the device's size from the engine's own equation: "utilization u is equivalent to
// u₀ without profiling" says that the graph estimate is (u − u₀) of the card.
func (s *State) readEquivalence(a *account) {
	eq, est := s.stated("utilization_equivalent"), s.stated("cudagraph_estimated")
	if d := a.util.v - eq.v; eq.ok && est.ok && !a.total.ok && d > 0 {
		a.total = derived(est.v / d)
		a.total.slack = (est.slack + 0.0001*a.total.v) / d // four printed decimals on both sides
	}
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
	if b, known := widths[strings.TrimPrefix(strings.ToLower(s.facts.Text("dtype")), "torch.")]; known {
		a.width = derived(b)
	}
	a.kvWidth = estimated(a.width.v)
	t := strings.ToLower(s.facts.Text("kv_cache_dtype"))
	if bits, known := s.acc.profile.KVBits(t); known {
		a.kvWidth = derived(bits / 8)
	} else if b, known := widths[t]; known {
		a.kvWidth = derived(b)
	} else if strings.Contains(t, "fp8") {
		a.kvWidth = derived(1)
	}
	p := s.acc.profile
	p.Chunked = s.chunked
	seqs, _ := p.Number("default.max_num_seqs")
	tokens, fixed := p.Number("default.max_num_batched_tokens")
	if !fixed && a.maxLen.ok {
		tokens = math.Max(2048, a.maxLen.v) // V0 profiles a whole prompt
	}
	a.maxSeqs = or(s.stated("max_num_seqs"), s.stated("dummy_requests"), assumed(seqs))
	a.maxTokens = or(s.stated("max_num_batched_tokens"), assumed(tokens))
	a.graphSize = or(s.stated("cudagraph_max_size"), assumed(s.captureLimit(a.maxSeqs.v)))
}

// widths are the bytes of an element in the data types of a model.
var widths = map[string]float64{"float32": 4, "float": 4, "fp32": 4, "float16": 2, "half": 2, "bfloat16": 2, "int8": 1}

// captureLimit is the largest batch for which a CUDA graph is captured where no size is set.
func (s *State) captureLimit(seqs float64) float64 {
	p := s.acc.profile
	limit, fixed := p.Number("capture_limit")
	if fixed && s.acc.v1 {
		return limit
	}
	if fixed {
		return math.Min(limit, seqs)
	}
	drafts := s.stated("num_speculative_tokens").v
	return math.Min(512, 2*seqs*(1+drafts))
}
