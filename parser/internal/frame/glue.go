package frame

import (
	"bytes"
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"
)

// isPrefix reports whether the text in front of a logger's head is a prefix (VLLM_LOGGING_PREFIX)
// and not a line that lost its end: it looks like a tag, or stood there before.
func (f *Framer) isPrefix(front []byte) bool {
	const longest = 40
	if len(front) > longest {
		return false
	}
	if len(front) == 0 || strings.IndexByte("]|>", front[len(front)-1]) >= 0 && !bytes.Contains(front, []byte("%|")) || f.fronts[string(front)] {
		return true
	}
	learn(&f.fronts, front)
	return false
}

// gluedHead finds the next head inside b: vLLM's own behind a prefix of the user's, behind a
// progress bar that did not end its line, or in a log that lost its line ends; there also a process
// prefix or a time like the ones that came off. It returns where the head begins, 0 if there is none.
func gluedHead(l *layers, b []byte) int {
	at := 0
	if !heuristic.On(heuristic.Glued) {
		return 0
	}
	for i := 0; at == 0; {
		n := bytes.IndexByte(b[i:], ':')
		if n < 0 {
			break
		}
		i += n + 1
		if i > 14 && l.iso && b[i-15] == ' ' && Shaped(b[i-14:], "0000-00-00T00:00:00") {
			at = i - 14
		} else if i > 14 && shortStamp(b[i-9:]) > 0 {
			at = levelBefore(b[:i-9])
		}
	}
	near := b
	if at > 0 {
		near = b[:at]
	}
	if p := gluedProcess(near); p > 0 && (at > 0 && len(trimBlanks(b[p:at])) > 0 && onlyPrefix(b[p:at]) || l.grade == gradePID) {
		return p
	}
	return at
}

// levelBefore returns where the level at the end of b begins, 0 if none stands there.
func levelBefore(b []byte) int {
	for _, name := range []string{"DEBUG ", "INFO ", "WARNING ", "ERROR ", "CRITICAL "} {
		if at := len(b) - len(name); at > 0 && string(b[at:]) == name && !IsAlpha(b[at-1]) {
			return at
		}
	}
	return 0
}

// gluedProcess finds a process prefix with a name inside b, 0 if there is none.
func gluedProcess(b []byte) int {
	for i := 0; ; {
		n := bytes.Index(b[i:], []byte(" pid="))
		if n < 0 {
			return 0
		}
		i += n + len(" pid=")
		open := bytes.LastIndexByte(b[max(0, i-80):i], '(') + max(0, i-80)
		if open < 1 || b[open] != '(' || b[open-1] != ' ' && b[open-1] != ']' || b[open+1] < 'A' || b[open+1] > 'Z' {
			continue
		}
		end := i + digitRun(b, i)
		if end > i && end < len(b) && (b[end] == ')' || hasPrefix(b[end:], ", ip=")) {
			return open
		}
	}
}

// onlyPrefix reports whether b is a process prefix and nothing else.
func onlyPrefix(b []byte) bool {
	return bytes.IndexByte(b, ')') == len(bytes.TrimRight(b, " "))-1
}

// beforeColumn returns how much of b stands before a column with the file and line that logged it, as rich's
// handler has on the right, "Tried to  batch_handler.py:574"; 0 if there is no such column. The message goes
// on in the next line.
func beforeColumn(b []byte) int {
	if len(b) == 0 || !IsDigit(b[len(b)-1]) || !endsInLine(b) {
		return 0
	}
	at := bytes.LastIndexByte(b, ' ') + 1
	if at < 2 || b[at-2] != ' ' || !bytes.Contains(b[at:], []byte(".py:")) || bytes.ContainsAny(b[at:], "/\\\"'([=") {
		return 0
	}
	return len(trimBlanks(b[:at]))
}
