package rules

import (
	"testing"

	"github.com/oomdoc/oomdoc/parser"
)

// What a model reads decides which advice is absurd: pixels for a language model, sequences for a
// convolution. A model that reads both may get both.
func TestWhatTheModelReads(t *testing.T) {
	models := "/env/lib/python3.11/site-packages/transformers/models/"
	for _, c := range []struct {
		frame        parser.Frame
		facts        parser.Facts
		text, images bool
	}{
		{frame: parser.Frame{File: models + "llama/modeling_llama.py", Func: "forward"}, text: true},
		{frame: parser.Frame{File: "/env/torch/nn/modules/conv.py", Func: "_conv_forward"}, images: true},
		{frame: parser.Frame{File: "/work/model.py", Func: "forward"}, facts: parser.Facts{"sequence_length": fact(parser.Tokens, 4096)}, text: true},
		{frame: parser.Frame{File: "/work/net.py", Func: "interpolate"}, facts: parser.Facts{"sequence_length": fact(parser.Tokens, 4096)}, images: true},
		{frame: parser.Frame{File: models + "qwen2_vl/modeling_qwen2_vl.py", Func: "forward"}, facts: parser.Facts{"vocab_size": fact(parser.Count, 151936)}},
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
