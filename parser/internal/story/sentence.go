package story

import (
	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// clauseReach is how many lines may stand between the pieces of one sentence of an allocator.
const clauseReach = 12

// sentence is what one process says of one failed request for memory, a clause at a time, in any order.
type sentence struct {
	inc    *Incident            // which it belongs to; nil as long as it is not certain that there is one
	closed bool                 // it is the copy of one that was taken: its clauses are not wanted
	parts  []message.Occurrence // clauses without an incident
	class  *message.Occurrence  // the exception's class, where it has been met and no sentence behind it
	facts  fact.Facts           // that were stated
	given  map[string]bool      // figures that the incident has from it
	last   int                  // line
}

// What is made of clauses without a head.
var (
	clausesAlone = message.Template{
		ID: "torch-oom-clauses", Class: message.ClassFailure,
		Doc: "Not printed as such: two or more clauses of the allocator's sentence, or one beside the class of its exception, without the words that begin it.",
	}
	classRaised = message.Template{
		ID: "torch-oom-raised", Class: message.ClassHint,
		Doc: "Not printed as such: a traceback ends in the class of PyTorch's exception of memory, and its sentence is lost.",
	}
	classNamed = message.Template{
		ID: "torch-oom-named", Class: message.ClassHint,
		Doc: "Not printed as such: the class of PyTorch's exception of memory on a line of its own.",
	}
)

// inferences are the heuristics behind what is made of pieces.
var inferences = map[string]string{clausesAlone.ID: heuristic.Clauses, classRaised.ID: heuristic.RaisedClass, classNamed.ID: heuristic.NamedClass}

// sentenceOf returns the sentence that a process is in at a line, a new one where the last is too far or says
// something else. A line that names no process goes on with the latest.
func (t *thread) sentenceOf(origin string, line int, facts fact.Facts) *sentence {
	s := t.sentences[origin]
	if origin == "" && t.latest != nil && line <= t.latest.last+t.reach(clauseReach) {
		s = t.latest
	}
	switch {
	case s == nil:
		s = &sentence{facts: fact.Facts{}}
		if len(t.sentences) < MaxTraces {
			t.sentences[origin] = s
		}
	case line > s.last+t.reach(clauseReach) || differ(s.facts, facts):
		*s = sentence{facts: fact.Facts{}}
	}
	t.latest = s
	return s
}

// head begins the sentence of a failure, with the clauses that came before it.
func (t *thread) head(m *message.Occurrence) *sentence {
	s := t.sentenceOf(m.Origin, m.At.Line, m.Facts)
	if s.inc != nil || s.closed {
		*s = sentence{facts: fact.Facts{}}
	}
	if c := s.class; c != nil && (!c.Lead || c.At.Line != m.At.Line) {
		s.class = nil
	}
	s.last = m.LastLine
	for name, f := range m.Facts {
		s.facts[name] = f
	}
	return s
}

// belong settles which incident a head belongs to. The figures of a copy are not those of the incident.
func (s *sentence) belong(inc *Incident, m *message.Occurrence) {
	inc.Sure = inc.Sure || s.class != nil // a line that begins with the class is no mere mention
	s.class = nil
	first := &inc.Messages[0]
	again := first.At == m.At && first.ID == m.ID
	if again && first.Repeat == m.Repeat || !again && inc.took(m) { // a line may hold two sentences
		s.inc, s.closed, s.given = inc, false, map[string]bool{}
		for name := range m.Facts {
			s.given[name] = true
		}
		for i := range s.parts {
			s.give(&s.parts[i])
		}
	} else {
		s.inc, s.closed = nil, true
	}
	s.parts = nil
}

// give adds a clause's figures to the sentence's incident. They count more than those of other messages.
func (s *sentence) give(m *message.Occurrence) (full bool) {
	include(&s.inc.Clauses, m.ID)
	s.inc.onDevice(m.Facts)
	if f, ok := m.Facts["listed_in_use"]; ok {
		if len(s.inc.listed) >= MaxListed {
			return true
		}
		s.inc.listed = append(s.inc.listed, listed{int(m.Facts["listed_pid"].Num), f})
		return false
	}
	for name, f := range m.Facts {
		if !s.given[name] {
			s.inc.Facts[name] = f
			s.given[name] = true
		}
	}
	return false
}

// complete adds facts that stand behind a failure to it, but for a worker's place among the ranks, which a process
// tells when it begins. They begin no sentence.
func (t *thread) complete(m *message.Occurrence) {
	if _, placed := m.Facts["tensor_rank"]; placed {
		return
	}
	s := t.sentences[m.Origin]
	if m.Origin == "" {
		s = t.latest
	}
	if s == nil || s.inc == nil || m.Facts == nil || !heuristic.On(heuristic.Behind) || m.At.Line > s.last+t.reach(clauseReach) {
		return
	}
	s.inc.state(m.Facts)
	s.last = max(s.last, m.LastLine)
	s.inc.Last = m.At
}

// interrupt says that what a process says from here on belongs to no sentence before.
func (t *thread) interrupt(origin string) {
	if s := t.sentences[origin]; s != nil {
		s.inc, s.closed = nil, true
	}
	if origin == "" && t.latest != nil {
		t.latest.inc, t.latest.closed = nil, true
	}
}

// clause takes a piece of a sentence.
func (t *thread) clause(m *message.Occurrence) {
	s := t.sentenceOf(m.Origin, m.At.Line, m.Facts)
	s.last = max(s.last, m.LastLine)
	switch {
	case s.closed:
	case s.inc != nil:
		if s.give(m) {
			t.LeftOut(m.At, CutListed)
		}
		s.inc.Last = m.At
	}
	for name, f := range m.Facts {
		if name != "listed_pid" && name != "listed_in_use" { // one for each process
			s.facts[name] = f
		}
	}
	if s.inc == nil && !s.closed {
		s.parts = append(s.parts, *m)
		if s.enough() || m.Lead && t.endsTrace(m) {
			t.raise(s, &clausesAlone, s.parts[0])
		}
	}
}

// endsTrace reports whether a message stands where a traceback has its exception.
func (t *thread) endsTrace(m *message.Occurrence) bool {
	frames, _ := t.traceOf(m)
	return len(frames) > 0 && frames[len(frames)-1].Line <= m.At.Line && m.At.Line-frames[len(frames)-1].Line <= t.reach(tracedReach)
}

// enough reports whether the clauses make a failure without a head: two figures, or one beside the class.
func (s *sentence) enough() bool {
	figures := map[string]bool{}
	for _, p := range s.parts {
		for name := range p.Facts {
			if name == "listed_pid" {
				name = "listed_in_use"
			}
			if name != "gpu_index" {
				figures[name] = true
			}
		}
	}
	return len(figures) >= 2 || len(figures) == 1 && s.class != nil
}

// raise makes a failure of what has no message of its own.
func (t *thread) raise(s *sentence, d *message.Template, m message.Occurrence) {
	if !heuristic.On(inferences[d.ID]) {
		return
	}
	m.ID, m.Class, m.Engine, m.Repeat = d.ID, d.Class, "", 1
	facts := fact.Facts{}
	for _, p := range s.parts {
		for name, f := range p.Facts {
			if _, ok := facts[name]; !ok && name != "listed_pid" && name != "listed_in_use" {
				facts[name] = f
			}
		}
	}
	m.Facts = facts
	if len(facts) == 0 {
		m.Facts = nil
	}
	inc := t.fail(m)
	inc.Sure = true
	s.class = nil
	s.belong(inc, &m)
	t.version++
}

// named takes the class of an exception of memory. Its sentence may follow on the same line, so that it counts by
// itself only once the next line is there, see settle.
func (t *thread) named(m *message.Occurrence) {
	s := t.sentenceOf(m.Origin, m.At.Line, nil)
	if s.inc != nil || s.closed {
		if m.At.Line <= s.last+1 { // its own, behind the sentence
			return
		}
		*s = sentence{facts: fact.Facts{}}
	}
	s.last = m.LastLine
	if s.class == nil || m.Lead {
		c := *m
		s.class = &c
	}
	if s.enough() {
		t.raise(s, &clausesAlone, s.parts[0])
	}
}

// settle decides of the classes that stood on lines before one. A class counts where a traceback ends in it; on a
// line of its own it is a hint.
func (t *thread) settle(line int) {
	for _, s := range t.sentences {
		c := s.class
		if c == nil || c.LastLine >= line || s.inc != nil || s.closed || len(s.parts) > 0 {
			continue
		}
		switch {
		case c.ID == notebookHead || c.Lead && t.endsTrace(c):
			t.raise(s, &classRaised, *c)
		case c.Alone:
			t.raise(s, &classNamed, *c)
		case line > c.LastLine+t.reach(clauseReach):
			s.class = nil
		}
	}
}

// notebookHead is the message of the line that begins IPython's traceback: the class, and its sentence at the end.
const notebookHead = "torch-oom-notebook"

// tracedReach is how many lines may stand between a traceback's last frame and its exception: a source line, and
// the marks below it.
const tracedReach = 8
