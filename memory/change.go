package memory

import (
	"maps"
	"math"
	"slices"
)

// Settings whose values in a Change are not those of the fact:
// kv_cache_dtype and dtype are bytes per element, quantization is bits per weight, optimizer is bytes
// of optimizer state per parameter.

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

// apply works a change into the account. Each setting moves the KV cache by what it moves in the
// budget's equation; the constants are the engine's own, or marked as estimated.
func (s *State) apply(c Change) plan {
	p := plan{account: s.now, need: s.need, changed: len(c) > 0, basis: Derived, lengthUp: 1, bits: s.bits()}
	// Sorted, so that the outcome does not depend on the order of a map.
	for _, n := range slices.Sorted(maps.Keys(c)) {
		v := c[n]
		if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			p.missing = n
			continue
		}
		if was := s.current(n); was.assumed && was.v != v {
			p.assume(n, was)
		}
		if f, ok := settings[n]; ok {
			f(s, &p, v)
		} else if dir, ok := effectOf(s.Failure, n); !ok || dir != 0 {
			p.missing = n
		}
	}
	return p
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

// settings holds what each setting does to the account.
var settings map[string]func(*State, *plan, float64)

func init() {
	settings = map[string]func(*State, *plan, float64){
		"gpu_memory_utilization":       setUtilization,
		"kv_cache_memory_bytes":        setPool,
		"max_model_len":                setMaxLen,
		"max_num_seqs":                 setMaxSeqs,
		"max_num_batched_tokens":       setMaxTokens,
		"kv_cache_dtype":               setKVWidth,
		"dtype":                        setWidth,
		"enforce_eager":                setEager,
		"cudagraph_max_size":           setGraphSize,
		"cudagraph_estimated":          setGraphEstimate,
		"enable_prefix_caching":        setPrefixCaching,
		"tensor_parallel_size":         setTensorParallel,
		"pipeline_parallel_size":       setPipelineParallel,
		"decode_context_parallel_size": setContextParallel,
		"quantization":                 setBits,
		"cpu_offload":                  setOffload,
		"weights":                      setWeightBytes,
		"activation_peak":              setActBytes,
		"gpu_total":                    setTotal,
		"startup_free":                 setStartupFree,
		"other_processes":              setOthers,
	}
}

// Settings lists what a Change may name, sorted: what moves the account, and what is known to change
// nothing for some kind of failure.
func Settings() []string {
	all := map[string]bool{}
	for name := range settings {
		all[name] = true
	}
	for _, name := range inert {
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
