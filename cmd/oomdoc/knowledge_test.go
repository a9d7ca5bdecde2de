package main

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/rules"
)

// No cause is taken on trust: each speaks both languages, has sources, a log that gives it, a log like it
// that does not, and advice to be warned of.
func TestEveryCauseIsProven(t *testing.T) {
	kb := knowledge.Builtin()
	for _, p := range rules.Lint(kb, nil) {
		t.Error(p)
	}
	for _, c := range kb.Causes {
		complain := func(what string) { t.Helper(); t.Errorf("%s: %s", c.ID, what) }
		for _, text := range []knowledge.Text{c.Title, c.Headline, c.Explain, c.About} {
			if text.En == "" || text.Zh == "" {
				complain("a language is missing")
			}
		}
		if !sourced(c.Sources) {
			complain("neither two sources nor the engine's own code")
		}
		if len(c.DeadEnds) == 0 && !c.Unknown {
			complain("no dead end")
		}
		if c.Example == "" || c.NearMiss == "" {
			complain("no example, or no near miss")
		}
	}
	n, problems := testExamples(kb, kb.Causes)
	for _, p := range problems {
		t.Error(p)
	}
	if n < 2*len(kb.Causes) {
		t.Errorf("%d examples and near misses of %d causes", n, len(kb.Causes))
	}
}

// sourced reports whether a list names two different sources, or the engine's own code.
func sourced(list []string) bool {
	for _, s := range list {
		if strings.Contains(s, "/blob/") || strings.Contains(s, "/tree/") || strings.Contains(s, "/commit/") || strings.Contains(s, "/pull/") {
			return true
		}
	}
	return len(unique(append([]string(nil), list...))) >= 2
}

func TestSourced(t *testing.T) {
	for _, tt := range []struct {
		list []string
		want bool
	}{
		{nil, false},
		{[]string{"https://docs.example.org/a"}, false},
		{[]string{"https://docs.example.org/a", "https://docs.example.org/a"}, false},
		{[]string{"https://docs.example.org/a", "https://docs.example.org/b"}, true},
		{[]string{"https://github.com/vllm-project/vllm/blob/main/vllm/config.py"}, true},
	} {
		if got := sourced(tt.list); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.list, got, tt.want)
		}
	}
}
