package memory

import (
	"maps"
	"math"
	"slices"
)

// Settings whose values in a Change are not those of the fact:
// kv_cache_dtype and dtype are bytes per element, quantization is bits per weight, optimizer is bytes
// of optimizer state per parameter.

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
