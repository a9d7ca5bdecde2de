package memory

import (
	"math"
	"strings"

	"github.com/oomdoc/oomdoc/memory/engine"
)

// What settings of the pool, of lengths and of graphs do to the account.

func setUtilization(s *State, p *plan, u float64) {
	was := p.util
	p.util = derived(u)
	switch {
	case was.ok && p.total.ok:
		basis := Derived
		if was.assumed {
			basis = Estimated
		}
		p.pool((u-was.v)*p.total.v, basis)
	case was.ok && !was.assumed && u > was.v && s.leastTotal() > 0:
		p.pool((u-was.v)*s.leastTotal(), Derived) // it adds at least that, on any card
	default:
		p.missing = "gpu_total"
	}
}

// leastTotal is what the device has at least: weights and pool stood inside utilization × total.
func (s *State) leastTotal() float64 {
	a := s.now
	if !a.weights.ok || !a.kv.ok || a.kvSet || !a.util.ok || a.util.assumed || a.util.v <= 0 {
		return 0
	}
	return math.Max(0, (a.weights.v+a.kv.v+a.act.v+a.nonTor.v+a.graphs.v)/a.util.v)
}

func setPool(_ *State, p *plan, b float64) {
	if p.kv.ok {
		p.shift += b - p.kv.v
	}
	p.kv, p.kvSet, p.touched = derived(b), true, false
}

// setMaxLen: V1 profiles with max_num_batched_tokens whatever the length; V0 without chunked
// prefill profiles with max_model_len tokens, so that a longer one costs pool. What a shorter one
// gives back is left out: it is not needed where the length alone has to fit. A length beyond the
// model's own is refused.
func setMaxLen(s *State, p *plan, n float64) {
	if n > p.maxLen.v && p.maxLen.ok {
		if s.defaultLength() {
			p.refused = count(n) + " > " + count(p.maxLen.v)
		}
		p.need.beyond = true
	}
	profiled := n > p.maxLen.v || s.Failure == NoPool || s.Failure == ProfileRun
	if !s.acc.v1 && !s.chunked && p.maxLen.ok && profiled {
		setMaxTokens(s, p, s.passTokens(n))
	}
	p.maxLen = derived(n)
}

// defaultLength reports whether the length in force is the model's own: the arguments are shown and set none.
func (s *State) defaultLength() bool {
	for _, name := range []string{"arguments", "constructor", "command"} {
		if given := strings.ReplaceAll(s.facts.Text(name), "_", "-"); given != "" {
			return !strings.Contains(given, "max-model-len")
		}
	}
	return false
}

// passTokens is how many tokens V0 profiles with at a length: above 32,768 chunked prefill turns
// itself on from 0.5.5 to the end, and the pass shrinks.
func (s *State) passTokens(n float64) float64 {
	if _, set := s.facts["enable_chunked_prefill"]; !set && n > 32768 {
		if s.acc.profile.Dated && s.acc.profile.Release.Before(engine.Release{0, 6, 5}) {
			return 512
		}
		return 2048
	}
	return math.Max(2048, n)
}

func setMaxTokens(s *State, p *plan, n float64) {
	old := p.maxTokens
	p.maxTokens = derived(n)
	if n == old.v || old.v <= 0 {
		return
	}
	p.lengthUp = n / old.v
	if seqs := s.stated("max_num_seqs"); seqs.ok && n < seqs.v && n < old.v {
		p.refused = count(n) + " < " + count(seqs.v) // the engine wants a token a request at least
	}
	if p.need.constant > 0 && s.shape.stateGroups == 0 && !hasAny(s.facts, "mamba_blocks") {
		p.missing = "window" // a window's blocks grow with the tokens in flight
	}
	if p.act.ok {
		p.setAct(s.peak(p, n, p.maxSeqs.v))
		return
	}
	if s.shape.inter == 0 {
		p.touched = true
		p.missing = "activation_peak"
		return
	}
	// The log does not say the peak, but its change follows from the model.
	p.pool(s.formula(p, math.Min(n, old.v), old.v)-s.formula(p, math.Min(n, old.v), n), Estimated)
}

// formula is the peak of the profiling pass by the model's configuration: of the forward pass over tokens, or of
// the sampler over rows, whichever is more.
func (s *State) formula(p *plan, rows, tokens float64) float64 {
	return math.Max(s.samplerPeak(p.maxSeqs.v, rows), tokens*s.forward(p.tp.v))
}

// peak is the activation peak at so many tokens and requests, from the one that the log states.
func (s *State) peak(p *plan, tokens, seqs float64) float64 {
	if s.shape.inter == 0 {
		return p.act.v * tokens / s.now.maxTokens.v
	}
	act := p.act.v + (tokens-s.now.maxTokens.v)*s.forward(p.tp.v)
	return math.Max(act, s.samplerPeak(seqs, tokens))
}

// setAct moves the activation peak and with it the KV cache.
func (p *plan) setAct(b float64) {
	b = math.Max(0, b)
	d := p.act.v - b
	p.act = estimated(b)
	p.pool(d, Estimated)
}

