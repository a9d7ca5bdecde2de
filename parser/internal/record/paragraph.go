package record

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/internal/speaker"
	"github.com/oomdoc/oomdoc/parser/template"
)

// The bounds of a paragraph.
const (
	maxParaLines = 64
	softLines    = 40 // from here on a paragraph ends at a line too short to have been wrapped
	maxParaBytes = 48 << 10
	minWrap      = 40 // columns: nobody wraps narrower
	maxWrap      = 400
	MaxText      = 2 << 10 // bytes kept of a message
	maxCode      = 200     // bytes of a program's line that a traceback shows
)

// What the bounds leave out.
var (
	CutConfigs = "configurations within configurations: the later ones were not read"
	CutSteps   = "a wording that matches in very many ways was given up"
	CutText    = "the text of a message was cut at " + strconv.Itoa(MaxText>>10) + " KiB"
)

// paragraph puts the lines of one process, or of all that a stream does not tell apart, together: a record and the
// lines that go on from it. It finds the catalogue's messages in them.
type paragraph struct {
	ix      *index
	to      Sink
	source  int
	unit    string // container, pod or unit of its lines
	matcher template.Matcher
	text    template.Text
	lines   []heldLine
	bytes   int
	widths  [64]int // of the last lines, a ring
	next    int
	hits    []gate.Hit
	found   []found
	joined  string       // the paragraph with its wraps taken out, for configurations; "" until one is met
	configs map[int]bool // where configurations begin in joined
	scanned int          // bytes read of them: they may contain each other
	speaker speaker.Tracker
	words   *speaker.Record // the paragraph, for whose words its messages are; nil until one is asked for
	ends    bool            // no line follows in the input,
	open    bool            // and the last one has no end
	held    []held          // what is said in a span whose end has not come
	quoted  struct {        // a message of the paragraph was not the process's own
		paragraph bool
		line      int
	}
	work int    // done so far, about in bytes read: what a stream's texts have credit for
	read int    // lines of the paragraph that were read before its end
	told []spot // what was found in them

	behind []byte // the line that ended the paragraph, of the same process; nil where none is known
}

// spot is a match in a paragraph, as it is told apart from others.
type spot struct {
	def        int32
	start, end int
}

type heldLine struct {
	frame.Line
	own     []byte
	context speaker.Context
}

// found is a match in the current paragraph.
type found struct {
	def        int32
	start, end int
	caps       []template.Capture
	config     fact.Facts // of a configuration; def is -1 then
	dialect    int32
	cut        bool // the text ends within it
}

func (p *paragraph) add(l frame.Line) {
	blank := len(l.Text) == 0
	context, span := p.speaker.Line(&l)
	goesOn := len(p.lines) > 0 && p.lines[len(p.lines)-1].Partial
	other := l.Origin != "" && (len(p.lines) == 0 || l.Origin != p.lines[len(p.lines)-1].Origin && l.Origin != p.lines[len(p.lines)-1].Outer)
	if !goesOn && (blank || l.Head || other || p.full(&l) || bytes.HasPrefix(l.Text, tracebackHead)) {
		if !other {
			p.behind = l.Text
		}
		p.flush()
		p.behind = nil
	}
	if span != nil && span.State == speaker.Denied {
		p.settleSpan(span)
	} else if span != nil {
		defer p.settleSpan(span)
	}
	p.widths[p.next%len(p.widths)] = l.Width
	p.next++
	if blank && !(l.Head && l.Width >= minWrap) { // a prefix alone may be a record that was wrapped behind it
		return
	}
	h := heldLine{Line: l, context: context}
	if n := len(p.lines); n < cap(p.lines) {
		h.own = p.lines[:n+1][n].own[:0]
	}
	h.own = append(h.own, l.Text...)
	h.Text = h.own
	p.lines = append(p.lines, h)
	p.bytes += len(h.own)
}

// tracebackHead begins a record, also where the interpreter printed it without the logger's prefix.
var tracebackHead = []byte("Traceback (most recent call last)")

func (p *paragraph) full(l *frame.Line) bool {
	n := len(p.lines)
	if n == 0 {
		return false
	}
	return n >= maxParaLines || p.bytes+len(l.Text) > maxParaBytes || n >= softLines && p.lines[n-1].Width < minWrap
}

// flush ends the paragraph.
func (p *paragraph) flush() {
	if len(p.lines) == 0 {
		return
	}
	p.peek()
	p.lines, p.bytes, p.read, p.told = p.lines[:0], 0, 0, p.told[:0]
	p.quoted.paragraph = false
}

// peek matches the paragraph as far as it has come and hands what it finds to the builder, once.
func (p *paragraph) peek() {
	if p.read == len(p.lines) {
		return
	}
	again := p.read > 0
	from := p.read
	p.read = len(p.lines)
	p.joined, p.words, p.scanned = "", nil, 0
	clear(p.configs)
	p.squeeze()
	p.match()
	p.cutOff(p.ends)
	for i := range p.found {
		f := &p.found[i]
		at := spot{f.def, f.start, f.end}
		if again && slices.Contains(p.told, at) {
			continue
		}
		p.told = append(p.told, at)
		p.emit(f)
	}
	p.raised(from)
}

// squeeze makes the paragraph's text. A line end is a wrap when the line is as wide as the widest
// around it and not the only one of that width; else it is a plain line end.
func (p *paragraph) squeeze() {
	p.text.Reset()
	column, same := 0, 0
	count := func(w int) {
		switch {
		case w > column:
			column, same = w, 1
		case w == column:
			same++
		}
	}
	for i := range min(p.next, len(p.widths)) {
		count(p.widths[i])
	}
	wrapped := heuristic.On(heuristic.Wrapped) && column >= minWrap && column <= maxWrap && same >= 2
	gap := template.LineEnd
	for i := range p.lines {
		l := &p.lines[i]
		if gap == template.Wrap && l.Before {
			gap = template.Blank
		}
		p.text.Add(l.Text, gap)
		switch {
		case l.Partial || wrapped && l.Width >= column-1 && !l.After:
			gap = template.Wrap
		case wrapped && l.Width >= column-1:
			gap = template.Blank
		default:
			gap = template.LineEnd
		}
	}
}
