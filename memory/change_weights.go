package memory

import (
	"math"

	"github.com/oomdoc/oomdoc/memory/engine"
)

// What settings of the weights and of the machine do to the account.

// setWidth changes the data type of weights and activations; the KV cache follows where its own is "auto".
// Quantized weights stay as they are.
func setWidth(s *State, p *plan, b float64) {
	if p.width.v <= 0 || b <= 0 {
		return
	}
	f := b / p.width.v
	wide := p.bits >= 8*p.width.v
	p.width = derived(b)
	if wide {
		p.bits *= f
		p.setWeights(f, Derived)
	}
	if p.act.ok && p.act.v > 1.05*s.samplerPeak(p.maxSeqs.v, p.maxTokens.v) { // the sampler works in fp32 anyway
		p.setAct(p.act.v * f)
	}
	if t := s.facts.Text("kv_cache_dtype"); t == "" || t == "auto" {
		setKVWidth(s, p, p.kvWidth.v*f)
	}
}

// setWeights scales the weights and moves the KV cache by what they give.
func (p *plan) setWeights(f float64, basis Basis) {
	if !p.weights.ok {
		p.missing = "weights"
		p.touched = true
		return
	}
	d := p.weights.v * (1 - f)
	p.weights = p.weights.plus(-d, basis)
	p.pool(d, basis)
}

// communication is what tensor parallelism adds outside PyTorch on every rank, NCCL and its buffers, as
// seen in logs: it grew with the releases. doubt is how far logs lie apart.
func (s *State) communication(ranks float64) (bytes, doubt float64) {
	r, dated := s.acc.profile.Release, s.acc.profile.Dated
	switch {
	case ranks <= 1:
		return 0, 0
	case dated && r.Before(engine.Release{0, 11}):
		return 0.12 * gib, 0.1 * gib
	case dated && !r.Before(engine.Release{0, 19}):
		return 1.2 * gib, 0.9 * gib
	}
	return 0.5 * gib, 0.4 * gib
}

// setTensorParallel: weights, feed-forward activations and the heads of the cache are split; what the ranks say to
// each other comes on top. A latent cache is whole on every rank; whose heads are not known may be split or not.
func setTensorParallel(s *State, p *plan, n float64) {
	old := p.tp.v
	if n < 1 || n == old || old < 1 {
		return
	}
	if why := s.indivisible(n); why != "" {
		p.refused = why
	}
	p.tp = derived(n)
	switch f := old / n; {
	case s.replicated():
	case s.shape.kvHeads > 0:
		f = s.shape.kvBytes(1, n, 1) / s.shape.kvBytes(1, old, 1)
		p.need.slope *= f
		p.need.constant *= f
	case f < 1:
		p.need.least = f // at best; the sums take the whole
	default:
		p.need.slope *= f
		p.need.constant *= f
		p.need.least = 1 / f
	}
	p.need.anchor = 0
	p.setWeights(old/n, Estimated)
	if p.act.ok && s.shape.inter > 0 {
		act := p.act.v + p.maxTokens.v*(s.forward(n)-s.forward(old))
		p.setAct(math.Max(act, s.samplerPeak(p.maxSeqs.v, p.maxTokens.v)))
	}
	now, doubt := s.communication(n)
	was, _ := s.communication(old)
	if d := now - was; d != 0 {
		p.unsure += doubt
		p.nonTor = p.nonTor.plus(d, Estimated)
		p.pool(-d, Estimated)
	}
}

// indivisible says in figures why a model's heads cannot be split over so many ranks; "" where they can, or
// where nothing tells.
func (s *State) indivisible(n float64) string {
	if h := s.shape.heads; h > 0 && math.Mod(h, n) != 0 {
		return count(h) + " / " + count(n) + " = " + fixed(h/n, 2)
	}
	if k := s.shape.kvHeads; k > 0 && math.Mod(k, n) != 0 && math.Mod(n, k) != 0 {
		return count(k) + " / " + count(n) + " = " + fixed(k/n, 2)
	}
	return ""
}

