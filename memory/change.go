package memory

import (
	"maps"
	"math"
	"slices"
	"sort"
)

// Settings whose values in a Change are not those of the fact:
// kv_cache_dtype and dtype are bytes per element, quantization is bits per weight, optimizer is bytes
// of optimizer state per parameter.

// plan is an account and a demand after a change.
type plan struct {
	account
	need     demand
	touched  bool    // the KV cache has to be measured anew
	basis    Basis   // of the change's effect
	missing  string  // a setting whose effect the log does not let us compute
	shift    float64 // bytes the change adds to the KV cache, also where its size is not known
	bits     float64 // width of the weights in bits, 0 where it stays
	lengthUp float64 // factor by which the failed request grows with the change
}

// apply works a change into the account. Each setting moves the KV cache by what it moves in the
// budget's equation; the constants are the engine's own, or marked as estimated.
func (s *State) apply(c Change) plan {
	p := plan{account: s.now, need: s.need, basis: Derived, lengthUp: 1}
	// Sorted, so that the outcome does not depend on the order of a map.
	names := make([]string, 0, len(c))
	for n := range c {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		v := c[n]
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			p.missing = n
			continue
		}
		if f, ok := settings[n]; ok {
			f(s, &p, v)
		} else if dir, ok := s.Effect(n); !ok || dir != 0 {
			p.missing = n
		}
	}
	return p
}

// settings holds what each setting does to the account.
var settings map[string]func(*State, *plan, float64)

func init() {
	settings = map[string]func(*State, *plan, float64){
		"gpu_memory_utilization": setUtilization,
		"kv_cache_memory_bytes":  setPool,
		"max_model_len":          setMaxLen,
		"max_num_seqs":           setMaxSeqs,
		"max_num_batched_tokens": setMaxTokens,
		"kv_cache_dtype":         setKVWidth,
		"dtype":                  setWidth,
		"enforce_eager":          setEager,
		"cudagraph_max_size":     setGraphSize,
		"cudagraph_estimated":    setGraphEstimate,
		"tensor_parallel_size":   setTensorParallel,
		"pipeline_parallel_size": setPipelineParallel,
		"quantization":           setBits,
		"cpu_offload":            setOffload,
		"weights":                setWeightBytes,
		"activation_peak":        setActBytes,
		"gpu_total":              setTotal,
		"startup_free":           setStartupFree,
		"other_processes":        setOthers,
	}
}

