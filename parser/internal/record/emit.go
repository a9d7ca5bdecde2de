package record

import (
	"bytes"
	"strconv"
	"unicode"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
	"github.com/oomdoc/oomdoc/parser/template"
)

// emit turns a match into a message for the builder.
func (p *paragraph) emit(f *found) {
	first := &p.lines[p.text.LineOf(f.start)]
	at := message.Pos{Source: p.source, Line: first.No}
	lead := &p.lines[0] // the record's own prefixes
	if f.def == -1 {
		config, engine := f.config, settings.Dialects[f.dialect].Engine()
		for name, fact := range f.config {
			fact.Line, fact.Source, fact.Origin = at.Line, at.Source, lead.Origin
			f.config[name] = fact
		}
		c := message.Configuration{At: at, Origin: lead.Origin, Unit: p.unit, Engine: engine, Facts: config}
		p.say(first, f, nil, func() { p.to.Config(c) })
		return
	}
	d := &message.All[f.def]
	m := message.Occurrence{
		ID: d.ID, Class: d.Class, At: at, LastLine: p.lines[p.text.LineOf(f.end-1)].No,
		Origin: lead.Origin, Unit: p.unit, Time: lead.Time, Phase: d.Phase, Repeat: max(1, first.Repeat), Logged: first.Logger, Cut: f.cut,
	}
	if d.Class == message.ClassException || d.Class == message.ClassClause {
		m.Lead, m.Alone = p.leads(f.start), first.Indent == 0 && (p.standsAlone(f.start, f.end) || p.open && p.leads(f.start) && p.saysNoMore(f.end))
	}
	if d.Class != message.ClassFact || d.Periodic {
		m.Text = p.text.Slice(f.start, p.tail(f.end))
		if len(m.Text) > MaxText {
			p.cut(f.start, CutText)
		}
		m.Text = string(bytes.ToValidUTF8([]byte(m.Text[:min(len(m.Text), MaxText)]), []byte("?")))
	}
	for _, s := range d.Set {
		setFactValue(&m, s.Name, s.Value, 0)
	}
	for _, c := range f.caps {
		if takePart(&m.Part, c) {
			continue
		}
		info, _ := fact.Lookup(c.Name)
		if info.Kind == fact.Bytes && c.Num >= unknownSize && c.Name != "oom_requested" {
			continue
		}
		v := fact.Value{Kind: info.Kind, Num: c.Num, Text: c.Text}
		if info.Kind == fact.Version {
			if v.Text = trimVersion(v.Text); v.Text == "" || v.Text[0] < '0' || v.Text[0] > '9' {
				return // N/A
			}
		}
		setFactValue(&m, c.Name, v, c.Slack)
	}
	if d.Periodic {
		m.Part.Number = p.engineBefore(f)
	}
	if m.Part.Func != "" {
		m.Part.Code = p.codeBehind(f)
	}
	m.Part.Path = p.pathBefore(f)
	p.say(first, f, &m, func() { p.to.Message(d, m) })
}

// takePart keeps a capture that is no fact, and reports whether it is none.
func takePart(p *message.Part, c template.Capture) bool {
	name, text := c.Name, c.Text
	if name[0] != '.' {
		return false
	}
	switch name {
	case ".line":
		p.Number = strconv.Itoa(int(c.Num))
	case ".func":
		p.Func = text
	case ".file":
		p.File = text
	case ".method":
		p.Method = text
	}
	return true
}

// tail is where the text that a message shows ends: a little behind the match, at a ruler at the latest.
func (p *paragraph) tail(end int) int {
	last := min(end+300, len(p.text.B))
	for i := end; i < last; i++ {
		if p.text.Gaps[i] != template.LineEnd {
			continue
		}
		if !bytes.ContainsFunc(p.lines[p.text.LineOf(i)].Text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
			return i
		}
	}
	return last
}

// codeBehind returns the line of the program that a traceback shows under a frame, "" where it shows none.
func (p *paragraph) codeBehind(f *found) string {
	text := p.behind
	if i := p.text.LineOf(f.end-1) + 1; i < len(p.lines) {
		text = p.lines[i].Text
	}
	text = bytes.TrimSpace(text)
	if len(text) > maxCode || bytes.HasPrefix(text, []byte("File ")) || bytes.HasPrefix(text, tracebackHead) || isException(text) ||
		bytes.Trim(text, "^~ ") == nil {
		return ""
	}
	return string(bytes.ToValidUTF8(text, []byte("?")))
}

// engineBefore returns the number of the engine whose statistics these are: "Engine 003: Avg prompt …".
func (p *paragraph) engineBefore(f *found) string {
	b := p.text.B[max(0, f.start-12):f.start]
	if i := bytes.LastIndex(b, []byte("Engine")); i >= 0 {
		return string(b[i+len("Engine"):])
	}
	return ""
}

// unknownSize is less than what the allocator prints for −1, "not available": 17179869184.00 GiB.
const unknownSize = float64(1 << 62)

func setFactValue(m *message.Occurrence, name string, v fact.Value, slack float64) {
	if m.Facts == nil {
		m.Facts = fact.Facts{}
	}
	if _, ok := m.Facts[name]; !ok {
		m.Facts[name] = fact.Fact{Value: v, Line: m.At.Line, Source: m.At.Source, Origin: m.Origin, Slack: slack}
	}
}

// pathBefore returns the path that stands directly in front of a match, as rich and old IPython print it.
func (p *paragraph) pathBefore(f *found) string {
	i := f.start
	for i > 0 && (p.text.Gaps[i] == template.None || p.text.Gaps[i] == template.Wrap) && f.start-i < 300 {
		i--
	}
	return p.text.Slice(i, f.start)
}

// trimVersion takes off what a sentence puts around a version: "v0.9.1)." is 0.9.1.
func trimVersion(s string) string {
	b := bytes.TrimRight([]byte(s), ".,:;)")
	return string(bytes.TrimLeft(b, "v"))
}
