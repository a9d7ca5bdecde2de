package expect

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// Failure is a statement that a diagnosis does not bear out.
type Failure struct {
	Statement
	Got  string
	Open bool // the statement is marked todo: known, and no failure of the test
}

// Error says where, what was expected and what was got.
func (f Failure) Error() string {
	return fmt.Sprintf("%s:%d: %s; got %s", f.File, f.Line, f.Text, f.Got)
}

// Check holds the statements against a diagnosis of the script's logs.
func (s Script) Check(d *rules.Diagnosis) []Failure {
	var out []Failure
	for _, st := range s {
		if st.check == nil {
			continue
		}
		switch got, ok := st.check(d); {
		case !ok:
			out = append(out, Failure{st, got, st.Todo})
		case st.Todo:
			out = append(out, Failure{st, "it: this holds now, take the todo away", false})
		}
	}
	return out
}

// check says what a diagnosis gives, and whether that is what is expected.
type check func(*rules.Diagnosis) (got string, ok bool)

// onFirst is a check of the incident that stands first.
func onFirst(f func(d *rules.Diagnosis, f *rules.Finding) (string, bool)) check {
	return func(d *rules.Diagnosis) (string, bool) {
		if len(d.Findings) == 0 {
			return "no incident", false
		}
		return f(d, d.Findings[0])
	}
}

func describe(f *rules.Finding) string {
	if f.Cause == nil {
		return "an unknown cause in line " + fmt.Sprint(f.Incident.First.Line)
	}
	return fmt.Sprintf("%s (%.2f) in line %d", f.Cause.ID, f.Confidence, f.Incident.First.Line)
}

func nothing(d *rules.Diagnosis) (string, bool) {
	if len(d.Findings) == 0 {
		return "no incident", true
	}
	return describe(d.Findings[0]), false
}

var noCause = onFirst(func(_ *rules.Diagnosis, f *rules.Finding) (string, bool) { return describe(f), f.Cause == nil })

// A misspelt id would make a negative statement hold for ever.
func noSuch(kind, id string) (string, bool) {
	return fmt.Sprintf("no %s of this name: %s", kind, id), false
}

func cause(id string, least float64) check {
	return onFirst(func(d *rules.Diagnosis, f *rules.Finding) (string, bool) {
		if d.Knowledge.Cause(id) == nil {
			return noSuch("cause", id)
		}
		return describe(f), f.Cause != nil && f.Cause.ID == id && f.Confidence >= least
	})
}

func otherCause(id string) check {
	return onFirst(func(d *rules.Diagnosis, f *rules.Finding) (string, bool) {
		if d.Knowledge.Cause(id) == nil {
			return noSuch("cause", id)
		}
		var ids []string
		for _, o := range f.Others {
			ids = append(ids, o.Cause.ID)
		}
		return list(ids), slices.Contains(ids, id)
	})
}

func degraded(id string) check {
	return func(d *rules.Diagnosis) (string, bool) {
		if d.Knowledge.Cause(id) == nil {
			return noSuch("cause", id)
		}
		got := "no degraded incident"
		for _, f := range d.Findings {
			if !f.Degraded() {
				continue
			}
			if f.Cause != nil && f.Cause.ID == id {
				return "", true
			}
			got = describe(f)
		}
		return got, false
	}
}

func phase(name string) check {
	return onFirst(func(_ *rules.Diagnosis, f *rules.Finding) (string, bool) {
		return f.Incident.Phase, f.Incident.Phase == name
	})
}

func line(n int) check {
	return onFirst(func(_ *rules.Diagnosis, f *rules.Finding) (string, bool) {
		return fmt.Sprintf("line %d", f.Incident.First.Line), f.Incident.First.Line == n
	})
}

func text(part string) check {
	return func(d *rules.Diagnosis) (string, bool) {
		var b bytes.Buffer
		if err := report.WriteText(&b, d, report.Options{Lang: "en", Width: 100}); err != nil {
			return err.Error(), false
		}
		whole := strings.Join(strings.Fields(b.String()), " ")
		return whole, strings.Contains(whole, strings.Join(strings.Fields(part), " "))
	}
}

// inFirst is how far down the list a remedy without a rank may stand.
const inFirst = 3

func remedy(id string) check { return within(id, inFirst) }

func ranked(rank int, id string) check {
	return onRemedy(id, func(ids []string) bool { return len(ids) >= rank && ids[rank-1] == id })
}

func noRemedy(id string) check {
	return onRemedy(id, func(ids []string) bool { return !slices.Contains(ids, id) })
}

func within(id string, n int) check {
	return onRemedy(id, func(ids []string) bool { return slices.Contains(ids[:min(n, len(ids))], id) })
}

func onRemedy(id string, holds func(ids []string) bool) check {
	return onFirst(func(d *rules.Diagnosis, f *rules.Finding) (string, bool) {
		if d.Knowledge.Remedy(id) == nil {
			return noSuch("remedy", id)
		}
		var ids []string
		for _, r := range f.Remedies {
			ids = append(ids, r.ID)
		}
		return list(ids), holds(ids)
	})
}

func spelled(rank int, part string) check {
	return onFirst(func(_ *rules.Diagnosis, f *rules.Finding) (string, bool) {
		if len(f.Remedies) < rank {
			return fmt.Sprintf("%d remedies", len(f.Remedies)), false
		}
		r := &f.Remedies[rank-1]
		spellings := []string{r.Command}
		for _, s := range r.Apply {
			spellings = append(spellings, s.Text)
		}
		has := func(s string) bool { return strings.Contains(s, part) }
		return r.ID + " " + list(spellings), slices.ContainsFunc(spellings, has)
	})
}

func deadEnd(id string) check {
	return onDeadEnd(id, func(ids []string) bool { return slices.Contains(ids, id) })
}

func noDeadEnd(id string) check {
	return onDeadEnd(id, func(ids []string) bool { return !slices.Contains(ids, id) })
}

func onDeadEnd(id string, holds func(ids []string) bool) check {
	return onFirst(func(d *rules.Diagnosis, f *rules.Finding) (string, bool) {
		if d.Knowledge.Remedy(id) == nil {
			return noSuch("remedy", id)
		}
		var ids []string
		for _, e := range f.DeadEnds {
			ids = append(ids, e.ID)
		}
		return list(ids), holds(ids)
	})
}

func list(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}
