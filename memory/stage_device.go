package memory

import (
	"math"
	"strings"
)

// The conditions that a plan is held against, other than those of the KV cache (stage_pool.go) and of
// loading (torch.go).

// freed is what a change gives back to the device outside the pool.
func (s *State) freed(p plan) float64 {
	was, d := s.now, -p.shift
	pairs := [][2]amount{{was.weights, p.weights}, {was.act, p.act}, {was.others, p.others}, {was.nonTor, p.nonTor}}
	if s.Failure == SamplerWarmup || s.Failure == ServingStep { // by then graphs have been captured
		pairs = append(pairs, [2]amount{was.graphs, p.graphs}, [2]amount{was.outside, p.outside})
	}
	for _, pair := range pairs {
		if pair[0].ok && pair[1].ok {
			d += pair[0].v - pair[1].v
		}
	}
	if was.total.ok && p.total.ok {
		d += p.total.v - was.total.v
	}
	return d
}

// keptBack is what vLLM leaves free where it suggests a KV cache size.
const keptBack = 150 * mib

// typicalGraphs is what CUDA graphs take where the log does not say: 0.4 to 1.9 GiB are usual.
const typicalGraphs = 0.5 * gib

// reserve is the condition that what vLLM allocates outside its budget fits next to it:
// total × (1 − utilization) − others ≥ graphs not in the budget. Where neither graphs nor others
// are known it can warn, not refuse.
func (s *State) reserve(p plan) (inequality, bool) {
	if !p.total.ok || !p.util.ok {
		return inequality{}, false
	}
	graphs := p.outside
	if !graphs.ok {
		graphs = estimated(typicalGraphs)
		if p.graphs.ok && p.graphs.v > 0 {
			graphs.v = 0.1 * gib
		}
	}
	left := p.total.v*(1-p.util.v) - p.others.v
	q := inequality{margin: left - graphs.v, above: 0, below: math.Inf(1), basis: Derived}
	if graphs.basis != Estimated && p.others.ok {
		q.below = p.noise
	}
	q.sums = size(p.total.v) + " × (1 − " + fixed(p.util.v, 2) + ")"
	if p.others.v > 0 {
		q.sums += " − " + size(p.others.v)
	}
	q.sums += " = " + size(left) + " " + sign(q.margin) + " " + size(graphs.v)
	return q, true
}

// device is the condition that a KV cache set by hand fits on the device: what the engine measured
// stays, the budget no longer limits it. 150 MiB are kept back, as the engine's own suggestion does.
func (s *State) device(p plan) (inequality, bool) {
	was := s.now
	if !was.kv.ok || !was.total.ok || !was.util.ok {
		return inequality{}, false
	}
	graphs := or(s.stated("cudagraph"), s.stated("cudagraph_estimated"), estimated(typicalGraphs))
	if was.eager {
		graphs = derived(0)
	}
	left := was.kv.v + was.graphs.v + was.total.v*(1-was.util.v) - was.others.v - graphs.v - keptBack
	if s.acc.othersInside {
		left += was.others.v // they are in the budget already
	}
	return inequality{margin: left - p.kv.v, above: p.noise, below: p.noise, basis: softer(Derived, graphs.basis),
		sums: size(p.kv.v) + " " + relationTo(left-p.kv.v) + " " + size(left)}, true
}

// outside is the condition that a failure after the KV cache was sized does not come back.
func (s *State) outside(p plan) (inequality, bool) {
	free, req, ok := s.shortage()
	if !ok {
		return inequality{}, false
	}
	freed := s.freed(p)
	q := inequality{basis: softer(Derived, p.basis), above: p.noise, below: 0}
	need := req.v
	live, w, kv := s.live(), s.now.weights, s.now.kv
	switch s.Failure {
	case PoolAllocation:
		if rest := kv.v - (live.v - w.v); live.ok && w.ok && kv.ok && kv.v > 0 && rest >= req.v && live.v >= w.v {
			need = rest
		} else {
			q.open = true // the layers that were to follow are not counted
		}
	case GraphCapture:
		if p.eager {
			need, q.above = 0, 0 // nothing is captured
			break
		}
		// How much of the graphs has been captured is not told: the clause about private pools counts their free
		// blocks alone.
		all := or(s.stated("cudagraph_estimated"), estimated(typicalGraphs))
		need = math.Max(req.v, all.v) * s.graphScale(p)
		q.below = math.Max(0, need-req.v) // they may be nearly done
		q.basis = Estimated
	case SamplerWarmup:
		// The request is one of several copies of rows × vocabulary.
		scale := 1.0
		if n := s.stated("dummy_requests"); n.ok && n.v > 0 {
			scale = math.Min(1, p.maxSeqs.v/n.v)
		} else if s.now.maxSeqs.v > 0 {
			scale = math.Min(1, p.maxSeqs.v/s.now.maxSeqs.v)
		}
		c, known := s.sampler()
		if !known {
			c = 14.3
		}
		peak := req.v * c / 4
		held := req.v // the logits themselves; more where the log tells
		if live.ok && w.ok && kv.ok {
			held = math.Max(held, live.v-w.v-math.Max(0, kv.v))
		}
		held = math.Min(held, peak-req.v)
		need = math.Max(req.v*scale, peak*scale-held)
		q.below = need - math.Max(0, req.v*scale-held*(1-scale))
		q.basis = Estimated
	case ServingStep:
		need = req.v * math.Min(1, p.lengthUp)
		q.above = math.Max(q.above, need/4) // the next step may ask for more
		if p.lengthUp < 1 {
			q.basis = Estimated
		}
	}
	q.margin = free.v + freed - need
	q.sums = sumLine(free.v, freed, need)
	return q, true
}

