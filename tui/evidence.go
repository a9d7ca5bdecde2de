package tui

import (
	"fmt"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// log draws the log around the line that justifies the item of the cursor.
func (v *diagnosisView) log(m *common, f *rules.Finding, w, h int) []string {
	if h < 2 || w < 10 {
		return nil
	}
	pos := v.place(m)
	title := m.word("log")
	if v.reading {
		title = "▸ " + title
	}
	log := m.log(pos.Source)
	if log == nil || log.Size() == 0 {
		return append([]string{m.rule(title, m.word("noLog"), w)}, m.messages(f, w, h-1)...)
	}
	total := log.Lines()
	where := fmt.Sprintf(m.word("line"), memory.Grouped(pos.Line), memory.Grouped(int(total)))
	if len(m.logs) > 1 {
		where = cells.Printable(log.Name) + " · " + where
	}
	center := max(1, min(int64(pos.Line+v.shift), total))
	v.shift = int(center) - pos.Line
	marks := grounds(f, pos.Source)
	room := h - 1
	tall := max(2, room*3/5) // rows that the line itself may take
	last := int64(lastLine(f, pos))
	span := 0 // rows of the whole message
	for n := int64(pos.Line); n <= last && span < tall; n++ {
		span += len(chopped(lineText(log, n), w-gutter(total), tall))
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
	for _, l := range log.Forward(log.Offset(first), room) {
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
	return cells.Clip(out, w, h)
}

// messages are the lines that were found, where the log itself is not kept.
func (k *look) messages(f *rules.Finding, w, h int) []string {
	var out []string
	for i := range f.Incident.Messages {
		msg := &f.Incident.Messages[i]
		if msg.Class == parser.ClassFact || msg.Class == parser.ClassBenign {
			continue
		}
		special := evidence
		if i == 0 {
			special = decisive
		}
		rows := chopped(cells.Printable(msg.Text), w-gutter(99999), 3)
		out = append(out, k.logRows(rows, int64(msg.At.Line), 99999, w, special)...)
	}
	return cells.Clip(out, w, h)
}
