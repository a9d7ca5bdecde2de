package parser

import (
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
	"github.com/oomdoc/oomdoc/parser/internal/story"
)

// Catalogue returns all messages, in the catalogue's order, and those that the session works out itself.
func Catalogue() []message.Info {
	out := make([]message.Info, 0, len(message.All)+1)
	for i := range message.All {
		out = append(out, message.All[i].Info())
	}
	for _, d := range story.Inferred {
		out = append(out, d.Info())
	}
	return out
}

// ConfigurationTexts returns the texts without which no line holds a configuration, for the choice of the
// gate's texts by go generate.
func ConfigurationTexts() []string {
	var list []string
	for _, d := range settings.Dialects {
		list = append(list, d.Literal)
	}
	return list
}
