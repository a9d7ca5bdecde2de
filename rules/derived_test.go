package rules

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
)

// What a model reads decides which advice is absurd: pixels for a language model, sequences for a
// convolution. A model that reads both may get both.
func TestWhatTheModelReads(t *testing.T) {
	models := "/env/lib/python3.11/site-packages/transformers/models/"
	for _, c := range []struct {
		frame        parser.Frame
		facts        fact.Facts
		text, images bool
	}{
		{frame: parser.Frame{File: models + "llama/modeling_llama.py", Func: "forward"}, text: true},
		{frame: parser.Frame{File: "/env/torch/nn/modules/conv.py", Func: "_conv_forward"}, images: true},
		{frame: parser.Frame{File: "/work/model.py", Func: "forward"}, facts: fact.Facts{"sequence_length": factOf(fact.Tokens, 4096)}, text: true},
		{frame: parser.Frame{File: "/work/net.py", Func: "interpolate"}, facts: fact.Facts{"sequence_length": factOf(fact.Tokens, 4096)}, images: true},
		{frame: parser.Frame{File: models + "qwen2_vl/modeling_qwen2_vl.py", Func: "forward"}, facts: fact.Facts{"vocab_size": factOf(fact.Count, 151936)}},
		{frame: parser.Frame{File: "/work/model.py", Func: "forward"}},
	} {
		inc := &parser.Incident{Frames: []parser.Frame{c.frame}, Facts: c.facts}
		for name, want := range map[string]bool{"of_text": c.text, "of_images": c.images} {
			p, err := compile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := newScope(inc, noPlanner{}).eval(p).String() == "true"; got != want {
				t.Errorf("%v %v: %s is %v", c.frame, c.facts, name, got)
			}
		}
	}
}

// Whether a process trains or infers decides which settings exist in it. Where neither is in sight, both
// stay possible.
func TestWhatTheProcessDoes(t *testing.T) {
	const decorator = "/env/torch/utils/_contextlib.py decorate_context"
	for _, c := range []struct {
		engine, phase, frames string // a frame is "file function"
		training, inference   bool
	}{
		{engine: "vllm", phase: "profile", inference: true},
		{engine: "tgi", phase: "unknown", inference: true},
		{engine: "pytorch", phase: "backward", frames: decorator, training: true},
		{engine: "pytorch", phase: "evaluation", inference: true},
		{engine: "pytorch", phase: "evaluation", frames: "/env/transformers/trainer.py evaluate", training: true},
		{engine: "pytorch", phase: "forward", frames: decorator + ",/env/diffusers/pipe.py __call__", inference: true},
		{engine: "pytorch", phase: "forward", frames: "/work/run.py train_one_epoch," + decorator, training: true},
		{engine: "pytorch", phase: "forward", frames: "/work/net.py forward," + decorator + ",/env/deepspeed/zero.py fetch_sub_module"},
		{engine: "pytorch", phase: "forward", frames: `D:\ComfyUI\execution.py _async_map_node_over_list,D:\ComfyUI\comfy\sd.py decode`, inference: true},
		{engine: "pytorch", phase: "forward", frames: "/env/transformers/generation/utils.py _sample", inference: true},
		{engine: "pytorch", phase: "unknown", frames: "/env/faster_whisper/transcribe.py __init__", inference: true},
		{engine: "pytorch", phase: "unknown"},
		{engine: "vllm", phase: "forward", frames: "/work/verl/fsdp_workers.py actor_rollout_update_actor,/work/verl/dp_actor.py update_policy", training: true},
		{engine: "vllm", phase: "forward", frames: "/work/verl/fsdp_workers.py compute_ref_log_prob", inference: true},
		{engine: "pytorch", phase: "forward", frames: "/work/net.py forward"},
	} {
		inc := &parser.Incident{Engine: c.engine, Phase: c.phase}
		for _, f := range strings.Split(c.frames, ",") {
			file, name, _ := strings.Cut(f, " ")
			inc.Frames = append(inc.Frames, parser.Frame{File: file, Func: name})
		}
		for name, want := range map[string]bool{"training": c.training, "inference": c.inference} {
			p, err := compile(name)
			if err != nil {
				t.Fatal(err)
			}
			if got := newScope(inc, noPlanner{}).eval(p).String() == "true"; got != want {
				t.Errorf("%v: %s is %v", c, name, got)
			}
		}
	}
}
