package record

import (
	"sort"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
	"github.com/oomdoc/oomdoc/parser/template"
)

// match finds all messages and configurations of the paragraph, in order.
func (p *paragraph) match() {
	p.found = p.found[:0]
	p.hits = p.ix.leads.AppendHits(p.hits[:0], p.text.B)
	for i := 0; i < len(p.hits); {
		at := p.hits[i].Start()
		best := found{end: -1}
		for ; i < len(p.hits) && p.hits[i].Start() == at; i++ {
			l := p.ix.leadOf[p.hits[i].Text()]
			if l.definition >= 0 {
				p.try(l, at, &best)
			} else if facts := p.config(&settings.Dialects[l.program], at); len(facts) > 0 {
				p.found = append(p.found, found{def: -1, start: at, end: at, config: facts, dialect: l.program})
			}
		}
		if best.end > at {
			p.found = append(p.found, best)
		}
	}
	p.settle()
}

// try runs a program at a hit. Of the matches of a place the strongest class wins, of equals the longest,
// of those the first.
func (p *paragraph) try(l lead, at int, best *found) {
	p.work += matchWork
	d := &message.All[l.definition]
	start, end, caps := p.matcher.MatchAround(d.Programs[l.program], &p.text, at)
	if p.matcher.GaveUp {
		p.cut(at, CutSteps)
	}
	if end < 0 || d.Alone && !p.alone(start, end) {
		return
	}
	if best.end >= 0 {
		mine, its := claim[d.Class], claim[message.All[best.def].Class]
		if mine < its || mine == its && end <= best.end {
			return
		}
	}
	*best = found{def: l.definition, start: start, end: end, caps: append([]template.Capture(nil), caps...)}
}

// settle leaves one message where several overlap: the stronger class, of equals the longer one, of
// those the one that begins first. Some classes claim nothing, since they quote what they follow from or are a
// part of it; of them the shorter wording of what a longer one says in the same place goes.
func (p *paragraph) settle() {
	sort.SliceStable(p.found, func(i, j int) bool { return p.found[i].start < p.found[j].start })
	kept := p.found[:0]
	last, reach := -1, 0 // the match in kept that claims the text, and where the longest in kept ends
	for _, f := range p.found {
		if f.def >= 0 && claim[message.All[f.def].Class] == 0 {
			if f.end > reach {
				kept, reach = append(kept, f), f.end
			}
			continue
		}
		if last >= 0 && f.def >= 0 && f.start < kept[last].end {
			old := &kept[last]
			mine, its := claim[message.All[f.def].Class], claim[message.All[old.def].Class]
			if mine > its || mine == its && f.end-f.start > old.end-old.start {
				*old = f
				reach = max(reach, f.end)
			}
			continue
		}
		kept, reach = append(kept, f), max(reach, f.end)
		if f.def >= 0 {
			last = len(kept) - 1
		}
	}
	p.found = kept
}

// claim orders the classes by how strongly a match keeps its text from others.
var claim = [...]int{message.ClassFact: 1, message.ClassEcho: 0, message.ClassHint: 2, message.ClassDegraded: 3, message.ClassFailure: 3, message.ClassBenign: 4, message.ClassClause: 0, message.ClassException: 0}

// alone reports whether B[start:end] is all of its line, but for the number that grep -n puts in front.
func (p *paragraph) alone(start, end int) bool {
	line := p.text.LineOf(start)
	inFront := func(i int) bool { return i >= 0 && p.text.LineOf(i) == line }
	if inFront(start-2) && p.text.B[start-1] == ':' && frame.IsDigit(p.text.B[start-2]) {
		for start -= 2; inFront(start-1) && frame.IsDigit(p.text.B[start-1]); start-- {
		}
	}
	return !inFront(start-1) && (end == len(p.text.B) || p.text.LineOf(end) != p.text.LineOf(end-1))
}

// leads reports whether B[start:] begins its line.
func (p *paragraph) leads(start int) bool {
	return start == 0 || p.text.LineOf(start-1) != p.text.LineOf(start)
}

// saysNoMore reports whether the log is cut in what an exception says, whose class ends at byte end.
func (p *paragraph) saysNoMore(end int) bool {
	if !heuristic.On(heuristic.CutClass) {
		return false
	}
	rest := p.text.B[end:]
	return len(rest) == 0 || (rest[0] == ':' || rest[0] == '(') && p.text.LineOf(end-1) == len(p.lines)-1
}

// standsAlone reports whether B[start:end] is all of its line, but for a colon behind it.
func (p *paragraph) standsAlone(start, end int) bool {
	if end < len(p.text.B) && p.text.B[end] == ':' && p.text.LineOf(end) == p.text.LineOf(end-1) {
		end++
	}
	return p.alone(start, end)
}

// config reads the configuration whose literal stands at byte at of the squeezed text.
func (p *paragraph) config(d *settings.Dialect, at int) fact.Facts {
	if p.scanned > 4*maxParaBytes {
		p.cut(at, CutConfigs)
		return nil
	}
	if p.joined == "" {
		p.joined = p.text.Joined()
	}
	start, ok := d.Begin(p.joined, p.text.JoinedPos(at))
	if !ok || p.configs[start] {
		return nil
	}
	if p.configs == nil {
		p.configs = map[int]bool{}
	}
	p.configs[start] = true
	facts, n, full := d.Read(p.joined[start:])
	if full {
		p.cut(at, settings.CutSettings)
	}
	p.work += configWork
	p.scanned += n
	return facts
}

// cut notes that a bound left something out at a byte of the paragraph's text.
func (p *paragraph) cut(at int, what string) {
	p.to.LeftOut(message.Pos{Source: p.source, Line: p.lines[p.text.LineOf(at)].No}, what)
}
