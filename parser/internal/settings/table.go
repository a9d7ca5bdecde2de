package settings

import (
	"math"
	"strconv"
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// family is the software whose settings a configuration holds: the same name means different things
// to different programs. A set of bits.
type family uint8

const (
	vllm family = 1 << iota
	sglang
	tgi
	trtllm
	llamacpp
	harness // lm-evaluation-harness and what it passes to its backend
	training
	anyFamily = vllm | sglang | tgi | trtllm | llamacpp | harness | training
	servers   = vllm | sglang | harness
)

// reading says how a setting's value becomes the fact's value.
type reading uint8

const (
	plain     reading = iota // as the fact's kind suggests
	inGiB                    // a number of GiB
	inverted                 // a switch that turns off what the fact says is on
	largest                  // the largest of a list
	dataType                 // a data type, in PyTorch's spelling; "auto" says nothing
	printed                  // any value, as it stands
	bnb                      // a switch that quantises with bitsandbytes
	named                    // a switch whose name is the value
	member                   // a word, or the member of an enumeration: OptimizerNames.ADAMW_TORCH
	allocConf                // an allocator configuration
)

// settingTable maps the names of settings to facts. Names are in lower case with underscores; of
// several in one configuration, an earlier name counts more.
var settingTable = []struct {
	fact  string
	in    family
	read  reading
	names string
}{
	{"model", vllm, plain, "model model_tag model_path"},
	{"model", harness, plain, "pretrained"},
	{"model", sglang, plain, "model_path model"},
	{"model", tgi, plain, "model_id"},
	{"model", trtllm | llamacpp, plain, "model m"},
	{"model", training, plain, "model_name_or_path model_name base_model model_id actor_rollout_ref.model.path"},
	{"dtype", servers | tgi | trtllm, dataType, "dtype torch_dtype"},
	{"dtype", training, dataType, "torch_dtype dtype model_dtype"},
	{"quantization", servers, plain, "quantization q"},
	{"quantization", tgi, plain, "quantize"},
	{"quantization", training | harness, bnb, "load_in_4bit load_in_8bit"},
	{"kv_cache_dtype", servers | trtllm | tgi, plain, "kv_cache_dtype"},
	{"speculative_model", servers, plain, "speculative_model speculative_config.model speculative_config.draft_model speculative_draft_model_path"},
	{"limit_mm_per_prompt", servers, printed, "limit_mm_per_prompt limit_mm_data_per_request"},
	{"optimizer", training, member, "optim optimizer_name"},
	{"mixed_precision", training, plain, "mixed_precision"},
	{"mixed_precision", training, named, "bf16 fp16"},

	{"tensor_parallel_size", servers | trtllm, plain, "tensor_parallel_size tp_size tp vllm_tensor_parallel_size"},
	{"tensor_parallel_size", tgi, plain, "num_shard"},
	{"tensor_parallel_size", training, plain, "vllm_tensor_parallel_size actor_rollout_ref.rollout.tensor_model_parallel_size"},
	{"pipeline_parallel_size", servers | trtllm, plain, "pipeline_parallel_size pp_size pp"},
	{"data_parallel_size", servers, plain, "data_parallel_size dp_size dp"},
	{"enable_expert_parallel", vllm | harness, plain, "enable_expert_parallel"},
	{"max_num_seqs", servers, plain, "max_num_seqs max_running_requests"},
	{"max_num_seqs", trtllm, plain, "max_batch_size"},
	{"max_num_seqs", llamacpp, plain, "parallel np"},
	{"block_size", servers, plain, "block_size page_size"},
	{"cudagraph_max_size", servers | trtllm, largest, "max_cudagraph_capture_size compilation_config.max_cudagraph_capture_size " +
		"compilation_config.max_capture_size cuda_graph_max_bs cudagraph_capture_sizes compilation_config.cudagraph_capture_sizes " +
		"cuda_graph_sizes cuda_graph_bs"},
	{"num_speculative_tokens", servers, plain, "num_speculative_tokens speculative_config.num_speculative_tokens " +
		"speculative_config.num_spec_tokens speculative_num_draft_tokens"},
	{"max_loras", servers, plain, "max_loras max_loras_per_batch"},
	{"max_lora_rank", servers, plain, "max_lora_rank"},

	{"max_model_len", vllm, plain, "max_model_len max_seq_len"},
	{"max_model_len", sglang, plain, "context_length"},
	{"max_model_len", harness, plain, "max_model_len max_length"},
	{"max_model_len", trtllm, plain, "max_seq_len"},
	{"max_model_len", tgi, plain, "max_total_tokens"},
	{"max_model_len", llamacpp, plain, "ctx_size c"},
	{"max_model_len", training, plain, "vllm_max_model_len vllm_max_model_length actor_rollout_ref.rollout.max_model_len"},
	{"max_num_batched_tokens", servers, plain, "max_num_batched_tokens chunked_prefill_size"},
	{"max_num_batched_tokens", trtllm, plain, "max_num_tokens"},
	{"max_num_batched_tokens", tgi, plain, "max_batch_prefill_tokens"},
	{"max_num_batched_tokens", training, plain, "actor_rollout_ref.rollout.max_num_batched_tokens"},

	{"gpu_memory_utilization", vllm | harness, plain, "gpu_memory_utilization"},
	{"gpu_memory_utilization", tgi, plain, "cuda_memory_fraction"},
	{"gpu_memory_utilization", training, plain, "vllm_gpu_memory_utilization vllm_gpu_util actor_rollout_ref.rollout.gpu_memory_utilization"},
	{"mem_fraction_static", sglang, plain, "mem_fraction_static"},
	{"swap_space", vllm | harness, inGiB, "swap_space"},
	{"cpu_offload", servers, inGiB, "cpu_offload_gb"},
	{"kv_cache_memory_bytes", vllm | harness, plain, "kv_cache_memory_bytes kv_cache_memory"},

	{"enforce_eager", vllm | harness, plain, "enforce_eager"},
	{"enforce_eager", sglang | tgi, plain, "disable_cuda_graph disable_cuda_graphs"},
	{"enforce_eager", tgi, inverted, "enable_cuda_graphs"},
	{"enable_prefix_caching", vllm | harness, plain, "enable_prefix_caching"},
	{"enable_prefix_caching", sglang, inverted, "disable_radix_cache"},
	{"enable_chunked_prefill", vllm | harness, plain, "enable_chunked_prefill chunked_prefill_enabled"},
	{"enable_lora", servers, plain, "enable_lora"},
	{"expandable_segments", anyFamily, allocConf, "pytorch_cuda_alloc_conf pytorch_alloc_conf pytorch_hip_alloc_conf"},

	{"batch_size", training, plain, "per_device_train_batch_size train_micro_batch_size_per_gpu per_gpu_train_batch_size micro_batch_size " +
		"device_train_microbatch_size batch_size"},
	{"batch_size", harness, plain, "batch_size"},
	{"eval_batch_size", training, plain, "per_device_eval_batch_size per_gpu_eval_batch_size eval_batch_size"},
	{"gradient_accumulation_steps", training, plain, "gradient_accumulation_steps"},
	{"world_size", training, plain, "world_size num_processes"},
	{"zero_stage", training, plain, "zero_optimization.stage zero_stage zero_optimization_stage deepspeed_config.zero_stage"},
	{"sequence_length", training, plain, "max_seq_length cutoff_len model_max_length max_seq_len max_length sequence_len seq_length block_size"},
	{"gradient_checkpointing", training, plain, "gradient_checkpointing use_gradient_checkpointing activation_checkpointing"},
}

// settingIndex maps a setting's name to its rows and to how early it stands in them.
var settingIndex = sync.OnceValue(func() map[string][]settingUse {
	m := map[string][]settingUse{}
	for row := range settingTable {
		for rank, name := range strings.Fields(settingTable[row].names) {
			m[name] = append(m[name], settingUse{row, rank})
		}
	}
	return m
})

type settingUse struct{ row, rank int }

// settingFacts turns settings into facts; give takes what scanSettings yields, facts collects.
type settingFacts struct {
	family family
	form   form
	facts  fact.Facts
	ranks  map[string]int
	given  int // settings so far
}

func (s *settingFacts) give(key, value string) {
	s.given++
	name := strings.ReplaceAll(strings.ToLower(key), "-", "_")
	for _, use := range settingIndex()[name] {
		row := &settingTable[use.row]
		if row.in&s.family == 0 {
			continue
		}
		if rank, ok := s.ranks[row.fact]; ok && rank < use.rank {
			continue
		}
		info, _ := fact.Lookup(row.fact)
		v, ok := readSetting(info.Kind, row.read, name, value, s.form == call)
		if !ok && info.Kind == fact.Bool && row.read == plain && s.form == words {
			v, ok = boolValue(true), value != "" // a switch, and the word after it
		}
		if ok {
			s.facts[row.fact] = fact.Fact{Value: v}
			s.ranks[row.fact] = use.rank
		}
	}
}

// readSetting reads a value as it is printed; ok is false when it says nothing, such as None. In code
// a bare word is a variable, not a name.
func readSetting(kind fact.Kind, read reading, name, raw string, code bool) (fact.Value, bool) {
	quoted := raw[:min(1, len(raw))] == "'" || raw[:min(1, len(raw))] == `"`
	text := settingText(raw)
	switch strings.ToLower(text) {
	case "", "none", "null", "nil", "...":
		return fact.Value{}, false
	}
	switch read {
	case inGiB:
		n, ok := settingNumber(text)
		return fact.Value{Kind: kind, Num: n * (1 << 30)}, ok && n >= 0
	case largest:
		n := 0.0
		for _, f := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[]() ,", r) }) {
			if v, ok := settingNumber(f); ok {
				n = max(n, v)
			}
		}
		return fact.Value{Kind: kind, Num: n}, n > 0
	case dataType:
		text = strings.TrimPrefix(strings.ToLower(text), "torch.")
		if long, ok := dataTypes[text]; ok {
			text = long
		}
		return fact.Value{Kind: fact.Text, Text: text}, dataTypeWord().MatchString(text)
	case printed:
		return fact.Value{Kind: fact.Text, Text: text[:min(len(text), 200)]}, true
	case bnb:
		on, ok := settingBool(text)
		return fact.Value{Kind: fact.Text, Text: "bitsandbytes"}, ok && on
	case named:
		on, ok := settingBool(text)
		return fact.Value{Kind: fact.Text, Text: name}, ok && on
	case member:
		if m := enumMember().FindStringSubmatch(text); m != nil {
			return fact.Value{Kind: fact.Text, Text: strings.ToLower(m[1])}, true
		}
	case allocConf:
		_, conf, ok := strings.Cut(strings.ToLower(text), "expandable_segments:")
		on := strings.HasPrefix(conf, "true")
		return boolValue(on), ok
	}
	switch kind {
	case fact.Text:
		if code && !quoted || strings.ContainsAny(text, "<>{}$*\"'\n") || len(text) > 400 {
			return fact.Value{}, false
		}
		return fact.Value{Kind: fact.Text, Text: text}, true
	case fact.Bool:
		on, ok := settingBool(text)
		return boolValue(on != (read == inverted)), ok
	case fact.Bytes:
		n, ok := settingNumber(text)
		return fact.Value{Kind: kind, Num: n}, ok && n > 0
	default:
		n, ok := settingNumber(text)
		return fact.Value{Kind: kind, Num: n}, ok && n > 0 && (kind == fact.Ratio || n == math.Trunc(n))
	}
}

