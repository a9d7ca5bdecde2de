package record

import (
	"strconv"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/speaker"
)

// maxHeld bounds what is held back of a text that may be somebody else's: messages and configurations.
const maxHeld = 256

// CutHeld says what the bound leaves out.
var CutHeld = "more than " + strconv.Itoa(maxHeld) + " messages in a text that may be a prompt: the later ones were left out"

// CutSpan says that a text had no end for too long.
var CutSpan = "a text of more than " + strconv.Itoa(speaker.MaxSpan) + " lines that may be a prompt was taken for the process's own words"

// held is something said in a span whose end has not come: only the end tells whose words it is.
type held struct {
	span *speaker.Span
	m    *message.Occurrence // nil for a configuration
	own  func()
}

// say hands on what a match says where it is the process's own word, else the quotation; m is nil for a
// configuration. What stands in a span that is still open waits for its end.
func (p *paragraph) say(at *heldLine, f *found, m *message.Occurrence, own func()) {
	if span := at.context.Held(); span != nil {
		switch span.State {
		case speaker.Closed:
			p.quote(m, span.Verdict())
			return
		case speaker.Open:
			if len(p.held) >= maxHeld {
				p.to.LeftOut(message.Pos{Source: p.source, Line: at.No}, CutHeld)
				return
			}
			p.held = append(p.held, held{span, m, own})
			return
		}
	}
	p.work += proseWork
	if p.words == nil {
		if p.joined == "" {
			p.joined = p.text.Joined()
		}
		p.words = &speaker.Record{Text: p.joined}
	}
	if q := p.quoted; m != nil && m.Class == message.ClassClause && q.paragraph && q.line <= at.No {
		return // a piece of the sentence that was quoted before it
	}
	figures := 0
	for i := range p.found {
		figures += len(p.found[i].caps)
	}
	v := p.speaker.Judge(at.context, p.words, p.text.JoinedPos(f.start), p.text.JoinedPos(max(f.start, f.end-1))+1, figures, m == nil || !accuses(m.Class))
	if v.Genre == speaker.Own {
		own()
		return
	}
	p.quoted.paragraph, p.quoted.line = true, at.No
	p.quote(m, v)
}

// accuses reports whether a message of the class says that something failed.
func accuses(c message.Class) bool {
	return c != message.ClassFact && c != message.ClassBenign
}

// quote tells of a message that is not the process's own, where it would have been a failure.
func (p *paragraph) quote(m *message.Occurrence, v speaker.Verdict) {
	if m != nil && accuses(m.Class) && m.Class != message.ClassEcho && v.Why != "" {
		p.to.Quoted(message.Quotation{At: m.At, ID: m.ID, Genre: string(v.Genre), Why: v.Why, Text: m.Text})
	}
}

// settleSpan says what was held back in a span whose state is known now.
func (p *paragraph) settleSpan(span *speaker.Span) {
	if span == nil {
		return
	}
	if span.TooLong() {
		p.to.LeftOut(message.Pos{Source: p.source, Line: span.Line}, CutSpan)
	}
	rest := p.held[:0]
	for _, h := range p.held {
		switch {
		case h.span != span:
			rest = append(rest, h)
		case span.State == speaker.Denied:
			h.own()
		default:
			p.quote(h.m, span.Verdict())
		}
	}
	p.held = rest
}