// Settings lists what a Change may name, sorted: what moves the account, and what is known to change
// nothing for some kind of failure.
func Settings() []string {
	all := map[string]bool{}
	for name := range settings {
		all[name] = true
	}
	for _, of := range effects {
		for name := range of {
			all[name] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// Current returns the value of a setting in force, as a Change has it; not ok where neither the log nor
// the engine's defaults tell.
func (s *State) Current(setting string) (value float64, basis Basis, ok bool) {
	a := s.current(setting)
	return a.v, a.basis, a.ok
}

// pool moves the KV cache, unless its size is set by hand.
func (p *plan) pool(d float64, basis Basis) {
	p.basis = softer(p.basis, basis)
	if d == 0 || p.kvSet {
		return
	}
	p.touched = true
	p.shift += d
	p.kv = p.kv.plus(d, basis)
}

func setUtilization(s *State, p *plan, u float64) {
	if !p.util.ok || !p.total.ok {
		p.missing = "gpu_total"
		p.util = derived(u)
		return
	}
	basis := Derived
	if p.util.basis == Estimated {
		basis = Estimated
	}
	p.pool((u-p.util.v)*p.total.v, basis)
	p.util = derived(u)
}

func setPool(s *State, p *plan, b float64) {
	if p.kv.ok {
		p.shift += b - p.kv.v
	}
	p.kv, p.kvSet, p.touched = derived(b), true, false
}

// setMaxLen: V1 profiles with max_num_batched_tokens whatever the length; V0 without chunked
// prefill profiles with max_model_len tokens, so that a longer one costs pool. What a shorter one
// gives back is left out: it is not needed where the length alone has to fit.
func setMaxLen(s *State, p *plan, n float64) {
	profiled := n > p.maxLen.v || s.Failure == NoPool || s.Failure == ProfileRun
	if !s.acc.v1 && !s.chunked && p.maxLen.ok && profiled {
		setMaxTokens(s, p, s.passTokens(n))
	}
	p.maxLen = derived(n)
}

// passTokens is how many tokens V0 profiles with at a length: above 32,768 chunked prefill turns
// itself on from 0.5.5 to the end, and the pass shrinks.
func (s *State) passTokens(n float64) float64 {
	if _, set := s.facts["enable_chunked_prefill"]; !set && n > 32768 {
		if r, known := parseRelease(s.facts.Text("engine_version")); known && r.before(release{0, 6, 5}) {
			return 512
		}
		return 2048
	}
	return math.Max(2048, n)
}

// forward is the bytes of activations per token of the profiling pass: 2·(3·I/TP + h·H).
func (s *State) forward(tp float64) float64 {
	h := 2.0
	if !s.acc.v1 {
		h = 3
	}
	return 2 * (3*s.shape.inter/tp + h*s.shape.hidden)
}

// sampler is the bytes per request and vocabulary entry at the sampler's peak, by implementation:
// PyTorch's own, from 0.17 a Triton kernel; what FlashInfer takes, the default from 0.21, is not
// known, nor is the share before 0.6.5. Models that embed or rank do not sample.
func (s *State) sampler() (bytes float64, ok bool) {
	if anyOf(modelName(s.facts.Text("model")), []string{"embed", "rerank", "reward", "bge-", "e5-", "bert"}) {
		return 0, true
	}
	r, known := parseRelease(s.facts.Text("engine_version"))
	switch {
	case known && !s.acc.v1 && r.before(release{0, 6, 5}), known && !r.before(release{0, 21}):
		return 0, false
	case known && !r.before(release{0, 17}):
		return 14.3, true
	}
	return 38.25, true
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

func setMaxTokens(s *State, p *plan, n float64) {
	old := p.maxTokens
	p.maxTokens = derived(n)
	if n == old.v || old.v <= 0 {
		return
	}
	p.lengthUp = n / old.v
	if !p.act.ok {
		if s.shape.inter > 0 { // the log does not say the peak, but its change follows from the model
			floor := s.samplerPeak(p.maxSeqs.v, math.Min(n, old.v))
			p.pool(math.Max(floor, old.v*s.forward(p.tp.v))-math.Max(floor, n*s.forward(p.tp.v)), Estimated)
		} else {
			p.touched = true
			p.missing = "activation_peak"
		}
		return
	}
	var act float64
	if s.shape.inter > 0 {
		act = math.Max(p.act.v+(n-old.v)*s.forward(p.tp.v), s.samplerPeak(p.maxSeqs.v, n))
	} else {
		act = p.act.v * n / old.v
	}
	p.setAct(act)
}

// samplerPeak is the part of the activation peak that max_num_seqs decides.
func (s *State) samplerPeak(seqs, tokens float64) float64 {
	c, _ := s.sampler()
	return c * math.Min(seqs, tokens) * s.vocab().v
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
	switch {
	case p.act.ok && s.vocab().ok && known:
		act := p.act.v + s.samplerPeak(n, p.maxTokens.v) - s.samplerPeak(old.v, p.maxTokens.v)
		if s.shape.inter > 0 {
			act = math.Max(act, p.maxTokens.v*s.forward(p.tp.v))
		}
		p.setAct(act)
	case s.Failure == NoPool || s.Failure == PoolBelowRequest:
		p.touched = true
		p.missing = "vocab_size"
	}
	if s.Failure == ServingStep || s.Failure == ProfileRun {
		p.missing = "max_num_seqs" // how the pass that failed was made up is not known
	}
	p.scaleGraphs(n / old.v)
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

func setWidth(s *State, p *plan, b float64) {
	if p.width.v <= 0 || b <= 0 {
		return
	}
	f := b / p.width.v
	p.width = derived(b)
	p.setWeights(s, f, Derived)
	setKVWidth(s, p, p.kvWidth.v*f)
}

// setWeights scales the weights and moves the KV cache by what they give.
func (p *plan) setWeights(s *State, f float64, basis Basis) {
	if !p.weights.ok {
		p.missing = "weights"
		p.touched = true
		return
	}
	d := p.weights.v * (1 - f)
	p.weights = p.weights.plus(-d, basis)
	p.pool(d, basis)
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

// scaleGraphs scales CUDA graph memory with the number of captured sizes.
func (p *plan) scaleGraphs(f float64) {
	if f >= 1 || p.eager {
		return
	}
	if p.graphs.ok && p.graphs.v > 0 {
		d := p.graphs.v * (1 - f)
		p.graphs = p.graphs.plus(-d, Estimated)
		p.pool(d, Estimated)
	}
	if p.outside.ok {
		p.outside = p.outside.plus(-p.outside.v*(1-f), Estimated)
	}
}

func setGraphSize(s *State, p *plan, n float64) {
	if p.graphSize.v > 0 {
		p.scaleGraphs(n / p.graphSize.v)
	}
	if !p.outside.ok && (s.Failure == SamplerWarmup || s.Failure == ServingStep) {
		p.missing = "cudagraph"
	}
	p.graphSize = derived(n)
}

// setGraphEstimate at 0 keeps the graphs but no longer takes their estimate off the budget.
func setGraphEstimate(s *State, p *plan, b float64) {
	if !p.graphs.ok {
		return
	}
	p.pool(p.graphs.v-b, Derived)
	p.outside = p.outside.plus(p.graphs.v-b, Derived)
	p.graphs = derived(b)
}

// perRank is what tensor parallelism adds outside PyTorch on every rank, NCCL and its buffers, as
// seen in logs: it grew with the versions.
func (s *State) perRank() float64 {
	r, known := parseRelease(s.facts.Text("engine_version"))
	switch {
	case known && r.before(release{0, 11}):
		return 0.12 * gib
	case known && !r.before(release{0, 19}):
		return 2 * gib
	}
	return 0.5 * gib
}

func setTensorParallel(s *State, p *plan, n float64) {
	old := p.tp.v
	if n < 1 || n == old || old < 1 {
		return
	}
	p.tp = derived(n)
	switch {
	case s.replicated():
	case s.known:
		p.need.slope *= s.shape.kvBytes(1, n, 1) / s.shape.kvBytes(1, old, 1)
	default:
		p.need.slope *= old / n
	}
	p.need.anchor = 0
	p.setWeights(s, old/n, Estimated)
	if n > 1 && old == 1 {
		p.nonTor = p.nonTor.plus(s.perRank(), Estimated)
		p.pool(-s.perRank(), Estimated)
	}
}

func setPipelineParallel(s *State, p *plan, n float64) {
	old := p.pp.v
	if n < 1 || n == old || old < 1 {
		return
	}
	p.pp = derived(n)
	p.need.slope *= old / n
	p.need.anchor = 0
	p.setWeights(s, old/n, Estimated)
}

// setBits: quantized linear layers carry about 4 % of scales; embeddings and the output layer stay
// at 16 bits, a tenth of the model where the vocabulary is not known.
func setBits(s *State, p *plan, bits float64) {
	was := s.bits()
	if bits <= 0 || bits >= was {
		return
	}
	p.bits = bits
	kept := 0.1
	if s.known && s.shape.params > 0 {
		kept = math.Min(1, 2*s.shape.vocab*s.shape.hidden/s.shape.params)
	}
	if was < 16 {
		kept = 0
	}
	p.setWeights(s, kept+(1-kept)*bits/was*1.04, Estimated)
}

// setOffload moves weights to host memory, at most all of them.
func setOffload(s *State, p *plan, b float64) {
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
func setWeightBytes(s *State, p *plan, b float64) {
	if p.weights.ok && p.weights.v > 0 {
		p.setWeights(s, b/p.weights.v, Derived)
	} else {
		p.missing = "weights"
	}
}

func setActBytes(s *State, p *plan, b float64) {
	if !p.act.ok {
		p.missing = "activation_peak"
		return
	}
	p.pool(p.act.v-b, Derived)
	p.act = derived(b)
}

func setTotal(s *State, p *plan, b float64) {
	if !p.total.ok {
		p.missing = "gpu_total"
		return
	}
	d := b - p.total.v
	p.total = derived(b)
	p.free0 = p.free0.plus(d, Derived)
	if p.util.ok {
		p.pool(p.util.v*d, Derived)
	}
}

func setStartupFree(s *State, p *plan, b float64) {
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
