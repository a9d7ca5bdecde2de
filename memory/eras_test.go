package memory

import (
	"math"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

// TestEras rebuilds what an era prints of its account from the rest of what it prints, to within the rounding of both:
// each era's own equation, with figures of public logs.
func TestEras(t *testing.T) {
	for _, c := range []struct {
		era, source string
		facts       fact.Facts
		figure      string
		want, tol   float64 // bytes in GiB
		rule        string  // list=what the profile must say
		is          string
	}{
		{"0.2", "vllm/worker/worker.py@v0.2.6: blocks of 400 KiB a token, 13B over two ranks",
			facts("engine_version", "0.2.6", "model", "meta-llama/Llama-2-13b-hf", "tensor_parallel_size", 2, "num_gpu_blocks", 7405, "num_cpu_blocks", 655, "gpu_memory_utilization", 0.9),
			"kv_cache", 7405 * 6.25 / 1024, 0.06, "neighbours", "charged"},
		{"0.4", "https://github.com/THUDM/GLM-4/issues, 0.4.3: blocks of 640 KiB",
			facts("engine_version", "0.4.3", "num_gpu_blocks", 38675, "num_cpu_blocks", 6553, "weights", 17.56, "gpu_total", 79.15, "gpu_memory_utilization", 0.9),
			"kv_cache", 23.6, 0.02, "startup_check", "none"},
		{"0.6.4", "https://github.com/vllm-project/vllm/issues/10517",
			facts("engine_version", "0.6.4", "gpu_total", 23.58, "gpu_memory_utilization", 0.9, "weights", 14.99, "peak_torch", 17.06, "non_torch", 0.35, "num_cpu_blocks", 2048),
			"kv_cache", 3.81, 0.02, "budget", "peak-and-used"},
		{"0.7 V0", "a log of 0.7.3 on an A100 of 40 GB",
			facts("engine_version", "0.7.3", "gpu_total", 39.38, "gpu_memory_utilization", 0.8, "weights", 27.57, "non_torch", 0.11, "activation_peak", 1.49, "num_cpu_blocks", 1365),
			"kv_cache", 2.33, 0.02, "generation", "v0"},
		{"0.8", "https://github.com/vllm-project/vllm/issues/15871: a latent cache over two ranks",
			facts("engine_version", "0.8.2", "model", "deepseek-ai/DeepSeek-V2-Lite", "tensor_parallel_size", 2, "max_model_len", 32768, "kv_available", 0.93),
			"kv_needed", 0.95, 0.005, "printed_tokens", "blocks"},
		{"0.9.1", "https://github.com/LMCache/LMCache/issues/1372",
			facts("engine_version", "0.9.1", "max_model_len", 32768, "kv_needed", 4.5, "kv_available", 3.58),
			"estimated_max_model_len", 26032.0 / gib, 48.0 / gib, "startup_check", "free"},
		{"0.10", "https://github.com/zai-org/GLM-V/issues/208",
			facts("engine_version", "0.10.2", "startup_free", 78.84, "startup_total", 79.33, "gpu_memory_utilization", 0.9, "weights", 50.31, "activation_peak", 5.7, "non_torch", 0.72, "cudagraph", 5.97),
			"kv_suggest_fit", 9167749734.0 / gib, 0.03, "graphs", "outside"},
		{"0.11", "llm-d-planner, empirical results: Qwen3-32B on one H100",
			facts("engine_version", "0.11.0", "gpu_total", 79.18, "gpu_memory_utilization", 0.9, "weights", 61.03, "activation_peak", 5.64, "non_torch", 0.14),
			"kv_cache", 4.45, 0.02, "communication", "baseline"},
		{"0.19", "llm-d-planner, accuracy report: Llama-3.1-8B on one H100",
			facts("engine_version", "0.19.0", "gpu_total", 79.19, "gpu_memory_utilization", 0.95, "weights", 14.99, "activation_peak", 1.89, "non_torch", 0.25),
			"kv_cache", 58.11, 0.02, "graphs", "estimated"},
		{"0.21", "a log of 0.26: consumed, activations with the estimate in them, and the estimate",
			facts("engine_version", "0.26.0", "startup_free", 78.84, "startup_total", 79.25, "gpu_memory_utilization", 0.9, "weights", 56.93, "weights_and_non_torch", 57.26, "activation_peak", 0.23, "cudagraph_estimated", 0.15),
			"kv_cache", 13.84, 0.02, "graphs", "subtracted"},
		{"0.27", "https://github.com/vllm-project/vllm/issues/57936: 164.08 − 58.44 − 62.33, of which the estimate is 57.45",
			facts("engine_version", "0.27.0", "desired", 164.08, "gpu_memory_utilization", 0.92, "weights_and_non_torch", 58.44, "activation_peak", 62.33, "cudagraph_estimated", 57.45),
			"kv_cache", 164.08 - 58.44 - 62.33, 0.03, "activations", "with-graphs"},
		{"runner V2", "a log of 0.22 on two T4: no estimate, tokens of 72 KiB a rank",
			facts("engine_version", "0.22.1", "model_runner", "V2", "model", "Qwen/Qwen3-8B", "tensor_parallel_size", 2, "kv_cache", 4.37, "max_model_len", 4096, "enforce_eager", true),
			"kv_cache_tokens", 63584.0 / gib, 100.0 / gib, "graphs", "outside"},
	} {
		s := NewState(c.facts, "vllm", "")
		got := s.Predict(nil)[c.figure] / gib
		if c.figure == "kv_cache" {
			got = s.now.kv.v / gib
		}
		if math.Abs(got-c.want) > c.tol {
			t.Errorf("%s: %s = %.4f, printed %.4f (%s)", c.era, c.figure, got, c.want, c.source)
		}
		if is := s.acc.profile.Is(c.rule); is != c.is {
			t.Errorf("%s: %s is %s, want %s", c.era, c.rule, is, c.is)
		}
	}
}
