package tui

import (
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
	"github.com/oomdoc/oomdoc/tui/feed"
)

// diagnosisView is the answer: the verdict, where the memory went, what to do and what not, and the log
// around the line that says so.
type diagnosisView struct {
	at      int  // the item the cursor is on
	moved   bool // the cursor has been; before, the log shows the decisive line
	top     int  // first row of the list that is shown
	reading bool // the cursor is in the log, not in the list
	shift   int  // how many lines the log is scrolled away from the line that justifies the item

	tail *logView // of a log that is followed, while there is nothing to diagnose
}

// calm is the end of a log that is followed, which is shown while there is nothing to diagnose; else nil.
func (v *diagnosisView) calm(m *common) *logView {
	if m.live.now == nil || m.current() != nil || len(m.logs) == 0 {
		v.tail = nil
	} else if v.tail == nil {
		v.tail = &logView{cursor: -1, end: true}
		for i, t := range m.logs {
			if t.Name == m.live.now.Source {
				v.tail.source = i
			}
		}
	}
	return v.tail
}

func (v *diagnosisView) typing() bool { return v.tail != nil && v.tail.typing() }

// steered reports whether somebody looks at something of their choice.
func (v *diagnosisView) steered() bool { return v.moved || v.reading }

func (v *diagnosisView) changed(*common) { *v = diagnosisView{} }

func (v *diagnosisView) receive(m *common, msg tea.Msg) tea.Cmd {
	if c := v.calm(m); c != nil {
		if _, ok := msg.(tea.WindowSizeMsg); ok { // the height follows when it is drawn
			return nil
		}
		return c.receive(m, msg)
	}
	if _, ok := msg.(feed.Diagnosed); ok {
		v.at = max(0, min(v.at, len(items(m.current()))-1))
	}
	return nil
}

// selected is the item the cursor is on.
func (v *diagnosisView) selected(m *common) (item, bool) {
	list := items(m.current())
	if v.at >= len(list) {
		return item{}, false
	}
	return list[v.at], true
}

func (v *diagnosisView) key(m *common, k tea.KeyMsg) tea.Cmd {
	if c := v.calm(m); c != nil {
		return c.key(m, k)
	}
	list := items(m.current())
	switch s := k.String(); s {
	case "tab", "shift+tab":
		v.reading, v.shift = !v.reading, 0
		return nil
	case "enter":
		if v.reading {
			openLog(m, v.shown(m))
		} else if it, ok := v.selected(m); ok {
			m.push(&remedyView{item: it, finding: m.current()})
		}
		return nil
	case "y":
		it, _ := v.selected(m)
		return m.copy(it.text())
	case "1", "2", "3", "4", "5", "6", "7", "8", "9":
		if f := m.current(); f != nil && int(s[0]-'1') < len(f.Remedies) {
			v.at, v.shift, v.reading, v.moved = int(s[0]-'1'), 0, false, true
		}
		return nil
	}
	if v.reading {
		// The pane has no end of its own: it is the log.
		if n, ok := scroll(1<<20, 1<<21, 8, k); ok && n > 0 && n < 1<<21-1 {
			v.shift += n - 1<<20
		}
		return nil
	}
	at, ok := scroll(v.at, len(list), 5, k)
	if ok {
		v.shift, v.moved = 0, true
	}
	v.at = max(0, at)
	return nil
}

func (v *diagnosisView) hints(m *common) []hint {
	if c := v.calm(m); c != nil {
		return append([]hint{{"q", "quit"}}, c.hints(m)[1:]...)
	}
	if m.current() == nil {
		return []hint{{"l", "log"}, {"w", "whatif"}, {"x", "explain"}, {"q", "quit"}}
	}
	if v.reading {
		return []hint{{"j/k", "scroll"}, {"Enter", "log"}, {"Tab", "pane"}, {"q", "quit"}}
	}
	out := []hint{{"j/k", "move"}, {"Enter", "open"}, {"y", "copy"}, {"d", "details"}, {"w", "whatif"}, {"l", "log"}}
	if m.diagnosis != nil && len(m.diagnosis.Findings) > 1 {
		out = append(out, hint{"e", "next"})
	}
	return append(out, hint{"q", "quit"}, hint{"Tab", "pane"}, hint{"x", "explain"}, hint{"s", "save"})
}