func boolValue(on bool) fact.Value {
	v := fact.Value{Kind: fact.Bool}
	if on {
		v.Num = 1
	}
	return v
}

var dataTypes = map[string]string{
	"half": "float16", "fp16": "float16", "bf16": "bfloat16", "float": "float32", "fp32": "float32",
}

var dataTypeWord = lazy.Regexp(`^(?:b?float\d+|float8_\w+|fp[48]\w*|int\d+|mxfp\d|nvfp4)$`)

var (
	rustSome   = lazy.Regexp(`^Some\(\s*([^()]*?),?\s*\)$`)
	enumMember = lazy.Regexp(`^[A-Z]\w*\.([A-Z][A-Z0-9_]*)$`)
	enumValue  = lazy.Regexp(`^<[\w.]+: ['"]?([^'"<>]*)['"]?>$`)
	settingNum = lazy.Regexp(`^(?:[0-9][0-9_]*(?:\.[0-9]*)?|\.[0-9]+)[kmgtKMGT]?$`)
)

// settingText takes quotes, Rust's Some(), an enumeration's <…> and the traces of a hard wrap off.
func settingText(raw string) string {
	text := strings.TrimSpace(raw)
	if m := rustSome().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	if m := enumValue().FindStringSubmatch(text); m != nil {
		text = m[1]
	}
	return unquote(text)
}

