package story

import (
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// Log is what a session read: its sources, its runs, and the incidents of each.
type Log struct {
	Sources []Source
	Runs    []*Run // in order; a restart of the engine begins a new one; never empty
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
	Facts     fact.Facts // the latest value of each fact the run stated
	Phases    []PhaseChange
	Incidents []*Incident
	First     message.Pos
	Last      message.Pos
	Ready     bool   // the engine began to serve
	Version   uint64 // changes whenever the run says something new

	pulse int // statistics lines so far
}

// PhaseChange says that a run entered a phase.
type PhaseChange struct {
	Phase string
	At    message.Pos
	Time  string
}

// Incident is one failure of memory: the decisive message, its copies and consequences.
type Incident struct {
	Class    message.Class        // ClassFailure, ClassDegraded or ClassHint: the strongest of its messages
	Messages []message.Occurrence // in order; the first is the decisive one
	Frames   []Frame              // the traceback of the root exception, outermost first
	Facts    fact.Facts           // of the decisive message first, then of the other messages
	Before   fact.Facts           // what the run had stated when the incident began
	Phase    string               // one of Phases
	Engine   string               // vllm, sglang, …, pytorch
	Origins  []string             // every process that said it, in order
	Failed   []string             // those whose memory failed: others only felt it
	First    message.Pos
	Last     message.Pos
	Time     string
	Ready    bool // the engine was serving when it began
	Repeats  int  // runs that ended the same way, this one included
	Over     bool // a degraded condition that has ended
	Returns  int  // times a degraded condition set in again

	Devices []int // the device indexes that the decisive message and its copies name, in order

	listed []fact.Fact // memory of the processes the allocator lists by pid
	after  bool        // the traceback stands behind the message
	cut    bool        // the traceback's outer frames are missing
	pulse  int         // of the run when its last message came
}

// Has reports whether the incident contains a message of the catalogue.
func (i *Incident) Has(id string) bool {
	for k := range i.Messages {
		if i.Messages[k].ID == id {
			return true
		}
	}
	return false
}

// Fact returns a fact of the incident, or of the run before it.
func (i *Incident) Fact(name string) (fact.Fact, bool) {
	if f, ok := i.Facts[name]; ok {
		return f, true
	}
	f, ok := i.Before[name]
	return f, ok
}

// Frame is one frame of a traceback.
type Frame struct {
	File string // as printed
	Func string // without arguments
	Line int    // line of the log
}
