package rules

import "github.com/oomdoc/oomdoc/fact"

// Figure is a figure that follows from what an incident states. Conditions and texts may name it
// like a fact.
type Figure struct {
	Name    string
	Kind    fact.Kind
	Formula string // in the condition language
	Doc     string
}

// Derived lists the figures. The accounts of the allocator's sentence hold for both of its
// generations: the older one prints what PyTorch holds in all, the newer one what no tensor uses.
var Derived = []Figure{
	{"allocator_oom", fact.Bool, `message("torch-device-oom", "torch-device-oom-bare", "torch-device-oom-curt", "torch-oom-clauses", "torch-oom-raised", "torch-oom-notebook", "torch-thc-oom", "torch-cuda-*oom*", "torch-cuda-malloc-*", "torch-hip-*", "torch-xpu-*", "torch-npu-*", "torch-hpu-oom", "torch-mps-*", "triton-cuda-oom")`,
		"an accelerator's allocator or runtime says itself that it refused memory"},

	{"device_oom", fact.Bool, `allocator_oom or message("torch-device-oom-1eb", "torch-device-oom-mention", "traceback-cut")`,
		"an accelerator's allocator or runtime refused memory to a PyTorch process, or the log ends in the traceback that would say so"},

	{"engine_oom", fact.Bool, `allocator_oom or message("cumem-oom", "memory-saver-oom", "trtllm-runtime-oom", "tgi-server-oom", "jax-*", "neuron-allocation", "traceback-cut")`,
		"an accelerator refused memory to a serving engine, whatever the engine calls it"},
	{"other_framework", fact.Bool, `message("paddle-oom", "tf-oom", "tf-context-oom", "cupy-oom", "ct2-oom") and not device_oom`,
		"the device refused memory to another framework than PyTorch, with an allocator and settings of its own"},

	// Where the traceback stands.
	{"in_attention", fact.Bool, `frames has any ("eager_attention_forward", "scaled_dot_product_attention", "sdpa_attention_forward", "multi_head_attention_forward", "_scaled_dot_product_attention", "attention", "_attn", "attn", "self_attn", "self_attention", "_attention", "attention_op", "attention_basic", "attention_pytorch", "attention_split", "attention_sub_quad", "optimized_attention", "split_cross_attention_forward", "sdp_attnblock_forward", "get_attention_scores", "compute_attention", "rel_attn_core", "_prepare_4d_causal_attention_mask", "_update_causal_mask", "_prepare_decoder_attention_mask", "_make_causal_mask", "create_causal_mask", "attention_processor.py", "attention_dispatch.py", "sdpa_attention.py", "sub_quadratic_attention.py", "_make_attention_mask", "get_splitfuse_attn_mask")`,
		"attention, or its mask, was being computed"},
	{"in_loss", fact.Bool, `frames has any ("cross_entropy", "log_softmax", "nll_loss", "ForCausalLMLoss", "fixed_cross_entropy", "ForMaskedLMLoss", "selective_log_softmax", "logprobs_from_logits", "*_per_token_logps*", "*batch_logps", "*log_prob*", "*_cross_entropy_loss", "entropy_from_logits", "_convert_to_fp32", "convert_to_fp32", "float16_to_fp32", "float_conversion", "gather_log_probs", "logsumexp", "compute_logits", "lm_head", "tensor_parallel/cross_entropy.py", "*parallel_cross_entropy", "compute_language_model_loss", "calculate_logits_max", "calculate_predicted_logits") or frames has "gpt_model.py" and frames has "_postprocess"`,
		"logits over the vocabulary, or a loss on them, were being computed"},
	{"in_generation", fact.Bool, `frames has any ("generate", "greedy_search", "_greedy_search", "beam_search", "_beam_search", "contrastive_search", "_reorder_cache", "greedy_until", "generate_until", "transformers/generation/utils.py", "transformers/generation_utils.py", "setup_caches", "setup_cache", "allocate_kv_cache", "init_kv_cache", "setup_kv_cache")`,
		"generate() was at work, or its cache was being made"},

	// The system.
	{"said_killed", fact.Bool, `message("kernel-killed-process", "kernel-memcg-*", "kernel-oom-*", "systemd-oom-killed", "systemd-oomd-kill", "earlyoom-kill", "k8s-oomkilled", "k8s-oomkilled-column", "k8s-event-oom", "k8s-evicted*", "docker-oomkilled", "service-memory-limit", "slurm-oom-kill", "slurm-memory-limit", "flux-oom", "lsf-memlimit", "pbs-mem-exceeded", "ray-oom", "ray-oom-node", "ray-oom-users", "ray-oom-summary", "ray-oom-old", "colab-ram")`,
		"the kernel, a cgroup or a monitor says itself that it killed for memory"},
	{"apu_share", fact.Bool, `backend == "HIP" and (known(smi_total) and smi_total < 25% * gpu_total or known(gpu_total) and gpu_total <= 1 GiB)`,
		"the device is an APU's, whose memory is RAM that the kernel lets it map, or the firmware's small share of it"},
	{"other_program", fact.Bool, `known(killed_process) and not (killed_process has any ("*python*", "pt_*", "ray*", "*vllm*", "VLLM*", "torch*", "jupyter*", "ipykernel*", "uvicorn*", "gunicorn*", "accelerate*", "deepspeed*", "sglang*", "trainer*"))`,
		"what the system killed is no Python program"},

	// Where it ran: whose words advice has to be in. What is not seen is not known to be absent.
	{"kubernetes", fact.Bool, `known(on_kubernetes) or message("k8s-*", "vgpu-limit-oom")`, "in a pod"},
	{"docker", fact.Bool, `(known(on_docker) or message("docker-*")) and not kubernetes`, "in a container of Docker or compose"},
	{"slurm", fact.Bool, `known(on_slurm) or message("slurm-*")`, "in a job of Slurm"},
	{"lsf", fact.Bool, `known(on_lsf) or message("lsf-*")`, "in a job of LSF"},
	{"pbs", fact.Bool, `known(on_pbs) or message("pbs-*")`, "in a job of PBS"},
	{"given_machine", fact.Bool, `known(on_colab) or message("colab-ram")`, "on a machine of which nothing can be set: Colab, Kaggle"},
	{"notebook", fact.Bool, `known(on_notebook) or given_machine or frames has any ("<cell line*", "<module>/ipykernel") or message("torch-oom-notebook")`, "in a notebook, whose kernel keeps what earlier cells made"},
	{"wsl", fact.Bool, `known(on_wsl)`, "on Linux under Windows"},
	{"on_windows", fact.Bool, `windows or message("win-*")`, "on Windows itself"},
	{"cgroup", fact.Bool, `message("kernel-memcg-*", "kernel-oom-summary-memcg")`, "a cgroup's limit was hit, not the machine's"},
	{"unmanaged", fact.Bool, `not (kubernetes or slurm or lsf or pbs or given_machine or on_windows)`, "nothing but the kernel is seen to manage the machine"},
	{"some_manager", fact.Bool, `kubernetes or docker or slurm or lsf or pbs or given_machine or on_windows`, "the log shows what manages the machine"},

	// Which libraries are in sight.
	{"transformers", fact.Bool, `known(uses_transformers) or frames has any ("transformers/", "peft/", "trl/") or code has any ("AutoModel", "from_pretrained(")`, "the Transformers library"},
	{"trainer", fact.Bool, `frames has any ("transformers/trainer.py", "transformers/trainer_seq2seq.py", "trl/")`, "the Trainer of Transformers, or one built on it"},
	{"diffusers", fact.Bool, `known(uses_diffusers) or frames has "diffusers/"`, "the diffusers library"},
	{"comfyui", fact.Bool, `frames has any ("comfy/", "recursive_execute", "*map_node_over_list", "k_diffusion/sampling.py")`, "ComfyUI"},
	{"lightning", fact.Bool, `frames has any ("lightning/", "pytorch_lightning/", "lightning_fabric/")`, "Lightning"},
	{"fsdp", fact.Bool, `frames has any ("torch/distributed/fsdp/", "fsdp/")`, "FSDP"},
	{"deepspeed", fact.Bool, `frames has "deepspeed/" or known(zero_stage)`, "DeepSpeed"},
	{"with_dataloader", fact.Bool, `frames has "torch/utils/data/" or message("dataloader-*") or code has "DataLoader" or killed_process has any ("pt_data_worker")`, "PyTorch's data loader"},
	{"tokenizer", fact.Bool, `code has "tokenizer(" or transformers and of_text`, "a tokenizer whose call sets the length"},
	{"v1_engine", fact.Bool, `engine_version >= 0.8.0 or not known(engine_version) and (frames has "v1/" or origin has any ("EngineCore", "Worker_TP", "Worker_PP", "Worker_DP"))`,
		"vLLM's V1 engine, by its version or by what only it prints"},
	{"is_vllm", fact.Bool, `engine == vllm`, "the engine is vLLM"},
	{"is_sglang", fact.Bool, `engine == sglang`, "the engine is SGLang"},
	{"is_llamacpp", fact.Bool, `engine == llamacpp`, "the engine is llama.cpp"},
	{"is_tgi", fact.Bool, `engine == tgi`, "the engine is TGI"},
	{"is_npu", fact.Bool, `known(backend) and backend == "NPU"`, "an Ascend NPU"},
	{"is_hip", fact.Bool, `known(backend) and backend == "HIP"`, "an AMD GPU"},
	{"is_cuda", fact.Bool, `not (known(backend) and backend in ("NPU", "HIP", "XPU", "MPS", "MUSA"))`, "an NVIDIA GPU, or nothing says otherwise"},
	{"quantized", fact.Bool, `known(quantization) and not (quantization has any ("none", "null"))`, "the weights are quantized already"},
	{"is_server", fact.Bool, `engine in (vllm, sglang, tgi, trtllm, llamacpp)`, "an engine that serves"},
	{"wddm", fact.Bool, `text has "17179869184.00 GiB memory in use"`, "the driver does not tell what the process holds: Windows' driver, natively or under WSL"},
	{"windows_driver", fact.Bool, `wsl or on_windows or wddm`, "device memory is given out by Windows"},
	{"settable", fact.Bool, `not given_machine and not windows_driver`, "the host's limit can be set where the job is defined"},
	{"is_mps", fact.Bool, `known(backend) and backend == "MPS"`, "Metal"},
	{"is_vgpu", fact.Bool, `message("vgpu-limit-oom")`, "a virtual GPU's share"},
	{"cap_known", fact.Bool, `known(allowed) and not is_mps and not is_vgpu`, "a cap is printed"},
	{"holds_nothing", fact.Bool, `known(reserved_total) and reserved_total < 2 MiB`, "PyTorch in this process holds nothing"},
	{"held_here", fact.Bytes, `where(reserved_total >= 2 MiB, reserved_total)`, "what PyTorch in this process holds, where it holds anything"},
	{"unlisted", fact.Bool, `not known(neighbours)`, "the message tells no other processes"},
	{"held_elsewhere", fact.Bytes, `default(neighbours, where(holds_nothing, gpu_total - gpu_free), outside_torch, gpu_total - gpu_free - torch_allocated)`, "what PyTorch in this process does not hold: as listed, or all that is used where it holds nothing, or the rest of the sum"},
	{"told_apart", fact.Bool, `known(other_processes) or known(process_in_use) or default(holds_nothing, false) or not known(gpu_free)`, "the log tells other processes from this one's own context and libraries"},
	{"listed_others", fact.Bool, `known(neighbours)`, "the message tells of other processes"},
	{"own_job", fact.Bool, `default(siblings or sibling_processes >= 1, false)`, "other processes on the device are of the same job: started next to this one, or as many of one size as it has other ranks"},
	{"beside_job", fact.Bool, `own_job and not default(holds_nothing, false)`, "this process holds a part, others of its job the rest"},
	{"beside_others", fact.Bool, `told_apart and not own_job and not default(holds_nothing, false)`, "this process holds a part, strangers the rest"},
	{"beside_unknown", fact.Bool, `not told_apart and not own_job`, "nothing tells other processes from this one's libraries"},
	{"list_short", fact.Bool, `known(largest_other) and default(unaccounted >= 512 MiB, false)`, "the list of processes leaves out some of what is in use"},
	{"smi_cut", fact.Bool, `known(smi_used) and not known(smi_process)`, "nvidia-smi's table is there without its processes"},
	{"server_sized", fact.Bool, `default(largest_other >= 60% * gpu_total, false) and not own_job`, "one neighbour holds so much of the device as a server takes on purpose"},
	{"largest_percent", fact.Count, `floor_to(100 * largest_other / gpu_total, 1)`, "what that is in hundredths of the device"},
	{"device_tenth", fact.Bytes, `10% * gpu_total`, "a tenth of the device"},
	{"pytest_run", fact.Bool, `known(on_pytest) or frames has any ("_pytest/", "pluggy/")`, "tests of pytest, which may run several at a time"},
	{"eighth_request", fact.Bytes, `oom_requested / 8`, "the failed request at an eighth of the batch"},
	{"eighth_fits", fact.Bool, `oom_requested >= 512 MiB and oom_requested / 8 <= gpu_free and not is_loading and not holds_nothing`, "an eighth of the request would have found room"},
	{"big_host_request", fact.Bool, `host_requested >= 4 GiB`, "one host allocation of the size of a data set"},
	{"beyond_device", fact.Bool, `oom_requested > gpu_total`, "the request is larger than the device"},
	{"beside_live", fact.Bool, `oom_requested <= gpu_total`, "the request alone would fit an empty device"},
	{"nobody_else", fact.Bool, `known(process_in_use) and known(others) and others < 128 MiB`, "this process and what is free make up the device"},
	{"traced", fact.Bool, `known(same_file)`, "the log has a traceback"},
	{"silent_kill", fact.Bool, `not traced and not message("earlyoom-kill", "k8s-evicted*")`, "the process left no traceback"},
	{"offloaded_move", fact.Bool, `message("hf-offloaded-move")`, "a model that is partly in host memory was to be moved"},
	{"can_halve", fact.Bool, `batch_size >= 2`, "the batch is stated and more than one"},
	{"no_batch", fact.Bool, `not known(batch_size)`, "the batch is not stated"},
	{"free_choice", fact.Bool, `known(host_next) and not given_machine`, "the limit on the host can be set"},
	{"has_lack", fact.Bool, `known(lack)`, "the failed request and what was free are printed"},
	{"devices_many", fact.Bool, `world_size >= 2 or parallel_size >= 2 or origins >= 2`, "the job has several ranks"},
	{"is_loading", fact.Bool, `phase in (model_load, checkpoint_load, startup)`, "the model was being loaded"},
	{"half_batch", fact.Count, `where(batch_size >= 2, half(batch_size))`, "half the batch"},
	{"one_batch", fact.Bool, `known(batch_size) and batch_size == 1`, "the batch is one already"},
	{"half_request", fact.Bytes, `oom_requested / 2`, "the failed request at half the batch"},
	{"half_fits", fact.Bool, `oom_requested / 2 <= gpu_free`, "half the request would have found room"},
	{"half_short", fact.Bool, `oom_requested / 2 > gpu_free`, "half the request would still not have fitted"},
	{"host_base", fact.Bytes, `max(default(host_limit, 0 bytes), default(host_killed_rss, 0 bytes))`, "the limit that was hit, or what the victim held where that is more"},
	{"host_next", fact.Bytes, `where(host_base > 0 bytes, ceil_to(1.5 * host_base, 1 GiB))`, "a limit that leaves half as much again"},
	{"triton_code", fact.Bool, `frames has "triton/" or code has "triton" or message("triton-out-of-resources*")`, "a Triton kernel"},
	{"plain_torch", fact.Bool, `engine == pytorch and not other_framework and not comfyui`, "a PyTorch program with its own code"},

	// What the process is about. A decorator of no_grad() or inference_mode() stands around inference, but ZeRO-3
	// has one around the weights that it gathers in a training step. The sentence of cudaMallocAsync is ComfyUI's,
	// whose default it is.
	{"training", fact.Bool, `phase in (backward, optimizer_step) or frames has any ("training_step", "*_training_step", "train_step", "train_batch", "train_one_epoch", "train_epoch", "train_one_step", "*inner_training_loop", "run_training_batch", "forward_backward*", "compute_loss", "train", "fit", "transformers/trainer.py", "train.py", "training_step_*", "ppo_train", "*actor_update*", "*update_actor", "*update_critic", "*update_policy")`,
		"a training step is in sight"},
	{"inference", fact.Bool, `not training and (engine in (vllm, sglang, tgi, trtllm, llamacpp) or phase in (serving, evaluation) or in_generation or message("torch-cuda-malloc-async-*") or frames has any ("inference", "*_inference", "inference_*", "infer", "inference.py", "predict", "transcribe", "transcribe_*", "transcribe.py", "generate_with_fallback", "decode_tiled*", "decode_latents", "decode_first_stage", "process_images", "recursive_execute", "*map_node_over_list", "calc_cond_batch", "k_diffusion/sampling.py") or frames has "decorate_context" and not (frames has any ("fetch_sub_module", "pre_sub_module_forward_function")))`,
		"the process serves, generates, decodes or evaluates, and no training step is in sight"},

	// What the model reads.
	{"of_images", fact.Bool, `frames has any ("conv2d", "conv3d", "_conv_forward", "conv_transpose2d", "interpolate", "upsample", "max_pool2d", "adaptive_avg_pool2d", "grid_sample", "decode_tiled", "decode_tiled_", "vae_encode", "vae_decode", "decode_latents", "decode_first_stage", "process_images", "recursive_execute", "*map_node_over_list", "calc_cond_batch", "k_diffusion/sampling.py", "modeling_vit.py") or message("torch-cuda-malloc-async-*")`,
		"a convolution or a diffusion pipeline ran: images or videos are what the model reads or makes"},
	{"of_text", fact.Bool, `not of_images and not (frames has any ("get_image_features", "get_video_features", "encode_images", "extract_feature", "embed_multimodal", "modeling_qwen2_vl.py", "modeling_qwen2_5_vl.py", "modeling_qwen3_vl.py", "modeling_clip.py", "modeling_siglip.py", "modeling_internvl_chat.py", "modeling_llava.py", "llava_llama.py", "llava_arch.py", "modeling_mllama.py")) and (known(vocab_size) or known(sequence_length) or known(max_model_len) or known(prompt_tokens) or frames has any ("lm_head", "compute_logits", "ForCausalLMLoss", "ForMaskedLMLoss", "*_per_token_logps*", "*batch_logps", "resize_token_embeddings", "loglikelihood", "_loglikelihood_tokens", "sft_trainer.py", "dpo_trainer.py", "grpo_trainer.py", "ppo_trainer.py", "modeling_llama.py", "modeling_mistral.py", "modeling_mixtral.py", "modeling_qwen.py", "modeling_qwen2.py", "modeling_qwen3.py", "modeling_qwen3_moe.py", "modeling_gemma.py", "modeling_gemma2.py", "modeling_gemma3.py", "modeling_phi.py", "modeling_phi3.py", "modeling_gpt2.py", "modeling_gpt_neox.py", "modeling_gptj.py", "modeling_opt.py", "modeling_bloom.py", "modeling_chatglm.py", "modeling_deepseek.py", "modeling_glm4_moe.py", "modeling_bert.py", "modeling_roberta.py", "modeling_t5.py", "modeling_bart.py"))`,
		"text is what the model reads"},

	// The allocator's sentence.
	{"shortage", fact.Bytes, `oom_requested - gpu_free`,
		"what the failed request lacks; negative when more than it was free"},
	{"reserved_total", fact.Bytes, `default(torch_reserved_total, torch_allocated + torch_reserved_unallocated)`,
		"memory PyTorch holds on the device, used by tensors or not"},
	{"shortfall", fact.Bytes, `where(shortage > 0 bytes, shortage)`,
		"the same where it is a lack"},
	{"cached", fact.Bytes, `default(torch_reserved_unallocated, max(torch_reserved_total - torch_allocated, 0 bytes))`,
		"memory PyTorch holds that no tensor uses: pieces of split segments, all that defragmenting can win"},
	{"live", fact.Bytes, `torch_allocated - default(private_pool, 0 bytes)`,
		"live tensors outside private pools"},
	{"own", fact.Bytes, `default(where(process_in_use > 0 and process_in_use <= gpu_total, process_in_use), reserved_total)`,
		"memory this process holds on the device, as far as the log says"},
	{"own_non_torch", fact.Bytes, `where(process_in_use <= gpu_total, process_in_use) - reserved_total`,
		"memory of this process outside PyTorch: context, NCCL, libraries, other frameworks"},
	{"of_a_slice", fact.Bool, `own <= gpu_total and other_processes > gpu_total - default(gpu_free, 0 bytes) - own + 1 GiB`,
		"more is listed than the device has room for: it is a slice of the card (MIG), and the others are on other slices"},
	{"others", fact.Bytes, `default(where(not of_a_slice, other_processes), where(process_in_use > 0 and process_in_use <= gpu_total, max(gpu_total - gpu_free - process_in_use, 0 bytes)))`,
		"memory that other processes hold on the device, listed or by difference"},
	{"neighbours", fact.Bytes, `where(others >= 128 MiB, others)`,
		"the same where it is a process: below the size of a context it is the rounding of what was printed"},
	{"lack", fact.Bytes, `where(oom_requested > gpu_free, oom_requested - gpu_free)`,
		"what the failed request lacked, where it lacked anything"},
	{"holes", fact.Bool, `cached >= default(lack, oom_requested) and cached >= 2% * default(reserved_total, 1 GiB)`,
		"what PyTorch holds unused would have covered the gap, were it in one piece"},
	{"reachable", fact.Bytes, `gpu_free + cached`, "free memory and what PyTorch holds unused: all that an allocator's setting can bring together"},
	{"whole_copy", fact.Bool, `oom_requested >= 1 GiB and oom_requested >= 97% * torch_allocated and oom_requested <= 103% * torch_allocated`,
		"the request is as large as all live tensors: a second copy of the model"},
	{"cap_next", fact.Count, `ceil_to((reserved_total + 1.5 * oom_requested) / 1 MiB, 1024)`, "a cap that leaves room for the request and half as much again, MiB"},
	{"cap_share", fact.Ratio, `floor_to(allowed / gpu_total, 0.01)`, "the cap as a part of the device: what set_per_process_memory_fraction() was given"},
	{"unnamed_use", fact.Bool, `message("torch-device-oom*", "torch-oom-*") and not known(process_in_use)`, "the message does not say what this process holds"},

	// A step of the setting that sizes the pool.
	{"card", fact.Bytes, `default(startup_total, gpu_total)`, "the device's memory"},
	{"util_step", fact.Bytes, `1% * card`, "what 0.01 of gpu_memory_utilization is on this card"},
	{"util_cut", fact.Ratio, `max(ceil_to(1.5 * lack / card, 0.01), 0.02)`, "how far gpu_memory_utilization has to go down to cover what is missing, half as much again, in steps of 0.01"},
	{"util_freed", fact.Bytes, `util_cut * card`, "what that frees on each card"},
	{"outside_torch", fact.Bytes, `gpu_total - gpu_free - reserved_total`,
		"used memory that PyTorch does not hold: other processes, context and libraries together"},
	{"lends", fact.Bool, `torch_allocated > gpu_total`, "the driver lends host memory for what the device has no room for"},
	{"lent", fact.Bytes, `where(torch_allocated > gpu_total, torch_allocated - gpu_total)`,
		"tensors beyond the device's size: under Windows and WSL the driver lends host memory"},
	{"unaccounted", fact.Bytes, `gpu_total - gpu_free - process_in_use - other_processes`,
		"used memory that no listed process holds: graphics, driver, processes of other containers"},
	{"headroom", fact.Bytes, `allowed - reserved_total`,
		"what the per-process cap leaves to PyTorch"},
	{"foreign", fact.Bytes, `default(others, max(default(outside_torch, gpu_total - gpu_free - torch_allocated) - min(1.5 GiB, 25% * gpu_total), 0 bytes))`,
		"memory that other processes hold; where none are told apart, what is outside PyTorch beyond a context and libraries"},
	{"foreign_share", fact.Ratio, `foreign / gpu_total`, "part of the device that other processes hold, where none are told apart by difference"},
	{"used_share", fact.Ratio, `(gpu_total - gpu_free) / gpu_total`, "used part of the device"},
	{"free_share", fact.Ratio, `gpu_free / gpu_total`, "free part of the device"},
	{"request_share", fact.Ratio, `oom_requested / default(gpu_total, allowed)`, "the failed request as a part of the device, or of what the process may have of it"},
	{"request_percent", fact.Count, `floor_to(100 * request_share, 1)`, "the same in hundredths"},
	{"live_share", fact.Ratio, `torch_allocated / gpu_total`, "part of the device that this process's tensors take"},
	{"cached_share", fact.Ratio, `cached / reserved_total`, "part of PyTorch's memory that no tensor uses"},
	{"other_share", fact.Ratio, `others / gpu_total`, "part of the device that other processes hold"},
	{"outside_torch_share", fact.Ratio, `outside_torch / gpu_total`, "part of the device in use outside PyTorch"},

	// vLLM's accounts.
	{"budget", fact.Bytes, `default(desired, gpu_memory_utilization * default(startup_total, gpu_total))`,
		"what the engine may use: gpu_memory_utilization × total"},
	{"over_budget", fact.Bytes, `where(engine == vllm and not known(kv_pool) and not ready and torch_allocated > default(gpu_memory_utilization, 0.95) * gpu_total, torch_allocated - default(gpu_memory_utilization, 0.95) * gpu_total)`,
		"live tensors beyond the budget where no pool is in sight: they are the weights, and no utilization makes them fewer"},
	{"taken_meanwhile", fact.Bytes, `where(engine == vllm and kv_cache < 0 bytes and known(weights) and known(budget), where(budget - kv_cache - weights > max(weights, 8 GiB), budget - kv_cache - weights))`,
		"what the profile counted beyond the weights and any peak: a neighbour grew while vLLM loaded"},
	{"pool_over_budget", fact.Bytes, `where(engine == vllm and not known(kv_cache_memory_bytes) and kv_cache + weights > budget + 0.05 GiB, kv_cache + weights - budget)`,
		"pool and weights beyond the budget: somebody freed memory while vLLM measured"},
	{"startup_shortage", fact.Bytes, `desired - startup_free`,
		"what is missing at the start-up check"},
	{"startup_used", fact.Bytes, `startup_total - startup_free`,
		"memory in use on the device before the engine took any"},
	{"kv_shortage", fact.Bytes, `default(where(max_model_len > estimated_max_model_len and estimated_max_model_len > 0, (max_model_len - estimated_max_model_len) * kv_needed / max_model_len), kv_needed - kv_available)`,
		"KV cache that one request of max_model_len lacks"},
	{"kv_tokens", fact.Tokens, `default(kv_cache_tokens, kv_capacity_tokens, num_gpu_blocks * block_size)`,
		"tokens the KV cache holds, as stated or blocks × block size"},
	{"kv_bytes_per_token", fact.Bytes, `default(kv_needed / max_model_len, kv_cache / where(kv_tokens > 0, kv_tokens))`,
		"KV cache of one token on one device"},
	{"kv_pool", fact.Bytes, `default(kv_cache, kv_available, kv_cache_memory_bytes)`,
		"memory the KV cache has"},
	{"siblings", fact.Bool, `alike_processes >= 2 and alike_processes == default(where(parallel_size >= 2, parallel_size), world_size) - 1`,
		"as many others as the job has other ranks hold the same amount each"},
	{"cpu_backend", fact.Bool, `known(on_cpu) or text has "VLLM_CPU_KVCACHE_SPACE" or frames has any ("cpu_worker.py", "cpu_model_runner.py")`, "vLLM on the CPU, whose KV cache is host RAM"},
	{"beyond_budget", fact.Bool, `engine == vllm and torch_allocated > (default(gpu_memory_utilization, 0.92) + 0.02) * gpu_total`,
		"more is live than gpu_memory_utilization allows weights and pool together: what fills the device is no pool"},
	{"weights_share", fact.Ratio, `weights / default(budget, gpu_total)`,
		"weights as a part of what the engine may use"},
	{"parallel_size", fact.Count, `default(tensor_parallel_size, 1) * default(pipeline_parallel_size, 1)`,
		"devices that share the weights"},

	// The host.
	{"host_over", fact.Bytes, `host_used - host_limit`, "what exceeds the host's limit"},
	{"shm_shortage", fact.Bytes, `shm_needed - shm_free`, "shared memory that is missing"},
	{"smem_over", fact.Bytes, `kernel_smem_required - kernel_smem_limit`, "on-chip shared memory a kernel wants beyond the device's"},
}

func lookupDerived(name string) *Figure {
	for i := range Derived {
		if Derived[i].Name == name {
			return &Derived[i]
		}
	}
	return nil
}
