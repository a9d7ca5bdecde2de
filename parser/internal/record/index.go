package record

import (
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
)

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

// Gate looks for the catalogue's texts, message.GateTexts, in raw bytes.
func Gate() *gate.Gate { return catalogueIndex().raw }

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
			text, _ := p.Lead()
			leads = append(leads, gate.Text{S: text})
			ix.leadOf = append(ix.leadOf, lead{int32(i), int32(k)})
		}
	}
	ix.raw, ix.leads = gate.New(raw, 7, 3), gate.New(leads, 1)
	return ix
})
