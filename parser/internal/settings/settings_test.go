package settings

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

// configOf reads every configuration of a text as the reader does, later ones winning.
func configOf(text string) fact.Facts {
	facts := fact.Facts{}
	seen := map[int]bool{}
	for at := range len(text) {
		for i := range Dialects {
			d := &Dialects[i]
			if !strings.HasPrefix(text[at:], d.Literal) {
				continue
			}
			if start, ok := d.Begin(text, at); ok && !seen[start] {
				seen[start] = true
				got, _, _ := d.Read(text[start:])
				maps.Copy(facts, got)
			}
		}
	}
	return facts
}

// spell writes facts as "name=value …", by name, the command left out.
func spell(facts fact.Facts) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		if name != "command" {
			list = append(list, name+"="+facts[name].Value.String())
		}
	}
	return strings.Join(list, " ")
}

func TestConfig(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		// vLLM's engine line, by generation.
		{"0.2: bare values, a bracket too many",
			"INFO 01-02 03:04:05 llm_engine.py:72] Initializing an LLM engine with config: model=acme/Chat 7B, tokenizer=acme/tok, revision=None, dtype=torch.float16, max_seq_len=6144, quantization=awq, tensor_parallel_size=2, seed=0)",
			"dtype=float16 max_model_len=6144 model=acme/Chat 7B quantization=awq tensor_parallel_size=2"},
		{"0.6.3: the comma that is missing",
			"Initializing an LLM engine (v0.6.3.post1) with config: model='acme/Chat-7B', quantization=None, enforce_eager=False, kv_cache_dtype=auto, chunked_prefill_enabled=False multi_step_stream_outputs=True, enable_prefix_caching=True, mm_processor_kwargs=None)",
			"enable_chunked_prefill=false enable_prefix_caching=true enforce_eager=false engine_version=0.6.3.post1 kv_cache_dtype=auto model=acme/Chat-7B"},
		{"V1: nested configurations",
			"Initializing a V1 LLM engine (v0.21.0rc2.dev7+gabc) with config: model='/m/x', served_model_name='it\\'s, max_seq_len=1', speculative_config=SpeculativeConfig(method='eagle', model='acme/Draft', num_spec_tokens=5), dtype=torch.bfloat16, max_seq_len=65536, device_config=cuda, observability_config=ObservabilityConfig(show=None, max_seq_len=3), compilation_config={'mode': <CompilationMode.VLLM_COMPILE: 3>, 'splitting_ops': ['a::b', 'c, d'], 'cudagraph_mode': <CUDAGraphMode.FULL: (2, 1)>, 'cudagraph_capture_sizes': [1, 2, 4, 96], 'pass_config': {'x': True}}, enforce_eager=True, seed=0",
			"cudagraph_max_size=96 dtype=bfloat16 enforce_eager=true engine_version=0.21.0rc2.dev7+gabc max_model_len=65536 model=/m/x num_speculative_tokens=5 speculative_model=acme/Draft"},
		{"cut inside a number: not stated", "with config: model='acme/Chat-7B', max_seq_len=655", "model=acme/Chat-7B"},
		{"cut inside a nested object", "with config: model='m/x', enforce_eager=True, compilation_config={'cudagraph_capture_sizes': [1, 2, 4", "enforce_eager=true model=m/x"},
		{"wrapped inside a name and a number", "with config: model='acme/Ch\nat-7B', tensor_parallel_s\n   ize=4, max_seq_len=163\n84, seed=1)", "max_model_len=16384 model=acme/Chat-7B tensor_parallel_size=4"},
		{"text after it", "with config: model='m/x', enforce_eager=True, INFO 01-02 something tensor_parallel_size=8", "enforce_eager=true model=m/x"},

		// vLLM's arguments.
		{"dictionary", `non-default args: {'model_tag': 'acme/Chat-7B', 'model': 'acme/Chat-7B', 'max_model_len': 9000, 'served_model_name': ['x'], 'gpu_memory_utilization': 0.87, 'limit_mm_per_prompt': {'image': 2}, 'cpu_offload_gb': 2.5, 'compilation_config': {'max_cudagraph_capture_size': 48}, 'enable_expert_parallel': True, 'dtype': 'auto', 'quantization': None}`,
			"cpu_offload=2684354560 cudagraph_max_size=48 enable_expert_parallel=true gpu_memory_utilization=0.87 limit_mm_per_prompt={'image': 2} max_model_len=9000 model=acme/Chat-7B"},
		{"namespace", `args: Namespace(subparser='serve', model_tag='acme/Chat-7B', model=None, api_key=None, dtype='half', max_model_len=None, tensor_parallel_size=1, block_size=16, swap_space=4, max_num_seqs=None, enforce_eager=False, dispatch_function=<function serve at 0x7f>)`,
			"block_size=16 dtype=float16 enforce_eager=false model=acme/Chat-7B swap_space=4294967296 tensor_parallel_size=1"},
		{"logo", "(APIServer pid=7) INFO 01-02 03:04:05 [utils.py:3]  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.31.2", "engine_version=0.31.2"},
		{"logo's model", "  █▄█▀ █     █     █     █  model   acme/Chat-7B\nnext", "model=acme/Chat-7B"},

		// Command lines.
		{"shell", "$ VLLM_USE_V1=1 vllm serve acme/Chat-7B \\\n   --max-model-len 12k \\\n  -tp 2 --gpu-memory-utilization=.8 --no-enable-prefix-caching\nINFO --max-num-seqs 3",
			"enable_prefix_caching=false gpu_memory_utilization=0.8 max_model_len=12000 model=acme/Chat-7B tensor_parallel_size=2"},
		{"shell whose line ends were lost", "vllm serve acme/Chat-7B \\ --max-model-len 12K \\ --enforce-eager", "enforce_eager=true max_model_len=12288 model=acme/Chat-7B"},
		{"JSON in an argument", `python3 -m vllm.entrypoints.openai.api_server --model acme/Chat-7B --speculative-config '{"model": "acme/Draft", "num_speculative_tokens": 3}' --cudagraph-capture-sizes 1 2 40 --kv-cache-memory-bytes 3G | tee x --max-num-seqs 9`,
			"cudagraph_max_size=40 kv_cache_memory_bytes=3221225472 model=acme/Chat-7B num_speculative_tokens=3 speculative_model=acme/Draft"},
		{"command in a JSON log", `{"msg": "run", "cmd": "vllm serve acme/Chat-7B --max-num-seqs 12", "max_model_len": 5}`, "max_num_seqs=12 model=acme/Chat-7B"},
		{"argument list", `cmd: ['/usr/bin/python3', '-m', 'vllm.entrypoints.openai.api_server', '--model', 'acme/Chat-7B', '--max-model-len', '777']`, "max_model_len=777 model=acme/Chat-7B"},
		{"in a Chinese sentence", "启动命令：vllm serve acme/Chat-7B --max-num-seqs 5 --gpu-memory-utilization 0.3，显存共 80G --max-model-len 9", "gpu_memory_utilization=0.3 max_num_seqs=5 model=acme/Chat-7B"},
		{"in a Japanese sentence", "「vllm serve acme/Chat-7B --max-model-len 8192」で起動した。", "max_model_len=8192 model=acme/Chat-7B"},
		{"FastChat's worker", "python -m fastchat.serve.vllm_worker --model-path acme/Chat-7B --tensor-parallel-size 4 --enforce-eager", "enforce_eager=true model=acme/Chat-7B tensor_parallel_size=4"},
		{"docker run", "docker run --gpus all -e PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True --shm-size 9g -p 80:80 \\\n  vllm/vllm-openai:v0.9.1 \\\n  --model acme/Chat-7B --max-num-seqs 17",
			"engine_version=0.9.1 expandable_segments=true max_num_seqs=17 model=acme/Chat-7B"},
		{"image alone", "    image: vllm/vllm-openai:v0.9.2", "engine_version=0.9.2"},
		{"image without a release", "image: vllm/vllm-openai:latest", ""},
		{"compose, string", "    command: --model acme/Chat-7B --gpu-memory-utilization 0.6", "gpu_memory_utilization=0.6 model=acme/Chat-7B"},
		{"compose, folded", "    command: >\n      --model acme/Chat-7B\n      --max-model-len 4000\n    ports:\n      - 80", "max_model_len=4000 model=acme/Chat-7B"},
		{"compose, list", `    command: ["--model", "acme/Chat-7B", "--max-model-len", "4000", "--enforce-eager"]`, "enforce_eager=true max_model_len=4000 model=acme/Chat-7B"},
		{"Kubernetes", "        args:\n        - --model=acme/Chat-7B\n        - --tensor-parallel-size\n        - \"8\"\n        - --quantization=fp8\n        ports:", "model=acme/Chat-7B quantization=fp8 tensor_parallel_size=8"},

		// Not configurations.
		{"advice", "Try increasing `gpu_memory_utilization` or decreasing max_model_len. Consider --max-model-len 4096 instead.", ""},
		{"advice that begins with a flag", "--max-model-len 4096 would be enough here", ""},
		{"help", "  --enforce-eager       Always use eager-mode PyTorch.", ""},
		{"usage", "  [--max-model-len MAX_MODEL_LEN] [--quantization {awq,fp8}]", ""},
		{"a sentence behind", "vllm serve acme/Chat-7B --max-num-seqs 8 and then I send 20 prompts at once", "max_num_seqs=8 model=acme/Chat-7B"},
		{"a sentence behind a switch", "I ran vllm serve acme/Chat-7B --max-model-len 4096 --enforce-eager but 2 of the 3 pods die", "enforce_eager=true max_model_len=4096 model=acme/Chat-7B"},
		{"several values", "vllm serve acme/Chat-7B --lora-modules a=/x b=/y --max-num-seqs 8", "max_num_seqs=8 model=acme/Chat-7B"},
		{"a call with comments", "llm = LLM(model=\"acme/Chat-7B\", max_model_len=8192,  # of 32768\n  # gpu_memory_utilization=0.4,\n  quantization=\"awq\"  # not fp8\n)", "max_model_len=8192 model=acme/Chat-7B quantization=awq"},
		{"prose", "you can run vllm serve with more memory", ""},
		{"the allocator's own advice", "try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation", ""},
		{"suggestion", "Replace --gpu-memory-utilization with --kv-cache-memory=1234 to fit", ""},

		// Code.
		{"call", `    llm = LLM("acme/Chat-7B", dtype="half", gpu_memory_utilization=0.66, max_model_len=131_072, tensor_parallel_size=torch.cuda.device_count(), quantization=args.q)`,
			"dtype=float16 gpu_memory_utilization=0.66 max_model_len=131072 model=acme/Chat-7B"},
		{"variables", "    llm = LLM(model=args.model, max_num_seqs=n if n else 4, **engine_args)", ""},
		{"no call of ours", "llm = AsyncLLM(model='a/b')", ""},
		{"a class", "class LLM(model='a/b'):", ""},
		{"EngineArgs", "AsyncEngineArgs(model='a/b', kv_cache_dtype='fp8', max_loras=3, max_lora_rank=64, enable_lora=True)", "enable_lora=true kv_cache_dtype=fp8 max_lora_rank=64 max_loras=3 model=a/b"},

		// Others.
		{"harness command", "lm_eval --model vllm --model_args pretrained=a/b,dtype=auto,gpu_memory_utilization=0.6,enforce_eager=True --tasks x --batch_size 3", "batch_size=3 enforce_eager=true gpu_memory_utilization=0.6 model=a/b"},
		{"harness result", "vllm (pretrained=a/b,tensor_parallel_size=2), gen_kwargs: (None), batch_size: 4", "model=a/b tensor_parallel_size=2"},
		{"SGLang", "server_args=ServerArgs(model_path='a/b', context_length=4321, mem_fraction_static=0.77, tp_size=2, disable_cuda_graph=True, disable_radix_cache=False, chunked_prefill_size=2048)", "enable_prefix_caching=true enforce_eager=true max_model_len=4321 max_num_batched_tokens=2048 mem_fraction_static=0.77 model=a/b tensor_parallel_size=2"},
		{"SGLang command", "python -m sglang.launch_server --model-path a/b --tp 4 --mem-fraction-static 0.8", "mem_fraction_static=0.8 model=a/b tensor_parallel_size=4"},
		{"TGI", `INFO text_generation_launcher: Args { model_id: "a/b", num_shard: Some(2), quantize: Some(Bitsandbytes), max_total_tokens: Some(\n 4096,\n), max_batch_prefill_tokens: None, cuda_memory_fraction: 0.9 }`, "gpu_memory_utilization=0.9 model=a/b quantization=Bitsandbytes tensor_parallel_size=2"},
		{"Trainer's dump", "TrainingArguments(\n_n_gpu=2,\nbf16=True,\nfp16=False,\ngradient_accumulation_steps=8,\ngradient_checkpointing=True,\noptim=OptimizerNames.ADAMW_TORCH,\nper_device_eval_batch_size=3,\nper_device_train_batch_size=5,\n)",
			"batch_size=5 eval_batch_size=3 gradient_accumulation_steps=8 gradient_checkpointing=true mixed_precision=bf16 optimizer=adamw_torch"},
		{"training command", "torchrun train.py --model_name_or_path a/b --per_device_train_batch_size 6 --gradient_checkpointing True --load_in_4bit --optim adamw_8bit --model_max_length 2048", "batch_size=6 gradient_checkpointing=true model=a/b optimizer=adamw_8bit quantization=bitsandbytes sequence_length=2048"},
		{"launcher's list", "process 7 spawned with command: ['/usr/bin/python3', '-u', 'train.py', '--local_rank=0', '--per_device_train_batch_size', '7']", "batch_size=7"},
		{"DeepSpeed's print", "[2030-01-02 03:04:05,678] [INFO] [config.py:9:print]   train_micro_batch_size_per_gpu .. 9", "batch_size=9"},
		{"DeepSpeed's dotted print", "[INFO] [config.py:9:print]   zero_optimization_stage ...... 3", "zero_stage=3"},
		{"DeepSpeed's JSON", "    \"zero_optimization\": {\n        \"stage\": 2, \n        \"overlap_comm\": true\n    },\n    \"train_micro_batch_size_per_gpu\": 3,", "batch_size=3 zero_stage=2"},
		{"verl", "python3 -m verl.trainer.main_ppo actor_rollout_ref.rollout.gpu_memory_utilization=0.4 actor_rollout_ref.rollout.tensor_model_parallel_size=2", "gpu_memory_utilization=0.4 tensor_parallel_size=2"},
	} {
		facts := configOf(c.text)
		delete(facts, "arguments") // what is written of them: TestArguments
		delete(facts, "constructor")
		if got := spell(facts); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestConfigCommand(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"I ran:\n$ HF_HOME=/x python -m vllm.entrypoints.openai.api_server \\\n    --model a/b \\\n    --override '{\"a\": 1}' 2>&1 | tee log\nINFO x", `HF_HOME=/x python -m vllm.entrypoints.openai.api_server --model a/b --override '{"a": 1}'`},
		{"2030-01-02 - INFO - Command: vllm serve a/b --port 1", "vllm serve a/b --port 1"},
		{"vllm serve a/b --port 1 --chat-template 'x y' but it dies", "vllm serve a/b --port 1 --chat-template 'x y'"},
		{"run `vllm serve a/b --port 1` again", "vllm serve a/b --port 1"},
		{"['vllm', 'serve'] vllm serve a/b --x 'y z' # comment", "vllm serve a/b --x 'y z'"},
		{"Popen(['python', '-m', 'vllm.entrypoints.api_server', '--x', 'y z'])", "python -m vllm.entrypoints.api_server --x 'y z'"},
		{"sudo docker run -e A=b vllm/vllm-openai:v0.9.1 --model a/b && echo", "docker run -e A=b vllm/vllm-openai:v0.9.1 --model a/b"},
		{"image: vllm/vllm-openai:v0.9.1", ""},
		{"--model a/b --max-model-len 5", ""},
	} {
		if got := configOf(c.text).Text("command"); got != c.want {
			t.Errorf("%q:\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

// Every row names a fact and gives it a value of its kind.
func TestSettingTable(t *testing.T) {
	samples := []string{"3", "0.5", "'acme/x'", "True", "float16", "[1, 2]", "expandable_segments:True", "fp8"}
	for _, row := range settingTable {
		info, ok := fact.Lookup(row.fact)
		if !ok {
			t.Errorf("no fact %s", row.fact)
			continue
		}
		read := false
		for _, raw := range samples {
			v, ok := readSetting(info.Kind, row.read, "name", raw, false)
			if read = read || ok; ok && v.Kind != info.Kind {
				t.Errorf("%s: %s reads as %v, the fact is %v", row.fact, raw, v.Kind, info.Kind)
			}
		}
		if !read {
			t.Errorf("%s: no sample gives it", row.fact)
		}
		for _, name := range strings.Fields(row.names) {
			if name != strings.ToLower(name) || strings.Contains(name, "-") {
				t.Errorf("%s: the name %q can never match", row.fact, name)
			}
		}
	}
	for _, l := range configLiterals {
		if len(l) < 4 {
			t.Errorf("the literal %q is too short for the gate", l)
		}
	}
}

func TestSettingNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"4096": 4096, "131_072": 131072, "1k": 1000, "1K": 1024, "1.5K": 1536, "2m": 2e6, "10G": 10 << 30, "0.9": 0.9, "163\n84": 16384, ".5": 0.5,
		"": -1, "None": -1, "-1": -1, "1e9": -1, "4096,": -1, "k": -1, "1.2.3": -1, "0x10": -1,
	} {
		got, ok := settingNumber(text)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("%q is %v, %v; want %v", text, got, ok, want)
		}
	}
}

