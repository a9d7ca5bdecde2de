package memory

import (
	"math"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

// The engine's inequalities, written down a second time and without the planner: from
// vllm/v1/core/kv_cache_utils.py and vllm/v1/worker/gpu_worker.py, in GiB as printed.

func poolHolds(pool, bytesPerToken, constant float64, length, block int) bool {
	pages := (length + block - 1) / block
	return constant+float64(pages*block)*bytesPerToken <= pool*(1<<30)
}

func startHolds(free, total, utilization float64) bool { return free >= total*utilization }

// TestLongestLength: the length found is accepted by the engine, and within one block and the
// rounding of the printed figures of what the engine itself would estimate.
func TestLongestLength(t *testing.T) {
	for _, c := range []struct {
		perToken, constant float64
		pool               float64
		length, block      int
		printEstimate      bool
	}{
		{131072, 0, 5.394, 131072, 16, true},
		{131072, 0, 5.394, 131072, 16, false},
		{57344, 0, 0.871, 32768, 16, true},
		{147456, 0, 4.471, 32768, 16, true},
		{49152, 0, 5.59, 221000, 16, true},
		{36864, 3 << 28, 9.2, 262144, 16, true}, // windows
		{131072, 0, 0.71, 131072, 512, true},
		{16384 * 4, 5 << 27, 3.3, 65536, 784, true}, // recurrent states
	} {
		// What the engine prints: two decimals, and the longest length by its own search.
		round := func(x float64) float64 { return math.Round(x*100) / 100 }
		need := (c.constant + c.perToken*math.Ceil(float64(c.length)/float64(c.block))*float64(c.block)) / gib
		longest := 0
		for n := c.block; n <= c.length && poolHolds(c.pool, c.perToken, c.constant, n, c.block); n += c.block {
			longest = n
		}
		f := facts("engine_version", "0.11.0", "max_model_len", c.length, "block_size", c.block, "kv_needed", round(need), "kv_available", round(c.pool))
		if c.printEstimate {
			f["estimated_max_model_len"] = facts("estimated_max_model_len", longest)["estimated_max_model_len"]
		}
		got, v := NewState(f, "vllm", "kv_alloc").Fit("max_model_len")
		if v.Kind != Fits {
			t.Errorf("%+v: %s %s", c, v.Kind, v.Sums)
			continue
		}
		if int(got)%c.block != 0 || !poolHolds(c.pool, c.perToken, c.constant, int(got), c.block) {
			t.Errorf("%+v: %v is refused", c, got)
		}
		slack := float64(c.block)
		if !c.printEstimate {
			slack += 0.02*gib/c.perToken + 2*float64(c.block) // the printed figures' rounding
		}
		if float64(longest)-got > slack {
			t.Errorf("%+v: %v, though %d fits", c, got, longest)
		}
	}
}

// TestUtilizationIsEnough: the utilization found makes the pool large enough, passes the check at
// start, and a hundredth less is not surely enough.
func TestUtilizationIsEnough(t *testing.T) {
	for _, c := range []struct{ total, free, u, pool, need float64 }{
		{79.2, 78.6, 0.5, 3.0, 4.0},
		{79.2, 78.6, 0.7, 2.5, 16.0},
		{23.6, 23.1, 0.8, 1.0, 2.5},
		{44.5, 44.1, 0.85, 0.4, 2.0},
	} {
		f := facts("engine_version", "0.11.0", "max_model_len", 32768, "kv_needed", c.need, "kv_available", c.pool,
			"startup_total", c.total, "startup_free", c.free, "gpu_memory_utilization", c.u)
		s := NewState(f, "vllm", "kv_alloc")
		got, v := s.Fit("gpu_memory_utilization")
		pool := func(u float64) float64 { return c.pool + (u-c.u)*c.total }
		if v.Kind != Fits || pool(got) < c.need || !startHolds(c.free, c.total, got) {
			t.Errorf("%+v: %v %s %s: pool %.2f", c, got, v.Kind, v.Sums, pool(got))
		}
		if pool(got-0.01) > c.need+0.25 {
			t.Errorf("%+v: %v is more than needed", c, got)
		}
	}
	// A card that is partly taken: no utilization is enough.
	f := facts("engine_version", "0.11.0", "max_model_len", 32768, "kv_needed", 6.0, "kv_available", 1.0,
		"startup_total", 23.6, "startup_free", 20.0, "gpu_memory_utilization", 0.8)
	if x, v := NewState(f, "vllm", "kv_alloc").Fit("gpu_memory_utilization"); v.Kind != Short {
		t.Errorf("%v %s: %s", x, v.Kind, v.Sums)
	}
}

// TestStartupUtilization: the largest hundredth that passes the check at start.
func TestStartupUtilization(t *testing.T) {
	for free := 0.37; free < 78; free += 1.23 {
		const total, u = 79.18, 0.99
		free := math.Round(free*100) / 100
		got, v := NewState(facts("engine_version", "0.11.0", "startup_free", free, "startup_total", total,
			"gpu_memory_utilization", u, "desired", total*u), "vllm", "startup").Fit("gpu_memory_utilization")
		if free < 0.01*total {
			if v.Kind != Short {
				t.Errorf("%v free: %v %s", free, got, v.Kind)
			}
			continue
		}
		if !startHolds(free-0.005, total, got) && v.Kind == Fits || !startHolds(free, total, got) || startHolds(free-0.02, total, got+0.01) {
			t.Errorf("%v free: %v %s %s", free, got, v.Kind, v.Sums)
		}
	}
}

func TestAccounting(t *testing.T) {
	for _, c := range []struct {
		facts fact.Facts
		want  string // what is true of it
		util  float64
	}{
		{facts("engine_version", "0.2.6"), "othersInside", 0.9},
		{facts("engine_version", "0.4.3"), "", 0.9},
		{facts("engine_version", "0.6.4.post1", "num_cpu_blocks", 1), "othersInside", 0.9},
		{facts("engine_version", "0.7.3", "num_cpu_blocks", 1), "", 0.9},
		{facts("engine_version", "0.8.5", "kv_cache_tokens", 1), "v1 othersInside", 0.9},
		{facts("engine_version", "0.9.0.1"), "v1 othersInside", 0.9},
		{facts("engine_version", "v0.9.1"), "v1 startupCheck", 0.9},
		{facts("engine_version", "0.10.0", "num_cpu_blocks", 512), "", 0.9},
		{facts("engine_version", "0.19.1"), "v1 startupCheck", 0.9},
		{facts("engine_version", "0.20.0rc1.dev3+gabc"), "v1 startupCheck graphsInside", 0.92},
		{facts("engine_version", "0.20.1"), "v1 startupCheck graphsInside concurrency", 0.92},
		{facts("engine_version", "0.27.0", "cudagraph_estimated", 1.0), "v1 startupCheck graphsInside concurrency estimateInA", 0.92},
		{facts("engine_version", "0.27.0", "model_runner", "V2"), "v1 startupCheck concurrency estimateInA", 0.92},
		{facts("engine_version", "0.27.0"), "v1 startupCheck undated concurrency estimateInA", 0.92},
		{facts("engine_version", "0.23.0", "graphs_in_budget", false), "v1 startupCheck concurrency", 0.92},
		{facts("engine_version", "0.19.0", "graphs_in_budget", true), "v1 startupCheck graphsInside", 0.9},
		{facts("kv_capacity_tokens", 8192), "", 0.9},
		{facts("num_cpu_blocks", 2048), "", 0.9},
		{facts("startup_free", 20.0), "v1 startupCheck undated", 0.9},
		{facts("cudagraph_estimated", 1.0), "v1 startupCheck graphsInside", 0.92},
		{facts("engine_version", "0.1.dev9+gabc", "cudagraph_estimated", 1.0), "v1 startupCheck graphsInside", 0.92},
		{facts("engine_version", "0.1.dev4000+g1234567", "weights_and_non_torch", 30.0), "v1 startupCheck undated concurrency estimateInA", 0.92},
	} {
		a := accountingOf(c.facts, nil, false)
		var got []string
		for _, f := range []struct {
			name string
			on   bool
		}{{"v1", a.v1}, {"othersInside", a.othersInside}, {"startupCheck", a.startupCheck}, {"graphsInside", a.graphsInside},
			{"undated", a.undated}, {"concurrency", a.concurrency}, {"estimateInA", a.estimateInA}} {
			if f.on {
				got = append(got, f.name)
			}
		}
		if strings.Join(got, " ") != c.want || a.utilization != c.util {
			t.Errorf("%v: %v %v, want %s %v", c.facts, got, a.utilization, c.want, c.util)
		}
	}
}

func TestShapes(t *testing.T) {
	for _, s := range shapes {
		if s.params == 0 || s.latent > 0 || s.stateGroups > 0 {
			continue
		}
		// Embedding, tied or not, attention and a gated feed-forward layer; norms and biases are small.
		layer := s.hidden*s.headDim*(2*s.heads+2*s.kvHeads) + 3*s.hidden*s.inter
		tied := s.vocab*s.hidden + s.layers*layer
		untied := tied + s.vocab*s.hidden
		near := func(x float64) bool { return math.Abs(x/s.params-1) < 0.01 }
		if !near(tied) && !near(untied) && s.hidden > 1000 { // OPT has no gate
			t.Errorf("%s: %.0f parameters by its shape, %.0f or %.0f", s.names, s.params, tied, untied)
		}
	}
	for name, want := range map[string]bool{
		"meta-llama/Llama-3.1-8B-Instruct": true, "/models/Qwen2.5-7B-Instruct-AWQ/": true, "Qwen/Qwen3-4B": true,
		"Qwen/Qwen3-4B0": false, "Qwen/Qwen3-30B-A3B": false, "Qwen/Qwen2.5-VL-7B-Instruct": false, "google/gemma-3-4b": false,
		"deepseek-ai/DeepSeek-R1-Distill-Qwen-14B": true, "deepseek-ai/DeepSeek-R1": true, "": false,
	} {
		if s, ok := lookupShape(name); ok != want {
			t.Errorf("%q: %v %s", name, ok, s.names)
		}
	}
}
