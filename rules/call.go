package rules

import (
	"strings"

	"github.com/oomdoc/oomdoc/knowledge"
)

// call returns the log's own call of the engine's class with a remedy's keywords in place, "" where the remedy has none or
// the call cannot be taken apart.
func (s *scope) call(shown string, a knowledge.Apply, settings map[string]value) string {
	name, args, ok := strings.Cut(strings.TrimSpace(shown), "(")
	args, closed := strings.CutSuffix(args, ")")
	if a.Python == "" || !ok || !closed || !isKeyword(a.Python) || !complete(a.Python, settings) || strings.ContainsFunc(shown, notOneLine) {
		return ""
	}
	list := keywords(args)
	text, _ := s.expand(a.Python, settings)
	for _, k := range keywords(text) {
		key, _, _ := strings.Cut(k, "=")
		placed := false
		for i := range list {
			if was, _, _ := strings.Cut(list[i], "="); strings.TrimSpace(was) == key {
				list[i], placed = k, true
			}
		}
		if !placed {
			list = append(list, k)
		}
	}
	return name + "(" + strings.Join(list, ", ") + ")"
}

// isKeyword reports whether a spelling for Python is keywords of the call, not a program.
func isKeyword(python string) bool {
	key, _, ok := strings.Cut(python, "=")
	return ok && key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

func notOneLine(r rune) bool { return r == '\n' || r == '\r' || r == 0x1b }

// keywords cuts the arguments of a call at its own commas.
func keywords(args string) []string {
	var out []string
	depth, start := 0, 0
	var quote rune
	for i, r := range args {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			out, start = append(out, strings.TrimSpace(args[start:i])), i+1
		}
	}
	if last := strings.TrimSpace(args[start:]); last != "" {
		out = append(out, last)
	}
	return out
}
