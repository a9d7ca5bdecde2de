package memory

// plan is an account and a demand after a change.
type plan struct {
	account
	need     demand
	changed  bool    // something is to be set
	touched  bool    // the KV cache has to be measured anew
	basis    Basis   // of the change's effect
	missing  string  // a setting whose effect the log does not let us compute
	refused  string  // why the engine does not start with this at all, in figures
	shift    float64 // bytes the change adds to the KV cache, also where its size is not known
	bits     float64 // width of the weights in bits
	lengthUp float64 // factor by which the failed request grows with the change
	unsure   float64 // bytes by which the effect may be smaller: what tensor parallelism adds a rank
	assumes  map[string]float64
}

// assume notes that the sums rest on a default that no line states.
func (p *plan) assume(setting string, a amount) {
	if !a.assumed {
		return
	}
	if p.assumes == nil {
		p.assumes = map[string]float64{}
	}
	p.assumes[setting] = a.v
	p.basis = Estimated
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

// current returns the value of a setting in force.
func (s *State) current(setting string) amount {
	a := s.now
	switch setting {
	case "gpu_memory_utilization":
		return a.util
	case "kv_cache_memory_bytes":
		return a.kv
	case "max_model_len":
		return a.maxLen
	case "max_num_seqs":
		return a.maxSeqs
	case "max_num_batched_tokens":
		return a.maxTokens
	case "kv_cache_dtype":
		return a.kvWidth
	case "dtype":
		return a.width
	case "cudagraph_max_size":
		return a.graphSize
	case "cudagraph_estimated":
		return a.graphs
	case "tensor_parallel_size":
		return a.tp
	case "pipeline_parallel_size":
		return a.pp
	case "cpu_offload":
		return a.offload
	case "gpu_total":
		return a.total
	case "startup_free":
		return a.free0
	case "other_processes":
		return a.others
	case "enforce_eager":
		if a.eager {
			return derived(1)
		}
		return derived(0)
	case "quantization":
		return derived(s.bits())
	case "gradient_checkpointing":
		return or(s.stated(setting), estimated(0))
	case "world_size", "decode_context_parallel_size", "data_parallel_size":
		return or(s.stated(setting), estimated(1))
	case "optimizer":
		return estimated(8)
	}
	return s.stated(setting)
}
