package memory

import (
	"math"
	"strings"
)

// Match is a tensor whose size is that of the failed request.
type Match struct {
	What  string  // weights, kv_cache, logits, sampler_rows, sampler_sort, attention_scores, feed_forward, gradient_buffer, recurrent_output, recurrent_state
	Bytes float64 // the tensor before the allocator's rounding
	Sums  string  // the factors: "4,096 × 262,144 × 4 B = 4.00 GiB"
}

// rounded is a request as the allocator puts it to the driver: 2 MiB up to 1 MiB, 20 MiB below 10 MiB,
// whole 2 MiB above. Source: c10/cuda/CUDACachingAllocator.cpp.
func rounded(b float64) float64 {
	switch {
	case b <= mib:
		return 2 * mib
	case b < 10*mib:
		return 20 * mib
	}
	return ceilTo(b, 2*mib)
}

// A factor is one term of a product, with its name where figures alone would not tell.
type factor struct {
	n    float64
	unit string // " B" for bytes per element
}

// Recognise names the tensors whose size, rounded as the allocator rounds, is exactly the failed
// request. Every factor stands in the log or in the configuration of the model it names; none is
// varied until something fits.
func (s *State) Recognise() []Match {
	req := s.stated("oom_requested")
	if !req.ok || req.v == 2*mib || req.v == 20*mib || req.v < 2*mib {
		return nil // the smallest segments say nothing about the tensor
	}
	var list []Match
	try := func(what string, over float64, factors ...factor) {
		b := 1.0
		var terms []string
		for _, f := range factors {
			if f.n <= 0 || math.IsNaN(f.n) || math.IsInf(f.n, 0) {
				return
			}
			b *= f.n
			if f.n != 1 || f.unit != "" {
				terms = append(terms, count(f.n)+f.unit)
			}
		}
		if over <= 0 {
			return
		}
		b /= over
		if math.Abs(rounded(b)-req.v) > req.slack+1 {
			return
		}
		sums := strings.Join(terms, " × ")
		if over > 1 {
			sums += " / " + count(over)
		}
		sums += " = " + size(b)
		if math.Abs(b-req.v) > req.slack+1 {
			sums += " → " + size(rounded(b))
		}
		list = append(list, Match{What: what, Bytes: b, Sums: sums})
	}
	n := func(v float64) factor { return factor{n: v} }
	wide := func(v float64) factor { return factor{n: v, unit: " B"} }
	width := s.now.width.v
	tp := math.Max(1, s.now.tp.v)
	sh := s.shape

	if s.Failure == WeightsLoad || s.Phase == "checkpoint_load" {
		rows := sh.vocab
		try("weights", tp, n(rows), n(sh.hidden), wide(width))
		try("weights", tp, n(2), n(sh.inter), n(sh.hidden), wide(width))
		try("weights", tp, n(sh.inter), n(sh.hidden), wide(width))
		try("weights", tp, n((sh.heads+2*sh.kvHeads)*sh.headDim), n(sh.hidden), wide(width))
		return dedupe(list)
	}
	s.tryPool(try, n, wide)

	vocab := s.vocab().v
	rows := s.stated("dummy_requests")
	if s.Engine == "vllm" {
		rows = or(rows, s.stated("max_num_seqs"))
		try("sampler_rows", 1, n(rows.v), n(vocab), wide(4))
		try("sampler_sort", 1, n(rows.v), n(vocab), wide(12))
	}
	for _, t := range s.passes() {
		for _, w := range []float64{4, 2} {
			try("logits", 1, n(t.v), n(vocab), wide(w))
		}
		try("feed_forward", tp, n(t.v), n(sh.inter), wide(width))
		try("feed_forward", tp, n(t.v), n(2*sh.inter), wide(width))
		try("recurrent_output", tp, n(t.v), n(sh.stateHeads), n(sh.stateDim), wide(width))
		try("recurrent_state", tp, n(math.Ceil(t.v/64)), n(sh.stateHeads), n(sh.stateDim), n(sh.stateDim), wide(width))
	}
	if l := or(s.stated("sequence_length"), s.stated("prompt_tokens")); l.ok {
		batch := or(s.stated("batch_size"), derived(1)).v
		for _, w := range []float64{2, 4} {
			try("attention_scores", 1, n(batch), n(sh.heads), n(l.v), n(l.v), wide(w))
		}
	}
	if sh.params > 0 {
		for _, w := range []float64{2, 4} {
			try("gradient_buffer", 1, n(sh.params), wide(w))
		}
	}
	return dedupe(list)
}

// passes are the token counts of one forward pass that the log states.
func (s *State) passes() []amount {
	var list []amount
	if t := s.stated("max_num_batched_tokens"); t.ok {
		list = append(list, t)
	}
	if t := s.stated("prompt_tokens"); t.ok {
		list = append(list, t)
	}
	if t := s.stated("sequence_length"); t.ok {
		batch := or(s.stated("batch_size"), derived(1))
		list = append(list, derived(t.v*batch.v))
	}
	return list
}

// tryPool compares the request with the KV cache tensor of a layer: blocks × block size over layers,
// and in the first versions one tensor each for keys and values.
func (s *State) tryPool(try func(string, float64, ...factor), n, wide func(float64) factor) {
	layers := s.shape.layers
	if layers == 0 || s.shape.stateGroups > 0 {
		return
	}
	block, ok := s.swapBlock()
	if !ok {
		block = s.shape.kvBytes(s.now.kvWidth.v, s.now.tp.v, s.now.pp.v) * s.need.block
	}
	if blocks := s.stated("num_gpu_blocks"); blocks.ok {
		try("kv_cache", layers, n(blocks.v), wide(block))
		try("kv_cache", 2*layers, n(blocks.v), wide(block))
	} else if kv := or(s.stated("kv_cache"), s.stated("kv_cache_memory_bytes")); kv.ok && kv.v > 0 {
		blocks := math.Floor(kv.v / block)
		try("kv_cache", layers, n(blocks), wide(block))
	}
}

// dedupe keeps the first of matches that say the same.
func dedupe(list []Match) []Match {
	seen := map[string]bool{}
	out := list[:0]
	for _, m := range list {
		if !seen[m.Sums] {
			seen[m.Sums] = true
			out = append(out, m)
		}
	}
	return out
}
