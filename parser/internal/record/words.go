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
func (r *Reader) say(at *heldLine, f *found, m *message.Occurrence, own func()) {
	if span := at.context.Held(); span != nil {
		switch span.State {
		case speaker.Closed:
			r.quote(m, span.Verdict())
			return
		case speaker.Open:
			if len(r.held) >= maxHeld {
				r.LeftOut(at.No, CutHeld)
				return
			}
			r.held = append(r.held, held{span, m, own})
			return
		}
	}
	r.work += proseWork
	if r.words == nil {
		if r.joined == "" {
			r.joined = r.text.Joined()
		}
		r.words = &speaker.Record{Text: r.joined}
	}
	if q := r.quoted; m != nil && m.Class == message.ClassClause && q.paragraph && q.line <= at.No {
		return // a piece of the sentence that was quoted before it
	}
	figures := 0
	for i := range r.found {
		figures += len(r.found[i].caps)
	}
	v := r.speaker.Judge(at.context, r.words, r.text.JoinedPos(f.start), r.text.JoinedPos(max(f.start, f.end-1))+1, figures, m == nil || !accuses(m.Class))
	if v.Genre == speaker.Own {
		own()
		return
	}
	r.quoted.paragraph, r.quoted.line = true, at.No
	r.quote(m, v)
}

// accuses reports whether a message of the class says that something failed.
func accuses(c message.Class) bool {
	return c != message.ClassFact && c != message.ClassBenign
}

// quote tells of a message that is not the process's own, where it would have been a failure.
func (r *Reader) quote(m *message.Occurrence, v speaker.Verdict) {
	if m != nil && accuses(m.Class) && m.Class != message.ClassEcho && v.Why != "" {
		r.to.Quoted(message.Quotation{At: m.At, ID: m.ID, Genre: string(v.Genre), Why: v.Why, Text: m.Text})
	}
}

// settleSpan says what was held back in a span whose state is known now.
func (r *Reader) settleSpan(span *speaker.Span) {
	if span == nil {
		return
	}
	if span.TooLong() {
		r.LeftOut(span.Line, CutSpan)
	}
	rest := r.held[:0]
	for _, h := range r.held {
		switch {
		case h.span != span:
			rest = append(rest, h)
		case span.State == speaker.Denied:
			h.own()
		default:
			r.quote(h.m, span.Verdict())
		}
	}
	r.held = rest
}
