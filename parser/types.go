package parser

import "github.com/oomdoc/oomdoc/parser/internal/message"

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
