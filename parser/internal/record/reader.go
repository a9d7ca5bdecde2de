package record

import (
	"slices"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// Reader takes the lines of a source and finds the catalogue's messages in them. Several containers may write into one
// stream, a line each in turn: each has a paragraph of its own.
type Reader struct {
	to         Sink
	source     int
	framer     frame.Framer
	paragraphs []*paragraph // the one that began last is the last
	last       *paragraph   // of the line before
	work       int          // done so far, but for the paragraphs
}

const (
	maxParagraphs = 64  // containers of a stream: the later ones share the last
	patience      = 200 // lines for which a paragraph may wait for its next one
)

// New makes a reader of a source, which tells what it finds to a sink.
func New(to Sink, source int) *Reader { return &Reader{to: to, source: source} }

// Line takes the next line.
func (r *Reader) Line(no int, raw []byte) {
	r.work += lineWork + len(raw)
	r.framer.Frame(no, raw, r.add)
	if r.framer.Cut != "" {
		r.LeftOut(no, r.framer.Cut)
		r.framer.Cut = ""
	}
}

func (r *Reader) add(l frame.Line) {
	p := r.of(l.Unit)
	r.last = p
	for _, other := range r.paragraphs {
		if n := len(other.lines); other != p && n > 0 && l.No > other.lines[n-1].No+patience {
			other.flush()
		}
	}
	p.add(l)
}

// of returns the paragraph of a unit's lines. A line that names no unit goes on with the one before.
func (r *Reader) of(unit string) *paragraph {
	if r.last != nil && (unit == "" || !heuristic.On(heuristic.Voices) || unit == r.last.unit) {
		return r.last
	}
	for _, p := range r.paragraphs {
		if p.unit == unit {
			return p
		}
	}
	if len(r.paragraphs) >= maxParagraphs {
		return r.paragraphs[maxParagraphs-1]
	}
	if len(r.paragraphs) == 1 && r.last.unit == "" {
		r.Flush() // what stood in front of the first name
	}
	p := &paragraph{ix: catalogueIndex(), to: r.to, source: r.source, unit: unit}
	r.paragraphs = append(r.paragraphs, p)
	return p
}

// End says that no line follows; last, that the one before is the input's last; open, that its end is missing.
func (r *Reader) End(last, open bool) {
	for _, p := range r.begun() {
		p.ends, p.open = last && p == r.last, last && open && p == r.last
		p.flush()
	}
	for _, p := range r.paragraphs {
		p.settleSpan(p.speaker.Deny())
	}
}

// begun returns the paragraphs that hold lines, in their order.
func (r *Reader) begun() []*paragraph {
	if len(r.paragraphs) == 1 {
		return r.paragraphs
	}
	begun := slices.DeleteFunc(slices.Clone(r.paragraphs), func(p *paragraph) bool { return len(p.lines) == 0 })
	slices.SortFunc(begun, func(a, b *paragraph) int { return a.lines[0].No - b.lines[0].No })
	return begun
}

// Peek reads the paragraphs as far as they have come and tells what it finds, once.
func (r *Reader) Peek() {
	for _, p := range r.begun() {
		p.peek()
	}
}

// Flush ends all paragraphs.
func (r *Reader) Flush() {
	for _, p := range r.begun() {
		p.flush()
	}
}

// Gap says that lines were passed over.
func (r *Reader) Gap() {
	r.Flush()
	for _, p := range r.paragraphs {
		p.settleSpan(p.speaker.Deny())
		p.speaker.Gap()
	}
	r.to.Gap(r.source)
}

// Pass takes a statistics line that need not be read, or refuses it.
func (r *Reader) Pass(no int, line []byte) bool {
	return r.to.Pass(message.Pos{Source: r.source, Line: no}, line)
}

// Work is what has been done so far, about in bytes read.
func (r *Reader) Work() int {
	work := r.work
	for _, p := range r.paragraphs {
		work += p.work
	}
	return work
}

// Traced reports whether a traceback goes on.
func (r *Reader) Traced() bool {
	return slices.ContainsFunc(r.paragraphs, func(p *paragraph) bool { return p.speaker.Traced() })
}

// Voices tells how many containers speak in turn.
func (r *Reader) Voices() int { return max(1, len(r.paragraphs)) }

// LeftOut notes that a bound left something out.
func (r *Reader) LeftOut(line int, what string) {
	r.to.LeftOut(message.Pos{Source: r.source, Line: line}, what)
}
