package story

import (
	"maps"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trace"
	"github.com/oomdoc/oomdoc/parser/internal/trend"
)

// Builder tells the story of a log: runs, the incidents in them, and how processes ended. It takes what the readers
// of its sources find, in order.
type Builder struct {
	notes
	sources []*source
}

// New begins a story.
func New() *Builder { return &Builder{notes: notes{log: &Log{}}} }

// Source adds an input and returns its index.
func (b *Builder) Source(name string) int {
	b.log.Sources = append(b.log.Sources, Source{Name: name})
	b.sources = append(b.sources, newSource())
	return len(b.sources) - 1
}

// Size says how much of a source has been read.
func (b *Builder) Size(source, lines int, bytes int64) {
	b.log.Sources[source].Lines, b.log.Sources[source].Bytes = lines, bytes
}

// Said changes whenever something new was said.
func (b *Builder) Said() uint64 { return b.version }

// Samples returns what the latest statistics lines of a source's run say, in order.
func (b *Builder) Samples(source int) []trend.Sample {
	if u := b.sources[source].last; u != nil && u.last != nil {
		return u.last.monitor.Samples()
	}
	return nil
}

// Quoted takes a message that is not the process's own.
func (b *Builder) Quoted(q message.Quotation) {
	b.version++
	b.log.Quotations++
	if len(b.log.Quoted) < maxQuoted {
		b.log.Quoted = append(b.log.Quoted, q)
	}
}

// Gap says that lines of a source were passed over.
func (b *Builder) Gap(source int) {
	for _, u := range b.sources[source].order {
		for _, t := range u.threads {
			clear(t.traces)
		}
	}
}

// Pass takes a line that an engine prints every few seconds, where it need not be read: not where several engines speak.
func (b *Builder) Pass(at message.Pos, line []byte) bool {
	s := b.sources[at.Source]
	if len(s.order) != 1 || s.last == nil {
		return false
	}
	open := 0
	for _, t := range s.last.threads {
		if !t.closed {
			open++
		}
	}
	return open == 1 && s.last.last.pass(at, line)
}

// route returns the thread that a line belongs to.
// What an announcer says of a process with a pid belongs to its thread.
func (b *Builder) route(at message.Pos, name, origin string, stage stage, pid int) *thread {
	s := b.sources[at.Source]
	u := s.unit(name, &b.notes, at)
	t := (*thread)(nil)
	if announces(name) {
		t = s.named(pid)
	}
	if t == nil {
		if t = u.thread(origin, stage); t == nil {
			t = b.begin(u, at, origin)
		}
		u.last = t
		if s.last == nil || !announces(name) {
			s.last = u
		}
	}
	t.run.Last, t.run.Version = at, b.version
	return t
}

func stageOf(d *message.Template) stage {
	switch {
	case d.Ready || d.Enters == "serving":
		return serving
	case d.Starts || slices.Contains(engineStarts, d.Enters):
		return starting
	}
	return noStage
}

// begin adds a thread to a unit. Another core of the same server goes on with what the server was told.
func (b *Builder) begin(u *unit, at message.Pos, origin string) *thread {
	if len(b.log.Runs) >= MaxRuns && u.last != nil {
		b.LeftOut(at, CutRuns)
		return u.last
	}
	before := u.last
	t := newThread(&b.notes, u, at)
	u.add(t, origin)
	if before != nil && !before.closed && (before.open != nil || len(before.echoes) > 0) { // its core died, and the server began another
		for name, f := range before.run.Facts {
			if _, pid := splitProcess(f.Origin); pid == 0 {
				t.run.Facts[name] = f
			}
		}
	}
	return t
}

// start begins a new run with a start message, where it is not one more of the same start.
func (b *Builder) start(t *thread, d *message.Template, m *message.Occurrence) *thread {
	u := t.unit
	if newest := u.threads[len(u.threads)-1]; newest != t && !newest.progressed && !newest.closed { // its parent began it
		if name, pid := splitProcess(m.Origin); !newest.hasOther(name, pid) {
			delete(t.processes, m.Origin)
			u.join(newest, m.Origin)
			u.last, t = newest, newest
		}
	}
	if t.restarts(d, m) {
		for what := range t.degraded {
			t.over(what)
		}
		t.closed = true
		clear(u.of)
		was := t
		t = b.begin(u, m.At, "")
		if t == was {
			t.closed = false
		}
		u.join(t, m.Origin)
	}
	t.begun[startKey(d, m)] = true
	return t
}

// Config takes the settings that a line states, and whose they are.
func (b *Builder) Config(c message.Configuration) {
	b.version++
	b.route(c.At, c.Unit, c.Origin, noStage, 0).configure(c.Engine, c.Facts)
}

