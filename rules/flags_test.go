package rules

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
)

// Settings become flags of the version at hand, and stand in the log's own command once.
func TestFlags(t *testing.T) {
	inc := &parser.Incident{Engine: "vllm", Facts: fact.Facts{}, Before: fact.Facts{
		"command":        {Value: fact.Value{Kind: fact.Text, Text: "vllm serve some/model --max-model-len 65536 --port 8001"}},
		"engine_version": {Value: fact.Value{Kind: fact.Version, Text: "0.9.1"}},
	}}
	flags, command := Flags(inc, knowledge.Builtin(), map[string]fact.Value{
		"max_model_len":        {Kind: fact.Tokens, Num: 32768},
		"enforce_eager":        {Kind: fact.Bool, Num: 1},
		"kv_cache_dtype":       {Kind: fact.Text, Text: "fp8"},
		"tensor_parallel_size": {Kind: fact.Count, Num: 2},
		"no_such_setting":      {Kind: fact.Count, Num: 2},
	})
	if want := "--enforce-eager --kv-cache-dtype fp8 --max-model-len 32768 --tensor-parallel-size 2"; flags != want {
		t.Errorf("flags %q, want %q", flags, want)
	}
	if want := "vllm serve some/model --max-model-len 32768 --port 8001 --enforce-eager --kv-cache-dtype fp8 --tensor-parallel-size 2"; command != want {
		t.Errorf("command %q, want %q", command, want)
	}
	if flags, _ := Flags(inc, knowledge.Builtin(), map[string]fact.Value{"enforce_eager": {Kind: fact.Bool}}); flags != "" {
		t.Errorf("a flag that is off is %q", flags)
	}
}
