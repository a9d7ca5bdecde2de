package memory

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// bits returns the width of the weights in bits: what the quantization or the model's name says, unless more has been
// loaded already than that would take.
func (s *State) bits() float64 {
	b, full := s.statedBits(), 8*s.now.width.v
	n, live := s.params(), s.live()
	if s.Failure == WeightsLoad && b < full && n.ok && live.ok && live.v > 1.15*n.v*b/8/s.ranks(plan{account: s.now}) {
		return full
	}
	return b
}

func (s *State) statedBits() float64 {
	q := strings.ToLower(s.facts.Text("quantization") + " " + modelName(s.facts.Text("model")))
	switch {
	case anyOf(q, []string{"awq", "gptq", "int4", "w4a16", "fp4", "mxfp4", "nf4", "4bit", "4-bit", "bitsandbytes"}):
		return 4
	case anyOf(q, []string{"fp8", "int8", "w8a8", "8bit", "8-bit"}):
		return 8
	}
	return 8 * s.now.width.v
}

var sizeInName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[-_./])(?:(\d{1,2})x)?(\d{1,4}(?:\.\d{1,3})?)b(?:[-_.]|$)`)
})

// params returns the number of parameters: a known model's, or the one in the model's name.
func (s *State) params() amount {
	if s.known && s.shape.params > 0 {
		return derived(s.shape.params)
	}
	m := sizeInName().FindStringSubmatch(modelName(s.facts.Text("model")))
	if m == nil {
		return amount{}
	}
	n, _ := strconv.ParseFloat(m[2], 64)
	if m[1] != "" {
		experts, _ := strconv.ParseFloat(m[1], 64)
		n *= experts * 0.85 // experts share attention and embeddings
	}
	return estimated(n * 1e9)
}

// weightBytes is what one rank's weights take after a change, by the parameters of the model's name.
func (s *State) weightBytes(p plan) (float64, bool) {
	params := s.params()
	if !params.ok {
		return 0, false
	}
	width := s.bits() / 8
	switch {
	case p.bits < s.bits():
		width *= s.quantized(p.bits, s.bits())
	case p.width.v < s.now.width.v:
		width *= p.width.v / s.now.width.v
	}
	return math.Max(0, params.v*width/s.ranks(p)-p.offload.v), true
}

func (s *State) ranks(p plan) float64 { return math.Max(1, p.tp.v) * math.Max(1, p.pp.v) }

// shortage is free − requested of the failed allocation; negative. A failure with more free than
// requested says nothing about capacity.
func (s *State) shortage() (free, requested amount, ok bool) {
	free, requested = s.stated("gpu_free"), s.stated("oom_requested")
	return free, requested, free.ok && requested.ok
}

// live is what the failed process held in tensors.
func (s *State) live() amount {
	a := s.stated("torch_allocated")
	if x := s.stated("private_pool"); a.ok && x.ok && x.v <= a.v {
		a = a.plus(-x.v, Derived)
	}
	return a
}
