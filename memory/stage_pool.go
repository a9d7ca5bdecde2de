package memory

import (
	"math"
	"strings"
)

// startup is the check at start, where the engine has one: free ≥ utilization × total.
func (p *plan) startup(checked bool) (inequality, bool) {
	if !checked || !p.free0.ok || !p.total.ok || !p.util.ok {
		return inequality{}, false
	}
	want := p.util.v * p.total.v
	doubt := p.free0.slack + p.util.v*p.total.slack
	above := doubt
	if n := p.noise; n > 0.5*gib {
		above = n // free memory that the host's page cache shares
	}
	return inequality{
		margin: p.free0.v - want, above: above, below: doubt,
		basis: Derived,
		sums:  size(p.free0.v) + " " + sign(p.free0.v-want) + " " + fixed(p.util.v, 2) + " × " + size(p.total.v) + " = " + size(want),
	}, true
}

// enough is the condition that the KV cache holds one request of full length.
func (s *State) enough(p plan) (inequality, bool) {
	q := inequality{basis: softer(p.basis, p.need.basis)}
	pool := p.kv
	anchored := !p.kvSet && p.need.ok && p.need.anchor > 0
	if anchored {
		pool = derived(p.need.at(floorTo(p.need.anchor, p.need.block)) + p.shift)
	}
	if !p.need.ok && p.need.anchor > 0 && !p.touched && !p.kvSet && p.maxLen.ok {
		// The engine's own count of tokens, where the bytes are not known.
		held := floorTo(p.need.anchor, p.need.block)
		q.tokens, q.margin, q.above = true, held-ceilTo(p.maxLen.v, p.need.block), p.need.block
		q.sums = count(p.need.anchor) + " " + sign(q.margin) + " " + count(p.maxLen.v)
		return q, true
	}
	if !pool.ok {
		return q, false
	}
	doubt := pool.slack + p.need.slack
	if anchored {
		doubt = 0
	}
	doubt = math.Max(doubt, math.Min(p.noise, math.Abs(p.shift))) + p.unsure // a pool that stays is as measured
	switch {
	case p.need.ok && p.maxLen.ok:
		need := p.need.at(p.maxLen.v)
		q.margin, q.above, q.below = pool.v-need, doubt+p.need.spare(), doubt
		q.open = p.need.beyond
		if p.need.least > 0 {
			q.below += need * (1 - p.need.least)
		}
		q.sums = s.poolSums(p, pool.v) + " " + sign(q.margin) + " " + needSums(p.need, p.maxLen.v)
		if anchored && !p.touched && s.now.kv.ok {
			q.sums = longestSums(p.need, s.now.kv.v) + " " + sign(q.margin) + " " + count(p.maxLen.v)
		}
	default:
		// A pool larger than any dense model's request of that length is enough.
		most := mib * p.maxLen.v
		q.open = !p.maxLen.ok || pool.v < most
		q.margin = pool.v - p.noise
		q.sums = s.poolSums(p, pool.v) + " " + relation(pool.v) + " 0"
	}
	return q, true
}

// poolSums shows how the KV cache came to its size.
func (s *State) poolSums(p plan, pool float64) string {
	was := s.now
	if p.kvSet || !p.touched || !was.kv.ok {
		return size(pool)
	}
	var sb strings.Builder
	sb.WriteString(size(was.kv.v))
	rest := pool - was.kv.v
	if p.util.v != was.util.v && p.total.ok && p.total.v == was.total.v {
		d := p.util.v - was.util.v
		sb.WriteString(" + (" + fixed(p.util.v, 2) + " − " + fixed(was.util.v, 2) + ") × " + size(p.total.v))
		rest -= d * p.total.v
	} else if least := s.leastTotal(); p.util.v != was.util.v && !p.total.ok && least > 0 {
		d := p.util.v - was.util.v
		sb.WriteString(" + (" + fixed(p.util.v, 2) + " − " + fixed(was.util.v, 2) + ") × " + size(least))
		rest -= d * least
	}
	if math.Abs(rest) > 0.005*gib {
		op := " + "
		if rest < 0 {
			op = " − "
		}
		sb.WriteString(op + size(math.Abs(rest)))
	}
	sb.WriteString(" = " + size(pool))
	return sb.String()
}

// longestSums shows how many tokens the pool holds by the engine's own count; the printed sizes are
// rounded, so the quotient is near it.
func longestSums(d demand, pool float64) string {
	t := size(pool)
	if d.constant > 0 {
		t = "(" + t + " − " + size(d.constant) + ")"
	}
	return t + " / " + size(d.slope) + " ≈ " + count(d.anchor)
}

// needSums shows what a request of n tokens takes.
func needSums(d demand, n float64) string {
	t := count(ceilTo(n, d.block)) + " × " + size(d.slope)
	if d.constant > 0 {
		t = size(d.constant) + " + " + t
	}
	return t + " = " + size(d.at(n))
}
