package rules

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
)

func TestCall(t *testing.T) {
	a := knowledge.Apply{CLI: "--gpu-memory-utilization {gpu_memory_utilization}", Python: "gpu_memory_utilization={gpu_memory_utilization}"}
	set := map[string]value{"gpu_memory_utilization": {Value: fact.Value{Kind: fact.Ratio, Num: 0.85}}}
	for _, c := range []struct {
		facts map[string]string
		want  string
	}{
		{map[string]string{"constructor": `LLM(model='org/m', max_model_len=4096)`}, `LLM(model='org/m', max_model_len=4096, gpu_memory_utilization=0.85)`},
		{map[string]string{"constructor": `LLM(model="a,b=(", gpu_memory_utilization=0.95, limit_mm_per_prompt={'image': 1, 'video': 0})`},
			`LLM(model="a,b=(", gpu_memory_utilization=0.85, limit_mm_per_prompt={'image': 1, 'video': 0})`},
		{map[string]string{"arguments": "vllm serve org/m --port 8001"}, "vllm serve org/m --port 8001 --gpu-memory-utilization 0.85"},
		{map[string]string{"command": "vllm serve org/m --port 8001 --gpu-memory-utilization=0.9", "arguments": "vllm serve other"},
			"vllm serve org/m --port 8001 --gpu-memory-utilization 0.85"},
		{map[string]string{"constructor": "LLM(model='org/m'"}, ""},
	} {
		f := fact.Facts{}
		for n, text := range c.facts {
			f[n] = fact.Fact{Value: fact.Value{Kind: fact.Text, Text: text}}
		}
		s := newScope(&parser.Incident{Facts: f}, noPlanner{})
		if got := s.command(a, set); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.facts, got, c.want)
		}
	}
}