// graphScale is the share of CUDA graphs that a change leaves.
func (s *State) graphScale(p plan) float64 {
	if s.now.graphSize.v > 0 && p.graphSize.v < s.now.graphSize.v {
		return graphShare(p.graphSize.v / s.now.graphSize.v)
	}
	return 1
}

// profiles is the condition that the profiling pass fits. What it held beyond the weights shrinks
// with the tokens of the pass; utilization does not limit it.
func (s *State) profiles(p plan) (inequality, bool) {
	free, req, ok := s.shortage()
	if !ok {
		return inequality{}, false
	}
	q := inequality{basis: softer(Derived, p.basis), above: p.noise}
	live, gain := s.live(), 0.0
	if s.now.weights.ok && p.weights.ok {
		gain += s.now.weights.v - p.weights.v
	}
	if pass := live.v - s.now.weights.v; live.ok && s.now.weights.ok && pass > 0 && p.lengthUp < 1 {
		gain += (pass + req.v) * (1 - p.lengthUp)
		q.basis = Estimated
	} else if p.lengthUp < 1 {
		gain += req.v * (1 - p.lengthUp)
		q.basis = Estimated
	}
	if s.now.total.ok && p.total.ok {
		gain += p.total.v - s.now.total.v
	}
	if s.now.others.ok && p.others.ok {
		gain += s.now.others.v - p.others.v
	}
	q.margin = free.v - req.v + gain
	q.below = 0
	q.sums = sumLine(free.v, gain, req.v)
	return q, true
}

// leaves is the condition that the budget has room for a KV cache once the stages before have passed:
// utilization × total > weights + activations + non-torch + one request. Terms that nobody states are taken at
// their least, so that the sums can refuse and hardly promise. Utilization counts as changed only beside what
// helps the failure.
func (s *State) leaves(p *plan, helps bool) (inequality, bool) {
	if !p.total.ok || !p.util.ok || s.Engine != "vllm" || p.kvSet {
		return inequality{}, false
	}
	util := p.util
	if s.Failure == ProfileRun && !helps {
		util = s.now.util
	}
	weights, doubt := p.weights, 0.0
	if !weights.ok || s.Failure == WeightsLoad {
		w, ok := s.weightBytes(*p)
		if !ok {
			return inequality{}, false
		}
		weights, doubt = estimated(w), 0.05*w
	}
	act := p.act
	if _, req, failed := s.shortage(); s.Failure == ProfileRun && failed && s.live().ok && s.now.weights.ok {
		act = estimated((math.Max(0, s.live().v-s.now.weights.v) + req.v) * math.Min(1, p.lengthUp))
	} else if !act.ok && s.shape.inter > 0 {
		act = estimated(s.formula(p, math.Min(p.maxSeqs.v, p.maxTokens.v), p.maxTokens.v))
		if s.samplerPeak(p.maxSeqs.v, p.maxTokens.v) > 0 {
			p.assume("max_num_seqs", s.now.maxSeqs)
		}
	}
	p.assume("gpu_memory_utilization", util)
	budget := util.v * p.total.v
	rest := budget - weights.v - act.v - math.Max(0, p.nonTor.v)
	q := inequality{above: doubt + p.noise, below: doubt + p.noise, basis: Estimated, margin: rest}
	terms := []string{size(weights.v)}
	for _, a := range []amount{act, p.nonTor} {
		if a.ok && a.v > 0 {
			terms = append(terms, size(a.v))
		}
	}
	if p.need.ok && p.maxLen.ok {
		need := p.need.at(p.maxLen.v)
		q.margin -= need
		if p.need.least > 0 {
			q.below += need * (1 - p.need.least)
		}
		terms = append(terms, count(ceilTo(p.maxLen.v, p.need.block))+" × "+size(p.need.slope))
	}
	q.sums = fixed(util.v, 2) + " × " + size(p.total.v) + " = " + size(budget) + " " + sign(q.margin) + " " + strings.Join(terms, " + ")
	return q, true
}

// captures is the condition that CUDA graphs fit behind a pool that now does.
func (s *State) captures(p plan, pool inequality) (inequality, bool) {
	g := or(s.stated("cudagraph_estimated"), s.stated("cudagraph"))
	if !g.ok || p.eager || pool.sums == "" {
		return inequality{}, false
	}
	left := pool.margin
	return inequality{margin: left - g.v, above: p.noise, below: p.noise + g.v/2, basis: Estimated,
		sums: size(left) + " " + sign(left-g.v) + " " + size(g.v)}, true
}

// eases says by how much the KV cache grows for requests that wait. How much they need is not known.
func (s *State) eases(p plan) (inequality, bool) {
	gain := p.shift
	if s.need.slope > 0 && p.need.slope > 0 && p.kv.ok {
		gain = p.kv.v*s.need.slope/p.need.slope - s.now.kv.v
	}
	fewer := p.maxSeqs.v < s.now.maxSeqs.v
	q := inequality{margin: gain, basis: softer(Derived, p.basis), open: true}
	if gain <= 0 && !fewer {
		q.margin = math.Min(gain, -2)
	}
	if s.now.kv.ok {
		q.sums = size(s.now.kv.v) + " → " + size(s.now.kv.v+gain)
	}
	return q, true
}
