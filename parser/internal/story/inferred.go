package story

import (
	"slices"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// Inferred are the messages that the session works out, or is told, itself.
var Inferred = slices.Concat([]*message.Template{&clausesAlone, &classRaised, &classNamed}, trends, outsiders, []*message.Template{&restartLoop})
