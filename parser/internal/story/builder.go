package story

import (
	"math"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// The bounds of what a session remembers.
const (
	MaxRuns      = 512
	MaxIncidents = 128  // of one run
	MaxMessages  = 48   // of one incident
	MaxOrigins   = 256  // of one incident
	MaxTraces    = 128  // processes whose tracebacks are kept at a time
	MaxFrames    = 200  // of one traceback
	MaxListed    = 256  // processes the allocator lists
	MaxPhases    = 64   // changes of phase in one run
	apart        = 2000 // lines between two failures that have nothing to do with each other
	clauseReach  = 12   // lines behind a failure in which the rest of its sentence may stand
	sameStep     = 400  // lines in which several ranks say the same
	traceReach   = 400  // lines between a traceback's last frame and the exception it ends in
	unnamedReach = 60   // the same where no line names its process
)

// builder tells the story of a log: runs, and the incidents in them.
type Builder struct {
	log     *Log
	sources []*sourceState
	version uint64 // counts what was said
}

// sourceState is where the story of one stream stands.
type sourceState struct {
	run        *Run
	begun      map[string]bool // start messages this run has seen, by id and process
	progressed bool            // the run has gone on since its start messages
	phase      string
	time       string
	open       *Incident            // the latest failure or hint
	degraded   map[string]*Incident // conditions in which the run went on, by what they are about
	moved      bool                 // the run went on since the open incident
	echoes     []message.Occurrence // consequences seen before their cause
	traces     map[string]*trace
	unset      map[string]int // line at which a process said that vLLM's configuration is not set
	sentence   *Incident      // whose sentence the next clauses belong to
	sentenceAt message.Occurrence
	monitor    monitor
	worries    worries
}

// newBuilder begins a story.
func New() *Builder { return &Builder{log: &Log{}} }

// source adds an input and returns its index.
func (b *Builder) Source(name string) int {
	b.log.Sources = append(b.log.Sources, Source{Name: name})
	b.sources = append(b.sources, newSourceState())
	return len(b.sources) - 1
}

// size says how much of a source has been read.
func (b *Builder) Size(source, lines int, bytes int64) {
	b.log.Sources[source].Lines, b.log.Sources[source].Bytes = lines, bytes
}

// said changes whenever something new was said.
func (b *Builder) Said() uint64 { return b.version }

// snapshot returns the story as far as it has come. It shares nothing with the builder, which goes on.
func (b *Builder) Snapshot() *Log {
	log := &Log{Sources: slices.Clone(b.log.Sources), Cuts: slices.Clone(b.log.Cuts), Quoted: slices.Clone(b.log.Quoted), Quotations: b.log.Quotations}
	for _, run := range b.log.Runs {
		log.Runs = append(log.Runs, run.clone())
	}
	c := Builder{log: log}
	return c.Finish()
}

func newSourceState() *sourceState {
	return &sourceState{traces: map[string]*trace{}, unset: map[string]int{}, begun: map[string]bool{}}
}

func (b *Builder) current(source int, at message.Pos) *sourceState {
	st := b.sources[source]
	if st.run == nil {
		b.newRun(st, at)
	}
	st.run.Last, st.run.Version = at, b.version
	return st
}

func (b *Builder) newRun(st *sourceState, at message.Pos) {
	if len(b.log.Runs) >= MaxRuns && st.run != nil {
		b.LeftOut(at, CutRuns)
		return
	}
	for about := range st.degraded {
		b.over(st, about)
	}
	st.run = &Run{Facts: fact.Facts{}, First: at, Last: at}
	b.log.Runs = append(b.log.Runs, st.run)
	st.begun, st.progressed, st.phase, st.moved, st.monitor, st.worries = map[string]bool{}, false, "", false, monitor{}, worries{}
	st.open, st.degraded, st.sentence, st.echoes = nil, map[string]*Incident{}, nil, nil
	clear(st.unset)
}

// maxQuoted bounds the quotations that are kept; all are counted.
const maxQuoted = 100

// Quoted takes a message that is not the process's own.
func (b *Builder) Quoted(q message.Quotation) {
	b.version++
	b.log.Quotations++
	if len(b.log.Quoted) < maxQuoted {
		b.log.Quoted = append(b.log.Quoted, q)
	}
}

// gap says that lines of a source were passed over.
func (b *Builder) Gap(source int) { clear(b.sources[source].traces) }

// config takes the settings that a line states, and whose they are.
func (b *Builder) Config(at message.Pos, engine string, facts fact.Facts) {
	b.version++
	st := b.current(at.Source, at)
	if st.run.Engine == "" {
		st.run.Engine = engine
	}
	for name, f := range facts {
		if old, ok := st.run.Facts[name]; ok && f.Text == "auto" && old.Text != "" {
			continue
		}
		st.run.Facts[name] = f
	}
}

// message takes the next message of a source, in order.
func (b *Builder) Message(d *message.Template, m message.Occurrence) {
	b.version++
	st := b.current(m.At.Source, m.At)
	if m.Time != "" {
		st.time = m.Time
	} else {
		m.Time = st.time
	}
	if strings.HasPrefix(d.ID, "trace-") {
		b.frame(st, &m)
		return
	}
	if d.Starts {
		b.start(st, d, &m)
	}
	st.engine(d, &m)
	m.Engine = d.Engine
	if method := m.Part.Method; method != "" && m.Phase == "" {
		m.Phase = phaseOfMethod(method)
	}
	if d.Enters != "" {
		b.enter(st, d.Enters, &m)
	}
	if d.Ready {
		st.run.Ready = true
	}
	if st.isDefault(d.ID, &m) {
		m.Facts = nil
	}
	st.learn(m.Facts)
	switch d.Class {
	case message.ClassFact:
		b.worry(st, &m)
		if !d.Periodic && d.Enters == "" { // an engine prints statistics into the middle of anything
			b.clause(st, &m)
		}
		if d.Enters != "" || d.Ready {
			st.moved = true
			if m.Origin == st.sentenceAt.Origin {
				st.sentence = nil // what is said from here on is of the stage that begins
			}
		}
	case message.ClassBenign:
	case message.ClassDegraded:
		b.degrade(st, about[m.ID], m)
	case message.ClassFailure, message.ClassHint:
		b.failure(st, m)
	case message.ClassEcho:
		if st.open != nil && !st.far(st.open, &m) {
			b.attach(st, st.open, m)
		} else {
			st.remember(m)
		}
	}
}

// isDefault reports whether a message tells of the configuration that vLLM makes up where none is set:
// a part that asks too early gets one with every default, and its making is logged like the engine's own.
func (st *sourceState) isDefault(id string, m *message.Occurrence) bool {
	switch id {
	case "config-unset":
		if len(st.unset) < MaxTraces {
			st.unset[m.Origin] = m.At.Line
		}
	case "chunked-prefill-size":
		asked, ok := st.unset[m.Origin]
		delete(st.unset, m.Origin)
		return ok && m.At.Line-asked <= clauseReach
	}
	return false
}

// remember keeps a consequence for the cause that may come; of several alike the latest.
func (st *sourceState) remember(m message.Occurrence) {
	for i := range st.echoes {
		if st.echoes[i].ID == m.ID {
			m.Repeat += st.echoes[i].Repeat
			st.echoes[i] = m
			return
		}
	}
	if len(st.echoes) < MaxMessages {
		st.echoes = append(st.echoes, m)
	}
}

// start begins a new run where the message is not one more of the same start.
func (b *Builder) start(st *sourceState, d *message.Template, m *message.Occurrence) {
	process, _, _ := strings.Cut(m.Origin, " ")
	key := d.ID + " " + process
	if st.open != nil || len(st.echoes) > 0 && st.progressed || st.begun[key] && st.progressed {
		b.newRun(st, m.At)
	}
	st.begun[key] = true
	if st.run.Facts == nil {
		st.run.Facts = fact.Facts{}
	}
}

// engine learns whose log it is: from messages that only one engine prints, from the names of vLLM's
// processes, else from the shape of its own time stamps, which have no year.
func (st *sourceState) engine(d *message.Template, m *message.Occurrence) {
	if d.Engine != "" && (st.run.Engine == "" || st.run.Engine == "pytorch") {
		st.run.Engine = d.Engine
	}
	if (st.run.Engine == "" || st.run.Engine == "pytorch") && ofVLLM(m.Origin) {
		st.run.Engine = "vllm"
	}
	if t := m.Time; st.run.Engine == "" && len(t) == len("10-08 20:33:48") && t[2] == '-' && t[5] == ' ' {
		st.run.Engine = "vllm"
	}
}

// ofVLLM reports whether a process has a name that only vLLM gives: its V1 engine and its workers, of both
// generations.
func ofVLLM(origin string) bool {
	for _, name := range []string{"EngineCore", "VllmWorker", "RayWorkerWrapper"} {
		if strings.HasPrefix(origin, name) {
			return true
		}
	}
	ranks, ok := strings.CutPrefix(origin, "Worker_") // Worker_DP1_TP0_EP4
	group := strings.TrimLeft(ranks, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return ok && len(ranks)-len(group) >= 2 && group != "" && frame.IsDigit(group[0])
}

func (b *Builder) enter(st *sourceState, phase string, m *message.Occurrence) {
	st.progressed = true
	if st.phase == phase {
		return
	}
	st.phase = phase
	if len(st.run.Phases) < MaxPhases {
		st.run.Phases = append(st.run.Phases, PhaseChange{phase, m.At, m.Time})
	} else {
		b.LeftOut(m.At, CutPhases)
	}
}

// learn keeps the latest value of each fact. Of a fact that several ranks state one after the other
// the first counts, or the one that the engine goes by. Statistics are kept as they were when the KV
// cache was fullest, for the first time.
func (st *sourceState) learn(facts fact.Facts) {
	usage, statistics := facts["kv_usage_percent_peak"]
	if old, ok := st.run.Facts["kv_usage_percent_peak"]; statistics && ok && old.Num >= usage.Num {
		return
	}
	for name, f := range facts {
		old, known := st.run.Facts[name]
		if known && largestCounts[name] && old.Num > f.Num {
			continue
		}
		sameTime := known && f.Line-old.Line < sameStep && f.Source == old.Source && !statistics
		if sameTime && (eachRank[name] || old.Origin != f.Origin) {
			continue
		}
		st.run.Facts[name] = f
	}
}

// largestCounts holds the facts of which the largest counts in a run: of several victims of the kernel,
// and of a model and its smaller draft.
var largestCounts = map[string]bool{"host_killed_rss": true, "weights": true}

// eachRank holds the facts that one process states for each of its ranks, line after line, about one in a
// hundred apart: the first counts, as in the log that people quote.
var eachRank = map[string]bool{"kv_cache_tokens": true, "max_concurrency": true}

// clause takes facts that go on a failure's sentence.
func (b *Builder) clause(st *sourceState, m *message.Occurrence) {
	inc := st.sentence
	if inc == nil || m.Facts == nil || m.Origin != "" && m.Origin != st.sentenceAt.Origin || m.At.Line > st.sentenceAt.LastLine+clauseReach {
		return
	}
	if f, ok := m.Facts["listed_in_use"]; ok {
		if len(inc.listed) < MaxListed {
			inc.listed = append(inc.listed, f)
		} else {
			b.LeftOut(m.At, CutListed)
		}
	} else {
		inc.state(m.Facts)
	}
	st.sentenceAt.LastLine = max(st.sentenceAt.LastLine, m.LastLine)
	inc.Last = m.At
}

// failure opens an incident, or goes to the open one.
func (b *Builder) failure(st *sourceState, m message.Occurrence) {
	before := st.open
	if before != nil && (st.far(before, &m) || st.moved && m.Class == message.ClassFailure && before.Class == message.ClassFailure || before.elsewhere(&m)) {
		before = nil
	}
	st.open = b.add(st, before, m)
	st.moved = false
	if before == nil {
		for _, e := range st.echoes {
			if m.At.Line-e.At.Line < apart/10 {
				b.attach(st, st.open, e)
			}
		}
		st.echoes = nil
	}
	st.sentence, st.sentenceAt = nil, m
	first := &st.open.Messages[0]
	if again := first.At == m.At && first.ID == m.ID; again && first.Repeat == m.Repeat || !again && st.open.took(&m) { // a line may hold two sentences
		st.sentence = st.open
	}
}

// took reports whether an incident's figures are those of a message, as where vLLM says that the model did not
// load and quotes the allocator's sentence behind it.
func (i *Incident) took(m *message.Occurrence) bool {
	for name, f := range m.Facts {
		if f.Kind.Numeric() && i.Facts[name] == f {
			return true
		}
	}
	return false
}

// far reports whether a message is too far from an incident to belong to it.
func (st *sourceState) far(inc *Incident, m *message.Occurrence) bool {
	return m.At.Line-inc.Last.Line > apart && !inc.Has(m.ID)
}

// add puts a message into an incident, a new one when inc is nil.
func (b *Builder) add(st *sourceState, inc *Incident, m message.Occurrence) *Incident {
	if inc == nil {
		if len(st.run.Incidents) >= MaxIncidents {
			b.LeftOut(m.At, CutIncidents)
			return st.run.Incidents[len(st.run.Incidents)-1]
		}
		inc = &Incident{
			Class: m.Class, Facts: fact.Facts{}, Before: fact.Facts{}, Phase: st.phase, First: m.At, Last: m.At, Time: m.Time, Ready: st.run.Ready, Repeats: 1,
		}
		for name, f := range st.run.Facts {
			inc.Before[name] = f
		}
		st.run.Incidents = append(st.run.Incidents, inc)
	}
	b.attach(st, inc, m)
	return inc
}

// include puts v into a set of at most maxOrigins and reports whether it is in there.
func include[T comparable](set *[]T, v T) bool {
	if slices.Contains(*set, v) {
		return true
	}
	if len(*set) >= MaxOrigins {
		return false
	}
	*set = append(*set, v)
	return true
}

// attach adds a message to an incident. The decisive message stands first: the first failure, or the
// first hint as long as there is no failure.
func (b *Builder) attach(st *sourceState, inc *Incident, m message.Occurrence) {
	if m.At.Line > inc.Last.Line || m.At.Source != inc.Last.Source {
		inc.Last = m.At
	}
	inc.pulse = st.run.pulse
	if m.Origin != "" && !include(&inc.Origins, m.Origin) {
		b.LeftOut(m.At, CutOrigins)
	}
	if m.Origin != "" && m.Class == message.ClassFailure {
		include(&inc.Failed, m.Origin)
	}
	if index, ok := m.Facts.Num("gpu_index"); ok {
		include(&inc.Devices, int(index))
	}
	if len(inc.Frames) == 0 && m.Class != message.ClassDegraded {
		inc.Frames, inc.cut = st.traceOf(&m)
	}
	for i := range inc.Messages {
		if old := &inc.Messages[i]; old.ID == m.ID {
			old.Repeat += m.Repeat
			for name, f := range m.Facts {
				if largestCounts[name] && f.Num > inc.Facts[name].Num {
					inc.Facts[name] = f
				}
			}
			if m.Class == message.ClassDegraded {
				for name, f := range m.Facts { // the latest state of a condition that lasts
					inc.Facts[name] = f
				}
			}
			return
		}
	}
	decisive := m.Class == message.ClassFailure && inc.Class != message.ClassFailure
	if decisive {
		inc.Class = message.ClassFailure
		old := inc.Facts
		inc.Facts = fact.Facts{}
		inc.state(m.Facts)
		if !inc.contradicts(&message.Occurrence{Class: message.ClassFailure, Facts: old}) {
			inc.state(old)
		}
		inc.First, inc.Time = m.At, m.Time
		inc.Messages = append([]message.Occurrence{m}, inc.Messages...)
		if f, cut := st.traceOf(&m); f != nil {
			inc.Frames, inc.cut = f, cut
		}
		return
	}
	if !inc.contradicts(&m) {
		inc.state(m.Facts)
	}
	if len(inc.Messages) < MaxMessages {
		inc.Messages = append(inc.Messages, m)
	} else {
		b.LeftOut(m.At, CutMessages)
	}
}

// elsewhere reports whether a message is of another make of accelerator than the incident. HIP calls itself CUDA
// in places.
func (i *Incident) elsewhere(m *message.Occurrence) bool {
	family := func(facts fact.Facts) string { return strings.Replace(facts.Text("backend"), "HIP", "CUDA", 1) }
	mine, its := family(i.Facts), family(m.Facts)
	return mine != "" && its != "" && mine != its
}

// contradicts reports whether a failure states another value of what the incident states: its figures
// are of another moment, device or process, and do not complete the incident's.
func (i *Incident) contradicts(m *message.Occurrence) bool {
	if m.Class != message.ClassFailure && m.Class != message.ClassHint {
		return false
	}
	for name, f := range m.Facts {
		if old, ok := i.Facts[name]; ok && f.Kind.Numeric() && math.Abs(f.Num-old.Num) > f.Slack+old.Slack {
			return true
		}
	}
	return false
}

// state adds facts that the incident does not state yet.
func (i *Incident) state(facts fact.Facts) {
	for name, f := range facts {
		if _, ok := i.Facts[name]; !ok {
			i.Facts[name] = f
		}
	}
}
