package trace

import (
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// framesOf reads "path:function" words as a traceback, outermost first.
func framesOf(text string) (frames []Frame) {
	for _, w := range strings.Fields(text) {
		at := strings.LastIndexByte(w, ':')
		frames = append(frames, Frame{File: w[:at], Func: w[at+1:]})
	}
	return frames
}

const (
	v1  = "/usr/lib/python3.12/site-packages/vllm/v1/"
	v0  = "/opt/vllm/vllm/"
	pt  = "/usr/lib/python3.12/site-packages/torch/"
	hf  = "/usr/lib/python3.12/site-packages/transformers/"
	dsp = "/usr/lib/python3.12/site-packages/deepspeed/runtime/"
)

func TestPhaseOf(t *testing.T) {
	for _, c := range []struct{ name, frames, want string }{
		{"nothing", "", ""},
		{"a script", "train.py:main", ""},
		{"an optimizer of another library", "/opt/colossalai/zero/sharded_optim/low_level_optim.py:step", "optimizer_step"},
		{"an optimizer that calls back", "/opt/lightning/pytorch/core/optimizer.py:step x/loops/automatic.py:closure x/net.py:forward", "forward"},
		{"a volume in windows", "infer.py:main x/monai/inferers/utils.py:sliding_window_inference " + pt + "nn/modules/module.py:_call_impl", "evaluation"},
		{"boxes against anchors", "x/bbox/assigners/max_iou_assigner.py:assign x/bbox/bbox_overlaps.py:bbox_overlaps", "forward"},
		{"log-probabilities of a policy", "/opt/rl/actor.py:train /opt/rl/loss.py:get_log_probs_and_entropy", "forward"},

		// vLLM: what nests in what.
		{"profiling calls the step", v0 + "worker/worker.py:determine_num_available_blocks " + v0 + "worker/model_runner.py:profile_run " + v0 + "worker/model_runner.py:execute_model " + pt + "nn/modules/module.py:_call_impl", "profile"},
		{"profiling runs a dummy batch", v1 + "engine/core.py:_initialize_kv_caches " + v1 + "worker/gpu_worker.py:determine_available_memory " + v1 + "worker/gpu_model_runner.py:profile_run " + v1 + "worker/gpu_model_runner.py:_dummy_run", "profile"},
		{"so does its sampler", v1 + "worker/gpu_model_runner.py:profile_run " + v1 + "worker/gpu_model_runner.py:_dummy_sampler_run", "profile"},
		{"and the image encoder", v1 + "worker/gpu_model_runner.py:profile_run x/siglip.py:forward " + pt + "nn/functional.py:softmax", "profile"},
		{"capture runs a dummy batch too", v1 + "worker/gpu_worker.py:compile_or_warm_up_model " + v1 + "worker/gpu_model_runner.py:capture_model " + v1 + "worker/gpu_model_runner.py:_dummy_run", "graph_capture"},
		{"capture in the graph wrapper", v0 + "compilation/cuda_graph.py:__call__ " + pt + "cuda/graphs.py:__exit__", "graph_capture"},
		{"the estimate captures graphs", v1 + "worker/gpu_worker.py:determine_available_memory " + v1 + "worker/gpu_model_runner.py:profile_cudagraph_memory " + v1 + "worker/gpu_model_runner.py:_warmup_and_capture", "graph_capture"},
		{"the estimate alone", v1 + "worker/gpu_model_runner.py:profile_cudagraph_memory", "profile"},
		{"the estimate's small cache", v1 + "worker/gpu_model_runner.py:profile_cudagraph_memory " + v1 + "worker/gpu_model_runner.py:initialize_kv_cache_tensors", "kv_alloc"},
		{"V0 captures below initialize_cache", v0 + "worker/worker.py:initialize_cache " + v0 + "worker/worker.py:_warm_up_model " + v0 + "worker/model_runner.py:capture_model", "graph_capture"},
		{"V0 allocates below initialize_cache", v0 + "worker/worker.py:initialize_cache " + v0 + "worker/worker.py:_init_cache_engine " + v0 + "worker/cache_engine.py:_allocate_kv_cache", "kv_alloc"},
		{"the engine's side never decides alone", v1 + "engine/core.py:_initialize_kv_caches " + v1 + "executor/abstract.py:collective_rpc", ""},
		{"sizing", v1 + "engine/core.py:_initialize_kv_caches " + v1 + "core/kv_cache_utils.py:get_kv_cache_configs " + v1 + "core/kv_cache_utils.py:_check_enough_kv_cache_memory", "kv_alloc"},
		{"V0 sizing", v0 + "worker/worker.py:initialize_cache " + v0 + "worker/worker.py:raise_if_cache_size_invalid", "kv_alloc"},
		{"allocating", v1 + "worker/gpu_worker.py:initialize_from_config " + v1 + "worker/gpu_model_runner.py:_allocate_kv_cache_tensors", "kv_alloc"},
		{"warm-up below the executor's initialize", v1 + "executor/abstract.py:initialize_from_config " + v1 + "worker/gpu_worker.py:compile_or_warm_up_model " + v1 + "worker/gpu_model_runner.py:_dummy_sampler_run " + v1 + "sample/sampler.py:forward", "warmup"},
		{"kernels warm up with a step", v0 + "model_executor/warmup/kernel_warmup.py:kernel_warmup " + v1 + "worker/gpu/model_runner.py:execute_model", "warmup"},
		{"the device check", v1 + "executor/multiproc_executor.py:__init__ " + v1 + "worker/worker_base.py:init_device " + v1 + "worker/gpu_worker.py:init_device " + v1 + "worker/utils.py:request_memory", "startup"},
		{"creating weights", v1 + "worker/gpu_worker.py:load_model " + v0 + "model_executor/model_loader/utils.py:initialize_model " + v0 + "model_executor/layers/linear.py:create_weights", "model_load"},
		{"repacking", v0 + "model_executor/model_loader/base_loader.py:load_model " + v0 + "model_executor/model_loader/utils.py:process_weights_after_loading", "model_load"},
		{"reading a .bin below load_model", v0 + "worker/model_runner.py:load_model " + pt + "serialization.py:load", "model_load"},
		{"quantising with bitsandbytes while loading", v1 + "worker/gpu_model_runner.py:load_model x/bitsandbytes/functional.py:quantize_4bit", "model_load"},
		{"serving", v1 + "engine/core.py:run_busy_loop " + v1 + "engine/core.py:step_with_batch_queue " + v1 + "worker/gpu_worker.py:execute_model " + pt + "nn/modules/module.py:_call_impl", "serving"},
		{"prompt logprobs", v1 + "worker/gpu_model_runner.py:sample_tokens " + v1 + "worker/gpu_model_runner.py:_get_prompt_logprobs_dict", "serving"},
		{"a harness above the engine", "x/lm_eval/evaluator.py:simple_evaluate x/lm_eval/models/vllm_causallms.py:loglikelihood " + v1 + "engine/llm_engine.py:step", "serving"},
		{"waking up", v1 + "worker/gpu_worker.py:wake_up " + v0 + "device_allocator/cumem.py:wake_up", "serving"},
		{"qualified names", "vllm/spec_decode/spec_decode_worker.py:SpecDecodeWorker.execute_model vllm/sequence.py:HiddenStates.update", "serving"},
		{"attention kernels run in no profile", ".../vllm/v1/attention/backends/mine.py:_prefill", "serving"},
		{"other layers alone tell nothing", ".../vllm/model_executor/models/mine.py:forward " + pt + "nn/modules/module.py:_call_impl", ""},
		{"the front end tells nothing", v0 + "entrypoints/openai/api_server.py:build_async_engine_client " + v1 + "engine/core_client.py:__init__", ""},
		{"an environment called vllm is not vLLM", "/envs/vllm/lib/python3.11/site-packages/torch/nn/modules/module.py:_call_impl my.py:forward", "forward"},

		// Other servers.
		{"SGLang captures", "x/sglang/srt/model_executor/model_runner.py:initialize x/sglang/srt/model_executor/cuda_graph_runner.py:capture_one_batch_size x/sglang/srt/models/a.py:forward", "graph_capture"},
		{"SGLang's pool", "x/sglang/srt/model_executor/model_runner.py:init_memory_pool x/sglang/srt/mem_cache/memory_pool.py:_create_buffers", "kv_alloc"},
		{"SGLang loads", "x/sglang/srt/model_executor/model_runner.py:load_model", "model_load"},
		{"SGLang prefills", "x/sglang/srt/managers/scheduler.py:event_loop_overlap x/sglang/srt/model_executor/model_runner.py:forward_extend", "serving"},
		{"TGI warms up", "x/text_generation_server/models/flash_causal_lm.py:warmup x/text_generation_server/models/flash_causal_lm.py:generate_token", "warmup"},
		{"TGI decodes", "x/text_generation_server/server.py:Decode x/text_generation_server/models/flash_causal_lm.py:generate_token", "serving"},
		{"TGI loads", "x/text_generation_server/server.py:serve_inner x/text_generation_server/models/__init__.py:get_model", "model_load"},
		{"TensorRT-LLM loads", "x/tensorrt_llm/_torch/models/modeling_utils.py:load_single_module", "model_load"},
		{"TensorRT-LLM captures", "x/tensorrt_llm/_torch/pyexecutor/model_engine.py:_run_cuda_graph_warmup x/tensorrt_llm/_torch/pyexecutor/model_engine.py:forward", "graph_capture"},

		// Training: the optimizer and the backward pass.
		{"the first step", hf + "trainer.py:training_step " + pt + "optim/adamw.py:step " + pt + "optim/adamw.py:_init_group", "optimizer_step"},
		{"a foreach step", pt + "optim/optimizer.py:wrapper " + pt + "optim/adam.py:_multi_tensor_adam", "optimizer_step"},
		{"DeepSpeed steps below its backward", "x/accelerate/accelerator.py:backward " + dsp + "engine.py:step " + dsp + "zero/stage3.py:step", "optimizer_step"},
		{"a step whose closure runs forward", pt + "optim/adamw.py:step x/lightning/loops/automatic.py:closure x/lightning/strategy.py:training_step my.py:forward", "forward"},
		{"a step whose closure runs backward", pt + "optim/lbfgs.py:step my.py:closure " + pt + "_tensor.py:backward " + pt + "autograd/graph.py:_engine_run_backward", "backward"},
		{"clipping", hf + "trainer.py:_inner_training_loop " + pt + "nn/utils/clip_grad.py:clip_grad_norm_", "optimizer_step"},
		{"DeepSpeed's master copies in bf16", dsp + "engine.py:__init__ " + dsp + "engine.py:_configure_bf16_optimizer " + dsp + "bf16_optimizer.py:_flatten_dense_tensors_aligned", "optimizer_step"},
		{"a scripted function of a graph network", "/opt/lib/python3.8/site-packages/torch_scatter/scatter.py:scatter_max", "forward"},
		{"DeepSpeed's master copies", dsp + "engine.py:__init__ " + dsp + "engine.py:_configure_zero_optimizer " + dsp + "zero/stage3.py:__init__", "optimizer_step"},
		{"backward", hf + "trainer.py:training_step x/accelerate/accelerator.py:backward " + pt + "_tensor.py:backward", "backward"},
		{"recomputing below backward", pt + "_tensor.py:backward " + pt + "utils/checkpoint.py:backward my.py:forward", "backward"},
		{"recomputing without re-entering", pt + "autograd/graph.py:_engine_run_backward " + pt + "utils/checkpoint.py:unpack_hook " + pt + "utils/checkpoint.py:recompute_fn my.py:forward", "backward"},
		{"ZeRO gathers below backward", pt + "autograd/graph.py:_engine_run_backward " + dsp + "zero/parameter_offload.py:pre_sub_module_backward_function " + dsp + "zero/partition_parameters.py:all_gather_coalesced", "backward"},
		{"ZeRO gathers below forward", hf + "trainer.py:compute_loss " + dsp + "zero/parameter_offload.py:_pre_forward_module_hook " + dsp + "zero/partition_parameters.py:all_gather_coalesced", "forward"},
		{"FSDP gathers below backward", pt + "distributed/fsdp/_runtime_utils.py:_pre_backward_hook " + pt + "distributed/fsdp/_flat_param.py:unshard", "backward"},
		{"checkpointing below forward", hf + "trainer.py:training_step " + pt + "utils/checkpoint.py:checkpoint " + pt + "autograd/function.py:apply " + pt + "utils/checkpoint.py:forward", "forward"},

		// Training: loading, moving, wrapping.
		{"from_pretrained", "my.py:main " + hf + "modeling_utils.py:from_pretrained " + hf + "modeling_utils.py:_load_pretrained_model", "model_load"},
		{"from_pretrained reads a .bin", hf + "modeling_utils.py:from_pretrained " + pt + "serialization.py:load", "model_load"},
		{"torch.load", "my.py:main " + pt + "serialization.py:load " + pt + "serialization.py:persistent_load", "checkpoint_load"},
		{"resuming", hf + "trainer.py:train " + hf + "trainer.py:_load_optimizer_and_scheduler " + pt + "optim/optimizer.py:load_state_dict", "checkpoint_load"},
		{"saving", hf + "trainer.py:_save_checkpoint " + hf + "trainer.py:save_model", "unknown"},
		{"to the device", "my.py:main " + pt + "nn/modules/module.py:to " + pt + "nn/modules/module.py:_apply " + pt + "nn/modules/module.py:convert", "model_load"},
		{"wrapping in FSDP", pt + "distributed/fsdp/fully_sharded_data_parallel.py:__init__ " + pt + "distributed/fsdp/_flat_param.py:flatten_tensors_into_flat_param " + pt + "distributed/fsdp/_init_utils.py:_init_param_handle_from_module", "model_load"},
		{"zero.Init", hf + "modeling_utils.py:from_pretrained " + dsp + "zero/partition_parameters.py:_post_init_method", "model_load"},
		{"wrapping in DDP", pt + "nn/parallel/distributed.py:__init__ " + pt + "distributed/utils.py:_sync_module_states", "model_load"},
		{"offloaded weights come in below forward", "x/accelerate/hooks.py:new_forward x/accelerate/hooks.py:pre_forward x/accelerate/utils/modeling.py:set_module_tensor_to_device", "forward"},
		{"joining the job", "my.py:main " + pt + "distributed/distributed_c10d.py:init_process_group", "startup"},

		// Training: data, evaluation, forward.
		{"a worker", pt + "utils/data/_utils/worker.py:_worker_loop " + pt + "utils/data/_utils/fetch.py:fetch my.py:__getitem__", "dataloader"},
		{"shared memory", "/usr/lib/python3.12/multiprocessing/queues.py:_feed " + pt + "multiprocessing/reductions.py:reduce_storage", "dataloader"},
		{"evaluating inside training", hf + "trainer.py:train " + hf + "trainer.py:evaluation_loop " + hf + "trainer.py:prediction_step " + hf + "trainer.py:compute_loss", "evaluation"},
		{"a validation step", "x/lightning/loop.py:_run_sanity_check my.py:validation_step my.py:forward", "evaluation"},
		{"a harness generates", "x/lm_eval/evaluator.py:evaluate x/lm_eval/models/huggingface.py:_model_generate " + hf + "generation/utils.py:generate", "evaluation"},
		{"a harness loads", "x/lm_eval/evaluator.py:simple_evaluate " + hf + "models/auto/auto_factory.py:from_pretrained", "model_load"},
		{"generate()", "my.py:main " + hf + "generation/utils.py:generate " + hf + "models/a.py:forward", "forward"},
		{"the loss", hf + "trainer.py:compute_loss " + hf + "loss/loss_utils.py:ForCausalLMLoss " + pt + "nn/functional.py:cross_entropy", "forward"},
		{"Megatron", "my.py:train_step my.py:forward_step", "forward"},
		{"diffusion", "my.py:main x/diffusers/pipelines/a/pipeline_a.py:__call__", "forward"},
		{"Windows paths", `C:\env\Lib\site-packages\torch\_tensor.py:backward`, "backward"},
	} {
		if got := Phase(framesOf(c.frames)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestPhaseOfMethod(t *testing.T) {
	for method, want := range map[string]string{
		"init_device": "startup", "load_model": "model_load", "determine_num_available_blocks": "profile", "determine_available_memory": "profile",
		"initialize_cache": "kv_alloc", "initialize_from_config": "kv_alloc", "compile_or_warm_up_model": "warmup",
		"execute_model": "serving", "start_worker_execution_loop": "serving", "wake_up": "serving", "no_such_method": "",
		"load_model: CUDA out of memory": "model_load",
	} {
		if got := PhaseOfMethod(method); got != want {
			t.Errorf("%s: %q, want %q", method, got, want)
		}
	}
}

// Each row names a phase, and the traceback made of its own needles fails in it: a star in the middle or
// an earlier row that says otherwise would make it vain.
func TestPhaseTable(t *testing.T) {
	for i, row := range phaseTable {
		if row.phase != "" && !slices.Contains(message.Phases, row.phase) {
			t.Errorf("row %d: no phase %q", i, row.phase)
		}
		var frames []Frame
		for _, n := range phaseRows()[i].needles {
			if n.not {
				continue
			}
			f := Frame{File: strings.ReplaceAll(n.file, "*", "x"), Func: strings.ReplaceAll(n.fn, "*", "x")}
			if strings.HasSuffix(n.file, "/") {
				f.File += "mine.py"
			}
			if n.call {
				f.Func, f.Code = "main", f.Func+"()"
			}
			frames = append(frames, f)
		}
		if got := Phase(frames); got != row.phase {
			t.Errorf("row %d %q: its own needles give %q, want %q", i, row.needles, got, row.phase)
		}
	}
}

func TestFileMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"worker.py", "/a/vllm/worker.py", true},
		{"worker.py", "/a/gpu_worker.py", false},
		{"*worker.py", "/a/gpu_worker.py", true},
		{"torch/_tensor.py", "/a/torch/_tensor.py", true},
		{"torch/_tensor.py", "_tensor.py", false},
		{"torch/_tensor.py", "torch/_tensor.py", true},
		{"vllm/", "/a/vllm/b.py", true},
		{"vllm/", "vllm/b.py", true},
		{"vllm/", "/a/myvllm/b.py", false},
		{"vllm/", "/a/vllm/lib/python3.11/asyncio/b.py", false},
		{"vllm/", "/a/vllm/lib/python3.11/site-packages/vllm/b.py", true},
		{"x.py", "", false},
	} {
		if got := InFile(c.pattern, c.path); got != c.want {
			t.Errorf("%q in %q: %v", c.pattern, c.path, got)
		}
	}
}

// Where a traceback ends in a program's own line, what the line calls tells the phase; a deeper frame knows better.
func TestPhaseOfALine(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"loss.backward()", "backward"},
		{"accelerator.backward(loss)", "backward"},
		{"optimizer.step()", "optimizer_step"},
		{"self.optim.step()", "optimizer_step"},
		{"scheduler.step()", ""},
		{"loss = F.cross_entropy(logits.view(-1, v), y.view(-1))", "forward"},
		{"out = model(x)", "forward"},
		{"net = AutoModel.from_pretrained(name)", "model_load"},
		{"model.to(device)", "model_load"},
		{"x = x.to(device)", ""},
		{"state = torch.load(path)", "checkpoint_load"},
		{"(((", ""},
		{"", ""},
	} {
		if got := Phase([]Frame{{File: "fit.py", Func: "main"}, {File: "fit.py", Func: "run", Code: c.code}}); got != c.want {
			t.Errorf("%q: %q, want %q", c.code, got, c.want)
		}
		if got := Phase([]Frame{{File: "fit.py", Func: "main", Code: c.code}, {File: "fit.py", Func: "run"}}); got != "" {
			t.Errorf("%q in an outer frame: %q, want none", c.code, got)
		}
	}
	inside := []Frame{{File: pt + "_tensor.py", Func: "backward", Code: "torch.autograd.backward("}, {File: "hook.py", Func: "hook", Code: "y = model(x)"}}
	if got := Phase(inside); got != "backward" {
		t.Errorf("a call below backward: %q", got)
	}
}
