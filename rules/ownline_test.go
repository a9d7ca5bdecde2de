package rules

import (
	"testing"

	"github.com/oomdoc/oomdoc/parser"
)

func TestOwnCall(t *testing.T) {
	for _, c := range []struct {
		code, call, want string
		in               bool
	}{
		{`opt.load_state_dict(torch.load(opt_path))`, `torch.load(map_location="cpu")`, `opt.load_state_dict(torch.load(opt_path, map_location="cpu"))   # job/resume.py:41`, false},
		{`state = torch.load(os.path.join(d, "a,b)"), map_location=dev)`, `torch.load(map_location="cpu")`, `state = torch.load(os.path.join(d, "a,b)"), map_location="cpu")   # job/resume.py:41`, false},
		{`m = AutoModel.from_pretrained(name, torch_dtype="auto")`, `from_pretrained(attn_implementation="sdpa")`, `m = AutoModel.from_pretrained(name, torch_dtype="auto", attn_implementation="sdpa")   # job/resume.py:41`, false},
		{`state = torch.load(path, map_location='cpu')`, `torch.load(map_location="cpu")`, "", true},
		{`state = torch.load(path, "cuda:1")`, `torch.load(map_location="cpu")`, "", false},
		{`state = torch.load(path, **options)`, `torch.load(map_location="cpu")`, "", false},
		{`state = torch.load(`, `torch.load(map_location="cpu")`, "", false},
		{`state = mytorch.load(path)`, `torch.load(map_location="cpu")`, "", false},
		{`state = torch.load(path); run(state)`, `torch.load(map_location="cpu")`, "", false},
	} {
		frames := []parser.Frame{
			{File: "/opt/job/resume.py", At: 41, Func: "resume", Code: c.code},
			{File: "/opt/venv/lib/python3.11/site-packages/torch/serialization.py", At: 1100, Func: "load", Code: "return torch.load(f)"},
		}
		if got, in := ownCall(frames, c.call); got != c.want || in != c.in {
			t.Errorf("%s: got %q, %v, want %q, %v", c.code, got, in, c.want, c.in)
		}
	}
}

func TestOwnCode(t *testing.T) {
	for code, want := range map[string]string{
		`out = model(x, mask=(m > 0))`: `out = model(x, mask=(m > 0))`,
		`for batch in loader:`:         "",
		`out = model(`:                 "",
		`x, y)`:                        "",
	} {
		frames := []parser.Frame{{File: "/opt/job/eval.py", At: 9, Code: code}, {File: "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", Code: "return forward_call(*args)"}}
		if got, at := ownCode(frames); got != want || (at == "job/eval.py:9") != (want != "") {
			t.Errorf("%s: got %q at %q, want %q", code, got, at, want)
		}
	}
}