func (v *diagnosisView) draw(m *common, w, h int) []string {
	if c := v.calm(m); c != nil {
		return c.draw(m, w, h)
	}
	out := []string{m.header(m.name(), w)}
	f := m.current()
	if f == nil {
		return append(out, v.empty(m, w)...)
	}
	out = append(out, m.verdict(f, w, h)...)
	if rest := h - len(out); rest >= 14 {
		rows := m.ledgerRows(f.Ledgers, w, min(rest-11, 3+h/12))
		out = append(out, rows...)
	}
	rest := h - len(out)
	if w >= 110 {
		lw := min(w*45/100, 84)
		left := v.list(m, f, lw-1, rest)
		right := v.log(m, f, w-lw-2, rest)
		return append(out, cells.Beside(left, right, lw, m.theme.dim.Render("│")+" ")...)
	}
	log := 0
	if rest >= 9 {
		log = max(5, rest*2/5)
	}
	list := v.list(m, f, w, rest-log)
	out = append(out, list...)
	return append(out, v.log(m, f, w, h-len(out))...)
}

// empty is what stands where nothing was found, or not yet.
func (v *diagnosisView) empty(m *common, w int) []string {
	if m.diagnosis == nil || !m.final {
		return []string{"", m.theme.dim.Render(m.word("reading") + " …")}
	}
	lines := 0
	for _, s := range m.diagnosis.Log.Sources {
		lines += s.Lines
	}
	out := []string{"", m.theme.good.Render("✓ "+m.word("nothing")) + " · " + memory.Grouped(lines) + " " + m.word("lines"), ""}
	return append(out, cells.Wrap(m.word("healthy"), min(w, 100), 6)...)
}

// list draws remedies and dead ends in a box; the one with the cursor says more.
func (v *diagnosisView) list(m *common, f *rules.Finding, w, h int) []string {
	if h < 2 {
		return nil
	}
	var rows []string
	from, to := 0, 0
	for i, it := range items(f) {
		if it.remedy != nil && i == 0 {
			rows = append(rows, m.rule(m.word("do"), "", w))
		}
		if it.dead != nil && i == len(f.Remedies) {
			rows = append(rows, m.rule(m.word("dont"), "", w))
		}
		selected := i == v.at
		if selected {
			from = len(rows)
		}
		rows = append(rows, m.itemRow(f, it, i, selected, w))
		if selected {
			for _, r := range cells.Wrap(m.itemNote(f, it), w-5, min(2+h/12, h-3)) {
				rows = append(rows, "     "+m.theme.dim.Render(r))
			}
			to = len(rows)
		}
	}
	if next := report.Next(f, m.lang); next != "" && (f.Cause == nil || len(f.Remedies) == 0) {
		rows = append(rows, m.rule(m.word("next"), "", w))
		for _, r := range cells.Wrap(cells.Printable(next), w-2, 8) {
			rows = append(rows, "  "+r)
		}
	}
	if v.at == 0 {
		from = 0 // the heading too
	}
	v.top = cells.Window(v.top, from, to, len(rows), h)
	shown := rows[v.top:min(len(rows), v.top+h)]
	if hidden := len(rows) - v.top - len(shown); hidden > 0 {
		last := shown[len(shown)-1]
		note := m.theme.dim.Render("↓" + fmt.Sprint(hidden))
		shown = append(append([]string{}, shown[:len(shown)-1]...), cells.Ends(last, note, w))
	}
	return shown
}

// place is the line of the log that the view shows: what justifies the item of the cursor.
func (v *diagnosisView) place(m *common) parser.Pos {
	f := m.current()
	if it, ok := v.selected(m); ok && v.moved {
		return justified(f, it)
	}
	return f.Incident.First
}

// shown is the same, nil where there is no incident.
func (v *diagnosisView) shown(m *common) *parser.Pos {
	if m.current() == nil {
		return nil
	}
	pos := v.place(m)
	return &pos
}
