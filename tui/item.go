package tui

import (
	"fmt"
	"strings"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// item is a row of the list: a remedy or a dead end.
type item struct {
	remedy *rules.Remedy
	dead   *rules.DeadEnd
}

func items(f *rules.Finding) []item {
	if f == nil {
		return nil
	}
	var out []item
	for i := range f.Remedies {
		out = append(out, item{remedy: &f.Remedies[i]})
	}
	for i := range f.DeadEnds {
		out = append(out, item{dead: &f.DeadEnds[i]})
	}
	return out
}

// text is what to paste for an item: the whole corrected command where the log had one.
func (it item) text() string {
	switch {
	case it.remedy == nil:
		return ""
	case it.remedy.Command != "":
		return it.remedy.Command
	case len(it.remedy.Apply) > 0:
		return it.remedy.Apply[0].Text
	}
	return ""
}

// itemRow is a remedy or a dead end in one row.
func (k *look) itemRow(f *rules.Finding, it item, i int, selected bool, w int) string {
	mark := "  "
	if selected {
		mark = k.theme.accent.Render("▸ ")
	}
	lang := k.lang
	if it.dead != nil {
		text := it.dead.Title.In(lang)
		if !selected {
			text += ": " + cells.Printable(f.Fill(it.dead.Why.In(lang), lang))
		}
		style := k.theme.dim
		if selected {
			style = k.theme.bold
		}
		return mark + k.theme.bad.Render("x") + "  " + style.Render(cells.Cut(text, w-5))
	}
	r := it.remedy
	head, title, style := oneLine(r), r.Title.In(lang), k.theme.good
	if selected {
		style = style.Bold(true)
	}
	if head == "" {
		head, title = title, ""
	}
	left := mark + cells.Fill(fmt.Sprint(i+1), 2) + " " + style.Render(head)
	right := k.verdictWord(r.Verdict.Kind)
	if !selected && cells.Width(left)+cells.Width(title)+cells.Width(right)+4 <= w {
		left += "  " + k.theme.dim.Render(title)
	}
	return cells.Ends(left, right, w)
}

// oneLine is how a remedy is written for the entry point of the log, where that fits a row and leaves nothing to fill in; else "".
func oneLine(r *rules.Remedy) string {
	if len(r.Apply) == 0 || r.Apply[0].Open || strings.Contains(strings.TrimSpace(r.Apply[0].Text), "\n") {
		return ""
	}
	return cells.Printable(strings.TrimSpace(r.Apply[0].Text))
}

// itemNote is what the row of the cursor says beyond the others.
func (k *look) itemNote(f *rules.Finding, it item) string {
	lang := k.lang
	if it.dead != nil {
		return cells.Printable(f.Fill(it.dead.Why.In(lang), lang))
	}
	r := it.remedy
	var parts []string
	if oneLine(r) != "" {
		parts = append(parts, r.Title.In(lang))
	}
	if r.Verdict.Sums != "" && r.Verdict.Kind != memory.Unknown {
		parts = append(parts, r.Verdict.Sums)
	}
	if r.Use != nil {
		parts = append(parts, f.Fill(r.Use.Why.In(lang), lang))
	}
	parts = append(parts, f.Fill(r.Cost.In(lang), lang), report.Record(r, lang))
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return cells.Printable(strings.Join(out, " · "))
}

// justified is the line of the log an item stands on: one that states a figure of its reason, else
// the setting it changes, else the decisive line.
func justified(f *rules.Finding, it item) parser.Pos {
	var names []string
	texts := ""
	if it.remedy != nil {
		if it.remedy.Use != nil {
			texts = it.remedy.Use.Why.En
		}
		names = append(named(texts), it.remedy.Settings...)
	} else if it.dead != nil {
		names = append(named(it.dead.Why.En), it.dead.Settings...)
	}
	for _, n := range names {
		if fact, ok := f.Incident.Fact(n); ok && fact.Line > 0 {
			return parser.Pos{Source: fact.Source, Line: fact.Line}
		}
	}
	return f.Incident.First
}

// named lists the facts that a text of the knowledge base names in braces.
func named(text string) []string {
	var out []string
	for _, part := range strings.Split(text, "{")[1:] {
		if name, _, ok := strings.Cut(part, "}"); ok {
			name, _, _ = strings.Cut(name, ":")
			out = append(out, name)
		}
	}
	return out
}
