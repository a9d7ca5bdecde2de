package memory

import "math"

// readDemand finds the bytes per token, from the log's own figures before any formula:
// slope and constant from a refusal that states need, pool and estimate; need over length; pool over
// tokens; V0's block; the configuration of a known model.
func (s *State) readDemand() demand {
	d := demand{block: 16}
	if b := s.stated("block_size"); b.ok && b.v >= 1 && b.v <= 1<<16 {
		d.block = math.Round(b.v)
	}
	length := s.now.maxLen
	need, have, est := s.stated("kv_needed"), s.stated("kv_available"), s.stated("estimated_max_model_len")
	curved := s.curved()

	if need.ok && have.ok && est.ok && length.ok && length.v > est.v && est.v > 0 && need.v > have.v {
		slope := (need.v - have.v) / (length.v - est.v)
		constant := need.v - slope*length.v
		// Two printed figures leave this much doubt about the constant.
		doubt := (need.slack+have.slack)/(length.v-est.v)*length.v + need.slack + d.block*slope
		if math.Abs(constant) <= doubt && !curved || constant < 0 {
			slope, constant = s.proportional(need, have, length.v, est.v, d.block), 0
		}
		d.ok, d.slope, d.constant, d.basis, d.slack = true, slope, constant, Derived, need.slack
		d.anchor = est.v
		return d
	}
	if est.ok && est.v > 0 {
		d.anchor = est.v
	}
	if c := s.stated("kv_capacity_tokens"); c.ok && c.v > 0 {
		d.anchor = c.v
	}
	if curved {
		s.hybridDemand(&d)
		return d
	}
	pool, tokens := s.now.kv, or(s.stated("kv_cache_tokens"), s.stated("kv_capacity_tokens"))
	switch block, blocks := s.swapBlock(); {
	case need.ok && length.ok && length.v > 0:
		d.ok, d.slope, d.basis, d.slack = true, need.v/length.v, Derived, need.slack
	case blocks:
		d.ok, d.slope, d.basis = true, block/d.block, Derived
	case pool.ok && pool.v > 0 && tokens.ok && tokens.v > 0:
		d.ok, d.slope, d.basis = true, pool.v/tokens.v, Derived
		if length.ok {
			d.slack = pool.slack / tokens.v * length.v
		}
	case s.linearShape():
		d.ok, d.slope, d.basis = true, s.shape.kvBytes(s.now.kvWidth.v, s.now.tp.v, s.now.pp.v), Derived
	}
	if !(d.slope > 0) || math.IsInf(d.slope, 0) {
		d.ok = false
	}
	return d
}

// hybridDemand is the demand on a known hybrid model: pages of all layers of the attention group for
// the tokens, and for every group of recurrent layers one state page, two with prefix caching. The
// log states the block, which is enlarged until its page holds a state.
func (s *State) hybridDemand(d *demand) {
	if s.shape.stateGroups == 0 || !hasAny(s.facts, "block_size") {
		return
	}
	states := s.shape.stateGroups
	if on, stated := s.facts.Num("enable_prefix_caching"); on != 0 || !stated && s.acc.concurrency {
		states *= 2
	}
	d.ok, d.basis = true, Derived
	d.slope = s.shape.kvBytes(s.now.kvWidth.v, s.now.tp.v, s.now.pp.v)
	d.constant = states * d.slope * d.block
}

// proportional is the bytes per token where need and pool are both proportional to their lengths:
// a known model's where the printed figures allow it, else the middle of what they allow.
func (s *State) proportional(need, have amount, length, est, block float64) float64 {
	low := math.Max((need.v-need.slack)/ceilTo(length, block), (have.v-have.slack)/(est+block))
	high := math.Min((need.v+need.slack)/ceilTo(length, block), (have.v+have.slack)/est)
	if low > high {
		return need.v / length
	}
	if s.linearShape() {
		if b := s.shape.kvBytes(s.now.kvWidth.v, s.now.tp.v, s.now.pp.v); b >= low && b <= high {
			return b
		}
	}
	return (low + high) / 2
}

// curved reports whether the model's KV cache is not simply proportional to the length.
func (s *State) curved() bool {
	return anyOf(modelName(s.facts.Text("model")), notLinear) || hasAny(s.facts, "mamba_blocks")
}

// replicated reports whether each rank of a tensor-parallel group keeps the whole cache.
func (s *State) replicated() bool {
	return !s.known && anyOf(modelName(s.facts.Text("model")), latent)
}
