package memory

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

// The eleven kinds of failure, each by facts such as its log states.
var failures = []struct {
	kind       Failure
	facts      fact.Facts
	phase      string
	lower      string // what lowering gpu_memory_utilization does: helps, hurts, nothing
	helps      []Change
	irrelevant []string
}{
	{StartupCheck, facts("engine_version", "0.11.0", "startup_free", 20.0, "startup_total", 24.0, "desired", 21.6,
		"gpu_memory_utilization", 0.9, "max_model_len", 8192, "weights", 14.0),
		"startup", "helps", []Change{{"gpu_memory_utilization": 0.83}, {"other_processes": 0}},
		[]string{"max_model_len", "max_num_seqs", "max_num_batched_tokens", "quantization", "kv_cache_dtype", "enforce_eager"}},
	{WeightsLoad, facts("oom_requested", 0.25, "gpu_total", 23.6, "gpu_free", 0.1, "torch_allocated", 22.8, "process_in_use", 23.3,
		"model", "Qwen/Qwen2.5-32B-Instruct", "gpu_memory_utilization", 0.9, "max_model_len", 8192),
		"model_load", "nothing", []Change{{"tensor_parallel_size": 4}, {"quantization": 4}, {"pipeline_parallel_size": 4}, {"cpu_offload": 50 * gib}},
		[]string{"gpu_memory_utilization", "max_model_len", "max_num_seqs", "enforce_eager", "kv_cache_dtype"}},
	{ProfileRun, facts("engine_version", "0.11.0", "oom_requested", 2.0, "gpu_total", 23.6, "gpu_free", 1.2, "torch_allocated", 21.6,
		"weights", 15.0, "max_num_batched_tokens", 16384, "gpu_memory_utilization", 0.9, "max_model_len", 8192),
		"profile", "nothing", []Change{{"max_num_batched_tokens": 4096}},
		[]string{"gpu_memory_utilization", "kv_cache_dtype", "max_model_len"}},
	{NoPool, facts("engine_version", "0.11.0", "kv_cache", -1.2, "weights", 20.0, "gpu_total", 23.6, "gpu_memory_utilization", 0.8,
		"max_model_len", 1024),
		"kv_alloc", "hurts", []Change{{"gpu_memory_utilization": 0.95}, {"tensor_parallel_size": 2}, {"weights": 8 * gib}},
		[]string{"block_size", "enable_prefix_caching", "enforce_eager"}},
	{PoolBelowRequest, facts("engine_version", "0.11.0", "kv_needed", 4.0, "kv_available", 2.5, "estimated_max_model_len", 20480,
		"max_model_len", 32768, "gpu_total", 23.6, "gpu_memory_utilization", 0.85, "weights", 15.0),
		"kv_alloc", "hurts", []Change{{"gpu_memory_utilization": 0.93}, {"max_model_len": 20464}, {"kv_cache_dtype": 1}, {"tensor_parallel_size": 2}},
		[]string{"enforce_eager"}},
	{PoolAllocation, facts("engine_version", "0.6.1", "oom_requested", 0.6, "gpu_total", 79.2, "gpu_free", 0.3, "torch_allocated", 30.0,
		"process_in_use", 30.5, "weights", 17.5, "kv_cache", 20.0, "gpu_memory_utilization", 0.9, "max_model_len", 8192),
		"kv_alloc", "helps", []Change{{"gpu_memory_utilization": 0.75}},
		[]string{"max_model_len", "dtype", "block_size"}},
	{GraphCapture, facts("engine_version", "0.11.0", "oom_requested", 0.1, "gpu_total", 23.6, "gpu_free", 0.05, "torch_allocated", 22.0,
		"weights", 15.0, "kv_cache", 6.0, "gpu_memory_utilization", 0.95, "max_model_len", 8192),
		"graph_capture", "helps", []Change{{"gpu_memory_utilization": 0.85}, {"enforce_eager": 1}},
		[]string{"max_model_len"}},
	{SamplerWarmup, facts("engine_version", "0.17.1", "oom_requested", 0.6, "gpu_total", 79.2, "gpu_free", 0.5, "torch_allocated", 75.0,
		"dummy_requests", 1024, "weights", 15.0, "kv_cache", 58.0, "gpu_memory_utilization", 0.95, "max_model_len", 8192),
		"warmup", "helps", []Change{{"gpu_memory_utilization": 0.9}, {"max_num_seqs": 128}},
		[]string{"max_model_len", "kv_cache_dtype"}},
	{ServingStep, facts("engine_version", "0.17.1", "oom_requested", 1.5, "gpu_total", 79.2, "gpu_free", 1.0, "torch_allocated", 75.0,
		"weights", 15.0, "kv_cache", 55.0, "gpu_memory_utilization", 0.95, "max_num_batched_tokens", 8192, "max_model_len", 8192),
		"serving", "helps", []Change{{"gpu_memory_utilization": 0.9}, {"max_num_batched_tokens": 2048}},
		[]string{"max_model_len"}},
	{Preemption, facts("engine_version", "0.11.0", "preemptions", 12, "kv_cache", 10.0, "gpu_total", 79.2, "gpu_memory_utilization", 0.8,
		"max_num_seqs", 256, "max_model_len", 8192),
		"serving", "hurts", []Change{{"gpu_memory_utilization": 0.9}, {"max_num_seqs": 64}}, nil},
	{HostMemory, facts("host_killed_rss", 60.0, "gpu_memory_utilization", 0.9, "max_model_len", 8192),
		"model_load", "nothing", nil,
		[]string{"gpu_memory_utilization", "max_model_len", "max_num_seqs", "max_num_batched_tokens", "kv_cache_dtype", "enforce_eager"}},
}

