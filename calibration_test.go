package oomdoc_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/rules"
)

// given is a cause given for a golden case, and whether the case says so too.
type given struct {
	name, cause string
	confidence  float64
	right       bool
}

// wantedCauses are the causes that a case's want.test names.
func (g *golden) wantedCauses() map[string]bool {
	out := map[string]bool{}
	for _, st := range g.script {
		w := strings.Fields(st.Text)
		if len(w) > 2 && (w[1] == "cause" || w[1] == "degraded") {
			out[w[2]] = true
		}
	}
	return out
}

func (g *golden) answer(d *rules.Diagnosis) (given, bool) {
	if len(d.Findings) == 0 || d.Findings[0].Cause == nil {
		return given{}, false
	}
	f := d.Findings[0]
	return given{g.name, f.Cause.ID, f.Confidence, g.wantedCauses()[f.Cause.ID]}, true
}

// decisiveLines are the lines of the case's deciding message alone, as one pastes them: no traceback, and
// nothing of what was before.
func (g *golden) decisiveLines(d *rules.Diagnosis) [][]byte {
	out := make([][]byte, len(g.logs))
	if len(d.Findings) > 0 {
		m := d.Findings[0].Incident.Messages[0]
		lines := bytes.SplitAfter(g.logs[m.At.Source], []byte("\n"))
		out[m.At.Source] = bytes.Join(lines[m.At.Line-1:min(max(m.At.Line, m.LastLine), len(lines))], nil)
	}
	return out
}

// narrower is what a cause turns out to be where the rest of the log says which processes those are,
// what led up to it, or how much of the host's memory was asked for.
var narrower = map[string]string{
	"other-process-memory": "ranks-on-one-gpu", "host-ram-killed": "host-memory-low", "host-alloc-failed": "oversized-allocation",
	"free-but-refused": "process-memory-limit",
}

// reliability counts answers, and how many of them were right, by tenths of confidence.
type reliability [11][2]int

func (r *reliability) add(a given) {
	bin := &r[int(a.confidence*10+1e-9)]
	bin[0]++
	if a.right {
		bin[1]++
	}
}

// from sums the answers of at least this many tenths.
func (r *reliability) from(tenths int) (all, right int) {
	for _, bin := range r[tenths:] {
		all, right = all+bin[0], right+bin[1]
	}
	return all, right
}

// TestCalibration: what is said with nine tenths of certainty is right in 95 of 100 cases, and a message
// torn out of its log gives no certain wrong cause. go test . -run TestCalibration -v prints the table.
func TestCalibration(t *testing.T) {
	var entire, alone reliability
	for _, g := range goldens(t) {
		d := g.diagnose(g.logs, whole)
		if a, ok := g.answer(d); ok {
			entire.add(a)
			if !a.right && a.confidence >= 0.9 {
				t.Logf("%s: %s (%.2f)", a.name, a.cause, a.confidence)
			}
		}
		if a, ok := g.answer(g.diagnose(g.decisiveLines(d), whole)); ok && len(g.wantedCauses()) > 0 {
			alone.add(a)
			if !a.right && a.cause != undecided && !g.wantedCauses()[narrower[a.cause]] && a.confidence >= certain {
				t.Errorf("%s: its message alone gives %s (%.2f)", a.name, a.cause, a.confidence)
			}
		}
	}
	if all, right := entire.from(9); all < 20 || float64(right) < 0.95*float64(all) {
		t.Errorf("of %d answers with a confidence of 0.9 or more, %d are right", all, right)
	}
	row := func(name string, r *reliability, tenths int) string {
		all, right := r[tenths][0], r[tenths][1]
		if all == 0 {
			return fmt.Sprintf("%s        ", name)
		}
		return fmt.Sprintf("%s %3d/%-3d", name, right, all)
	}
	for tenths := range entire {
		t.Logf("%.1f %s %s", float64(tenths)/10, row("whole", &entire, tenths), row("| the message alone", &alone, tenths))
	}
}
