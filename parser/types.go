package parser

import (
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/story"
	"github.com/oomdoc/oomdoc/parser/internal/trace"
	"github.com/oomdoc/oomdoc/parser/internal/trend"
)

// What a session has read.
type (
	Log         = story.Log
	Source      = story.Source
	Run         = story.Run
	End         = story.End
	Quotation   = message.Quotation
	PhaseChange = story.PhaseChange
	Incident    = story.Incident
	Process     = story.Process
	Message     = message.Occurrence
	Frame       = trace.Frame
	Pos         = message.Pos
	Cut         = story.Cut
	Sample      = trend.Sample
)

// Phases are the values of Incident.Phase, in the order a run goes through them.
var Phases = message.Phases

// Messages that no line states, see [Stream.Outside].
const (
	MemcgKilled = story.MemcgKilled
	ChildKilled = story.ChildKilled
	// TracebackCut is of a log that ends before the exception that would say why.
	TracebackCut = story.TracebackCut
)

// TimeOf reads the time that a line prints, in seconds. Only differences mean anything, and only between
// lines of one source.
func TimeOf(s string) (seconds float64, ok bool) { return trend.TimeOf(s) }

// Class says what a message does to the story.
type Class = message.Class

// The classes.
const (
	ClassFact     = message.ClassFact
	ClassFailure  = message.ClassFailure
	ClassDegraded = message.ClassDegraded
	ClassHint     = message.ClassHint
	ClassEcho     = message.ClassEcho
	ClassBenign   = message.ClassBenign
)

// MessageInfo describes a message of the catalogue.
type MessageInfo = message.Info
