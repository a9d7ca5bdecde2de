package parser

import (
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
)

// Catalogue returns all messages, in the catalogue's order, and those that the session works out itself.
func Catalogue() []message.Info {
	out := make([]message.Info, 0, len(message.All)+1)
	for i := range message.All {
		out = append(out, message.All[i].Info())
	}
	for _, d := range worked {
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

// index is what the catalogue needs at run time; built once, then only read.
type index struct {
	raw    *gate.Gate // on raw bytes, of gateTexts
	leads  *gate.Gate // on squeezed text
	leadOf []lead
}

// lead is the text a program begins with. Definition -1 is a configuration, program its dialect.
type lead struct {
	definition int32
	program    int32
}

var catalogueIndex = sync.OnceValue(func() *index {
	ix := &index{}
	raw := make([]gate.Text, len(message.GateTexts))
	for i, g := range message.GateTexts {
		raw[i] = gate.Text{S: g.Text, At: g.At}
	}
	var leads []gate.Text
	for i := range settings.Dialects {
		leads = append(leads, gate.Text{S: strings.Join(strings.Fields(settings.Dialects[i].Literal), "")})
		ix.leadOf = append(ix.leadOf, lead{-1, int32(i)})
	}
	for i := range message.All {
		for k, p := range message.All[i].Programs {
			leads = append(leads, gate.Text{S: p[0].S})
			ix.leadOf = append(ix.leadOf, lead{int32(i), int32(k)})
		}
	}
	ix.raw, ix.leads = gate.New(raw, 7, 3), gate.New(leads, 1)
	return ix
})
