package memory

import (
	"slices"

	"github.com/oomdoc/oomdoc/fact"
)

// Failure is the kind of failure as far as arithmetic goes: which of the engine's inequalities did
// not hold. Nearly every wrong piece of advice is right for another kind.
type Failure string

// The kinds of failure.
const (
	StartupCheck     Failure = "startup-check"      // free memory at start < utilization × total
	WeightsLoad      Failure = "weights-load"       // the weights do not fit on the device
	ProfileRun       Failure = "profile-run"        // the profiling pass does not fit
	NoPool           Failure = "no-pool"            // nothing is left for the KV cache
	PoolBelowRequest Failure = "pool-below-request" // the KV cache cannot hold one full request
	PoolAllocation   Failure = "pool-allocation"    // allocating the KV cache fails
	GraphCapture     Failure = "graph-capture"      // capturing CUDA graphs fails
	SamplerWarmup    Failure = "sampler-warmup"     // the sampler's warm-up fails
	ServingStep      Failure = "serving-step"       // a step fails while serving
	Preemption       Failure = "preemption"         // the KV cache is full; requests wait
	HostMemory       Failure = "host-memory"        // the host's memory ran out
	DeviceFull       Failure = "device-full"        // PyTorch alone: live tensors fill the device
	NoFailure        Failure = ""                   // nothing failed, or it cannot be told
)

// failureOf tells the kind from the facts that the incident's own lines state and from its phase.
func failureOf(own, all fact.Facts, phase, engine string) Failure {
	less := func(a, b string) bool {
		x, okx := own.Num(a)
		y, oky := own.Num(b)
		return okx && oky && x < y
	}
	kv, kvKnown := all.Num("kv_cache")
	requested := hasAny(own, "oom_requested", "backend") // backend: an allocation failed and gave no figures
	switch {
	case hasAny(own, "host_killed_rss", "host_limit", "host_requested", "shm_needed", "shm_free"):
		return HostMemory
	case less("startup_free", "desired"), phase == "startup" && hasAny(own, "startup_free"):
		return StartupCheck
	case less("kv_available", "kv_needed"), less("kv_capacity_tokens", "max_model_len"):
		return PoolBelowRequest
	case hasAny(own, "dummy_requests"):
		return SamplerWarmup
	case hasAny(own, "preemptions") && !requested:
		return Preemption
	case kvKnown && kv <= 0 && !requested, zero(own, "num_gpu_blocks"):
		return NoPool
	}
	if engine != "vllm" && engine != "" {
		switch {
		case requested && engine == "pytorch" && phase == "model_load":
			return WeightsLoad
		case requested:
			return DeviceFull
		}
		return NoFailure
	}
	switch phase {
	case "model_load":
		return WeightsLoad
	case "profile":
		if requested {
			return ProfileRun
		}
		return NoPool
	case "kv_alloc":
		if requested {
			return PoolAllocation
		}
		return NoPool
	case "graph_capture":
		return GraphCapture
	case "warmup":
		return SamplerWarmup
	case "serving":
		if requested {
			return ServingStep
		}
		return Preemption
	}
	if requested && engine == "" {
		return DeviceFull
	}
	return NoFailure // of an engine in a phase that is not known, nothing follows
}

func zero(f fact.Facts, name string) bool {
	v, ok := f.Num(name)
	return ok && v == 0
}