func TestScanPairsBounds(t *testing.T) {
	n := 0
	scanPairs(strings.Repeat("a=1, ", 5000), true, func(string, string) { n++ })
	if n != MaxSettings {
		t.Errorf("%d settings of 5000 were read, want %d", n, MaxSettings)
	}
	deep := ""
	scanPairs(strings.Repeat("{'a': ", 40)+"1"+strings.Repeat("}", 40), true, func(key, _ string) {
		if len(key) > len(deep) {
			deep = key
		}
	})
	if got := strings.Count(deep, "a"); got != maxConfigDepth {
		t.Errorf("the deepest key has %d parts, want %d", got, maxConfigDepth)
	}
}

func FuzzConfig(f *testing.F) {
	for i, d := range Dialects {
		f.Add(uint8(i), d.Literal+" m --max-model-len 4096 --x='a b'\n")
		f.Add(uint8(i), d.Literal+`model='a/b', dtype=torch.float16, x={"y": [1, (2, 'z')]}, max_model_len=None)`)
	}
	f.Fuzz(func(t *testing.T, dialect uint8, text string) {
		d := &Dialects[int(dialect)%len(Dialects)]
		facts, looked, _ := d.Read(text)
		if looked > len(text)+maxSettingKey {
			t.Errorf("%s: %q: looked at %d bytes of %d", d.Literal, text, looked, len(text))
		}
		for name, got := range facts {
			if info, ok := fact.Lookup(name); !ok || info.Kind != got.Kind || got.Num != got.Num {
				t.Errorf("%s: %q gives %s = %v", d.Literal, text, name, got.Value)
			}
		}
		if at := strings.Index(text, d.Literal); at >= 0 {
			if start, ok := d.Begin(text, at); ok && (start < 0 || start > len(text)) {
				t.Errorf("%s: %q begins at %d", d.Literal, text, start)
			}
		}
		for _, scan := range []func(func(key, value string)){
			func(yield func(key, value string)) { scanPairs(text, true, yield) },
			func(yield func(key, value string)) { scanWords(argWords(text), yield) },
		} {
			n := 0
			scan(func(key, value string) {
				if n++; n > MaxSettings+1 || len(value) > maxConfigText {
					t.Errorf("%d settings, the last with %d bytes", n, len(value))
				}
			})
		}
	})
}