// unquote takes the quotes off a string and undoes the escapes of quotes and backslashes. Line breaks
// inside are a hard wrap's: a program prints its own as \n.
func unquote(s string) string {
	s = strings.NewReplacer("\r", "", "\n", "").Replace(s)
	if len(s) < 2 || s[0] != '\'' && s[0] != '"' || s[len(s)-1] != s[0] {
		return s
	}
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`, `\"`, `"`).Replace(s[1 : len(s)-1])
}

// settingNumber reads a number with Python's underscores or vLLM's suffixes: k, m, g, t are powers
// of 1000, K, M, G, T of 1024 (vllm/engine/arg_utils.py, human_readable_int).
func settingNumber(text string) (float64, bool) {
	text = strings.Join(strings.Fields(text), "")
	if !settingNum().MatchString(text) {
		return 0, false
	}
	scale := 1.0
	if i := strings.IndexByte("kmgtKMGT", text[len(text)-1]); i >= 0 {
		scale = math.Pow([]float64{1000, 1024}[i/4], float64(i%4+1))
		text = text[:len(text)-1]
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64)
	return n * scale, err == nil && !math.IsInf(n, 0)
}

func settingBool(text string) (on, ok bool) {
	switch strings.ToLower(text) {
	case "true", "1", "yes", "on", "unsloth":
		return true, true
	case "false", "0", "no", "off":
		return false, true
	}
	return false, false
}