// effects says in which direction a setting has to move for each kind of failure: +1 raising it
// helps, −1 lowering it helps, 0 it changes nothing. What is absent is not known to do either.
// Booleans move from 0 to 1.
var effects = map[Failure]map[string]int{
	StartupCheck: {
		"gpu_memory_utilization": -1, "startup_free": 1, "gpu_total": 1, "other_processes": -1,
		"max_model_len": 0, "max_num_seqs": 0, "max_num_batched_tokens": 0, "kv_cache_dtype": 0, "dtype": 0, "quantization": 0,
		"weights": 0, "cpu_offload": 0, "enforce_eager": 0, "cudagraph_max_size": 0, "cudagraph_estimated": 0,
		"kv_cache_memory_bytes": 0, "block_size": 0, "enable_prefix_caching": 0, "swap_space": 0,
	},
	WeightsLoad: {
		"tensor_parallel_size": 1, "pipeline_parallel_size": 1, "quantization": -1, "weights": -1, "dtype": -1, "cpu_offload": 1,
		"gpu_total": 1, "other_processes": -1,
		"gpu_memory_utilization": 0, "max_model_len": 0, "max_num_seqs": 0, "max_num_batched_tokens": 0, "kv_cache_dtype": 0,
		"enforce_eager": 0, "cudagraph_max_size": 0, "cudagraph_estimated": 0, "kv_cache_memory_bytes": 0, "block_size": 0,
		"enable_prefix_caching": 0, "swap_space": 0,
	},
	ProfileRun: {
		"max_num_batched_tokens": -1, "max_num_seqs": -1, "tensor_parallel_size": 1, "pipeline_parallel_size": 1,
		"quantization": -1, "weights": -1, "dtype": -1, "cpu_offload": 1, "gpu_total": 1, "other_processes": -1,
		"gpu_memory_utilization": 0, "max_model_len": 0, "kv_cache_dtype": 0, "enforce_eager": 0, "cudagraph_max_size": 0,
		"kv_cache_memory_bytes": 0, "block_size": 0, "enable_prefix_caching": 0, "swap_space": 0,
	},
	NoPool: {
		"gpu_memory_utilization": 1, "kv_cache_memory_bytes": 1, "max_num_batched_tokens": -1, "max_num_seqs": -1,
		"tensor_parallel_size": 1, "pipeline_parallel_size": 1, "quantization": -1, "weights": -1, "dtype": -1,
		"activation_peak": -1, "cpu_offload": 1, "gpu_total": 1,
		"max_model_len": 0, "kv_cache_dtype": 0, "block_size": 0, "enable_prefix_caching": 0, "swap_space": 0,
	},
	PoolBelowRequest: {
		"gpu_memory_utilization": 1, "kv_cache_memory_bytes": 1, "max_model_len": -1, "kv_cache_dtype": -1,
		"max_num_batched_tokens": -1, "max_num_seqs": -1, "tensor_parallel_size": 1, "pipeline_parallel_size": 1,
		"quantization": -1, "weights": -1, "dtype": -1, "activation_peak": -1, "cpu_offload": 1, "gpu_total": 1,
		"block_size": 0, "swap_space": 0,
	},
	PoolAllocation: {
		"gpu_memory_utilization": -1, "kv_cache_memory_bytes": -1, "gpu_total": 1, "other_processes": -1,
		"max_model_len": 0, "kv_cache_dtype": 0, "dtype": 0, "block_size": 0, "enable_prefix_caching": 0, "swap_space": 0,
	},
	GraphCapture: {
		"gpu_memory_utilization": -1, "kv_cache_memory_bytes": -1, "enforce_eager": 1, "cudagraph_max_size": -1,
		"max_num_seqs": -1, "gpu_total": 1, "other_processes": -1,
		"max_model_len": 0, "kv_cache_dtype": 0, "block_size": 0, "enable_prefix_caching": 0, "swap_space": 0,
	},
	SamplerWarmup: {
		"gpu_memory_utilization": -1, "kv_cache_memory_bytes": -1, "max_num_seqs": -1, "enforce_eager": 1,
		"cudagraph_max_size": -1, "gpu_total": 1, "other_processes": -1,
		"max_model_len": 0, "kv_cache_dtype": 0, "block_size": 0, "enable_prefix_caching": 0, "swap_space": 0,
	},
	ServingStep: {
		"gpu_memory_utilization": -1, "kv_cache_memory_bytes": -1, "max_num_batched_tokens": -1, "max_num_seqs": -1,
		"enforce_eager": 1, "cudagraph_max_size": -1, "gpu_total": 1, "other_processes": -1,
		"max_model_len": 0, "kv_cache_dtype": 0, "block_size": 0, "swap_space": 0,
	},
	Preemption: {
		"gpu_memory_utilization": 1, "kv_cache_memory_bytes": 1, "max_num_seqs": -1, "kv_cache_dtype": -1,
		"max_num_batched_tokens": -1, "tensor_parallel_size": 1, "pipeline_parallel_size": 1, "quantization": -1, "weights": -1,
		"cpu_offload": 1, "gpu_total": 1,
		"block_size": 0, "swap_space": 0,
	},
	HostMemory: {
		"swap_space": -1, "cpu_offload": -1,
		"gpu_memory_utilization": 0, "max_model_len": 0, "max_num_seqs": 0, "max_num_batched_tokens": 0, "kv_cache_dtype": 0,
		"enforce_eager": 0, "cudagraph_max_size": 0, "kv_cache_memory_bytes": 0, "block_size": 0, "gpu_total": 0,
	},
	DeviceFull: {
		"batch_size": -1, "sequence_length": -1, "dtype": -1, "optimizer": -1, "world_size": 1, "gradient_checkpointing": 1,
		"quantization": -1, "gpu_total": 1, "other_processes": -1,
	},
}

// inert are settings that no condition of vLLM's on the card's memory knows: they only say how many such cards
// there are, or round.
var inert = []string{"block_size", "swap_space", "data_parallel_size", "enable_expert_parallel"}

// effectOf says what moving a setting does to a kind of failure, whatever the engine's version.
func effectOf(f Failure, setting string) (dir int, ok bool) {
	dir, ok = effects[f][setting]
	if !ok && f != DeviceFull && f != HostMemory && slices.Contains(inert, setting) {
		return 0, true
	}
	return dir, ok
}

// stages says which stage's condition did not hold.
var stages = map[Failure]Stage{
	StartupCheck: StageStartup, WeightsLoad: StageLoad, ProfileRun: StageProfile, NoPool: StagePoolSize, PoolBelowRequest: StagePoolSize,
	PoolAllocation: StageAllocation, GraphCapture: StageCapture, SamplerWarmup: StageWarmup, ServingStep: StageServing, Preemption: StageServing,
}
