package record

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/template"
)

// A text may be cut in the middle of the sentence that decides: at the end of the log, or where a page or a chat left
// words out. The beginning of a sentence that only one sort of message begins with is a weak witness of it.

const (
	leastPrefix = 12  // letters without white space,
	leastWords  = 3   // in so many words, the last of them begun
	mostPrefix  = 200 // of them, before the cut
)

// elisions are what stands where words were left out, without white space.
var elisions = [][]byte{[]byte("..."), []byte("…"), []byte("[truncated]"), []byte("<truncated>"), []byte("(truncated)"), []byte("[cut]"), []byte("[output truncated")}

// cutOff looks for the beginnings of sentences in front of what the paragraph leaves out; last says that the log ends
// with it.
func (p *paragraph) cutOff(last bool) {
	if !heuristic.On(heuristic.CutSentence) {
		return
	}
	b := p.text.B
	for from := 0; from < len(b); {
		at, size := -1, 0
		for _, e := range elisions {
			if i := bytes.Index(b[from:], e); i >= 0 && (at < 0 || from+i < at) {
				at, size = from+i, len(e)
			}
		}
		if at < 0 {
			break
		}
		p.work += matchWork
		p.prefixBefore(at)
		from = at + size
	}
	if last {
		p.prefixBefore(len(b))
	}
	slices.SortStableFunc(p.found, func(a, b found) int { return a.start - b.start })
}

// prefixBefore adds the message whose beginning ends at byte end.
func (p *paragraph) prefixBefore(end int) {
	covered := 0
	for i := range p.found {
		if f := &p.found[i]; f.def >= 0 && f.start < end && message.All[f.def].Class != message.ClassException {
			covered = max(covered, f.end)
		}
	}
	var best *found
	for start := max(covered, end-mostPrefix); start <= end-leastPrefix; start++ {
		if start > 0 && p.text.Gaps[start] == template.None && isAlnum(p.text.B[start]) && (isAlnum(p.text.B[start-1]) || p.text.B[start-1] == '_') || p.wordsIn(start, end) < leastWords {
			continue
		}
		var family string
		for _, l := range beginnings()[string(p.text.B[start:start+4])] {
			d := &message.All[l.definition]
			caps, ok := p.matcher.Prefix(d.Programs[l.program], &p.text, start, end)
			if !ok {
				continue
			}
			sort, _, _ := strings.Cut(d.ID, "-")
			switch {
			case d.Class == message.ClassBenign || d.Class == message.ClassFact || family != "" && family != sort:
				return // it may go on as something else
			case best == nil || len(caps) > len(best.caps) || message.All[best.def].Class != message.ClassFailure && d.Class == message.ClassFailure:
				best = &found{def: l.definition, start: start, end: end, caps: append([]template.Capture(nil), caps...), cut: true}
			}
			family = sort
		}
		if best != nil {
			break
		}
	}
	if best != nil && message.All[best.def].Class != message.ClassEcho && message.All[best.def].Class != message.ClassClause {
		p.found = append(p.found, *best)
	}
}

// wordsIn counts the words of B[start:end], the last one begun.
func (p *paragraph) wordsIn(start, end int) int {
	n := 1
	for i := start + 1; i < end; i++ {
		if p.text.Gaps[i] != template.None && p.text.Gaps[i] != template.Wrap {
			n++
		}
	}
	return n
}

// beginnings are the programs by their first four letters.
var beginnings = sync.OnceValue(func() map[string][]lead {
	m := map[string][]lead{}
	for i := range message.All {
		for k, p := range message.All[i].Programs {
			if text, first := p.Lead(); first && len(text) >= 4 {
				m[text[:4]] = append(m[text[:4]], lead{int32(i), int32(k)})
			}
		}
	}
	return m
})
