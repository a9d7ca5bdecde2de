package catalogue

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/template"
)

var classes = []message.Class{message.ClassFact, message.ClassFailure, message.ClassDegraded, message.ClassHint, message.ClassEcho, message.ClassBenign, message.ClassClause, message.ClassException}

// Class returns the message's class.
func (m *Message) class() (message.Class, bool) {
	for _, c := range classes {
		if c.String() == m.Class {
			return c, true
		}
	}
	return 0, false
}

// Check reports what is wrong with a message: unknown words, a missing doc or example, an example that
// does not give the facts it declares, a wording without an example, a near miss that matches.
func Check(m *Message) []error {
	var errs []error
	bad := func(pos any, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%v: message %s: %s", pos, m.ID, fmt.Sprintf(format, args...)))
	}
	if _, ok := m.class(); !ok {
		bad(m.Pos, "no class is called %q", m.Class)
	}
	for _, ph := range []string{m.Phase, m.Enters} {
		if ph != "" && !isPhase(ph) {
			bad(m.Pos, "no phase is called %q", ph)
		}
	}
	if m.Ends != "" && !slices.Contains([]string{message.EndException, message.EndSignal, message.EndShutdown, message.EndKilled, message.EndFinished}, m.Ends) {
		bad(m.Pos, "no end is called %q", m.Ends)
	}
	if m.Doc == "" {
		bad(m.Pos, "has no doc")
	}
	if len(m.Wordings) == 0 {
		bad(m.Pos, "has no match")
	}
	if len(m.Examples) == 0 {
		bad(m.Pos, "has no example")
	}
	for _, s := range m.Set {
		if _, ok := fact.Lookup(s.Fact); !ok {
			bad(s.Pos, "no fact is called %q", s.Fact)
		}
	}
	var programs [][]Compiled
	for _, w := range m.Wordings {
		c, err := Compile(w)
		if err != nil {
			bad(w.Pos, "%v", err)
			return errs
		}
		programs = append(programs, c)
	}
	used := make([]bool, len(programs))
	for _, e := range m.Examples {
		k, caps := find(programs, e.Text)
		if k < 0 {
			bad(e.Pos, "no wording matches its example %q", e.Text)
			continue
		}
		used[k] = true
		for _, problem := range compare(m, e, caps) {
			bad(e.Pos, "%s in example %q", problem, e.Text)
		}
	}
	for k, u := range used {
		if !u {
			bad(m.Wordings[k].Pos, "no example shows the wording %q", m.Wordings[k].Text)
		}
	}
	for _, n := range m.Near {
		if k, _ := find(programs, n); k >= 0 {
			bad(m.Pos, "the near miss %q matches", n)
		}
	}
	return errs
}

func isPhase(s string) bool {
	for _, p := range message.Phases {
		if p == s {
			return true
		}
	}
	return false
}

// find runs the wordings over a line, at every place, in their order.
func find(programs [][]Compiled, line string) (int, []template.Capture) {
	var t template.Text
	for l := range strings.SplitSeq(line, "\n") {
		t.Add([]byte(l), template.LineEnd)
	}
	var m template.Matcher
	for k, cs := range programs {
		for at := range t.B {
			for _, c := range cs {
				if end, caps := m.Match(c.Program, &t, at); end >= 0 {
					return k, caps
				}
			}
		}
	}
	return -1, nil
}

// compare holds the captures of an example against what it declares.
func compare(m *Message, e *Example, caps []template.Capture) []string {
	var problems []string
	want := map[string]*Expect{}
	for _, x := range e.Expect {
		if _, ok := fact.Lookup(x.Fact); !ok {
			problems = append(problems, "no fact is called "+x.Fact)
		}
		want[x.Fact] = x
	}
	for _, s := range m.Set {
		delete(want, s.Fact)
	}
	seen := map[string]bool{}
	for _, c := range caps {
		if c.Name == "" || c.Name[0] == '.' || seen[c.Name] {
			continue
		}
		seen[c.Name] = true
		x := want[c.Name]
		if x == nil {
			problems = append(problems, fmt.Sprintf("gives %s (%v %s), which is not declared,", c.Name, c.Num, c.Text))
			continue
		}
		delete(want, c.Name)
		if c.Type.Numeric() {
			if v, ok := x.Number(); !ok || math.Abs(v-c.Num) > 1e-6*math.Max(1, math.Abs(v)) {
				problems = append(problems, fmt.Sprintf("%s is %v, declared %s %s,", c.Name, c.Num, x.Word(), x.Unit))
			}
		} else if x.Word() != c.Text {
			problems = append(problems, fmt.Sprintf("%s is %q, declared %q,", c.Name, c.Text, x.Word()))
		}
	}
	for name := range want {
		problems = append(problems, "gives no "+name)
	}
	return problems
}

// ParserClass returns the message's class; Check has made sure that it is one.
func (m *Message) ParserClass() message.Class {
	c, _ := m.class()
	return c
}
