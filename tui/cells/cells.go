// Package cells lays text out on a grid of cells, as a terminal shows it: how wide it is, cut, filled, wrapped,
// put side by side. Styles in a text take no cells.
package cells

import (
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/report"
)

// Printable makes text of a log fit for a cell grid: what report.Printable leaves, less the marks on
// whose width terminals differ.
func Printable(s string) string {
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

// Width is the width of a text on the screen.
func Width(s string) int { return ansi.StringWidth(s) }

// Cut shortens a text to w cells.
func Cut(s string, w int) string {
	if Width(s) <= w {
		return s
	}
	return ansi.Truncate(s, max(0, w), "…")
}

// Fill brings a text to exactly w cells.
func Fill(s string, w int) string {
	s = Cut(s, w)
	return s + strings.Repeat(" ", max(0, w-Width(s)))
}

// Ends puts one text at the left and one at the right of w cells; the left one gives way.
func Ends(left, right string, w int) string {
	room := w - Width(right) - 1
	if room < 8 || right == "" {
		return Cut(left, w)
	}
	return Fill(left, room) + " " + right
}

// Wrap breaks a text into rows of w cells, at most n of them; the last one tells that it was cut.
func Wrap(s string, w, n int) []string {
	if w <= 0 || n <= 0 || s == "" {
		return nil
	}
	rows := strings.Split(ansi.Wrap(s, w, ""), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	if len(rows) > n {
		rows = rows[:n]
		rows[n-1] = Cut(rows[n-1]+" …", w)
		if Width(rows[n-1]) >= w {
			rows[n-1] = ansi.Truncate(rows[n-1], w-1, "") + "…"
		}
	}
	return rows
}

// Chop breaks a text into rows of w cells wherever they end, as a terminal does.
func Chop(s string, w int) []string {
	if w <= 0 {
		return nil
	}
	return strings.Split(ansi.Hardwrap(s, w, true), "\n")
}

// Shift drops the first n cells.
func Shift(s string, n int) string {
	if n <= 0 {
		return s
	}
	return ansi.TruncateLeft(s, n, "")
}

// Clip holds rows to a box of w by h cells.
func Clip(rows []string, w, h int) []string {
	if len(rows) > h {
		rows = rows[:max(0, h)]
	}
	for i := range rows {
		rows[i] = Cut(rows[i], w)
	}
	return rows
}

// Beside puts two columns next to each other, the left one lw cells wide, with a line between.
func Beside(left, right []string, lw int, line string) []string {
	out := make([]string, max(len(left), len(right)))
	for i := range out {
		var l, r string
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out[i] = Fill(l, lw) + line + r
	}
	return out
}

// Window returns the part of n rows to show in h so that rows from to to are seen, and moves as
// little as it can from where it was.
func Window(top, from, to, n, h int) int {
	top = max(min(top, from), to-h)
	return max(0, min(top, n-h))
}
