package trace

import (
	"slices"
	"strings"
	"sync"
)

// phaseRow says that a traceback in which all needles occur failed in this phase. Needles are
// separated by spaces. A needle is a function's name, "file.py:" for a file, or "file.py:function"
// for both on the same frame; a star stands for any text at the beginning or the end of either part.
// "!needle" must not occur; ">name" is a call in the last frame's line.
type phaseRow struct {
	phase   string
	needles string
}

// phaseOf tells the phase of a failure from its traceback: the first row of phaseTable all of whose
// needles occur decides. It is one of Phases, "" when the frames do not tell.
//
// Rows and not the order of frames decide, because the phases nest both ways: profiling calls the
// model's step, an optimizer step may call the closure that runs forward and backward.
func Phase(frames []Frame) string {
	split := make([]phaseFrame, len(frames))
	for i, f := range frames {
		split[i] = phaseFrame{file: strings.ReplaceAll(f.File, `\`, "/"), fn: lastName(f.Func)}
	}
	if n := len(frames); n > 0 {
		split[n-1].calls = frames[n-1].Calls()
	}
rows:
	for _, row := range phaseRows() {
		for _, n := range row.needles {
			if n.in(split) == n.not {
				continue rows
			}
		}
		return row.phase
	}
	return ""
}

// phaseOfMethod tells the phase from the method of vLLM's worker that an executor called: "Error
// executing method 'determine_num_available_blocks'". The error itself may follow the name.
func PhaseOfMethod(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return Phase([]Frame{{File: "vllm/worker/worker.py", Func: name}})
}

type phaseFrame struct {
	file, fn string
	calls    []string
}

// lastName takes a qualified name's class and enclosing functions off: "Trainer.train" is "train",
// "outer.<locals>.inner" is "inner". A comprehension or a lambda keeps the name it has.
func lastName(fn string) string {
	fn, _, _ = strings.Cut(fn, "(")
	return fn[strings.LastIndexByte(fn, '.')+1:]
}

type phaseNeedle struct {
	not, call bool
	file, fn  string // patterns; "" is any
}

// in reports whether one of the frames is the needle's.
func (n phaseNeedle) in(frames []phaseFrame) bool {
	for _, f := range frames {
		if n.call {
			if slices.ContainsFunc(f.calls, func(c string) bool { return starMatch(n.fn, c) }) {
				return true
			}
			continue
		}
		if (n.fn == "" || starMatch(n.fn, f.fn)) && (n.file == "" || InFile(n.file, f.file)) {
			return true
		}
	}
	return false
}

// starMatch matches a word against a pattern with a star at either end.
func starMatch(pattern, word string) bool {
	tail, head := strings.CutPrefix(pattern, "*")
	body, end := strings.CutSuffix(tail, "*")
	switch {
	case head && end:
		return strings.Contains(word, body)
	case head:
		return strings.HasSuffix(word, body)
	case end:
		return strings.HasPrefix(word, body)
	}
	return word == body
}

// fileMatch matches the end of a path, whole components; with a directory in front and nothing else
// ("vllm/"), any file below one of that name.
func InFile(pattern, path string) bool {
	if strings.HasSuffix(pattern, "/") {
		for _, home := range []string{"/lib/python", "-packages/"} { // an environment may bear an engine's name
			if at := strings.LastIndex(path, home); at >= 0 {
				path = path[at+len(home):]
			}
		}
		return strings.HasPrefix(path, pattern) || strings.Contains(path, "/"+pattern)
	}
	parts := strings.Count(pattern, "/") + 1
	at := len(path)
	for ; parts > 0 && at >= 0; parts-- {
		at = strings.LastIndexByte(path[:max(at, 0)], '/')
	}
	return starMatch(pattern, path[at+1:])
}

// parsedRow is a row of phaseTable, taken apart.
type parsedRow struct {
	phase   string
	needles []phaseNeedle
}

var phaseRows = sync.OnceValue(func() (rows []parsedRow) {
	for _, r := range phaseTable {
		var needles []phaseNeedle
		for _, w := range strings.Fields(r.needles) {
			var n phaseNeedle
			w, n.not = strings.CutPrefix(w, "!")
			w, n.call = strings.CutPrefix(w, ">")
			if file, fn, ok := strings.Cut(w, ":"); ok {
				n.file, n.fn = file, fn
			} else {
				n.fn = w
			}
			needles = append(needles, n)
		}
		rows = append(rows, parsedRow{r.phase, needles})
	}
	return rows
})
