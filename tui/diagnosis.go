package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
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
func (v *diagnosisView) calm(m *Model) *logView {
	if m.live.now == nil || m.current() != nil || len(m.tapes) == 0 {
		v.tail = nil
	} else if v.tail == nil {
		v.tail = &logView{cursor: -1, end: true}
		for i, t := range m.tapes {
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

func (v *diagnosisView) changed(*Model) { *v = diagnosisView{} }

func (v *diagnosisView) receive(m *Model, msg tea.Msg) tea.Cmd {
	if c := v.calm(m); c != nil {
		if _, ok := msg.(tea.WindowSizeMsg); ok { // the height follows when it is drawn
			return nil
		}
		return c.receive(m, msg)
	}
	if _, ok := msg.(Diagnosed); ok {
		v.at = max(0, min(v.at, len(items(m.current()))-1))
	}
	return nil
}

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

// selected is the item the cursor is on.
func (v *diagnosisView) selected(m *Model) (item, bool) {
	list := items(m.current())
	if v.at >= len(list) {
		return item{}, false
	}
	return list[v.at], true
}

func (v *diagnosisView) key(m *Model, k tea.KeyMsg) tea.Cmd {
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
			m.openLog()
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

func (v *diagnosisView) hints(m *Model) []hint {
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

func (v *diagnosisView) draw(m *Model, w, h int) []string {
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
		return append(out, beside(left, right, lw, m.theme.dim.Render("│")+" ")...)
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
func (v *diagnosisView) empty(m *Model, w int) []string {
	if m.diagnosis == nil || !m.final {
		return []string{"", m.theme.dim.Render(m.word("reading") + " …")}
	}
	lines := 0
	for _, s := range m.diagnosis.Log.Sources {
		lines += s.Lines
	}
	out := []string{"", m.theme.good.Render("✓ "+m.word("nothing")) + " · " + memory.Grouped(lines) + " " + m.word("lines"), ""}
	return append(out, wrap(m.word("healthy"), min(w, 100), 6)...)
}

// verdict is the answer in a sentence, and under it the cause, how sure it is, and whose it is.
func (m *Model) verdict(f *rules.Finding, w, h int) []string {
	style, mark := m.theme.bad, "✗ "
	switch {
	case f.Incident.Over:
		style, mark = m.theme.good, "✓ "
	case f.Degraded():
		style, mark = m.theme.warn, "! "
	}
	var out []string
	for i, row := range wrap(printable(report.Headline(f, m.opts.Lang)), w-2, 2+h/30) {
		lead := "  "
		if i == 0 {
			lead = mark
		}
		out = append(out, style.Render(lead+row))
	}
	out = append(out, "  "+m.theme.dim.Render(cut(m.about(f), w-2)))
	if room := h / 12; room > 2 {
		for _, row := range wrap(printable(report.Explanation(f, m.opts.Lang)), min(w-2, 110), room) {
			out = append(out, "  "+row)
		}
	}
	return out
}

func (m *Model) about(f *rules.Finding) string {
	inc := f.Incident
	id := report.UnknownID
	var parts []string
	if f.Cause != nil {
		id = f.Cause.ID
		parts = append(parts, report.Certainty(f.Confidence, m.opts.Lang))
	}
	if inc.Engine != "" {
		parts = append(parts, strings.TrimSpace(inc.Engine+" "+inc.Before.Text("engine_version")))
	}
	switch {
	case f.Incident.Over:
		parts = append(parts, m.word("over"))
	case f.Degraded():
		parts = append(parts, m.word("degraded"))
	}
	if n := len(inc.Origins); n == 1 {
		parts = append(parts, inc.Origins[0])
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf(m.word("ranks"), n))
	}
	if inc.Repeats > 1 {
		parts = append(parts, fmt.Sprintf(m.word("runs"), inc.Repeats))
	}
	if inc.Time != "" {
		parts = append(parts, inc.Time)
	}
	return printable(strings.Join(append([]string{id}, parts...), " · "))
}

// rule is a heading with a line to the end of the row.
func (m *Model) rule(title, right string, w int) string {
	title = m.theme.heading.Render(title) + " "
	if right != "" {
		right = " " + right
	}
	n := w - cells(title) - cells(right)
	if n < 2 {
		return cut(title, w)
	}
	return title + m.theme.dim.Render(strings.Repeat("─", n)+right)
}

// list draws remedies and dead ends in a box; the one with the cursor says more.
func (v *diagnosisView) list(m *Model, f *rules.Finding, w, h int) []string {
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
			for _, r := range wrap(m.itemNote(f, it), w-5, min(2+h/12, h-3)) {
				rows = append(rows, "     "+m.theme.dim.Render(r))
			}
			to = len(rows)
		}
	}
	if next := report.Next(f, m.opts.Lang); next != "" && (f.Cause == nil || len(f.Remedies) == 0) {
		rows = append(rows, m.rule(m.word("next"), "", w))
		for _, r := range wrap(printable(next), w-2, 8) {
			rows = append(rows, "  "+r)
		}
	}
	if v.at == 0 {
		from = 0 // the heading too
	}
	v.top = window(v.top, from, to, len(rows), h)
	shown := rows[v.top:min(len(rows), v.top+h)]
	if hidden := len(rows) - v.top - len(shown); hidden > 0 {
		last := shown[len(shown)-1]
		note := m.theme.dim.Render("↓" + fmt.Sprint(hidden))
		shown = append(append([]string{}, shown[:len(shown)-1]...), ends(last, note, w))
	}
	return shown
}

// itemRow is a remedy or a dead end in one row.
func (m *Model) itemRow(f *rules.Finding, it item, i int, selected bool, w int) string {
	mark := "  "
	if selected {
		mark = m.theme.accent.Render("▸ ")
	}
	lang := m.opts.Lang
	if it.dead != nil {
		text := it.dead.Title.In(lang)
		if !selected {
			text += ": " + printable(f.Fill(it.dead.Why.In(lang), lang))
		}
		style := m.theme.dim
		if selected {
			style = m.theme.bold
		}
		return mark + m.theme.bad.Render("x") + "  " + style.Render(cut(text, w-5))
	}
	r := it.remedy
	head, title, style := oneLine(r), r.Title.In(lang), m.theme.good
	if selected {
		style = style.Bold(true)
	}
	if head == "" {
		head, title = title, ""
	}
	left := mark + fill(fmt.Sprint(i+1), 2) + " " + style.Render(head)
	right := m.verdictWord(r.Verdict.Kind)
	if !selected && cells(left)+cells(title)+cells(right)+4 <= w {
		left += "  " + m.theme.dim.Render(title)
	}
	return ends(left, right, w)
}

// oneLine is how a remedy is written for the entry point of the log, where that fits a row and leaves nothing to fill in; else "".
func oneLine(r *rules.Remedy) string {
	if len(r.Apply) == 0 || r.Apply[0].Open || strings.Contains(strings.TrimSpace(r.Apply[0].Text), "\n") {
		return ""
	}
	return printable(strings.TrimSpace(r.Apply[0].Text))
}

// verdictWord says in a symbol and a word whether a remedy is enough; nothing where that is not known.
func (m *Model) verdictWord(k memory.Kind) string {
	switch k {
	case memory.Fits:
		return m.theme.good.Render("✓ " + m.word("fits"))
	case memory.Borderline:
		return m.theme.warn.Render("~ " + m.word("borderline"))
	case memory.Short:
		return m.theme.bad.Render("✗ " + m.word("short"))
	}
	return ""
}

// itemNote is what the row of the cursor says beyond the others.
func (m *Model) itemNote(f *rules.Finding, it item) string {
	lang := m.opts.Lang
	if it.dead != nil {
		return printable(f.Fill(it.dead.Why.In(lang), lang))
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
	return printable(strings.Join(out, " · "))
}

// place is the line of the log that the view shows: what justifies the item of the cursor.
func (v *diagnosisView) place(m *Model) parser.Pos {
	f := m.current()
	if it, ok := v.selected(m); ok && v.moved {
		return justified(f, it)
	}
	return f.Incident.First
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
