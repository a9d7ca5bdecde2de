package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// log draws the log around the line that justifies the item of the cursor.
func (v *diagnosisView) log(m *Model, f *rules.Finding, w, h int) []string {
	if h < 2 || w < 10 {
		return nil
	}
	pos := v.place(m)
	title := m.word("log")
	if v.reading {
		title = "▸ " + title
	}
	tape := m.tape(pos.Source)
	if tape == nil || tape.Size() == 0 {
		return append([]string{m.rule(title, m.word("noLog"), w)}, m.messages(f, w, h-1)...)
	}
	total := tape.Lines()
	where := fmt.Sprintf(m.word("line"), memory.Grouped(pos.Line), memory.Grouped(int(total)))
	if len(m.tapes) > 1 {
		where = printable(tape.Name) + " · " + where
	}
	center := max(1, min(int64(pos.Line+v.shift), total))
	v.shift = int(center) - pos.Line
	marks := grounds(f, pos.Source)
	room := h - 1
	tall := max(2, room*3/5) // rows that the line itself may take
	last := int64(lastLine(f, pos))
	span := 0 // rows of the whole message
	for n := int64(pos.Line); n <= last && span < tall; n++ {
		span += len(chopped(lineText(tape, n), w-gutter(total), tall))
	}
	before := max(0, (room-span)/2)
	if v.shift != 0 {
		before = room / 2
	}
	out := []string{m.rule(title, where, w)}
	first := max(1, center-int64(before))
	// Near the end of the log the lines before fill the pane.
	if end := total - int64(room) + int64(span); first > end {
		first = max(1, end)
	}
	n := first
	for _, l := range tape.Forward(tape.Offset(first), room) {
		text := logText(l.Text)
		rows := []string{text}
		k := marked(n, marks)
		if n >= int64(pos.Line) && n <= last {
			k = decisive
			rows = chopped(text, w-gutter(total), max(1, tall))
			tall -= len(rows)
		}
		out = append(out, m.logRows(rows, n, total, w, k)...)
		n++
	}
	return clip(out, w, h)
}

// lastLine is where the message that begins at a place ends: a terminal may have broken it.
func lastLine(f *rules.Finding, pos parser.Pos) int {
	for i := range f.Incident.Messages {
		if msg := &f.Incident.Messages[i]; msg.At == pos && msg.LastLine > pos.Line {
			return min(msg.LastLine, pos.Line+20)
		}
	}
	return pos.Line
}

// logRows are the rows of one line.
func (m *Model) logRows(rows []string, n, total int64, w int, k mark) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = m.logRow(r, n, total, w, k)
		n = 0
	}
	return out
}

// mark says what is special about a line of the log.
type mark int

const (
	noMark   mark = iota
	evidence      // the diagnosis stands on it, too
	found         // a search found it
	decisive      // the one that is shown
)

// logRow is one row of the log: its number, a mark, and its text; number 0 is the row of a line that
// goes on.
func (m *Model) logRow(text string, n, total int64, w int, k mark) string {
	wide := gutter(total) - 2
	lead := strings.Repeat(" ", wide)
	if n > 0 {
		lead = fmt.Sprintf("%*d", wide, n)
	}
	text = cut(text, w-wide-2)
	switch {
	case k == decisive && n > 0:
		return m.theme.decisive.Render(lead + "▶ " + text)
	case k == decisive:
		return m.theme.decisive.Render(lead + "  " + text)
	case k == evidence && n > 0:
		return m.theme.dim.Render(lead) + m.theme.warn.Render("• ") + text
	case k == found && n > 0:
		return m.theme.dim.Render(lead) + m.theme.accent.Render("▸ ") + text
	}
	return m.theme.dim.Render(lead+"  ") + text
}

// marked is the mark of a line by the lines of the evidence.
func marked(n int64, lines map[int64]bool) mark {
	if lines[n] {
		return evidence
	}
	return noMark
}

// gutter is the width of line numbers up to n, and of the mark behind them.
func gutter(n int64) int { return max(3, len(strconv.FormatInt(n, 10))) + 2 }

// logText is a line of the log as it is shown.
func logText(s string) string {
	for len(s) > 0 && (s[len(s)-1] == '\n' || s[len(s)-1] == '\r') {
		s = s[:len(s)-1]
	}
	return printable(s)
}

func lineText(t *Tape, n int64) string {
	if lines := t.Forward(t.Offset(n), 1); len(lines) > 0 {
		return logText(lines[0].Text)
	}
	return ""
}

// chopped is a line over at most n rows.
func chopped(text string, w, n int) []string {
	rows := chop(text, w)
	if len(rows) > n {
		rows = rows[:n]
		rows[n-1] = ansi.Truncate(rows[n-1], w-1, "") + "…"
	}
	return rows
}

// grounds are the lines of a source that the diagnosis stands on.
func grounds(f *rules.Finding, source int) map[int64]bool {
	out := map[int64]bool{}
	for i := range f.Incident.Messages {
		msg := &f.Incident.Messages[i]
		if msg.At.Source == source && msg.Class != parser.ClassBenign {
			for n := msg.At.Line; n <= max(msg.At.Line, min(msg.LastLine, msg.At.Line+50)); n++ {
				out[int64(n)] = true
			}
		}
	}
	return out
}

// messages are the lines that were found, where the log itself is not kept.
func (m *Model) messages(f *rules.Finding, w, h int) []string {
	var out []string
	for i := range f.Incident.Messages {
		msg := &f.Incident.Messages[i]
		if msg.Class == parser.ClassFact || msg.Class == parser.ClassBenign {
			continue
		}
		k := evidence
		if i == 0 {
			k = decisive
		}
		rows := chopped(printable(msg.Text), w-gutter(99999), 3)
		out = append(out, m.logRows(rows, int64(msg.At.Line), 99999, w, k)...)
	}
	return clip(out, w, h)
}

// tape is the log of a source, nil where it is not kept.
func (m *Model) tape(source int) *Tape {
	if source < 0 || source >= len(m.tapes) {
		return nil
	}
	return m.tapes[source]
}
