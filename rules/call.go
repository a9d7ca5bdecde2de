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
	list = withKeywords(list, keywords(text))
	return name + "(" + strings.Join(list, ", ") + ")"
}

func notOneLine(r rune) bool { return r == '\n' || r == '\r' || r == 0x1b }
