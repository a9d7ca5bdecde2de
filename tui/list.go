package tui

import tea "github.com/charmbracelet/bubbletea"

// scroll moves a position of n places the way keys do; page is how many places a page has.
func scroll(at, n, page int, k tea.KeyMsg) (int, bool) {
	page = max(1, page)
	switch k.String() {
	case "j", "down", "ctrl+n":
		at++
	case "k", "up", "ctrl+p":
		at--
	case "g", "home":
		at = 0
	case "G", "end":
		at = n - 1
	case "pgdown", "ctrl+f", " ":
		at += page
	case "pgup", "ctrl+b":
		at -= page
	case "ctrl+d":
		at += page/2 + 1
	case "ctrl+u":
		at -= page/2 + 1
	default:
		return at, false
	}
	return max(0, min(at, n-1)), true
}

// page is a view of text that only scrolls.
type page struct {
	top    int
	height int // as last drawn
	rows   int
}

func (p *page) key(k tea.KeyMsg) bool {
	n := max(1, p.rows-p.height+1)
	at, ok := scroll(p.top, n, p.height, k)
	p.top = at
	return ok
}

// show returns the rows that fit.
func (p *page) show(rows []string, h int) []string {
	p.rows, p.height = len(rows), h
	p.top = max(0, min(p.top, len(rows)-h))
	return rows[p.top:min(len(rows), p.top+h)]
}
