package record

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/scan"
)

// through takes a text the whole way, as a log of its own, and returns the ids of the messages found in it.
// gated tells whether the gate saw it; else, with ungated, it is read as if it stood beside a failure.
func through(text string, ungated bool) (ids []string, gated bool) {
	found := &tape{}
	r := New(found, 0)
	if ungated {
		for line := range strings.Lines(text + "\n") {
			r.Line(1, []byte(strings.TrimSuffix(line, "\n")))
		}
		r.End(true, false)
	} else {
		st := scan.New(Gate(), message.GateTexts, r)
		st.Feed([]byte(text + "\n"))
		st.Close()
	}
	return found.ids, r.Work() > 0
}

// tape is a sink that keeps what it is told.
type tape struct {
	ids []string
}

func (f *tape) Message(_ *message.Template, m message.Occurrence) { f.ids = append(f.ids, m.ID) }
func (f *tape) Config(message.Configuration)                      {}
func (f *tape) Quoted(q message.Quotation)                        { f.ids = append(f.ids, q.ID) }
func (f *tape) Gap(int)                                           {}
func (f *tape) Pass(message.Pos, []byte) bool                     { return false }
func (f *tape) LeftOut(message.Pos, string)                       {}

// claimed holds the messages that another one takes an example of, or none finds, and why that may be.
var claimed = map[string]struct{ by, why string }{
	"jax-device-buffer": {"tpu-program-load", "the same sentence, and what was loaded"},
	"jax-hbm-use":       {"tpu-init", "the same figures, and the phase"},
	"ggml-cuda-oom":     {"ggml-load-failed", "the same line, and the phase"},
}

// besides returns the ids of the messages that need no gate: they only matter beside a failure.
func besides(t *testing.T) []string {
	files, err := filepath.Glob("../../catalogue/*.msg")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	head := regexp.MustCompile(`(?m)^message (\S+) \w+ \{\n(?:  (?:engine|phase|since|until|enters) .*\n)*  beside\n`)
	var ids []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range head.FindAllSubmatch(b, -1) {
			ids = append(ids, string(m[1]))
		}
	}
	return ids
}

// Every example passes the gate, the framing and the matching, and is found as the message it is.
func TestEveryExampleIsFound(t *testing.T) {
	beside := besides(t)
	taken := map[string]bool{}
	for i := range message.All {
		d := &message.All[i]
		for _, e := range d.Examples {
			ids, gated := through(e, false)
			if !gated {
				if d.Class != message.ClassBenign && !slices.Contains(beside, d.ID) {
					t.Errorf("%s: the gate does not see its example %q", d.ID, e)
				}
				ids, _ = through(e, true)
			}
			switch c, listed := claimed[d.ID]; {
			case slices.Contains(ids, d.ID):
			case listed && (slices.Contains(ids, c.by) || c.by == "" && len(ids) == 0):
				taken[d.ID] = true
			default:
				t.Errorf("%s: found in its example %q: %v", d.ID, e, ids)
			}
		}
	}
	for id, c := range claimed {
		if !taken[id] {
			t.Errorf("no example of %s is taken by %s any more: take it off the list", id, c.by)
		}
	}
}
