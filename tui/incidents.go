package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// incidentsView lists the incidents of a log. Restarts that end the same way and ranks that fail
// together are one.
type incidentsView struct{ at, top int }

func (v *incidentsView) key(m *common, k tea.KeyMsg) tea.Cmd {
	if k.String() == "enter" {
		for m.finding != v.at {
			m.step(true)
		}
		m.pop()
		return nil
	}
	v.at, _ = scroll(v.at, len(m.diagnosis.Findings), 5, k)
	return nil
}

func (v *incidentsView) hints(*common) []hint {
	return []hint{{"j/k", "move"}, {"Enter", "open"}, {"q", "back"}}
}

func (v *incidentsView) draw(m *common, w, h int) []string {
	out := []string{m.header(m.word("incidents"), w), ""}
	var rows []string
	from, to := 0, 0
	v.at = min(v.at, len(m.diagnosis.Findings)-1)
	for i, f := range m.diagnosis.Findings {
		mark := "  "
		if i == v.at {
			mark, from = m.theme.accent.Render("▸ "), len(rows)
		}
		style := m.theme.bad
		if f.Degraded() {
			style = m.theme.warn
		}
		rows = append(rows, mark+cells.Fill(fmt.Sprint(i+1), 3)+style.Render(cells.Cut(cells.Printable(report.Headline(f, m.lang)), w-5)))
		rows = append(rows, "     "+m.theme.dim.Render(cells.Cut(m.about(f)+" · "+fmt.Sprintf(m.word("line"), fmt.Sprint(f.Incident.First.Line), fmt.Sprint(f.Incident.Last.Line)), w-5)))
		if i == v.at {
			to = len(rows)
		}
	}
	v.top = cells.Window(v.top, from, to, len(rows), h-2)
	return append(out, rows[v.top:]...)
}
