// Package story tells what happened in a log: which processes ran, what each of them said of its settings and its
// memory, where memory failed, and how each ended.
//
// A stream may hold several servers. Each message belongs to a thread, the life of one run of one server, by the
// container or unit that its line names and by its process; figures stay in their thread. See unit.go.
package story

import (
	"slices"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trace"
)

// Log is what a session read: its sources, its runs, and the incidents of each.
type Log struct {
	Sources []Source
	Runs    []*Run // in order; a restart of the engine begins a new one; never empty
	Ended   []End  // how processes ended, the one that ended its service first
	Cuts    []Cut  // what a bound left out

	Quoted     []message.Quotation // messages that are not the log's own, the first hundred
	Quotations int                 // all of them
}

// Source is one input stream.
type Source struct {
	Name  string
	Lines int
	Bytes int64
}

// Run is the life of one engine or training process, from its start to the next.
type Run struct {
	Engine    string     // vllm, sglang, tgi, trtllm, llamacpp, pytorch, or "" while unknown
	Unit      string     // the container, pod or unit that it ran in, where the lines name one
	Facts     fact.Facts // the latest value of each fact the run stated
	Phases    []PhaseChange
	Incidents []*Incident
	Ends      []End // in order
	First     message.Pos
	Last      message.Pos
	Ready     bool   // the engine began to serve
	Version   uint64 // changes whenever the run says something new

	pulse    int         // statistics lines so far
	progress message.Pos // where it last went on with its work
}

// PhaseChange says that a run entered a phase.
type PhaseChange struct {
	Phase string
	At    message.Pos
	Time  string
}

// End says how a process ended.
type End struct {
	Origin string // the process
	How    string // exception, signal, shutdown, killed-by, finished, or unexplained: SIGKILL from nobody knows whom
	At     message.Pos
	Text   string // the line that says so
	Time   string
	Memory bool // it was memory that it ended of
}

// Unexplained is the end of a process that got SIGKILL, where nothing else tells why.
const Unexplained = "unexplained"

// Incident is one failure of memory: the decisive message, its copies and consequences.
type Incident struct {
	Number   int                  // in the order in which their first words came, from 1; it stays when more is learned
	Class    message.Class        // ClassFailure, ClassDegraded or ClassHint: the strongest of its messages
	Messages []message.Occurrence // in order; the first is the decisive one
	Frames   []trace.Frame        // the traceback of the root exception, outermost first
	Facts    fact.Facts           // of the decisive message first, then of the other messages
	Before   fact.Facts           // what the run had stated when the incident began
	Phase    string               // one of message.Phases
	Engine   string               // vllm, sglang, …, pytorch
	Unit     string               // the container, pod or unit, where the lines name one
	Origins  []string             // every process that said it, in order
	Failed   []string             // those whose memory failed: others only felt it
	First    message.Pos
	Last     message.Pos
	Time     string
	Ready    bool // the engine was serving when it began
	Killed   bool // a process got SIGKILL, and nothing else explains its end
	Sure     bool // that memory failed is certain, though no message of its own says so
	Repeats  int  // runs that ended the same way, this one included
	Over     bool // a degraded condition that has ended
	Returns  int  // times a degraded condition set in again

	Devices []int // the device indexes that the decisive message and its copies name, in order

	Clauses []string // messages whose figures went into it, and that stand in no list
	listed  []listed // the processes that the allocator lists
	after   bool     // the traceback stands behind the message
	cut     bool     // the traceback's outer frames are missing
	pulse   int      // of the run when its last message came
}

// listed is a process on the device as the allocator's sentence lists it.
type listed struct {
	pid   int // 0 where it stands in no list
	holds fact.Fact
}

// Has reports whether the incident contains a message of the catalogue.
func (i *Incident) Has(id string) bool {
	return slices.ContainsFunc(i.Messages, func(m message.Occurrence) bool { return m.ID == id }) || slices.Contains(i.Clauses, id)
}

// Fact returns a fact of the incident, or of the run before it.
func (i *Incident) Fact(name string) (fact.Fact, bool) {
	if f, ok := i.Facts[name]; ok {
		return f, true
	}
	f, ok := i.Before[name]
	return f, ok
}
