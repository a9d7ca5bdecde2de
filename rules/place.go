package rules

import (
	"path"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/parser"
)

// Place is where in a program memory was asked for.
type Place struct {
	File string // its last two parts
	At   int    // line of the file, 0 where it is not printed
	Func string
	Code string // the line itself, "" where it is not printed
	Line int    // line of the log
}

// String returns "train.py:120 in step".
func (p Place) String() string {
	s := p.File
	if p.At > 0 {
		s += ":" + strconv.Itoa(p.At)
	}
	if p.Func != "" && p.Func != "<module>" {
		s += " in " + p.Func
	}
	return s
}

// Places names the innermost frame outside PyTorch, and the innermost of the user's own code where that is
// another one. Neither is there where the log has no traceback.
func Places(frames []parser.Frame) (asked, own *Place) {
	if last, ok := innermost(frames); ok {
		asked = placeOf(last)
	}
	for i := len(frames) - 1; i >= 0; i-- {
		if !library(frames[i].File) {
			if p := placeOf(frames[i]); asked == nil || *p != *asked {
				own = p
			}
			break
		}
	}
	return asked, own
}

// library reports whether a file is installed, not written by the user: of a package, or of the interpreter.
func library(file string) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	for _, in := range []string{"site-packages/", "dist-packages/", "/lib/python3", "/vllm/", "/sglang/", "/torch/", "/transformers/", "<frozen"} {
		if strings.Contains(file, in) {
			return true
		}
	}
	return strings.HasPrefix(file, "<") && !strings.HasPrefix(file, "<ipython")
}

func placeOf(f parser.Frame) *Place {
	file := strings.ReplaceAll(f.File, `\`, "/")
	short := path.Base(file)
	if dir := path.Base(path.Dir(file)); dir != "." && dir != "/" && dir != "" {
		short = dir + "/" + short
	}
	return &Place{File: short, At: f.At, Func: f.Func, Code: f.Code, Line: f.Line}
}

// innermost is the last frame outside PyTorch, whose own say nothing of the program; where there are
// no others, the last.
func innermost(frames []parser.Frame) (parser.Frame, bool) {
	for i := len(frames) - 1; i >= 0; i-- {
		if !strings.Contains(strings.ReplaceAll(frames[i].File, `\`, "/"), "/torch/") {
			return frames[i], true
		}
	}
	if len(frames) == 0 {
		return parser.Frame{}, false
	}
	return frames[len(frames)-1], true
}
