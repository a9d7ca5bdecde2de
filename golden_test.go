package oomdoc_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/expect"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/rules"
)

// golden is a folder of testdata/logs: the logs, and in want.test what is true of them.
type golden struct {
	name   string
	script expect.Script
	logs   [][]byte
}

func goldens(t testing.TB) []golden {
	t.Helper()
	paths, err := filepath.Glob("testdata/logs/*/want.test")
	if err != nil || len(paths) < 45 {
		t.Fatalf("%d cases in testdata/logs, %v", len(paths), err)
	}
	var out []golden
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		script, err := expect.Parse(path, string(text))
		if err != nil {
			t.Fatal(err)
		}
		g := golden{name: filepath.Base(filepath.Dir(path)), script: script}
		for _, log := range script.Logs() {
			b, err := os.ReadFile(filepath.Join(filepath.Dir(path), log))
			if err != nil {
				t.Fatal(err)
			}
			g.logs = append(g.logs, b)
		}
		out = append(out, g)
	}
	return out
}

// diagnose feeds each log of the case in chunks of the sizes that next gives.
func (g *golden) diagnose(logs [][]byte, next func() int) *rules.Diagnosis {
	s := oomdoc.NewSession(oomdoc.Options{})
	for i, log := range logs {
		stream := s.Stream(g.script.Logs()[i])
		for len(log) > 0 {
			n := min(next(), len(log))
			// A copy, overwritten afterwards: nothing may be kept of what was fed.
			chunk := bytes.Clone(log[:n])
			stream.Feed(chunk)
			clear(chunk)
			log = log[n:]
		}
		stream.Close()
	}
	return s.Close()
}

func whole() int { return 1 << 30 }

// TestGolden: go test . -run TestGolden/seed-002
func TestGolden(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(g.name, func(t *testing.T) {
			if len(g.logs) == 0 || len(g.script) == len(g.logs) {
				t.Error("want.test names no log, or expects nothing of it")
			}
			for _, f := range g.script.Check(g.diagnose(g.logs, whole)) {
				if f.Open {
					t.Log("todo:", f)
				} else {
					t.Error(f)
				}
			}
			if s, err := os.ReadFile("testdata/logs/" + g.name + "/SOURCE"); err != nil || len(bytes.TrimSpace(s)) == 0 {
				t.Error("no SOURCE says where the wording comes from")
			}
		})
	}
}

// A cause that no golden case names is a cause that nobody has seen work.
func TestEveryCauseHasAGoldenCase(t *testing.T) {
	named := map[string]bool{}
	for _, g := range goldens(t) {
		for _, st := range g.script {
			w := strings.Fields(st.Text)
			if len(w) > 2 && (w[1] == "cause" || w[1] == "degraded") {
				named[w[2]] = true
			}
		}
	}
	for _, c := range knowledge.Builtin().Causes {
		if !named[c.ID] && !c.NotMemory && !c.Unknown {
			t.Errorf("no case in testdata/logs is about %s", c.ID)
		}
	}
}
