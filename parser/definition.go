package parser

import (
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/template"
)

//go:generate go run ./catalogue/gen

// definition is a message of the catalogue, compiled by go generate into zz_catalogue.go.
type definition struct {
	id, engine, phase, enters, since, until, doc string
	class                                        Class
	starts, ready, alone, periodic               bool
	wordings                                     []string
	programs                                     []template.Program
	set                                          []setFact
	examples                                     []string
}

type setFact struct {
	name  string
	value Value
}

// MessageInfo describes a message of the catalogue.
type MessageInfo struct {
	ID, Engine, Phase, Since, Until, Doc string
	Class                                Class
	Wordings                             []string // in the catalogue's language
	Examples                             []string
}

// Catalogue returns all messages, in the catalogue's order, and those that the session works out itself.
func Catalogue() []MessageInfo {
	out := make([]MessageInfo, 0, len(catalogue)+1)
	for i := range catalogue {
		out = append(out, catalogue[i].info())
	}
	for _, d := range worked {
		out = append(out, d.info())
	}
	return out
}

func (d *definition) info() MessageInfo {
	return MessageInfo{d.id, d.engine, d.phase, d.since, d.until, d.doc, d.class, d.wordings, d.examples}
}

// Reach says how much around a hit of the gate has to be read.
type Reach uint8

// The reaches.
const (
	ReachFact     Reach = iota // a few lines: the message may be wrapped
	ReachConfig                // a command line, which may go on over many lines
	ReachFailure               // the traceback before it, the consequences behind it
	ReachPeriodic              // the line itself, and only when something can follow from it
)

// gateText is a text the gate looks for in raw lines.
type gateText struct {
	text  string
	at    uint8 // where in it the rarest bytes stand
	reach Reach
}

// ConfigurationTexts returns the texts without which no line holds a configuration, for the choice of the
// gate's texts by go generate.
func ConfigurationTexts() []string {
	var list []string
	for _, d := range configDialects {
		list = append(list, d.literal)
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
	raw := make([]gate.Text, len(gateTexts))
	for i, g := range gateTexts {
		raw[i] = gate.Text{S: g.text, At: g.at}
	}
	var leads []gate.Text
	for i := range configDialects {
		leads = append(leads, gate.Text{S: strings.Join(strings.Fields(configDialects[i].literal), "")})
		ix.leadOf = append(ix.leadOf, lead{-1, int32(i)})
	}
	for i := range catalogue {
		for k, p := range catalogue[i].programs {
			leads = append(leads, gate.Text{S: p[0].S})
			ix.leadOf = append(ix.leadOf, lead{int32(i), int32(k)})
		}
	}
	ix.raw, ix.leads = gate.New(raw, 7, 3), gate.New(leads, 1)
	return ix
})
