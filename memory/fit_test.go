package memory

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

// facts builds facts from name, value pairs; numbers are in base units, sizes marked G in GiB with
// the slack of two decimals.
func facts(pairs ...any) fact.Facts {
	f := fact.Facts{}
	for i := 0; i+1 < len(pairs); i += 2 {
		name := pairs[i].(string)
		info, ok := fact.Lookup(name)
		if !ok {
			panic("no such fact: " + name)
		}
		one := fact.Fact{Value: fact.Value{Kind: info.Kind}, Line: i/2 + 1}
		switch v := pairs[i+1].(type) {
		case string:
			one.Value.Text = v
		case float64:
			one.Num = v
			if info.Kind == fact.Bytes {
				one.Num, one.Slack = v*gib, 0.005*gib
			}
		case int:
			one.Num = float64(v)
		case bool:
			if v {
				one.Num = 1
			}
		}
		f[name] = one
	}
	return f
}

func TestFit(t *testing.T) {
	refusal := facts("engine_version", "0.11.0", "max_model_len", 40000, "kv_needed", 5.0, "kv_available", 3.2,
		"estimated_max_model_len", 25600, "gpu_total", 23.6, "gpu_memory_utilization", 0.85)
	for _, c := range []struct {
		name    string
		facts   fact.Facts
		phase   string
		setting string
		want    float64
		kind    Kind
	}{
		{"one block below the engine's estimate", refusal, "kv_alloc", "max_model_len", 25584, Fits},
		{"utilization with the noise of a desktop card", refusal, "kv_alloc", "gpu_memory_utilization", 0.94, Fits},
		{"8-bit KV cache", refusal, "kv_alloc", "kv_cache_dtype", 1, Fits},
		{"eager is no help", refusal, "kv_alloc", "enforce_eager", 0, Short},
		{"the free share of the card, rounded down",
			facts("startup_free", 20.0, "startup_total", 24.0, "gpu_memory_utilization", 0.9, "desired", 21.6),
			"startup", "gpu_memory_utilization", 0.83, Fits},
		{"V0's refusal states the capacity",
			facts("engine_version", "0.6.3", "max_model_len", 32768, "kv_capacity_tokens", 20000, "num_cpu_blocks", 2048),
			"kv_alloc", "max_model_len", 19984, Fits},
		{"no figures, no number", facts("engine_version", "0.8.2", "max_model_len", 32768), "kv_alloc", "max_model_len", 32768, Short},
	} {
		s := NewState(c.facts, "vllm", c.phase)
		got, v := s.Fit(c.setting)
		if got != c.want || v.Kind != c.kind {
			t.Errorf("%s: Fit(%s) = %v, %s (%s); want %v, %s", c.name, c.setting, got, v.Kind, v.Sums, c.want, c.kind)
		}
		t.Logf("%s: %v %s", c.name, got, v.Sums)
	}
}
