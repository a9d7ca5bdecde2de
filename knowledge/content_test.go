package knowledge

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The public names: an id is never taken away.
var (
	causes = `startup-free-memory weights-too-large load-transient-oom no-kv-cache-memory
		kv-cache-below-max-len profile-run-oom multimodal-profile-oom sampler-warmup-oom
		cudagraph-capture-oom kv-cache-allocation-oom memory-profiling-changed lora-or-adapter-oom
		speculative-draft-oom serving-activation-oom prompt-logprobs-oom kv-preemption
		kv-request-too-long gpu-memory-growth
		fragmentation oversized-allocation attention-quadratic logits-too-large training-activations
		optimizer-states gradients-memory evaluation-accumulation memory-leak-steps ranks-on-one-gpu
		checkpoint-load generation-kv-growth
		device-full other-process-memory process-memory-limit free-but-refused host-ram-killed
		host-alloc-failed shm-too-small nccl-or-cublas-oom kernel-shared-memory version-bug
		unsupported-or-misconfig`
	remedies = `raise-gpu-memory-utilization lower-gpu-memory-utilization set-kv-cache-memory-bytes
		lower-max-model-len lower-max-num-seqs lower-max-num-batched-tokens enable-chunked-prefill
		enforce-eager limit-cudagraph-sizes quantize-weights smaller-model fp8-kv-cache tensor-parallel
		pipeline-parallel expert-parallel cpu-offload lower-swap-space limit-mm-per-prompt
		lower-mm-resolution disable-mm-profiling language-model-only disable-prefix-caching
		reduce-logprobs free-other-processes kill-zombie-processes serialize-startup select-other-gpu
		larger-gpu more-replicas upgrade-engine downgrade-engine restart-process release-between-runs
		expandable-segments max-split-size-mb empty-cache reduce-batch-size gradient-accumulation
		gradient-checkpointing mixed-precision lower-precision-dtype shorter-sequences lower-resolution
		flash-or-sdpa-attention chunked-loss peft-lora qlora-4bit 8bit-optimizer offload-optimizer
		fsdp-or-zero no-grad-inference detach-accumulated eval-accumulation-steps smaller-eval-batch
		map-location-cpu low-cpu-mem-usage set-device-per-rank clear-references raise-container-memory
		enlarge-shm fewer-dataloader-workers raise-process-limit lower-ulimit-or-overcommit
		lower-triton-block reduce-generation-length smaller-draft-model fewer-loras`
)

func TestEveryNameHasAnEntry(t *testing.T) {
	for _, id := range strings.Fields(causes) {
		if Builtin().Cause(id) == nil {
			t.Errorf("no cause %s", id)
		}
	}
	for _, id := range strings.Fields(remedies) {
		r := Builtin().Remedy(id)
		if r == nil {
			t.Errorf("no remedy %s", id)
			continue
		}
		if r.Myth || r.Cost == (Text{}) || r.Verify == (Text{}) {
			t.Errorf("%s: a remedy says what it costs and how to verify it, and is no myth", id)
		}
	}
}

// A reader of either language gets the same figures.
func TestLanguagesNameTheSameFigures(t *testing.T) {
	same := func(where string, text Text) {
		if a, b := names(text.En), names(text.Zh); a != b {
			t.Errorf("%s: English names %q, Chinese %q", where, a, b)
		}
	}
	for _, c := range Builtin().Causes {
		same(c.ID+" headline", c.Headline)
		same(c.ID+" explain", c.Explain)
		for _, s := range c.Signs {
			same(c.ID+" sign "+s.If, s.Shows)
		}
		for _, u := range c.Remedies {
			same(c.ID+" "+u.Use, u.Why)
		}
		for _, d := range c.DeadEnds {
			same(c.ID+" dead end "+d.Use, d.Why)
		}
	}
}

// names returns the {name}s of a text, each once, sorted.
func names(text string) string {
	found := map[string]bool{}
	for {
		_, rest, ok := strings.Cut(text, "{")
		if !ok {
			break
		}
		name, after, _ := strings.Cut(rest, "}")
		found[name], text = true, after
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}
