package rules

import (
	"regexp"
	"strings"
	"sync"
)

// Needed is a word of one environment, library or engine, and the conditions one of which must hold for a text that
// uses it to be printed.
type Needed struct {
	Word *regexp.Regexp
	When []string // derived figures or properties; "engine NAME" for an engine
}

// NeededWords lists them. What is printed without its condition is another machine's advice.
var NeededWords = sync.OnceValue(func() []Needed {
	list := []struct{ word, when string }{
		{`kubectl|resources: \{|emptyDir|volumeMounts`, "kubernetes"},
		{`--shm-size|docker inspect`, "docker|some_manager"},
		{`sbatch|sacct|\bsrun\b`, "slurm"},
		{`\bbsub\b`, "lsf"},
		{`\bqsub\b`, "pbs"},
		{`SystemPropertiesPerformance`, "on_windows"},
		{`DataLoader\(`, "with_dataloader"},
		{`from_pretrained|get_peft_model|gradient_checkpointing_enable`, "transformers|diffusers"},
		{`tokenizer\(`, "tokenizer"},
		{`per_device_|gradient_accumulation_steps=|use_liger_kernel`, "trainer"},
		{`\bpipe\.|unet\.`, "diffusers"},
		{`Empty Latent|VAE Decode|--cpu-vae|--fp16-vae|/free -H`, "comfyui"},
		{`--lowvram`, "comfyui|webui"},
		{`COMMANDLINE_ARGS|--medvram`, "webui"},
		{`invokeai\.yaml`, "invokeai"},
		{`--cfg-options`, "mmengine|mmcv"},
		{`--model_args`, "lm_eval"},
		{`actor_rollout_ref`, "verl"},
		{`Trainer\((accumulate|precision)`, "lightning"},
		{`triton\.Config`, "triton_code"},
	}
	out := make([]Needed, len(list))
	for i, e := range list {
		out[i] = Needed{regexp.MustCompile(e.word), strings.Split(e.when, "|")}
	}
	return out
})

// declares reports whether a condition names one of those that a word needs.
func (n *Needed) declares(condition string) bool {
	for _, w := range n.When {
		if regexp.MustCompile(`\b` + w + `\b`).MatchString(condition) {
			return true
		}
	}
	return false
}
