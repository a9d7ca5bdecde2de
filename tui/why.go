package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// whyView is everything that leads to the verdict: the sums, the memory of each device, the signs, and
// the causes that were considered beside it.
type whyView struct{ page }

func (v *whyView) key(_ *common, k tea.KeyMsg) tea.Cmd {
	v.page.key(k)
	return nil
}

func (v *whyView) hints(*common) []hint {
	return []hint{{"q", "back"}, {"j/k", "scroll"}, {"x", "explain"}, {"w", "whatif"}, {"l", "log"}}
}

func (v *whyView) draw(m *common, w, h int) []string {
	f, lang := m.current(), m.lang
	if f == nil {
		return []string{m.header(m.name(), w)}
	}
	t := text{look: &m.look, w: min(w, 110)}
	for _, row := range cells.Wrap(cells.Printable(report.Headline(f, lang)), t.w, 10) {
		t.add(m.theme.bad.Render(row))
	}
	for _, row := range cells.Wrap(m.about(f), t.w, 10) {
		t.add(m.theme.dim.Render(row))
	}
	t.section("why", report.Explanation(f, lang))
	if len(drawn(f.Ledgers)) > 0 {
		t.add("", m.theme.heading.Render(m.word("memory")))
		for i := range f.Ledgers {
			for _, row := range m.ledgerRows(f.Ledgers[i:i+1], t.w-2, 12) {
				t.add("  " + row)
			}
		}
	}
	if len(f.Signs) > 0 {
		t.add("", m.theme.heading.Render(m.word("signs")))
		for _, s := range f.Signs {
			for i, row := range cells.Wrap(cells.Printable(f.Fill(s.In(lang), lang)), t.w-4, 4) {
				t.add(map[bool]string{true: "  · ", false: "    "}[i == 0] + row)
			}
		}
	}
	if len(f.Others) > 0 {
		t.add("", m.theme.heading.Render(m.word("also")))
		for _, o := range f.Others {
			t.add("  " + fmt.Sprintf("%3.0f%%  ", 100*o.Confidence) + o.Cause.ID + "  " + m.theme.dim.Render(o.Cause.Title.In(lang)))
		}
	}
	t.section("next", report.Next(f, lang))
	return append([]string{m.header(m.name(), w)}, v.show(t.rows, h-1)...)
}
