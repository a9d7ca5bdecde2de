package tui

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/report"
)

// printable makes text of a log fit for a cell grid: what report.Printable leaves, less the marks on
// whose width terminals differ.
func printable(s string) string {
	s = report.Printable(s)
	for _, r := range s {
		if r >= 0x300 {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Me, r) {
					return -1
				}
				return r
			}, s)
		}
	}
	return s
}

// cells is the width of a text on the screen.
func cells(s string) int { return ansi.StringWidth(s) }

// cut shortens a text to w cells.
func cut(s string, w int) string {
	if cells(s) <= w {
		return s
	}
	return ansi.Truncate(s, max(0, w), "…")
}

// fill brings a text to exactly w cells.
func fill(s string, w int) string {
	s = cut(s, w)
	return s + strings.Repeat(" ", max(0, w-cells(s)))
}

// ends puts one text at the left and one at the right of w cells; the left one gives way.
func ends(left, right string, w int) string {
	room := w - cells(right) - 1
	if room < 8 || right == "" {
		return cut(left, w)
	}
	return fill(left, room) + " " + right
}

// wrap breaks a text into rows of w cells, at most n of them; the last one tells that it was cut.
func wrap(s string, w, n int) []string {
	if w <= 0 || n <= 0 || s == "" {
		return nil
	}
	rows := strings.Split(ansi.Wrap(s, w, ""), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	if len(rows) > n {
		rows = rows[:n]
		rows[n-1] = cut(rows[n-1]+" …", w)
		if cells(rows[n-1]) >= w {
			rows[n-1] = ansi.Truncate(rows[n-1], w-1, "") + "…"
		}
	}
	return rows
}

// chop breaks a text into rows of w cells wherever they end, as a terminal does.
func chop(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	return strings.Split(ansi.Hardwrap(s, w, true), "\n")
}

// shift drops the first n cells.
func shift(s string, n int) string {
	if n <= 0 {
		return s
	}
	return ansi.TruncateLeft(s, n, "")
}

// clip holds rows to a box of w by h cells.
func clip(rows []string, w, h int) []string {
	if len(rows) > h {
		rows = rows[:max(0, h)]
	}
	for i := range rows {
		rows[i] = cut(rows[i], w)
	}
	return rows
}

// beside puts two columns next to each other, the left one lw cells wide, with a line between.
func beside(left, right []string, lw int, line string) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = fill(l, lw) + line + r
	}
	return out
}

// window returns the part of n rows to show in h so that rows from to to are seen, and moves as
// little as it can from where it was.
func window(top, from, to, n, h int) int {
	top = max(min(top, from), to-h)
	return max(0, min(top, n-h))
}