func setMaxSeqs(s *State, p *plan, n float64) {
	old := p.maxSeqs
	p.maxSeqs = derived(n)
	if n == old.v || old.v <= 0 {
		return
	}
	_, known := s.sampler()
	known = known && s.vocab().ok
	was, now := s.samplerPeak(old.v, p.maxTokens.v), s.samplerPeak(n, p.maxTokens.v)
	switch {
	case p.act.ok && known:
		act := p.act.v + now - was
		if s.shape.inter > 0 {
			act = math.Max(act, p.maxTokens.v*s.forward(p.tp.v))
		}
		p.setAct(act)
	case known && s.shape.inter > 0:
		forward := p.maxTokens.v * s.forward(p.tp.v)
		p.pool(math.Max(was, forward)-math.Max(now, forward), Estimated)
	case s.Failure == NoPool || s.Failure == PoolBelowRequest || s.Failure == NoFailure:
		p.touched = true
		p.missing = "vocab_size"
	}
	if s.Failure == ServingStep || s.Failure == ProfileRun {
		p.missing = "max_num_seqs" // how the pass that failed was made up is not known
	}
	if size := s.captureLimit(n); !hasAny(s.facts, "cudagraph_max_size") && size < p.graphSize.v {
		if p.graphs.v > 0 || p.outside.v > 0 {
			p.assume("cudagraph_max_size", p.graphSize)
		}
		p.scaleGraphs(size)
	}
}

func setKVWidth(s *State, p *plan, b float64) {
	if p.kvWidth.v <= 0 || b <= 0 {
		return
	}
	f := b / p.kvWidth.v
	p.need.slope *= f
	if s.shape.stateGroups == 0 && !hasAny(s.facts, "mamba_blocks") {
		p.need.constant *= f // windows shrink, recurrent states do not
	}
	if p.need.ok {
		p.need.anchor = 0
	} else {
		p.need.anchor /= f
	}
	p.kvWidth = derived(b)
}

func setEager(s *State, p *plan, on float64) {
	if on == 0 || p.eager {
		return
	}
	p.eager = true
	if !p.graphs.ok {
		p.missing = "cudagraph_estimated"
		p.touched = true
	} else {
		p.pool(p.graphs.v, Derived)
	}
	if !p.outside.ok && (s.Failure == SamplerWarmup || s.Failure == ServingStep) {
		p.missing = "cudagraph"
	}
	p.graphs, p.outside = derived(0), derived(0)
}

// fixedGraphs is the share of CUDA graph memory that does not shrink with the largest size: of 0.60 GiB at 512, 0.38
// stay at 256 and 0.14 at 2 in logs.
const fixedGraphs = 0.2

// scaleGraphs makes the graphs those up to another largest size.
func (p *plan) scaleGraphs(size float64) {
	if p.graphSize.v <= 0 || size >= p.graphSize.v || p.eager {
		return
	}
	f := graphShare(size / p.graphSize.v)
	p.graphSize = derived(size)
	if p.graphs.ok && p.graphs.v > 0 {
		d := p.graphs.v * (1 - f)
		p.graphs = p.graphs.plus(-d, Estimated)
		p.pool(d, Estimated)
	}
	if p.outside.ok {
		p.outside = p.outside.plus(-p.outside.v*(1-f), Estimated)
	}
}

// graphShare is what stays of CUDA graphs where the largest size becomes this share of what it was.
func graphShare(sizes float64) float64 {
	return math.Min(1, fixedGraphs+(1-fixedGraphs)*sizes)
}

func setGraphSize(s *State, p *plan, n float64) {
	p.scaleGraphs(n)
	if !p.outside.ok && (s.Failure == SamplerWarmup || s.Failure == ServingStep) {
		p.missing = "cudagraph"
	}
	p.graphSize = derived(n)
}

// setGraphEstimate at 0 keeps the graphs but no longer takes their estimate off the budget.
func setGraphEstimate(_ *State, p *plan, b float64) {
	if !p.graphs.ok {
		return
	}
	p.pool(p.graphs.v-b, Derived)
	p.outside = p.outside.plus(p.graphs.v-b, Derived)
	p.graphs = derived(b)
}

// setPrefixCaching: a hybrid model's request keeps a second page of every state for it; others keep nothing.
func setPrefixCaching(s *State, p *plan, on float64) {
	switch {
	case s.shape.stateGroups > 0:
		p.need.constant = s.shape.stateGroups * (1 + math.Min(1, on)) * p.need.slope * p.need.block
		p.need.anchor = 0
	case s.curved():
		p.missing = "mamba_blocks"
	}
}

// setContextParallel: the cache of a request is spread over as many ranks of the tensor-parallel group.
func setContextParallel(s *State, p *plan, n float64) {
	if n < 1 {
		return
	}
	if math.Mod(p.tp.v, n) != 0 {
		p.refused = count(p.tp.v) + " / " + count(n)
		return
	}
	p.need.slope /= n / math.Max(1, s.current("decode_context_parallel_size").v)
	p.need.anchor = 0
}
