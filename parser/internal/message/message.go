// Package message holds the compiled catalogue: every message that the engines, PyTorch or the host print,
// as go generate makes it from parser/catalogue.
package message

import (
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/template"
)

// Template is a message of the catalogue.
type Template struct {
	ID, Engine, Phase, Enters, Since, Until, Doc string

	Class                          Class
	Starts, Ready, Alone, Periodic bool
	Kill                           bool     // a process got SIGKILL; the message does not tell from whom
	Survived                       bool     // what failed just before was survived
	Ends                           string   // how a process ended, see the constants; "" where the message tells of no end
	Wordings                       []string // in the catalogue's language
	Programs                       []template.Program
	Set                            []Preset
	Examples                       []string
}

// Preset is a fact that a message states by being there.
type Preset struct {
	Name  string
	Value fact.Value
}

// Info describes a message to people.
type Info struct {
	ID, Engine, Phase, Since, Until, Doc string
	Class                                Class
	Wordings                             []string // in the catalogue's language
	Examples                             []string
}

// Info returns what there is to know about a message.
func (t *Template) Info() Info {
	return Info{t.ID, t.Engine, t.Phase, t.Since, t.Until, t.Doc, t.Class, t.Wordings, t.Examples}
}

// Class says what a message does to the story.
type Class uint8

// The classes.
const (
	ClassFact      Class = iota // states facts, or marks a phase
	ClassFailure                // memory failed here: opens an incident
	ClassDegraded               // the server goes on, slowly: opens a degraded incident
	ClassHint                   // may be memory, may be not: opens an incident that needs a rule to name it
	ClassEcho                   // a consequence; belongs to the incident it follows, opens none
	ClassBenign                 // looks like memory trouble and is not: claims its text
	ClassClause                 // a piece of an allocator's sentence: two with different figures make a failure
	ClassException              // the class of an exception of memory: a failure at the end of a traceback, or beside a clause
)

// String returns the class as the catalogue spells it.
func (c Class) String() string {
	return [...]string{"fact", "failure", "degraded", "hint", "echo", "benign", "clause", "exception"}[c]
}

// How a process may end, as a message tells it.
const (
	EndException = "exception" // an exception that nobody caught
	EndSignal    = "signal"    // a signal other than SIGKILL, of its own making
	EndShutdown  = "shutdown"  // in good order, or because its own engine told it to
	EndKilled    = "killed-by" // somebody says that he ended it
	EndFinished  = "finished"  // it had done its work
)

// Raised is an exception that a traceback ends in, whatever its class: no line of the catalogue.
var Raised = Template{
	ID: "exception-raised", Class: ClassFact, Ends: EndException,
	Doc: "Not in the catalogue by its words: the exception at the end of a traceback, of any class. It tells how a process ended.",
}

// Reach says how much around a hit of the gate has to be read.
type Reach uint8

// The reaches.
const (
	ReachFact      Reach = iota // a few lines: the message may be wrapped
	ReachConfig                 // a command line, which may go on over many lines
	ReachFailure                // the traceback before it, the consequences behind it
	ReachTraceback              // the traceback that follows
	ReachPeriodic               // the line itself, and only when something can follow from it
)

// GateText is a text the gate looks for in raw lines.
type GateText struct {
	Text  string
	At    uint8 // where in it the rarest bytes stand
	Reach Reach
}

// Phases are the values of an incident's phase, in the order a run goes through them.
var Phases = []string{
	"startup", "model_load", "profile", "kv_alloc", "graph_capture", "warmup", "serving",
	"forward", "backward", "optimizer_step", "checkpoint_load", "evaluation", "dataloader", "unknown",
}
