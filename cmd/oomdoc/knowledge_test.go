package main

import (
	"os"
	"path/filepath"
	"slices"
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
	return len(slices.Compact(slices.Sorted(slices.Values(list)))) >= 2
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

func TestConfigDir(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"xdg/oomdoc/knowledge", "home/.config/oomdoc/knowledge"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(d)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ xdg, home, want string }{
		{"xdg", "home", "xdg/oomdoc/knowledge"},
		{"", "home", "home/.config/oomdoc/knowledge"},
		{"elsewhere", "home", ""},
		{"", "elsewhere", ""},
		{"", "", ""},
	} {
		env := map[string]string{}
		for name, v := range map[string]string{"XDG_CONFIG_HOME": tt.xdg, "HOME": tt.home} {
			if v != "" {
				env[name] = filepath.Join(dir, v)
			}
		}
		want := tt.want
		if want != "" {
			want = filepath.Join(dir, filepath.FromSlash(want))
		}
		if got := configDir(func(name string) string { return env[name] }); got != want {
			t.Errorf("%+v: %q, want %q", tt, got, want)
		}
	}
}