// TestUtilization: the two directions of gpu_memory_utilization flip between the kinds of failure.
func TestUtilization(t *testing.T) {
	for _, c := range failures {
		s := NewState(c.facts, "vllm", c.phase)
		if s.Failure != c.kind {
			t.Errorf("%s: read as %q", c.kind, s.Failure)
			continue
		}
		dir, ok := s.Effect("gpu_memory_utilization")
		want := map[string]int{"helps": -1, "hurts": 1, "nothing": 0}[c.lower]
		if !ok || dir != want {
			t.Errorf("%s: Effect = %d, %v; want %d", c.kind, dir, ok, want)
		}
		now := s.current("gpu_memory_utilization").v
		lower, raised := s.WhatIf(Change{"gpu_memory_utilization": now - 0.04}), s.WhatIf(Change{"gpu_memory_utilization": now + 0.04})
		switch c.lower {
		case "helps":
			if !(lower.Margin > raised.Margin) || raised.Kind != Short {
				t.Errorf("%s: lower %+.2f, raised %+.2f %s", c.kind, lower.Margin/gib, raised.Margin/gib, raised.Kind)
			}
		case "hurts":
			if !(lower.Margin < raised.Margin) || lower.Kind != Short {
				t.Errorf("%s: lower %+.2f %s, raised %+.2f", c.kind, lower.Margin/gib, lower.Kind, raised.Margin/gib)
			}
		default:
			if lower.Margin != raised.Margin || lower.Kind != Short || raised.Kind != Short {
				t.Errorf("%s: lower %+.2f %s, raised %+.2f %s", c.kind, lower.Margin/gib, lower.Kind, raised.Margin/gib, raised.Kind)
			}
		}
	}
}

// TestRemedies: what helps a kind of failure is not short, what is irrelevant to it is.
func TestRemedies(t *testing.T) {
	other := map[string]float64{"max_model_len": 4096, "max_num_seqs": 64, "max_num_batched_tokens": 1024, "quantization": 8,
		"kv_cache_dtype": 1, "enforce_eager": 1, "gpu_memory_utilization": 0.8, "block_size": 32, "enable_prefix_caching": 0, "dtype": 2}
	for _, c := range failures {
		s := NewState(c.facts, "vllm", c.phase)
		for _, change := range c.helps {
			if v := s.WhatIf(change); v.Kind == Short || v.Kind == Unknown {
				t.Errorf("%s: %v is %s: %s", c.kind, change, v.Kind, v.Sums)
			}
		}
		for _, setting := range c.irrelevant {
			if dir, ok := s.Effect(setting); !ok || dir != 0 {
				t.Errorf("%s: Effect(%s) = %d, %v; want 0", c.kind, setting, dir, ok)
			}
			if v := s.WhatIf(Change{setting: other[setting]}); v.Kind != Short {
				t.Errorf("%s: %s is %s", c.kind, setting, v.Kind)
			}
		}
		if v := s.WhatIf(Change{"no_such_setting": 1}); v.Kind != Unknown {
			t.Errorf("%s: an unknown setting is %s", c.kind, v.Kind)
		}
	}
}

// TestGraphsInBudget: from 0.20 the graphs' estimate is taken off the budget, and eager mode helps a
// pool that is too small; before, it does not.
func TestGraphsInBudget(t *testing.T) {
	for _, c := range []struct {
		version string
		want    Kind
	}{{"0.17.1", Short}, {"0.19.1", Short}, {"0.20.0", Fits}, {"0.23.0", Fits}} {
		s := NewState(facts("engine_version", c.version, "kv_needed", 4.0, "kv_available", 3.0, "estimated_max_model_len", 24576,
			"max_model_len", 32768, "cudagraph_estimated", 1.5, "gpu_total", 79.2, "gpu_memory_utilization", 0.9), "vllm", "kv_alloc")
		if v := s.WhatIf(Change{"enforce_eager": 1}); v.Kind != c.want {
			t.Errorf("%s: eager is %s (%s), want %s", c.version, v.Kind, v.Sums, c.want)
		}
	}
}
