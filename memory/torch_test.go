package memory

import "testing"

func TestTraining(t *testing.T) {
	full := []any{"oom_requested", 2.0, "gpu_total", 80.0, "gpu_free", 1.0, "torch_allocated", 76.0, "process_in_use", 78.0}
	with := func(more ...any) []any { return append(append([]any{}, full...), more...) }
	for _, c := range []struct {
		name   string
		facts  []any
		phase  string
		change Change
		want   Kind
	}{
		{"half the batch halves the request", with("batch_size", 8), "forward", Change{"batch_size": 2}, Fits},
		{"the batch is not stated", full, "forward", Change{"batch_size": 2}, Unknown},
		{"what activations give back is not known", with("batch_size", 8), "forward", Change{"batch_size": 6}, Unknown},
		{"a shorter sequence", with("sequence_length", 4096), "forward", Change{"sequence_length": 1024}, Fits},
		{"a longer one", with("sequence_length", 4096), "forward", Change{"sequence_length": 8192}, Short},
		{"no other process to free", with("other_processes", 0.5), "forward", Change{"other_processes": 0}, Short},
		{"a neighbour", []any{"oom_requested", 2.0, "gpu_total", 80.0, "gpu_free", 1.0, "torch_allocated", 20.0, "other_processes", 50.0}, "forward",
			Change{"other_processes": 0}, Fits},
		{"sharding over ranks of a model of stated size", with("model", "Qwen/Qwen3-4B", "gradient_accumulation_steps", 4), "optimizer_step", Change{"world_size": 4}, Fits},
		{"of a model that is not named", with("gradient_accumulation_steps", 4), "optimizer_step", Change{"world_size": 4}, Unknown},
		{"an 8-bit optimizer", with("model", "Qwen/Qwen3-4B", "gradient_accumulation_steps", 4), "optimizer_step", Change{"optimizer": 2}, Fits},
		{"utilization is no setting here", full, "forward", Change{"gpu_memory_utilization": 0.8}, Unknown},
		{"a larger device", full, "forward", Change{"gpu_total": 96 * gib}, Fits},
	} {
		v := NewState(facts(c.facts...), "pytorch", c.phase).WhatIf(c.change)
		if v.Kind != c.want {
			t.Errorf("%s: %s %+.2f GiB: %s; want %s", c.name, v.Kind, v.Margin/gib, v.Sums, c.want)
		}
		if v.Kind != Short && v.Basis != Estimated {
			t.Errorf("%s: %s is %s", c.name, v.Kind, v.Basis)
		}
	}
}

func TestParams(t *testing.T) {
	for name, want := range map[string]float64{
		"meta-llama/Llama-3.1-8B": 8030261248, "mistralai/Mixtral-8x7B-v0.1": 8 * 0.85 * 7e9, "org/some-13b-chat": 13e9,
		"org/model_1.5b": 1.5e9, "bert-base": 0, "org/v2b3": 0, "Qwen/Qwen3-30B-A3B": 30e9,
	} {
		s := NewState(facts("model", name), "pytorch", "")
		if got := s.params(); got.v != want {
			t.Errorf("%s: %v, want %v", name, got.v, want)
		}
	}
}
