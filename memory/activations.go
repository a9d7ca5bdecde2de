package memory

import "math"

// forward is the bytes of activations per token of the profiling pass: 2·(3·I/TP + h·H).
func (s *State) forward(tp float64) float64 {
	h := 2.0
	if !s.acc.v1 {
		h = 3
	}
	return s.now.width.v * (3*s.shape.inter/math.Max(1, tp) + h*s.shape.hidden)
}

// sampler is the bytes per request and vocabulary entry at the sampler's peak, by the profile's rule: PyTorch's own
// or a Triton kernel; of others it is not known. Models that embed or rank do not sample.
func (s *State) sampler() (bytes float64, ok bool) {
	if anyOf(modelName(s.facts.Text("model")), []string{"embed", "rerank", "reward", "bge-", "e5-", "bert"}) {
		return 0, true
	}
	return s.acc.profile.Number("sampler")
}

// samplerPeak is the part of the activation peak that max_num_seqs decides.
func (s *State) samplerPeak(seqs, tokens float64) float64 {
	c, _ := s.sampler()
	return c * math.Min(seqs, tokens) * s.vocab().v
}

func (s *State) vocab() amount {
	if v := s.stated("vocab_size"); v.ok {
		return v
	}
	if s.known {
		return derived(s.shape.vocab)
	}
	return amount{}
}
