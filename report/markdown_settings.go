package report

import (
	"sort"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/rules"
)

// settingNames are the facts that a stranger needs to reproduce a failure, in order.
var settingNames = []string{
	"engine_version", "torch_version", "backend", "model", "dtype", "quantization", "kv_cache_dtype", "tensor_parallel_size", "pipeline_parallel_size",
	"data_parallel_size", "enable_expert_parallel", "world_size", "gpu_memory_utilization", "mem_fraction_static", "kv_cache_memory_bytes", "max_model_len",
	"max_num_seqs", "max_num_batched_tokens", "enable_chunked_prefill", "enable_prefix_caching", "enforce_eager", "cudagraph_max_size", "block_size", "cpu_offload",
	"swap_space", "limit_mm_per_prompt", "enable_lora", "max_loras", "max_lora_rank", "speculative_model", "num_speculative_tokens", "prompt_logprobs",
	"batch_size", "eval_batch_size", "gradient_accumulation_steps", "gradient_checkpointing", "sequence_length", "optimizer", "mixed_precision", "zero_stage",
	"expandable_segments", "gpu_total",
}

// stated returns a setting as the incident saw it, or of the latest run where f is nil.
func (m *document) stated(f *rules.Finding, name string) (fact.Fact, bool) {
	if f != nil {
		return f.Incident.Fact(name)
	}
	fact, ok := m.d.Facts[name]
	return fact, ok
}

// settings is a table of versions and arguments, and the command.
func (m *document) settings(f *rules.Finding) {
	var rows []string
	for _, name := range settingNames {
		if fact, ok := m.stated(f, name); ok {
			rows = append(rows, "| "+code(name)+" | "+cell(m.clean(rules.Format(fact.Value, m.lang)))+" |\n")
		}
	}
	command, shown := m.stated(f, "command")
	if len(rows) == 0 && !shown {
		return
	}
	m.printf("#### %s\n\n", shared(m.lang, "settings"))
	if len(rows) > 0 {
		m.printf("| %s | %s |\n| --- | --- |\n", shared(m.lang, "setting"), shared(m.lang, "value"))
		for _, r := range rows {
			m.printf("%s", r)
		}
		m.printf("\n")
	}
	if shown {
		m.printf("%s", fence("sh", []string{m.clean(cutText(command.Text))}))
		m.printf("\n")
	}
}

// difference names the settings in which a run differs from the one before, "name a → b".
func (m *document) difference(before, now fact.Facts) []string {
	var out []string
	for _, name := range settingNames {
		old, was := before[name]
		f, is := now[name]
		if !is || was && old.Value == f.Value {
			continue
		}
		s := name + " " + rules.Format(f.Value, m.lang)
		if was {
			s = name + " " + rules.Format(old.Value, m.lang) + " → " + rules.Format(f.Value, m.lang)
		}
		out = append(out, s)
	}
	sort.Strings(out)
	return out
}
