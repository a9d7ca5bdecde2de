package live

import (
	"cmp"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// Kind is the kind of an Event.
type Kind string

// The kinds.
const (
	RunStarted Kind = "run"      // an engine or a training started, or started again
	Phase      Kind = "phase"    // a run entered a phase
	Incident   Kind = "incident" // memory failed
	Warning    Kind = "warning"  // it goes on, slowly, or is about to fail
	Cleared    Kind = "cleared"  // what a warning was about is over
	Notice     Kind = "notice"   // about the reading: a file rotated, bytes were lost
)

// Event is one thing that happened.
type Event struct {
	Kind   Kind
	At     time.Time // when it was noticed
	Source string    // the stream it is about
	Line   int       // of the stream, from 1; 0 for a Notice
	Time   string    // as the line prints it
	Run    int       // which start, from 1
	Engine string
	Phase  string // of a Phase
	Text   string // of a Notice

	// Of an Incident, a Warning, and what was Cleared. An Incident or a Warning is sent again, as an
	// update under the same number, when more lines change its cause, or when it has happened twice
	// as often as was told.
	Number    int
	Update    bool
	Finding   *rules.Finding
	Diagnosis *rules.Diagnosis
}

// story is what was told so far.
type story struct {
	phases map[parser.Pos]int // of the runs, by their first line, how many were told
	found  map[int]*told      // by the incident's number
}

// told is what was told of an incident.
type told struct {
	number  int
	cause   string
	repeats int
	open    bool // a warning that was not cleared
}

func newStory() story { return story{phases: map[parser.Pos]int{}, found: map[int]*told{}} }

// tell sends the difference between what was told and the diagnosis.
func (s *story) tell(d *rules.Diagnosis, now time.Time, sink func(Event)) {
	for i, run := range d.Log.Runs {
		if run.First.Line > 0 {
			s.run(run, Event{At: now, Source: name(d, run.First), Run: i + 1, Engine: run.Engine}, sink)
		}
	}
	// In the order in which they happened, not that in which they are worth reading.
	for _, f := range slices.SortedStableFunc(slices.Values(d.Findings), func(a, b *rules.Finding) int {
		return cmp.Or(cmp.Compare(a.Incident.First.Source, b.Incident.First.Source), cmp.Compare(a.Incident.First.Line, b.Incident.First.Line))
	}) {
		s.finding(d, f, now, sink)
	}
}

func (s *story) run(run *parser.Run, e Event, sink func(Event)) {
	n, known := s.phases[run.First]
	if !known {
		e.Kind, e.Line = RunStarted, run.First.Line
		sink(e)
	}
	for _, p := range run.Phases[min(n, len(run.Phases)):] {
		e.Kind, e.Phase, e.Line, e.Time = Phase, p.Phase, p.At.Line, p.Time
		sink(e)
	}
	s.phases[run.First] = len(run.Phases)
}

func (s *story) finding(d *rules.Diagnosis, f *rules.Finding, now time.Time, sink func(Event)) {
	inc, cause := f.Incident, "unknown"
	if f.Cause != nil {
		cause = f.Cause.ID
	}
	t := s.found[inc.Number]
	e := Event{
		Kind: Incident, At: now, Source: name(d, inc.First), Line: inc.First.Line, Time: inc.Time, Engine: inc.Engine,
		Update: t != nil, Finding: f, Diagnosis: d,
	}
	if f.Degraded() {
		e.Kind = Warning
	}
	if t == nil {
		t = &told{number: len(s.found) + 1}
		s.found[inc.Number] = t
	}
	e.Number = t.number
	if t.cause != cause || inc.Repeats >= 2*t.repeats {
		t.cause, t.repeats, t.open = cause, inc.Repeats, e.Kind == Warning
		sink(e)
	}
	if inc.Over && t.open {
		t.open = false
		e.Kind, e.Line, e.Update = Cleared, inc.Last.Line, false
		sink(e)
	}
}

func name(d *rules.Diagnosis, p parser.Pos) string {
	if p.Source < len(d.Log.Sources) {
		return d.Log.Sources[p.Source].Name
	}
	return ""
}