// setPipelineParallel: layers are split; the first stage keeps the embeddings and the last the head, so that the
// stage that holds most decides.
func setPipelineParallel(s *State, p *plan, n float64) {
	old := p.pp.v
	if n < 1 || n == old || old < 1 {
		return
	}
	p.pp = derived(n)
	share := func(stages float64) float64 { return 1 / stages }
	if sh := s.shape; s.known && sh.params > 0 && p.bits >= 16 {
		ends := sh.vocab * sh.hidden / sh.params
		both := ends
		if untied := sh.params - sh.layers*sh.layer() - 1.5*sh.vocab*sh.hidden; untied > 0 {
			both = 2 * ends
		}
		share = func(stages float64) float64 {
			if stages == 1 {
				return 1
			}
			return (1-both)*math.Ceil(sh.layers/stages)/sh.layers + ends
		}
	}
	p.need.slope *= old / n
	p.need.constant *= old / n
	p.need.anchor = 0
	p.setWeights(share(n)/share(old), Estimated)
}

// setBits: quantized linear layers carry about 4 % of scales; embeddings and the output layer stay
// at 16 bits, a tenth of the model where the vocabulary is not known.
func setBits(s *State, p *plan, bits float64) {
	was := p.bits
	if bits <= 0 || bits >= was {
		return
	}
	p.bits = bits
	p.setWeights(s.quantized(bits, was), Estimated)
}

// quantized is the share of the weights that stays where they go from one width to another.
func (s *State) quantized(bits, was float64) float64 {
	kept := 0.1
	if s.known && s.shape.params > 0 {
		kept = math.Min(1, 2*s.shape.vocab*s.shape.hidden/s.shape.params)
	}
	if was < 16 {
		kept = 0
	}
	return kept + (1-kept)*bits/was*1.04
}

// setOffload moves weights to host memory, at most all of them.
func setOffload(_ *State, p *plan, b float64) {
	d := b - p.offload.v
	p.offload = derived(b)
	if !p.weights.ok {
		p.missing = "weights"
		p.pool(d, Estimated)
		return
	}
	d = math.Min(d, p.weights.v)
	p.weights = p.weights.plus(-d, Derived)
	p.pool(d, Derived)
}

// setWeightBytes and setActBytes take a size measured elsewhere: another checkpoint's, another pass's.
func setWeightBytes(_ *State, p *plan, b float64) {
	if p.weights.ok && p.weights.v > 0 {
		p.setWeights(b/p.weights.v, Derived)
	} else {
		p.missing = "weights"
	}
}

func setActBytes(_ *State, p *plan, b float64) {
	if !p.act.ok {
		p.missing = "activation_peak"
		return
	}
	p.pool(p.act.v-b, Derived)
	p.act = derived(b)
}

// setTotal puts the process on another card. Where the log states none, the pool follows from the budget's equation.
func setTotal(_ *State, p *plan, b float64) {
	was := p.total
	p.total = derived(b)
	if !was.ok {
		if !p.util.ok || !p.weights.ok || !p.act.ok || !p.nonTor.ok || !p.graphs.ok || p.kvSet {
			p.missing = "gpu_total"
			return
		}
		p.assume("gpu_memory_utilization", p.util)
		p.kv, p.touched = derived(p.util.v*b-p.weights.v-p.act.v-p.nonTor.v-p.graphs.v), true
		return
	}
	d := b - was.v
	p.free0 = p.free0.plus(d, Derived)
	if p.util.ok {
		p.assume("gpu_memory_utilization", p.util)
		p.pool(p.util.v*d, Derived)
	}
}

func setStartupFree(_ *State, p *plan, b float64) {
	p.free0 = derived(b)
	if p.total.ok {
		p.others = derived(math.Max(0, p.total.v-b))
	}
}

func setOthers(s *State, p *plan, b float64) {
	if !p.others.ok {
		p.missing = "other_processes"
		return
	}
	d := p.others.v - b
	p.others = derived(b)
	p.free0 = p.free0.plus(d, Derived)
	if s.acc.othersInside {
		p.pool(d, Derived)
	}
}
