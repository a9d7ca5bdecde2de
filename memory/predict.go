package memory

import "math"

// Predict returns the figures that the engine would print after a change, by fact name, as far as
// they follow from the log: KV cache, its blocks, tokens and concurrency, what one request needs, the
// longest length, weights, activation peak and the engine's own suggestions.
func (s *State) Predict(c Change) map[string]float64 {
	p := s.apply(c)
	m := map[string]float64{}
	put := func(name string, a amount) {
		if a.ok {
			m[name] = a.v
		}
	}
	put("weights", p.weights)
	put("activation_peak", p.act)
	put("kv_cache", p.kv)
	if p.weights.ok && p.act.ok {
		m["peak_torch"] = p.weights.v + p.act.v
	}
	if p.total.ok && p.util.ok {
		m["desired"] = p.util.v * p.total.v
	}
	s.predictPool(p, m)
	s.predictSuggestion(p, m)
	return m
}

// Cache is what a KV cache holds.
type Cache struct {
	Tokens   float64 // 0 where it cannot be told
	Requests float64 // of max_model_len at the same time; 0 where it cannot be told
}

// Cache says what the KV cache holds after a change: nothing where that rests on what the log does not tell, such as
// whether the heads of the cache are split over the ranks.
func (s *State) Cache(c Change) Cache {
	p := s.apply(c)
	if p.missing != "" || p.refused != "" || p.need.least > 0 {
		return Cache{}
	}
	m := map[string]float64{}
	s.predictPool(p, m)
	out := Cache{Tokens: m["kv_cache_tokens"], Requests: m["max_concurrency"]}
	if n := s.stated("kv_cache_tokens"); n.ok && len(c) == 0 {
		out.Tokens = n.v
	}
	return out
}

// predictPool is the KV cache in blocks and tokens, the engine's way.
func (s *State) predictPool(p plan, m map[string]float64) {
	if p.need.ok && p.maxLen.ok {
		m["kv_needed"] = p.need.at(p.maxLen.v)
	} else if n := s.stated("max_concurrency"); n.ok && n.v > 0 && p.kv.ok && !p.touched && p.maxLen.v == s.now.maxLen.v {
		m["kv_needed"] = p.kv.v / n.v
	}
	if !p.need.ok || !p.kv.ok || p.kv.v <= 0 {
		tokens := s.stated("kv_cache_tokens")
		if tokens.ok && p.maxLen.ok && p.maxLen.v > 0 {
			m["max_concurrency"] = tokens.v / p.maxLen.v
		}
		return
	}
	m["estimated_max_model_len"] = p.need.longest(p.kv.v)
	blocks := math.Floor(p.kv.v/p.need.spare() + 1e-6)
	m["num_gpu_blocks"] = blocks
	m["kv_cache_tokens"] = blocks * p.need.block
	if p.maxLen.ok && p.maxLen.v > 0 {
		concurrency := blocks / (p.need.at(p.maxLen.v) / p.need.spare())
		m["max_concurrency"] = concurrency
		if groups := s.shape.stateGroups; groups > 0 {
			m["kv_cache_tokens"] = math.Floor(blocks/(1+groups)) * p.need.block
		}
		if s.acc.concurrency && p.need.constant > 0 {
			m["kv_cache_tokens"] = math.Floor(concurrency * p.maxLen.v)
		}
	}
	m["kv_capacity_tokens"] = m["kv_cache_tokens"]
}

// predictSuggestion is the KV cache that vLLM suggests: what the budget, or the free memory at start,
// leaves beside everything measured, less 150 MiB. Versions that print an activation peak with the
// graph estimate in it take the graphs off twice.
func (s *State) predictSuggestion(p plan, m map[string]float64) {
	graphs := s.stated("cudagraph")
	used := p.wn
	if !used.ok && p.weights.ok && p.nonTor.ok {
		used = derived(p.weights.v + p.nonTor.v)
	}
	want := s.stated("desired")
	if !want.ok && p.total.ok && p.util.ok {
		want = derived(p.util.v * p.total.v)
	}
	if !graphs.ok || !used.ok || !p.act.ok || !want.ok {
		return
	}
	rest := used.v + p.act.v + graphs.v + keptBack
	if s.acc.estimateInA && p.graphs.ok {
		rest += p.graphs.v
	}
	m["kv_suggest_fit"] = want.v - rest
	if p.free0.ok {
		m["kv_suggest_full"] = p.free0.v - rest
	}
}
