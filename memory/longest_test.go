package memory

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

// Where nothing failed, the longest max_model_len is accepted and two blocks further is not.
func TestLongestWithoutFailure(t *testing.T) {
	size := func(x float64) fact.Fact {
		return fact.Fact{Value: fact.Value{Kind: fact.Bytes, Num: x * gib}}
	}
	facts := fact.Facts{
		"engine_version":         {Value: fact.Value{Kind: fact.Version, Text: "0.10.2"}},
		"gpu_memory_utilization": {Value: fact.Value{Kind: fact.Ratio, Num: 0.9}},
		"max_model_len":          {Value: fact.Value{Kind: fact.Tokens, Num: 8192}},
		"kv_cache_tokens":        {Value: fact.Value{Kind: fact.Tokens, Num: 98304}},
		"startup_total":          size(40), "weights": size(15), "activation_peak": size(8), "non_torch": size(1), "kv_cache": size(12),
	}
	s := NewState(facts, "vllm", "")
	if s.Failure != NoFailure {
		t.Fatalf("failure %q", s.Failure)
	}
	n, v := s.Fit("max_model_len")
	if v.Kind != Borderline || n < 98304-64 || n > 98304 {
		t.Errorf("%v tokens, %s: want just under 98,304, and borderline: the model may not accept it", n, v.Kind)
	}
	if v := s.WhatIf(Change{"max_model_len": n + 32}); v.Margin >= 0 {
		t.Errorf("two blocks more still fit: %s", v.Sums)
	}
	delete(facts, "kv_cache_tokens")
	if n, v := NewState(facts, "vllm", "").Fit("max_model_len"); v.Kind != Unknown {
		t.Errorf("%v without the bytes of a token, %s", n, v.Kind)
	}
}
