package frame

import (
	"bytes"

	"github.com/oomdoc/oomdoc/internal/heuristic"
)

// Frame gives the logical lines of a physical one, which has no newline. Most have one; progress
// bars, JSON and escaped line ends can make it several.
func (f *Framer) Frame(no int, raw []byte, emit func(Line)) {
	f.arena = f.arena[:0]
	said := f.rows(layers{Line: Line{No: no, Repeat: 1}}, raw, 0, emit)
	f.envelope = said.enveloped
}

// rows splits b at line ends and carriage returns; up is what the layers around b said. It returns
// what the layers of all of it said.
func (f *Framer) rows(up layers, b []byte, nested int, emit func(Line)) layers {
	b = bytes.TrimRight(b, "\r\n")
	traits := look(b)
	if traits&hasEnd == 0 {
		return f.row(up, b, traits, nested, emit)
	}
	some := false
	keep := func(l Line) {
		if len(l.Text) > 0 {
			some = true
			emit(l)
		}
	}
	partial, enveloped := up.Partial, up.enveloped
	for len(b) > 0 {
		end := bytes.IndexAny(b, "\r\n")
		if end < 0 {
			end = len(b)
		}
		row := b[:end]
		rest := bytes.TrimLeft(b[end:], "\r\n")
		overwritten := end < len(b) && b[end] == '\r' && !hasPrefix(b[end:], "\r\n")
		b = rest
		if len(row) > 0 {
			up.Partial = partial && len(rest) == 0
			said := f.row(up, row, look(row), nested, keep)
			up.Origin, up.grade, up.Time = said.Origin, said.grade, said.Time
			enveloped = enveloped || said.enveloped
			partial = partial || said.Partial
		}
		up.Head, up.Logger, up.enveloped = overwritten, false, false
	}
	if !some {
		emit(up.Line)
	}
	up.enveloped = enveloped
	return up
}

// bold is Markdown's mark around words, in logs that somebody marked before showing them.
var bold = []byte("**")

// row frames a text without line ends and returns what its layers said.
func (f *Framer) row(up layers, b []byte, traits trait, nested int, emit func(Line)) layers {
	if traits&hasControl != 0 || traits&hasOpen != 0 && colored(b) {
		b = f.plain(b)
	}
	if heuristic.On(heuristic.Bold) && bytes.HasPrefix(b, bold) && len(b) > len(bold) && isAlnum(b[len(bold)]) {
		b = bytes.ReplaceAll(b, bold, nil)
	}
	l := up
	l.Width = len(b)
	if traits&hasHigh != 0 {
		l.Width = columns(b)
	}
	l.Indent = blanks(b)
	l.Before = len(b) > 0 && (b[0] == ' ' || b[0] == '\t')
	l.After = len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t')
	b = f.peel(&l, b)
	if nested == MaxNested && len(b) > 1 && (b[0] == '{' || traits&hasBackslash != 0 && f.severalLines(b)) {
		f.Cut = CutNested
	}
	if nested < MaxNested && len(b) > 1 {
		switch {
		case b[0] == '{' && f.object(l, b, nested, emit):
			l.enveloped = true
			return l
		case b[0] == '"' && f.element(l, b, nested, emit):
			return l
		case traits&hasBackslash != 0 && f.severalLines(b):
			return f.rows(l, f.unquoted(b), nested+1, emit)
		}
	}
	whole := l.Width
	for inside := false; ; inside = true {
		at := gluedHead(&l, b)
		if at == 0 {
			break
		}
		rest := up
		if !l.Logger {
			rest = l // all of it is one process's
		}
		rest.Front = b[:at]
		rest.Partial = l.Partial
		if front := trimBlanks(b[:at]); l.Logger || inside || !f.isPrefix(front) {
			l.Width, l.Partial = columns(front), false
			f.say(l, front, emit)
			up.Head = true
		}
		rest.Head = true
		rest.Width = whole // where the physical line ends tells whether it was wrapped
		b = f.peel(&rest, b[at:])
		l = rest
	}
	f.say(l, b, emit)
	return l
}

// say gives out a line whose layers are off. An envelope makes it a head only after a line without:
// where each line has one, it tells nothing about where records begin.
func (f *Framer) say(l layers, text []byte, emit func(Line)) {
	l.Head = l.Head || l.enveloped && !f.envelope
	text = f.repeated(&l, trimBlanks(text))
	if n := beforeColumn(text); n > 0 && (l.Head || l.level != "") {
		text, l.After = text[:n], true
	}
	l.Text = text
	emit(l.Line)
}

// peel takes off layer after layer and returns the rest.
func (f *Framer) peel(l *layers, b []byte) []byte {
	for n := 0; ; n++ {
		b = b[blanks(b):]
		off := f.certain(l, b)
		if off == 0 {
			off = f.ambiguous(l, b)
		}
		if off == 0 {
			break
		}
		if n == MaxLayers {
			f.Cut = CutLayers
			break
		}
		b = b[off:]
	}
	if l.border != 0 {
		b = trimBorder(b, l.border)
	}
	return b
}

// repeated cuts off Ray's " [repeated 7x across cluster] (Ray deduplicates logs by default. …)".
func (f *Framer) repeated(l *layers, b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] != ']' && b[len(b)-1] != ')' {
		return b
	}
	at := bytes.LastIndex(b, []byte("[repeated "))
	if at < 0 {
		return b
	}
	rest := b[at+len("[repeated "):]
	n := digitRun(rest, 0)
	if n == 0 || n > 6 || !hasPrefix(rest[n:], "x across cluster]") {
		return b
	}
	l.Repeat = max(1, number(rest[:n]))
	return trimBlanks(b[:at])
}
