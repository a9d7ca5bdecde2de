package report

import (
	"math"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
)

// partLook is how a ledger's part is drawn: a symbol that tells it apart without colour, and a colour.
type partLook struct{ symbol, color string }

var partLooks = map[string]partLook{
	"weights":                   {"█", "34"},
	"weights_and_non_torch":     {"█", "34"},
	"live_tensors":              {"█", "34"},
	"process":                   {"█", "34"},
	"activations":               {"▓", "35"},
	"activations_and_non_torch": {"▓", "35"},
	"non_torch":                 {"▒", "36"},
	"kv_cache":                  {"░", "32"},
	"cudagraph":                 {"=", "33"},
	"private_pool":              {"=", "33"},
	"cached":                    {"+", "33"},
	"other_processes":           {"x", "31"},
	"free":                      {"·", "2"},
	"unexplained":               {"?", "1;31"},
}

// PartSymbol is the character that a bar draws a part with.
func PartSymbol(name string) string {
	if l, ok := partLooks[name]; ok {
		return l.symbol
	}
	return "?"
}

// Segment is a part of a ledger as a run of cells in a bar.
type Segment struct {
	Part   memory.Part
	Symbol string
	Cells  int
	Over   bool // lies beyond what the device has
}

// Span is what a bar must be as long as, in bytes, to hold each of these ledgers: the largest of their
// totals and of the sums of their parts.
func Span(ledgers ...*memory.Ledger) float64 {
	span := 0.0
	for _, l := range ledgers {
		sum := 0.0
		for _, p := range l.Parts {
			sum += math.Max(0, p.Bytes)
		}
		span = math.Max(span, math.Max(sum, l.Total))
	}
	return span
}

// Segments lays a ledger out over a bar of width cells that stands for span bytes, or for the ledger's
// own Span where that is 0. A part that is there has at least one cell. What the device has not got is
// marked as over; the segment that crosses the device's end is cut in two.
func Segments(l *memory.Ledger, span float64, width int) []Segment {
	if span <= 0 {
		span = Span(l)
	}
	if span <= 0 || width <= 0 || math.IsInf(span, 0) || math.IsNaN(span) {
		return nil
	}
	end := width
	if l.Total > 0 {
		end = int(math.Round(l.Total / span * float64(width)))
	}
	var list []Segment
	at, sum := 0, 0.0
	for _, p := range l.Parts {
		if !(p.Bytes > 0) {
			continue
		}
		sum += p.Bytes
		stop := min(max(int(math.Round(sum/span*float64(width))), at+1), width)
		if at >= stop {
			continue // more parts than cells
		}
		s := Segment{Part: p, Symbol: PartSymbol(p.Name), Cells: stop - at, Over: at >= end}
		if at < end && stop > end && sum > l.Total && l.Total > 0 {
			rest := s
			s.Cells, rest.Cells, rest.Over = end-at, stop-end, true
			list = append(list, s, rest)
		} else {
			list = append(list, s)
		}
		at = stop
	}
	return list
}

// Bar draws a ledger as a line of at most width columns: each part with its symbol, as long as its
// share of span (see Segments). Where the span goes beyond the device, ┃ stands at the device's end.
func Bar(l *memory.Ledger, span float64, width int, color bool) string {
	span, cells, end := scale(l, span, width)
	var b strings.Builder
	at, over := 0, false
	for _, s := range Segments(l, span, cells) {
		if s.Over && !over {
			b.WriteString("┃")
			over = true
		}
		code := partLooks[s.Part.Name].color
		if s.Over {
			code = red
		}
		b.WriteString(Styled(color, code, strings.Repeat(s.Symbol, s.Cells)))
		at += s.Cells
	}
	if !over && cells < width && at <= end {
		b.WriteString(strings.Repeat(" ", end-at) + "┃")
	}
	return b.String()
}

// scale returns the span of a bar, its cells without the mark of the device's end, and that end.
func scale(l *memory.Ledger, span float64, width int) (ofSpan float64, cells, end int) {
	if span <= 0 {
		span = Span(l)
	}
	if span <= 0 || width <= 1 || l.Total <= 0 {
		return span, width, width
	}
	if l.Total < span*(1-0.5/float64(width)) {
		width-- // room for the mark
	}
	return span, width, int(math.Round(l.Total / span * float64(width)))
}

var budgetLabel = knowledge.Text{En: "budget", Zh: "预算"}

// BudgetMark is the line under a bar that points at the engine's budget, "" where there is none.
func BudgetMark(l *memory.Ledger, span float64, width int, lang string) string {
	span, cells, _ := scale(l, span, width)
	if l.Budget <= 0 || span <= 0 || l.Budget > span {
		return ""
	}
	at := min(int(math.Round(l.Budget/span*float64(cells))), cells-1)
	text := budgetLabel.In(lang) + " " + memory.Format(l.Budget)
	if room := ansi.StringWidth(text) + 1; at >= room {
		return strings.Repeat(" ", at-room) + text + " ^"
	}
	return strings.Repeat(" ", at) + "^ " + text
}

// Amount is a part's size with the mark of its basis.
func Amount(p memory.Part) string {
	return map[memory.Basis]string{memory.Derived: "~", memory.Estimated: "≈"}[p.Basis] + memory.Format(p.Bytes)
}
