package memory

import (
	"math"
)

// contextBytes is what a process holds on a device outside PyTorch: the CUDA context and its libraries.
const contextBytes = 0.5 * gib

// loads is the condition that the weights fit: parameters × bytes, split over the ranks, next to
// what others hold. Where the number of parameters is not known, only the failed request speaks.
func (s *State) loads(p plan) (inequality, bool) {
	free, req, failed := s.shortage()
	weights, known := s.weightBytes(p)
	if !known || !p.total.ok {
		if !failed {
			return inequality{}, false
		}
		gain := p.offload.v - s.now.offload.v
		if s.now.others.ok && p.others.ok {
			gain += s.now.others.v - p.others.v
		}
		if s.now.total.ok && p.total.ok {
			gain += p.total.v - s.now.total.v
		}
		return inequality{margin: free.v - req.v + gain, above: p.noise, basis: Derived, open: true,
			sums: sumLine(free.v, gain, req.v)}, true
	}
	have := p.total.v - contextBytes
	if failed && s.stated("process_in_use").ok {
		have -= p.others.v
	}
	q := inequality{margin: have - weights, above: 0.05*weights + p.noise, below: 0.05 * weights, basis: Estimated}
	params, ranks := s.params().v, s.ranks(p)
	q.sums = count(params) + " × " + trimmed((weights+p.offload.v)*ranks/params, 2) + " B"
	if ranks > 1 {
		q.sums += " / " + count(ranks)
	}
	if p.offload.v > 0 {
		q.sums += " − " + size(p.offload.v)
	}
	q.sums += " = " + size(weights) + " " + relationTo(q.margin) + " " + size(have)
	return q, true
}

// whatIfTorch judges a change to a PyTorch job whose device is full. What the failed request and the
// activations shrink by is a rule of thumb, so every verdict is estimated; where the log does not
// state a figure that decides, it is unknown.
func (s *State) whatIfTorch(c Change) Verdict {
	v := Verdict{Kind: Unknown, Basis: Estimated}
	free, req, ok := s.shortage()
	helps, harms, told := s.direction(c)
	if !ok || !told {
		return v
	}
	if !helps {
		return Verdict{Kind: Short, Basis: Derived, Margin: free.v - req.v, Sums: sumLine(free.v, 0, req.v)}
	}
	need, gain, open := req.v, 0.0, harms
	live, states := s.live(), s.states()
	acts := amount{}
	if live.ok && states.ok {
		acts = estimated(math.Max(0, live.v-states.v))
	}
	for _, name := range []string{"batch_size", "sequence_length"} {
		n, set := c[name]
		was := s.current(name)
		if !set {
			continue
		}
		if !was.ok || was.v <= 0 || n <= 0 {
			return v
		}
		f := n / was.v // quadratic requests shrink faster still
		need *= f
		gain += acts.v * (1 - f)
		open = open || !acts.ok
	}
	if w, set := c["dtype"]; set {
		if !live.ok || s.now.width.v <= 0 {
			return v
		}
		f := w / s.now.width.v
		need *= f
		gain += live.v * (1 - f)
	}
	for _, name := range []string{"optimizer", "world_size", "quantization", "gradient_checkpointing"} {
		n, set := c[name]
		if !set {
			continue
		}
		params := s.params()
		switch {
		case !params.ok:
			return v
		case name == "optimizer" && s.Phase == "optimizer_step":
			gain += params.v * math.Max(0, 8-n)
		case name == "world_size" && states.ok && n >= 1:
			gain += states.v * (1 - math.Max(1, s.current(name).v)/n)
		case name == "quantization":
			gain += params.v * math.Max(0, s.bits()-1.04*n) / 8
		case name == "gradient_checkpointing" && acts.ok:
			gain += acts.v * 0.6 // of 34 bytes an activation, 2 stay, and one layer at a time comes back
		default:
			return v
		}
	}
	if t, set := c["gpu_total"]; set {
		gain += t - s.now.total.v
	}
	if o, set := c["other_processes"]; set && s.now.others.ok {
		gain += s.now.others.v - o
	}
	gain = math.Min(gain, math.Max(0, live.v+s.now.others.v+math.Max(0, c["gpu_total"]-s.now.total.v)))
	q := inequality{margin: free.v + gain - need, above: math.Max(s.now.noise, need/4), basis: Estimated,
		sums: sumLine(free.v, gain, need)}
	if open && q.margin < 0 {
		return v // what activations give back is not known
	}
	return judge([]step{{"", q}}, "")
}

// training reports whether the job trains: then gradients and an optimizer's state stand beside
// the weights.
func (s *State) training() bool {
	return s.Phase == "backward" || s.Phase == "optimizer_step" || hasAny(s.facts, "gradient_accumulation_steps", "gradient_checkpointing")
}

// states is what weights, and in training gradients and AdamW's moments, take: 16 bytes a parameter
// in fp32 and in mixed precision alike.
func (s *State) states() amount {
	n := s.params()
	if !n.ok {
		return n
	}
	per := s.bits() / 8
	if s.training() {
		per = 16
	}
	states := n.v * per
	if live := s.live(); live.ok && states > live.v {
		return amount{} // not this model, or not trained in full
	}
	return estimated(states)
}
