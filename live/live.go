// Package live tells what logs that are still being written say, as they say it: runs, phases, incidents
// and when they end.
//
// The common path: a [Watcher] is fed the bytes of streams; [Watcher.Run] looks at what they have said,
// soon after something came and seldom enough to cost little, and calls a sink with each [Event].
// The events are the difference between one diagnosis and the next, so that they say what a diagnosis
// of the finished log would.
package live

import (
	"context"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

const (
	// quiet is how long nothing must come before lines that could go on are taken for complete.
	quiet = 4 * time.Millisecond
	// busy is how long the first look waits while bytes keep coming.
	busy = 40 * time.Millisecond
	// share bounds the cost: after a look, this many times what it took passes before the next one.
	share = 4
	// piece is how many bytes a stream is fed at a time.
	piece = 64 << 10
)

// Watcher turns the bytes of streams into events. It may be fed from several goroutines.
type Watcher struct {
	// Looked, where it is set before Run, gets the diagnosis and the state of the latest run after each look.
	// It is the same diagnosis as before when nothing changes it.
	Looked func(*rules.Diagnosis, Stats)
	// Took, where it is set before Run, gets what each look took.
	Took func(time.Duration)

	kb    *knowledge.Base
	fresh chan struct{} // something was fed

	mu      sync.Mutex // guards session and streams
	session *parser.Session
	streams map[string]*parser.Stream

	telling sync.Mutex // guards what follows; calls of sink do not overlap
	sink    func(Event)
	version uint64
	known   map[state]*rules.Finding
	story   story
	last    *rules.Diagnosis
	stats   Stats
	run     parser.Pos // where the latest run begins
	start   start
}

// New returns a watcher that sends its events to sink. nil stands for the built-in knowledge.
func New(kb *knowledge.Base, sink func(Event)) *Watcher {
	if kb == nil {
		kb = knowledge.Builtin()
	}
	return &Watcher{
		kb: kb, fresh: make(chan struct{}, 1), session: parser.NewSession(), streams: map[string]*parser.Stream{}, sink: sink, story: newStory(),
	}
}

// Feed takes the next bytes of a stream, cut anywhere.
func (w *Watcher) Feed(source string, data []byte) {
	w.mu.Lock()
	s := w.streams[source]
	if s == nil {
		s = w.session.Stream(source)
		w.streams[source] = s
	}
	for len(data) > 0 { // a stream keeps what it is given at a time
		n := min(len(data), piece)
		s.Feed(data[:n])
		data = data[n:]
	}
	w.mu.Unlock()
	select {
	case w.fresh <- struct{}{}:
	default:
	}
}

// Notice sends a notice about a stream.
func (w *Watcher) Notice(source, text string) {
	w.telling.Lock()
	defer w.telling.Unlock()
	w.sink(Event{Kind: Notice, At: time.Now(), Source: source, Text: text})
}

// Run looks at what was fed, again and again, until ctx ends.
func (w *Watcher) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.fresh:
		}
		idle := w.settle(ctx)
		begun := time.Now()
		w.look(idle)
		took := time.Since(begun)
		if w.Took != nil {
			w.Took(took)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(share * took):
		}
	}
}

// settle waits until nothing has come for a moment, and reports whether that is so.
func (w *Watcher) settle(ctx context.Context) bool {
	deadline := time.Now().Add(busy)
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		select {
		case <-w.fresh:
			if time.Now().After(deadline) {
				w.again()
				return false
			}
			timer.Reset(quiet)
		case <-timer.C:
			return true
		case <-ctx.Done():
			return true
		}
	}
}

func (w *Watcher) again() {
	select {
	case w.fresh <- struct{}{}:
	default:
	}
}

// look sends what is new.
func (w *Watcher) look(idle bool) {
	w.telling.Lock()
	defer w.telling.Unlock()
	w.mu.Lock()
	if idle {
		w.session.Flush()
	}
	if w.session.Version() == w.version {
		samples := w.samples()
		w.mu.Unlock()
		if w.Looked != nil && w.last != nil {
			w.show(samples)
		}
		return
	}
	w.version = w.session.Version()
	log := w.session.Snapshot()
	run := log.Runs[len(log.Runs)-1]
	w.run = run.First
	samples := w.samples()
	w.mu.Unlock()
	w.last = w.diagnose(log)
	w.story.tell(w.last, time.Now(), w.sink)
	if w.Looked != nil {
		w.stats = statsOf(log, run)
		w.show(samples)
	}
}

// show passes on what the latest look has found.
func (w *Watcher) show(samples []parser.Sample) {
	w.stats.read(samples)
	w.stats.Since = w.start.since(w.run, &w.stats, time.Now())
	w.Looked(w.last, w.stats)
}

// samples are the statistics of the latest run, for those who want to see them.
func (w *Watcher) samples() []parser.Sample {
	if w.Looked == nil || len(w.streams) == 0 {
		return nil
	}
	return w.session.Samples(w.run.Source)
}

// Close ends the streams, sends what their last lines say, and returns the diagnosis. Run must have
// returned.
func (w *Watcher) Close() *rules.Diagnosis {
	w.telling.Lock()
	defer w.telling.Unlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.diagnose(w.session.Close())
	w.story.tell(d, time.Now(), w.sink)
	return d
}

// state is an incident as a look saw it: while it is the same, so is the finding.
type state struct {
	run, inc parser.Pos
	id       string
	version  uint64 // of the run
	repeats  int
	copies   int
}

// diagnose keeps the findings of what has not changed since the last time.
func (w *Watcher) diagnose(log *parser.Log) *rules.Diagnosis {
	now := map[state]*rules.Finding{}
	defer func() { w.known = now }()
	return rules.Diagnose(log, w.kb, rules.Options{Planner: memory.Planner{}, Reuse: func(run *parser.Run, inc *parser.Incident, find func() *rules.Finding) *rules.Finding {
		m := &inc.Messages[0]
		s := state{run.First, inc.First, m.ID, run.Version, inc.Repeats, m.Repeat}
		f, ok := w.known[s]
		if !ok {
			f = find()
		} else if f != nil {
			same := *f
			same.Incident = inc
			f = &same
		}
		now[s] = f
		return f
	}})
}
