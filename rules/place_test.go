package rules

import (
	"testing"

	"github.com/oomdoc/oomdoc/parser"
)

func TestPlaces(t *testing.T) {
	frame := func(file, fn string, at int) parser.Frame { return parser.Frame{File: file, Func: fn, At: at} }
	tests := []struct {
		name       string
		frames     []parser.Frame
		asked, own string
	}{
		{"no traceback", nil, "", ""},
		{"a script of its own", []parser.Frame{frame("/home/ada/train.py", "<module>", 9), frame("/home/ada/train.py", "step", 44),
			frame("/venv/lib/python3.11/site-packages/torch/nn/functional.py", "linear", 2)}, "ada/train.py:44 in step", ""},
		{"a library between", []parser.Frame{frame("/home/ada/run.py", "main", 12),
			frame("/venv/lib/python3.11/site-packages/diffusers/models/vae.py", "decode", 70),
			frame("/venv/lib/python3.11/site-packages/torch/nn/modules/conv.py", "forward", 5)}, "models/vae.py:70 in decode", "ada/run.py:12 in main"},
		{"a server has none of its own", []parser.Frame{frame("/opt/venv/lib/python3.12/site-packages/vllm/v1/worker/gpu_model_runner.py", "execute_model", 0)},
			"worker/gpu_model_runner.py in execute_model", ""},
		{"Windows", []parser.Frame{frame(`C:\work\app\gen.py`, "run", 3)}, "app/gen.py:3 in run", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked, own := Places(tt.frames)
			for _, x := range []struct {
				got  *Place
				want string
			}{{asked, tt.asked}, {own, tt.own}} {
				if got := str(x.got); got != x.want {
					t.Errorf("got %q, want %q", got, x.want)
				}
			}
		})
	}
}

func str(p *Place) string {
	if p == nil {
		return ""
	}
	return p.String()
}
