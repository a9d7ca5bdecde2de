package rules

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

func TestFill(t *testing.T) {
	num := func(k fact.Kind, x float64) Value { return Value{Value: fact.Value{Kind: k, Num: x}} }
	f := &Finding{Values: map[string]Value{
		"kv_needed":              num(fact.Bytes, 16*gib),
		"kv_available":           num(fact.Bytes, 5.39*gib),
		"max_model_len":          num(fact.Tokens, 131072),
		"gpu_memory_utilization": num(fact.Ratio, 0.9),
		"oom_requested":          num(fact.Bytes, 20<<20),
		"enforce_eager":          num(fact.Bool, 1),
		"model":                  {Value: fact.Value{Kind: fact.Text, Text: "org/model"}},
	}}
	for _, tt := range []struct{ text, lang, want string }{
		{"No names, [as is].", "en", "No names, [as is]."},
		{"{model} needs {kv_needed}; {kv_available} is left of {max_model_len} tokens at {gpu_memory_utilization}.", "en",
			"org/model needs 16.00 GiB; 5.39 GiB is left of 131,072 tokens at 0.9."},
		{"Set {kv_needed:gib} or {oom_requested:mib}.", "en", "Set 16 or 20."},
		{"It needs {kv_needed}[ after {weights} of weights][ at {gpu_memory_utilization}].", "en", "It needs 16.00 GiB at 0.9."},
		{"It needs {kv_needed}. {weights} are weights. It has {kv_available}.", "en", "It needs 16.00 GiB. It has 5.39 GiB."},
		{"It needs {kv_needed}. {weights} are weights", "en", "It needs 16.00 GiB."},
		{"需要 {kv_needed}。权重为 {weights}。剩余 {kv_available}。", "zh", "需要 16.00 GiB。剩余 5.39 GiB。"},
		{"需要 {kv_needed}[,权重为 {weights}。其余不详]。", "zh", "需要 16.00 GiB。"},
		{"eager: {enforce_eager}", "zh", "eager: 是"},
		{"eager: {enforce_eager}", "en", "eager: yes"},
		{"For 0.9.1 {model}. Then e.g. this.", "en", "For 0.9.1 org/model. Then e.g. this."},
		{`x={"a": {max_model_len}} [0] {nothing}`, "en", `x={"a": 131,072} [0] {nothing}`},
		{"open { brace and [ bracket {model}", "en", "open { brace and [ bracket org/model"},
		{"{weights}", "en", ""},
	} {
		if got := f.Fill(tt.text, tt.lang); got != tt.want {
			t.Errorf("%s\n gives %q\n want  %q", tt.text, got, tt.want)
		}
	}
}

func TestFormat(t *testing.T) {
	for _, tt := range []struct {
		kind fact.Kind
		x    float64
		want string
	}{
		{fact.Bytes, 5.39 * gib, "5.39 GiB"},
		{fact.Bytes, 512 << 20, "512 MiB"},
		{fact.Tokens, 131072, "131,072"},
		{fact.Count, 8, "8"},
		{fact.Count, 2.5, "2.5"},
		{fact.Count, 1e15, "1,000,000,000,000,000"},
		{fact.Ratio, 0.9, "0.9"},
		{fact.Ratio, 0.86666666, "0.8667"},
		{fact.Ratio, 99.3, "99.3"},
		{fact.Seconds, 12.34, "12.3 s"},
	} {
		if got := Format(fact.Value{Kind: tt.kind, Num: tt.x}, "en"); got != tt.want {
			t.Errorf("%v %s: %s, want %s", tt.x, tt.kind, got, tt.want)
		}
	}
}

func FuzzFill(f *testing.F) {
	f.Add("It needs {kv_needed}[ after {weights}]. End")
	f.Add("[{]}{{a}[[}")
	f.Fuzz(func(t *testing.T, text string) {
		(&Finding{Values: map[string]Value{"kv_needed": {}}}).Fill(text, "en")
	})
}
