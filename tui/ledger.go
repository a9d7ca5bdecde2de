package tui

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// missingSymbol fills the part of a bar behind the device's end: what was asked for and is not there.
const missingSymbol = "!"

// span is what a bar stands for, bytes, so that what is missing fits too.
func span(l *memory.Ledger) float64 { return report.Span(l) + missing(l) }

// missing is how much is drawn behind the device's end: a request for far more than it has, as no more
// than what it has.
func missing(l *memory.Ledger) float64 {
	if l.Short < 1<<20 { // less than a figure of the report shows
		return 0
	}
	return math.Min(l.Short, report.Span(l))
}

// ledgerBar draws a ledger over w cells: each part by its symbol and colour, then ┃ and what is missing.
func (k *look) ledgerBar(l *memory.Ledger, scale float64, w int) string {
	lack := 0
	if x := missing(l); x > 0 {
		lack = max(1, int(math.Round(x/scale*float64(w-1))))
		w -= lack + 1
		scale -= x
	}
	var b strings.Builder
	over := false
	for _, s := range report.Segments(l, scale, w) {
		style := k.theme.part(s.Part.Name)
		if s.Over {
			style = k.theme.bad
			if !over {
				b.WriteString("┃")
				over = true
			}
		}
		b.WriteString(style.Render(strings.Repeat(s.Symbol, s.Cells)))
	}
	if lack > 0 {
		return cells.Fill(b.String(), w) + "┃" + k.theme.bad.Render(strings.Repeat(missingSymbol, lack))
	}
	return cells.Cut(b.String(), w)
}

// ledgerRows draws ledgers: for each device a name, a bar and its size; one legend under them all.
func (k *look) ledgerRows(list []memory.Ledger, w, h int) []string {
	shownList := drawn(list)
	if len(shownList) == 0 || h < 2 || w < 20 {
		return nil
	}
	scale := 0.0
	for _, l := range shownList {
		scale = math.Max(scale, span(l))
	}
	devices := max(1, min(len(shownList), h-2, 8))
	sort.SliceStable(shownList, func(i, j int) bool { return shownList[i].Short > shownList[j].Short })
	var out []string
	for _, l := range shownList[:devices] {
		name := fmt.Sprintf("GPU %d ", l.GPU)
		size := ""
		if l.Total > 0 {
			size = " " + memory.Format(l.Total)
		}
		if missing(l) > 0 {
			size += " " + k.theme.bad.Render(missingSymbol+" "+k.word("missing")+" "+memory.Format(l.Short))
		}
		if cells.Width(size) > w/2 {
			size = ""
		}
		room := w - cells.Width(name) - cells.Width(size)
		bar := k.ledgerBar(l, scale, room)
		out = append(out, name+cells.Fill(bar, room)+size)
	}
	if n := len(shownList) - devices; n > 0 {
		out = append(out, k.theme.dim.Render(fmt.Sprintf(k.word("gpusMore"), n)))
	}
	legend := k.legend(shownList[0])
	rows := flow(legend, w, max(1, h-len(out)))
	return append(out, rows...)
}

func drawn(list []memory.Ledger) []*memory.Ledger {
	var out []*memory.Ledger
	for i := range list {
		if len(list[i].Parts) > 0 && span(&list[i]) > 0 {
			out = append(out, &list[i])
		}
	}
	return out
}

// legend explains a bar: symbol, name and size of each part, and the budget.
func (k *look) legend(l *memory.Ledger) []string {
	var items []string
	for _, p := range l.Parts {
		items = append(items, k.theme.part(p.Name).Render(report.PartSymbol(p.Name))+" "+
			report.PartName(p.Name, k.lang)+" "+report.Amount(p))
	}
	if l.Budget > 0 {
		items = append(items, k.theme.dim.Render(k.word("budget")+" "+memory.Format(l.Budget)))
	}
	return items
}

// flow lays items out in rows of w cells, at most n of them.
func flow(items []string, w, n int) []string {
	var out []string
	row := ""
	for _, it := range items {
		switch {
		case row == "":
			row = it
		case cells.Width(row)+3+cells.Width(it) <= w:
			row += "   " + it
		default:
			out = append(out, row)
			row = it
		}
	}
	if row != "" {
		out = append(out, row)
	}
	if len(out) > n {
		out = out[:n]
		out[n-1] = cells.Cut(out[n-1]+" …", w)
	}
	return out
}
