package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// remedyView is one remedy or dead end with all that is known about it.
type remedyView struct {
	page
	item    item
	finding *rules.Finding
	entry   int // the entry point it is written for
}

func (v *remedyView) key(m *common, k tea.KeyMsg) tea.Cmd {
	n := 0
	if v.item.remedy != nil {
		n = len(v.item.remedy.Apply)
	}
	switch k.String() {
	case "tab", "right":
		v.entry = (v.entry + 1) % max(1, n)
	case "shift+tab", "left":
		v.entry = (v.entry + max(1, n) - 1) % max(1, n)
	case "y":
		if n > 0 && v.entry > 0 {
			return m.copy(v.item.remedy.Apply[v.entry].Text)
		}
		return m.copy(v.item.text())
	default:
		v.page.key(k)
	}
	return nil
}

func (v *remedyView) hints(*common) []hint {
	out := []hint{{"q", "back"}}
	if v.item.remedy != nil {
		out = append(out, hint{"y", "copy"})
		if len(v.item.remedy.Apply) > 1 {
			out = append(out, hint{"←→", "tabs"})
		}
	}
	return append(out, hint{"j/k", "scroll"}, hint{"w", "whatif"}, hint{"l", "log"})
}

func (v *remedyView) draw(m *common, w, h int) []string {
	rows := v.text(m, min(w, 110))
	return append([]string{m.header(m.name(), w)}, v.show(rows, h-1)...)
}

func (v *remedyView) text(m *common, w int) []string {
	t := text{look: &m.look, w: w}
	f, lang := v.finding, m.lang
	if e := v.item.dead; e != nil {
		t.add(m.theme.bad.Render("x "+e.Title.In(lang)), m.theme.dim.Render("  "+e.ID))
		t.section("why", f.Fill(e.Why.In(lang), lang))
		t.section("helps", f.Fill(e.Helps.In(lang), lang))
		t.section("effect", f.Fill(e.Effect.In(lang), lang))
		t.sources(e.Sources, e.Remedy.Sources)
		return t.rows
	}
	r := v.item.remedy
	t.add(m.theme.good.Render(r.Title.In(lang)), m.theme.dim.Render("  "+r.ID))
	if word := m.verdictWord(r.Verdict.Kind); word != "" {
		t.rows[len(t.rows)-2] = cells.Ends(t.rows[len(t.rows)-2], word, w)
	}
	t.entries(r, v.entry)
	if r.Command != "" && v.entry == 0 {
		t.section("command", r.Command)
	}
	t.section("sums", r.Verdict.Sums)
	t.bars(v, r)
	if r.Use != nil {
		t.section("why", f.Fill(r.Use.Why.In(lang), lang))
	}
	t.section("effect", f.Fill(r.Effect.In(lang), lang))
	t.section("cost", f.Fill(r.Cost.In(lang), lang))
	if rec := report.Record(r, lang); rec != "" {
		t.rows = append(t.rows, "  "+m.theme.dim.Render(rec))
	}
	t.section("verify", f.Fill(r.Verify.In(lang), lang))
	var cases []string
	if r.Use != nil {
		for _, o := range r.Use.Outcomes {
			mark := "✓ "
			if !o.Worked {
				mark = "✗ "
			}
			cases = append(cases, mark+o.Source)
		}
	}
	t.sources(r.Sources, cases)
	return t.rows
}

// entries shows how a remedy is written, an entry point at a time.
func (t *text) entries(r *rules.Remedy, at int) {
	if at >= len(r.Apply) {
		return
	}
	var tabs []string
	for i, a := range r.Apply {
		if i == at {
			tabs = append(tabs, t.theme.found.Render("["+a.Entry+"]"))
		} else {
			tabs = append(tabs, t.theme.dim.Render(" "+a.Entry+" "))
		}
	}
	t.add("", cells.Cut(t.theme.heading.Render(t.word("apply"))+"  "+strings.Join(tabs, " "), t.w))
	for _, line := range strings.Split(strings.TrimRight(r.Apply[at].Text, "\n"), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		for _, row := range cells.Chop(indent+cells.Printable(strings.TrimLeft(line, " ")), t.w-4) {
			t.add("    " + t.theme.good.Render(row))
		}
	}
}

// bars draws the memory before and after.
func (t *text) bars(v *remedyView, r *rules.Remedy) {
	if len(drawn(r.Verdict.Ledgers)) == 0 {
		return
	}
	for _, row := range t.ledgerRows(r.Verdict.Ledgers[:1], t.w-2, 4) {
		t.add("  " + row)
	}
}
