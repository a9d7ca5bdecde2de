package trace

import (
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"
)

// Frame is one frame of a traceback.
type Frame struct {
	File string // as printed
	Func string // without arguments
	Line int    // line of the log
	At   int    // line of the file, 0 where it is not printed
	Code string // that line, "" where it is not printed
}

// Calls are the functions that the frame's line calls, with the names in front of them: "F.cross_entropy", "model". Where
// a traceback ends in a program's own line, they tell what was under way.
func (f Frame) Calls() (names []string) {
	if !heuristic.On(heuristic.CalledLine) {
		return nil
	}
	for code := f.Code; ; {
		at := strings.IndexByte(code, '(')
		if at < 0 {
			return names
		}
		start := at
		for start > 0 && (code[start-1] == '.' || code[start-1] == '_' || isAlnum(code[start-1])) {
			start--
		}
		if name := strings.Trim(code[start:at], "."); name != "" {
			names = append(names, name)
		}
		code = code[at+1:]
	}
}

func isAlnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