// Message takes the next message of a source, in order.
func (b *Builder) Message(d *message.Template, m message.Occurrence) {
	b.version++
	pid, _ := m.Facts.Num("host_killed_pid")
	t := b.route(m.At, m.Unit, m.Origin, stageOf(d), int(pid))
	if m.Time != "" {
		t.time = m.Time
	} else {
		m.Time = t.time
	}
	if strings.HasPrefix(d.ID, "trace-") {
		t.frame(&m)
		return
	}
	t.settle(m.At.Line)
	if d.Class == message.ClassEcho || d.Class == message.ClassHint {
		t = t.unit.consequence(t, &m)
	}
	if d.Starts || d.Enters == "model_load" {
		t = b.start(t, d, &m)
	}
	t.learnEngine(d, &m)
	code, _ := m.Facts.Num("exit_code")
	m.Engine, m.Kill = d.Engine, d.Kill || code == -9 || code == 137
	if m.Part.Method != "" && m.Phase == "" {
		m.Phase = trace.PhaseOfMethod(m.Part.Method)
	}
	if d.Enters != "" {
		t.enter(d.Enters, &m)
	}
	if d.Ready {
		t.run.Ready = true
	}
	if t.isDefault(d.ID, &m) {
		m.Facts = nil
	}
	t.learn(m.Origin, m.Facts)
	if d.Ends != "" {
		t.end(d.Ends, &m)
	}
	if d.Survived {
		t.survive(&m)
	}
	switch d.Class {
	case message.ClassFact:
		t.watch(&m)
		if !d.Periodic && d.Enters == "" { // an engine prints statistics into the middle of anything
			t.complete(&m)
		}
		if d.Enters != "" || d.Ready {
			t.moved = true
			t.interrupt(m.Origin)
		}
		if f, ok := m.Facts["kv_cache"]; ok && f.Num < 0 && heuristic.On(heuristic.NegativePool) {
			t.negativePool(m)
		}
	case message.ClassClause:
		t.clause(&m)
		t.headroom(&m)
	case message.ClassException:
		t.named(&m)
	case message.ClassDegraded:
		t.degrade(m)
	case message.ClassFailure, message.ClassHint:
		s := t.head(&m)
		s.belong(t.fail(m), &m)
	case message.ClassEcho:
		t.echo(m)
	}
}

// settle decides of what waited for the next line, in all threads.
func (b *Builder) settle() {
	for _, s := range b.sources {
		for _, u := range s.order {
			for _, t := range u.threads {
				t.settle(int(^uint(0) >> 1))
			}
		}
	}
}

// Snapshot returns the story as far as it has come. It shares nothing with the builder, which goes on.
func (b *Builder) Snapshot() *Log {
	b.settle()
	log := *b.log
	log.Sources, log.Cuts, log.Quoted = slices.Clone(log.Sources), slices.Clone(log.Cuts), slices.Clone(log.Quoted)
	log.Runs = make([]*Run, len(b.log.Runs))
	for i, r := range b.log.Runs {
		log.Runs[i] = r.clone()
	}
	return log.finish()
}

// Finish rounds the story off once all streams have ended.
func (b *Builder) Finish() *Log {
	b.settle()
	for i, s := range b.sources {
		for _, u := range s.order {
			for _, t := range u.threads {
				t.cutTrace(b.log.Sources[i].Lines)
			}
		}
	}
	return b.log.finish()
}

func (r *Run) clone() *Run {
	c := *r
	c.Facts, c.Phases, c.Ends, c.Incidents = maps.Clone(r.Facts), slices.Clone(r.Phases), slices.Clone(r.Ends), make([]*Incident, len(r.Incidents))
	for i, inc := range r.Incidents {
		d := *inc
		d.Messages, d.Frames, d.Origins = slices.Clone(inc.Messages), slices.Clone(inc.Frames), slices.Clone(inc.Origins)
		d.Devices, d.listed, d.Clauses = slices.Clone(inc.Devices), slices.Clone(inc.listed), slices.Clone(inc.Clauses)
		d.Failed = slices.Clone(inc.Failed)
		d.Facts, d.Before = maps.Clone(inc.Facts), maps.Clone(inc.Before)
		c.Incidents[i] = &d
	}
	return &c
}

// negativePool is the message that the engine's own sum makes.
var negativePool = message.Template{
	ID: "negative-pool", Class: message.ClassHint, Engine: "vllm", Phase: "kv_alloc",
	Doc: "Not printed as such: the memory that the engine reports as available for its KV cache is below zero, so that it cannot start.",
}

// negativePool takes a remainder below zero: a failure, whatever the engine says next, unless it goes on.
func (t *thread) negativePool(m message.Occurrence) {
	d := &negativePool
	m.ID, m.Class, m.Phase, m.Engine = d.ID, d.Class, d.Phase, d.Engine
	s := t.head(&m)
	s.belong(t.fail(m), &m)
}

// Messages that no line states: what whoever ran the process knows of its end.
const (
	MemcgKilled = "kernel-memcg-events"
	ChildKilled = "child-killed"
)

var (
	memcgKilled = message.Template{
		ID: MemcgKilled, Class: message.ClassFailure,
		Doc: "Not printed: the kernel's counters of the cgroup (memory.events, oom_kill) rose while the command ran under oomdoc run.",
	}
	childKilled = message.Template{
		ID: ChildKilled, Class: message.ClassHint, Kill: true,
		Doc: "Not printed: the command that oomdoc run started was ended by SIGKILL, and no counter tells whether for memory.",
	}
	outsiders = []*message.Template{&memcgKilled, &childKilled, &negativePool, &failureSurvived, &traceCut}
)

// Outside adds a message that no line states, of which only ID, Text, Facts and At are given.
func (b *Builder) Outside(m message.Occurrence) {
	d := &childKilled
	if m.ID == MemcgKilled {
		d = &memcgKilled
	}
	m.Class, m.Phase, m.Repeat, m.LastLine = d.Class, d.Phase, 1, m.At.Line
	for name, f := range m.Facts {
		f.Line, f.Source = m.At.Line, m.At.Source
		m.Facts[name] = f
	}
	b.Message(d, m)
}
