package tui

import (
	"strings"

	"github.com/oomdoc/oomdoc/tui/cells"
)

// text lays out sections of words.
type text struct {
	*look
	w    int
	rows []string
}

func (t *text) add(rows ...string) { t.rows = append(t.rows, rows...) }

// section adds a heading and what stands under it, nothing where that is empty.
func (t *text) section(key, body string) {
	if strings.TrimSpace(body) == "" {
		return
	}
	t.add("", t.theme.heading.Render(t.word(key)))
	for _, par := range strings.Split(strings.TrimSpace(body), "\n") {
		for _, row := range cells.Wrap(cells.Printable(par), t.w-2, 200) {
			t.add("  " + row)
		}
	}
}

func (t *text) sources(lists ...[]string) {
	var all []string
	for _, l := range lists {
		all = append(all, l...)
	}
	if len(all) == 0 {
		return
	}
	t.add("", t.theme.heading.Render(t.word("sources")))
	for _, s := range all {
		for _, row := range cells.Chop(cells.Printable(s), t.w-2) {
			t.add("  " + t.theme.dim.Render(row))
		}
	}
}
