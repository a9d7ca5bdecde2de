package tui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// mark says what is special about a line of the log.
type mark int

const (
	noMark   mark = iota
	evidence      // the diagnosis stands on it, too
	found         // a search found it
	decisive      // the one that is shown
)

// logRows are the rows of one line.
func (k *look) logRows(rows []string, n, total int64, w int, special mark) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = k.logRow(r, n, total, w, special)
		n = 0
	}
	return out
}

// logRow is one row of the log: its number, a mark, and its text; number 0 is the row of a line that
// goes on.
func (k *look) logRow(text string, n, total int64, w int, special mark) string {
	wide := gutter(total) - 2
	lead := strings.Repeat(" ", wide)
	if n > 0 {
		lead = fmt.Sprintf("%*d", wide, n)
	}
	text = cells.Cut(text, w-wide-2)
	switch {
	case special == decisive && n > 0:
		return k.theme.decisive.Render(lead + "▶ " + text)
	case special == decisive:
		return k.theme.decisive.Render(lead + "  " + text)
	case special == evidence && n > 0:
		return k.theme.dim.Render(lead) + k.theme.warn.Render("• ") + text
	case special == found && n > 0:
		return k.theme.dim.Render(lead) + k.theme.accent.Render("▸ ") + text
	}
	return k.theme.dim.Render(lead+"  ") + text
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
	return cells.Printable(s)
}

func lineText(t *logstore.Log, n int64) string {
	if lines := t.Forward(t.Offset(n), 1); len(lines) > 0 {
		return logText(lines[0].Text)
	}
	return ""
}

// chopped is a line over at most n rows.
func chopped(text string, w, n int) []string {
	rows := cells.Chop(text, w)
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

// lastLine is where the message that begins at a place ends: a terminal may have broken it.
func lastLine(f *rules.Finding, pos parser.Pos) int {
	for i := range f.Incident.Messages {
		if msg := &f.Incident.Messages[i]; msg.At == pos && msg.LastLine > pos.Line {
			return min(msg.LastLine, pos.Line+20)
		}
	}
	return pos.Line
}
