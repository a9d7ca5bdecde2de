package rules

import (
	"strings"

	"github.com/oomdoc/oomdoc/parser"
)

// ownCall returns the innermost line of the program's own code that calls a function, with keywords in place:
// torch.load(map_location="cpu") makes of "w = torch.load(path)" the line `w = torch.load(path, map_location="cpu")`
// and says where it stands. in is true where the line has the keywords already. The line is "" where the traceback
// shows none, or the call goes on in the next line.
func ownCall(frames []parser.Frame, call string) (line string, in bool) {
	name, with, ok := strings.Cut(call, "(")
	with, closed := strings.CutSuffix(with, ")")
	if !ok || !closed {
		return "", false
	}
	for i := len(frames) - 1; i >= 0; i-- {
		f := frames[i]
		if library(f.File) || !plainLine(f.Code) {
			continue
		}
		open, end, found := callIn(f.Code, name)
		if !found {
			continue
		}
		args := keywords(f.Code[open+1 : end])
		if positional(args) > 1 || strings.Contains(f.Code[open:end], "**") {
			return "", false // a keyword might be given twice
		}
		changed := withKeywords(args, keywords(with))
		if strings.Join(changed, ", ") == strings.Join(args, ", ") {
			return "", true
		}
		return f.Code[:open+1] + strings.Join(changed, ", ") + f.Code[end:] + "   # " + placeOf(f).where(), false
	}
	return "", false
}

// ownCode is the line of the program's own code that was under way, "" where the traceback shows none that is one
// plain statement.
func ownCode(frames []parser.Frame) (line, at string) {
	for i := len(frames) - 1; i >= 0; i-- {
		if f := frames[i]; !library(f.File) {
			if !plainLine(f.Code) || closing(f.Code) >= 0 || strings.Count(f.Code, "(") != strings.Count(f.Code, ")") || strings.HasSuffix(f.Code, ":") {
				return "", ""
			}
			return f.Code, placeOf(f).where()
		}
	}
	return "", ""
}

// longestLine bounds the code of a log that is handed back to be pasted.
const longestLine = 160

// plainLine reports whether a line of code is short, printable and one statement.
func plainLine(code string) bool {
	return code != "" && len(code) <= longestLine && !strings.ContainsAny(code, ";#") && !unprintable(code)
}

// where is a place without its function: "lm/main.py:136".
func (p *Place) where() string { return (&Place{File: p.File, At: p.At}).String() }
