package plan

import (
	"math"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/rules"
)

func TestParseValue(t *testing.T) {
	const gib = 1 << 30
	for _, tt := range []struct {
		fact, text string
		num, slack float64
		word, err  string
	}{
		{"kv_cache_memory_bytes", "12GiB", 12 * gib, 0, "", ""},
		{"kv_cache_memory_bytes", "12 gib", 12 * gib, 0, "", ""},
		{"kv_cache_memory_bytes", "1.5 GiB", 1.5 * gib, 0.05 * gib, "", ""},
		{"kv_cache_memory_bytes", "800 MiB", 800 << 20, 0, "", ""},
		{"kv_cache_memory_bytes", "2GB", 2e9, 0, "", ""},
		{"kv_cache_memory_bytes", "1,073,741,824", gib, 0, "", ""},
		{"kv_cache_memory_bytes", "5819679899 bytes", 5819679899, 0, "", ""},
		{"kv_cache", "-1.07 GiB", -1.07 * gib, 0.005 * gib, "", ""},
		{"kv_cache_memory_bytes", "12G", 0, 0, "", `"G" is no unit of bytes`},
		{"kv_cache_memory_bytes", "GiB", 0, 0, "", `"GiB" is no number`},
		{"kv_cache_memory_bytes", "1e999", 0, 0, "", `"1e999" is no number`},
		{"max_model_len", "32768", 32768, 0, "", ""},
		{"max_model_len", "32k", 32000, 0, "", ""},
		{"max_model_len", "32K", 32768, 0, "", ""},
		{"max_model_len", "4096 tokens", 4096, 0, "", ""},
		{"max_model_len", "3 GiB", 0, 0, "", `"GiB" is no unit of tokens`},
		{"gpu_memory_utilization", "0.92", 0.92, 0, "", ""},
		{"gpu_memory_utilization", "92%", 0.92, 0, "", ""},
		{"weights_seconds", "3.5s", 3.5, 0, "", ""},
		{"enforce_eager", "True", 1, 0, "", ""},
		{"enforce_eager", "0", 0, 0, "", ""},
		{"enforce_eager", "maybe", 0, 0, "", "enforce_eager is true or false"},
		{"model", " acme/chat-8b ", 0, 0, "acme/chat-8b", ""},
		{"model", "", 0, 0, "", "a value is missing"},
	} {
		info, ok := fact.Lookup(tt.fact)
		if !ok {
			t.Fatalf("no fact %s", tt.fact)
		}
		v, slack, err := parseValue(info, tt.text)
		switch {
		case tt.err != "":
			if err == nil || err.Error() != tt.err {
				t.Errorf("%s=%s: error %v, want %s", tt.fact, tt.text, err, tt.err)
			}
		case err != nil || v.Kind != info.Kind || v.Text != tt.word || math.Abs(v.Num-tt.num) > 1e-6 || math.Abs(slack-tt.slack) > 1:
			t.Errorf("%s=%s: %v ± %v, %v; want %v %q ± %v", tt.fact, tt.text, v, slack, err, tt.num, tt.word, tt.slack)
		}
	}
}

func TestParseFacts(t *testing.T) {
	facts, words, err := parseFacts([]byte(`{"engine": "vllm", "phase": "kv_alloc", "max_model_len": 65536, "enforce_eager": true,
		"kv_needed": "8 GiB", "kv_available": {"value": 5819679899, "unit": "bytes", "line": 3}, "weights": {"value": 14.99, "unit": "GiB"},
		"engine_version": {"value": "0.10.2", "unit": "text"}, "gpu_memory_utilization": "90%"}`))
	if err != nil {
		t.Fatal(err)
	}
	if words["engine"] != "vllm" || words["phase"] != "kv_alloc" || len(facts) != 7 {
		t.Errorf("%v, %v", words, facts)
	}
	for name, want := range map[string]float64{
		"max_model_len": 65536, "enforce_eager": 1, "kv_needed": 8 << 30, "kv_available": 5819679899, "gpu_memory_utilization": 0.9,
	} {
		if got, ok := facts.Num(name); !ok || got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if got := facts.Text("engine_version"); got != "0.10.2" {
		t.Errorf("engine_version %q", got)
	}
	if f := facts["weights"]; math.Abs(f.Slack-0.005*(1<<30)) > 1 {
		t.Errorf("weights with a slack of %v, want half of the last digit", f.Slack)
	}
}

func TestParseFactsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                     "no JSON object of facts: json: cannot unmarshal array into Go value of type map[string]json.RawMessage",
		`{}`:                     "it holds no facts",
		`{"max_model_lem": 1}`:   `no fact is called "max_model_lem"; did you mean max_model_len?`,
		`{"max_model_len": [1]}`: `max_model_len: "[1]" is no number`,
		`{"max_model_len": {}}`:  `max_model_len: want {"value": …, "unit": …}`,
		`{"weights": {"value": 3, "unit": "ell"}}`: `weights: "ell" is no unit of bytes`,
		`{"phase": 3}`: "phase is a word",
	} {
		if _, _, err := parseFacts([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// Whatever facts a file holds, planning with them ends in a verdict.
func FuzzFacts(f *testing.F) {
	f.Add(`{"max_model_len": 65536, "kv_needed": "8 GiB", "kv_available": "5 GiB"}`, "max_model_len")
	f.Add(`{"engine": "vllm", "gpu_total": 1e300, "weights": -1, "kv_cache_tokens": 0}`, "gpu_memory_utilization")
	f.Add(`{"num_gpu_blocks": 3, "num_cpu_blocks": 1e9, "block_size": 0.5}`, "kv_cache_memory_bytes")
	f.Fuzz(func(t *testing.T, text, setting string) {
		facts, words, err := parseFacts([]byte(text))
		if err != nil {
			return
		}
		s := memory.NewState(facts, words["engine"], words["phase"])
		p, err := Solve(s, setting)
		if err != nil {
			return
		}
		switch p.Verdict.Kind {
		case memory.Fits, memory.Borderline, memory.Short, memory.Unknown:
		default:
			t.Errorf("verdict %q", p.Verdict.Kind)
		}
	})
}

// Every setting that the planner knows can be set: it is a fact, and where it is a word its words are known.
func TestEverySettingCanBeSet(t *testing.T) {
	for _, name := range memory.Settings() {
		info, err := lookupSetting(name)
		if err != nil {
			t.Error(err)
		} else if info.Kind == fact.Text && len(rules.SettingWords[name]) == 0 {
			t.Errorf("%s is a word, and none is known", name)
		}
	}
}
