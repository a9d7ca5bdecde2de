package record

import "github.com/oomdoc/oomdoc/parser/internal/message"

// Sink takes what a reader finds, in order.
type Sink interface {
	Message(t *message.Template, m message.Occurrence)
	Config(c message.Configuration)
	Quoted(q message.Quotation)            // a message that is not the process's own
	Gap(source int)                        // lines were passed over
	Pass(at message.Pos, line []byte) bool // takes a statistics line that need not be read, or refuses it
	LeftOut(at message.Pos, what string)   // a bound bit
}

// What is done beside reading bytes, in bytes that could be read meanwhile.
const (
	lineWork   = 50
	matchWork  = 500
	proseWork  = 2000 // words in front of a message, that may say whose it is
	configWork = 10_000
)
