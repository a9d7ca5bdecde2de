package oomdoc_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

var negative = regexp.MustCompile(`(?:^|[^\w×/(–])[−-]\d[\d,.]*\s*(?:KiB|MiB|GiB)`)

// TestStatements holds what is printed of every golden case against itself: no remedy is a dead end too, no value
// equals or worsens the one in force, what rests on a default says so and is no promise, a verdict is what the
// stages give when they are run again with the change, all that follows holds where it says "fits", the text gives
// the figures of the verdict, and no ledger holds more than its device.
func TestStatements(t *testing.T) {
	computed := 0
	for _, g := range goldens(t) {
		d := g.diagnose(g.logs, func() int { return 4096 })
		var text bytes.Buffer
		if err := report.WriteText(&text, d, report.Options{Lang: "en", Width: 4000}); err != nil {
			t.Fatal(err)
		}
		for _, f := range d.Findings {
			say := func(format string, args ...any) { t.Errorf("%s: %s", g.name, fmt.Sprintf(format, args...)) }
			dead := map[string]bool{}
			for _, e := range f.DeadEnds {
				dead[e.ID] = true
				if why := f.Fill(e.Why.En, "en"); negative.MatchString(why) && (f.Cause == nil || f.Cause.ID != "no-kv-cache-memory") {
					say("a negative amount: %s", why)
				}
			}
			for i := range f.Remedies {
				r := &f.Remedies[i]
				if dead[r.ID] {
					say("%s is a remedy and a dead end", r.ID)
				}
				checkRemedy(f, r, say)
				if len(r.Change) > 0 && len(r.Change) == len(r.Use.Set) && r.Verdict.Kind != memory.Unknown {
					computed++
					if again := (memory.Planner{}).WhatIf(f.Incident, memory.Change(r.Change)); again.Kind != r.Verdict.Kind {
						say("%s %v: printed %s, run again %s: %s", r.ID, r.Change, r.Verdict.Kind, again.Kind, again.Sums)
					}
				}
			}
			for _, l := range f.Ledgers {
				sum := 0.0
				for _, p := range l.Parts {
					if p.Bytes < 0 && !(p.Name == "kv_cache") {
						say("%s is negative", p.Name)
					}
					sum += max(0, p.Bytes)
				}
				if l.Total > 0 && sum > 1.02*l.Total+64<<20 {
					say("%s of parts on %s", memory.Format(sum), memory.Format(l.Total))
				}
			}
		}
		if len(d.Findings) > 0 && len(d.Findings[0].Remedies) > 0 {
			if v := d.Findings[0].Remedies[0].Verdict; v.Kind == memory.Fits && v.Sums != "" && !strings.Contains(text.String(), v.Sums) {
				t.Errorf("%s: the text lacks the sums %q", g.name, v.Sums)
			}
		}
	}
	if computed < 25 {
		t.Errorf("%d verdicts were run again", computed)
	}
}

// checkRemedy holds a remedy's values against the state of the run.
func checkRemedy(f *rules.Finding, r *rules.Remedy, say func(string, ...any)) {
	for name, x := range r.Change {
		was, stated := f.Incident.Fact(name)
		if stated && was.Num == x {
			say("%s: %s is %v already", r.ID, name, x)
		}
		if stated && (r.Moves == "up" && x < was.Num || r.Moves == "down" && x > was.Num) {
			say("%s: %s from %v to %v", r.ID, name, was.Num, x)
		}
		if _, told := f.Incident.Fact("estimated_max_model_len"); told && name == "max_model_len" {
			continue // the engine's own estimate lies below it, whatever it is
		}
		if _, assumed := r.Assumes[name]; !stated && !assumed && (r.Moves == "down" || name == "gpu_memory_utilization") {
			say("%s: %s = %v, and nothing says what it is now", r.ID, name, x)
		}
	}
	if len(r.Assumes) > 0 && (r.Verdict.Kind == memory.Fits || r.Basis == "computed" || r.Relative() == knowledge.Text{}) {
		say("%s assumes %v and is %s, %s", r.ID, r.Assumes, r.Verdict.Kind, r.Basis)
	}
	for _, q := range r.Verdict.Later {
		if r.Verdict.Kind == memory.Fits && q.Kind != memory.Fits {
			say("%s fits, though %s is %s", r.ID, q.Stage, q.Kind)
		}
	}
	if r.Verdict.Kind == memory.Short || r.Verdict.Kind == memory.Unknown && strings.ContainsAny(r.Verdict.Sums, "≥≤<>") {
		say("%s is offered, though %s: %s", r.ID, r.Verdict.Kind, r.Verdict.Sums)
	}
	if why := f.Fill(r.Use.Why.En, "en"); negative.MatchString(why) && (f.Cause == nil || f.Cause.ID != "no-kv-cache-memory") {
		say("a negative amount: %s", why)
	}
}
