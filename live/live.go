// Package live tells what a log that is still being written says, as it says it: runs, phases,
// incidents and when they end. It joins a session to whatever brings the bytes.
package live

import (
	"fmt"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// Kind is the kind of an Event.
type Kind string

// The kinds.
const (
	RunStarted Kind = "run"      // an engine or a training started, or started again
	Phase      Kind = "phase"    // it entered a phase
	Incident   Kind = "incident" // memory failed; sent again when more lines change the diagnosis
	Warning    Kind = "warning"  // it goes on, slowly, or is about to fail
	Cleared    Kind = "cleared"  // what a warning was about is over
	Notice     Kind = "notice"   // about the reading: a file rotated, bytes were lost
)

// Event is one thing that happened.
type Event struct {
	Kind    Kind
	At      time.Time // when it was noticed
	Source  string    // the stream it is about
	Line    int
	Run     int    // which start, from 1
	Phase   string // of a Phase event
	Engine  string
	Text    string         // of a Notice
	Finding *rules.Finding // of an Incident, a Warning, or what was Cleared
}

// Watcher turns the bytes of streams into events. It is not safe for concurrent use.
type Watcher struct {
	session *oomdoc.Session
	streams map[string]*parser.Stream
	sink    func(Event)
	version uint64
	last    *rules.Diagnosis

	runs   int
	phases map[int]int               // of each run, how many phases were told
	told   map[string]string         // incidents told, and the cause that was told
	open   map[string]*rules.Finding // warnings that are not cleared
}

// New returns a watcher that sends its events to sink.
func New(opts oomdoc.Options, sink func(Event)) *Watcher {
	return &Watcher{
		session: oomdoc.NewSession(opts), streams: map[string]*parser.Stream{}, sink: sink,
		phases: map[int]int{}, told: map[string]string{}, open: map[string]*rules.Finding{},
	}
}

// Feed takes the next bytes of a stream.
func (w *Watcher) Feed(source string, data []byte) {
	s := w.streams[source]
	if s == nil {
		s = w.session.Stream(source)
		w.streams[source] = s
	}
	s.Feed(data)
}

// Look sends what is new. Call it when no bytes have come for a moment, and now and then while they do.
// It returns the diagnosis so far, which is the last one when nothing has changed.
func (w *Watcher) Look(now time.Time) *rules.Diagnosis {
	if v := w.session.Version(); v == w.version && w.last != nil {
		return w.last
	} else {
		w.version = v
	}
	w.last = w.session.Now()
	w.version = w.session.Version() // what was pending has been read
	w.compare(now)
	return w.last
}

// Close ends the streams and sends what their last lines say.
func (w *Watcher) Close(now time.Time) *rules.Diagnosis {
	w.last = w.session.Close()
	w.compare(now)
	return w.last
}

// compare sends the difference between what was told and what is.
func (w *Watcher) compare(now time.Time) {
	d := w.last
	for i, run := range d.Log.Runs {
		event := Event{At: now, Source: w.name(run.First), Line: run.First.Line, Run: i + 1, Engine: run.Engine}
		if i >= w.runs && run.First.Line > 0 {
			w.runs = i + 1
			event.Kind = RunStarted
			w.sink(event)
		}
		for _, p := range run.Phases[min(w.phases[i], len(run.Phases)):] {
			event.Kind, event.Phase, event.Line = Phase, p.Phase, p.At.Line
			w.sink(event)
		}
		w.phases[i] = len(run.Phases)
	}
	still := map[string]bool{}
	for _, f := range d.Findings {
		key, cause := w.key(f), "unknown"
		if f.Cause != nil {
			cause = f.Cause.ID
		}
		still[key] = true
		if w.told[key] == cause {
			continue
		}
		w.told[key] = cause
		event := Event{Kind: Incident, At: now, Source: w.name(f.Incident.First), Line: f.Incident.First.Line, Engine: f.Incident.Engine, Finding: f}
		if f.Degraded() {
			event.Kind = Warning
			w.open[key] = f
		}
		w.sink(event)
	}
	for key, f := range w.open {
		if !still[key] || f.Incident.Over {
			delete(w.open, key)
			w.sink(Event{Kind: Cleared, At: now, Source: w.name(f.Incident.First), Line: f.Incident.Last.Line, Engine: f.Incident.Engine, Finding: f})
		}
	}
}

// key names an incident for as long as it lasts.
func (w *Watcher) key(f *rules.Finding) string {
	return fmt.Sprint(f.Incident.First.Source, ":", f.Incident.First.Line, ":", f.Incident.Class == parser.ClassDegraded)
}

func (w *Watcher) name(p parser.Pos) string {
	if p.Source < len(w.last.Log.Sources) {
		return w.last.Log.Sources[p.Source].Name
	}
	return ""
}
