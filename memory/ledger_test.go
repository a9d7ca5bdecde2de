package memory

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
)

// line prints a ledger in GiB, s d or e for the basis.
func line(list []Ledger) string {
	var sb strings.Builder
	for _, l := range list {
		fmt.Fprintf(&sb, "gpu%d %.2f/%.2f short %.2f:", l.GPU, l.Budget/gib, l.Total/gib, l.Short/gib)
		for _, p := range l.Parts {
			fmt.Fprintf(&sb, " %s=%.2f%c", p.Name, p.Bytes/gib, p.Basis[0])
		}
	}
	return sb.String()
}

func TestLedger(t *testing.T) {
	for _, c := range []struct {
		name   string
		engine string
		phase  string
		facts  fact.Facts
		want   string
	}{
		{"0.6.3 and before: the pool from block counts, the rest in one", "vllm", "",
			facts("engine_version", "0.5.4", "gpu_memory_utilization", 0.9, "gpu_total", 40.0, "weights", 15.0, "num_gpu_blocks", 8192, "num_cpu_blocks", 2048),
			"gpu0 36.00/40.00 short 0.00: weights=15.00s activations_and_non_torch=5.00d kv_cache=16.00d free=4.00d"},
		{"0.6.4: the peak has the weights in it", "vllm", "",
			facts("engine_version", "0.6.4", "gpu_memory_utilization", 0.9, "gpu_total", 24.0, "weights", 15.0, "peak_torch", 17.5, "non_torch", 0.4, "kv_cache", 3.7),
			"gpu0 21.60/24.00 short 0.00: weights=15.00s activations=2.50d non_torch=0.40s kv_cache=3.70s free=2.40d"},
		{"0.6.5: all five", "vllm", "",
			facts("engine_version", "0.6.6", "gpu_memory_utilization", 0.9, "gpu_total", 24.0, "weights", 15.0, "activation_peak", 1.2, "non_torch", 0.3, "kv_cache", 5.1, "cudagraph", 0.8),
			"gpu0 21.60/24.00 short 0.00: weights=15.00s activations=1.20s non_torch=0.30s kv_cache=5.10s cudagraph=0.80s free=1.60d"},
		{"V1 0.8: tokens of a known model", "vllm", "",
			facts("engine_version", "0.8.2", "model", "Qwen/Qwen3-8B", "gpu_memory_utilization", 0.9, "gpu_total", 24.0, "weights", 15.27, "kv_cache_tokens", 29127),
			"gpu0 21.60/24.00 short 0.00: weights=15.27s activations_and_non_torch=2.33d kv_cache=4.00d free=2.40d"},
		{"V1 0.9.1: what is left of the budget is activations and non-torch", "vllm", "",
			facts("engine_version", "0.11.0", "gpu_memory_utilization", 0.9, "startup_total", 80.0, "startup_free", 79.0, "weights", 15.0, "kv_cache", 52.0, "cudagraph", 0.5),
			"gpu0 72.00/80.00 short 0.00: weights=15.00s activations_and_non_torch=5.00d kv_cache=52.00s cudagraph=0.50s other_processes=1.00d free=6.50d"},
		{"0.21: the graph estimate is inside, the rest of the graphs on top", "vllm", "",
			facts("engine_version", "0.21.0", "gpu_memory_utilization", 0.9, "startup_total", 80.0, "startup_free", 80.0, "weights", 15.0, "kv_cache", 51.5, "cudagraph_estimated", 0.5, "cudagraph", 0.8),
			"gpu0 72.00/80.00 short 0.00: weights=15.00s activations_and_non_torch=5.00d kv_cache=51.50s cudagraph=0.80s free=7.70d"},
		{"0.27: one line, weights and non-torch in one, the estimate in the peak", "vllm", "",
			facts("engine_version", "0.27.0", "gpu_memory_utilization", 0.9, "startup_total", 80.0, "startup_free", 79.5, "weights_and_non_torch", 16.0, "activation_peak", 2.5, "cudagraph_estimated", 0.5, "cudagraph", 0.4),
			"gpu0 72.00/80.00 short 0.00: weights_and_non_torch=16.00s activations=2.00d kv_cache=53.50d cudagraph=0.50s other_processes=0.50d free=7.50d"},
		{"the check at start, without what was asked for", "vllm", "startup",
			facts("startup_total", 24.0, "startup_free", 20.0),
			"gpu0 21.60/24.00 short 0.00: other_processes=4.00d free=20.00s"},
		{"the check at start", "vllm", "startup",
			facts("gpu_memory_utilization", 0.9, "desired", 21.6, "startup_total", 24.0, "startup_free", 20.0),
			"gpu0 21.60/24.00 short 1.60: other_processes=4.00d free=20.00s"},
		{"a sentence with this process", "pytorch", "forward",
			facts("oom_requested", 2.0, "gpu_index", 1, "gpu_total", 24.0, "gpu_free", 0.5, "process_in_use", 20.0, "other_processes", 3.0, "torch_allocated", 18.0, "private_pool", 0.5, "torch_reserved_unallocated", 1.0),
			"gpu1 0.00/24.00 short 1.50: live_tensors=17.50d private_pool=0.50s cached=1.00s non_torch=1.00d other_processes=3.00s free=0.50s unexplained=0.50d"},
		{"others are what is left, where none are listed", "pytorch", "forward",
			facts("oom_requested", 2.0, "gpu_total", 24.0, "gpu_free", 0.5, "process_in_use", 20.0, "torch_allocated", 18.0, "torch_reserved_unallocated", 1.0),
			"gpu0 0.00/24.00 short 1.50: live_tensors=18.00s cached=1.00s non_torch=1.00d other_processes=3.50d free=0.50s"},
		{"in a container the listed process is this one", "pytorch", "forward",
			facts("oom_requested", 2.0, "gpu_total", 24.0, "gpu_free", 0.5, "other_processes", 23.0, "torch_allocated", 20.0, "torch_reserved_unallocated", 1.0),
			"gpu0 0.00/24.00 short 1.50: live_tensors=20.00s cached=1.00s non_torch=2.00d free=0.50s unexplained=0.50d"},
		{"16 EiB and 0 bytes are unknown", "pytorch", "forward",
			facts("oom_requested", 2.0, "gpu_total", 24.0, "gpu_free", 0.5, "process_in_use", 17179869184.0, "torch_allocated", 20.0, "torch_reserved_unallocated", 1.0),
			"gpu0 0.00/24.00 short 1.50: live_tensors=20.00s cached=1.00s free=0.50s unexplained=2.50d"},
		{"more than the device: a driver that spills", "pytorch", "forward",
			facts("oom_requested", 2.0, "gpu_total", 8.0, "gpu_free", 0.0, "torch_allocated", 16.0, "torch_reserved_unallocated", 1.0),
			"gpu0 0.00/8.00 short 2.00: live_tensors=7.00d cached=1.00s"},
		{"torch 1.4 to 2.0: reserved in total", "pytorch", "forward",
			facts("oom_requested", 2.0, "gpu_total", 16.0, "gpu_free", 1.0, "torch_allocated", 12.0, "torch_reserved_total", 14.0),
			"gpu0 0.00/16.00 short 1.00: live_tensors=12.00s cached=2.00d free=1.00s unexplained=1.00d"},
		{"a sentence of vLLM while serving: weights and pool are known", "vllm", "serving",
			facts("oom_requested", 2.0, "gpu_total", 24.0, "gpu_free", 0.5, "process_in_use", 23.5, "torch_allocated", 22.0, "torch_reserved_unallocated", 0.5, "weights", 15.0, "kv_cache", 5.0),
			"gpu0 21.60/24.00 short 1.50: weights=15.00s kv_cache=5.00s live_tensors=2.00d cached=0.50s non_torch=1.00d free=0.50s"},
	} {
		if got := line(NewState(c.facts, c.engine, c.phase).Ledgers()); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestLedgers: a ledger for every device that ran out.
func TestLedgers(t *testing.T) {
	inc := &parser.Incident{Engine: "pytorch", Phase: "forward"}
	for gpu := range 3 {
		f := facts("oom_requested", 2.0, "gpu_index", 2-gpu, "gpu_total", 24.0, "gpu_free", 0.5, "torch_allocated", 20.0)
		inc.Messages = append(inc.Messages, parser.Message{Facts: f}, parser.Message{Facts: f})
	}
	inc.Facts = inc.Messages[0].Facts
	list := IncidentLedgers(inc)
	if len(list) != 3 || list[0].GPU != 0 || list[2].GPU != 2 {
		t.Errorf("%s", line(list))
	}
}

func TestRecognise(t *testing.T) {
	for _, c := range []struct {
		name  string
		phase string
		facts fact.Facts
		want  string
	}{
		{"logits of the log's own factors", "serving", facts("oom_requested", 4.0, "max_num_batched_tokens", 4096, "vocab_size", 262144),
			"logits: 4,096 × 262,144 × 4 B = 4.00 GiB"},
		{"no factor, no match", "serving", facts("oom_requested", 4.0, "vocab_size", 262144), ""},
		{"a factor near the mark is no match", "serving", facts("oom_requested", 4.0, "max_num_batched_tokens", 4000, "vocab_size", 262144), ""},
		{"attention scores", "forward", facts("oom_requested", 16.0, "sequence_length", 16384, "batch_size", 1, "model", "meta-llama/Llama-3.1-8B"),
			"attention_scores: 32 × 16,384 × 16,384 × 2 B = 16.00 GiB"},
		{"weights while loading", "model_load", facts("oom_requested", 0.96875, "model", "Qwen/Qwen2.5-32B-Instruct", "tensor_parallel_size", 1), ""},
		{"a gate and up projection", "model_load", facts("oom_requested", 540.0/1024, "model", "Qwen/Qwen2.5-32B-Instruct"),
			"weights: 2 × 27,648 × 5,120 × 2 B = 540 MiB"},
		{"the smallest segments say nothing", "serving", facts("oom_requested", 20.0/1024, "max_num_batched_tokens", 16, "vocab_size", 163840), ""},
		{"a flat gradient buffer", "backward", facts("oom_requested", 29.92, "model", "meta-llama/Llama-3.1-8B"),
			"gradient_buffer: 8,030,261,248 × 4 B = 29.92 GiB"},
	} {
		var got []string
		for _, m := range NewState(c.facts, "vllm", c.phase).Recognise() {
			got = append(got, m.What+": "+m.Sums)
		}
		if s := strings.Join(got, "; "); s != c.want {
			t.Errorf("%s: %q, want %q", c.name, s, c.want)
		}
	}
}
