package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/tui/cells"
	"github.com/oomdoc/oomdoc/tui/feed"
)

// logView shows a log by the offset of its first row's line, so that it costs the same at any size.
type logView struct {
	source int
	top    int64           // offset of the first line that is shown
	lines  []logstore.Line // the lines that are shown
	left   int             // cells the text is shifted
	wrap   bool
	height int   // rows of the log as last drawn
	end    bool  // the last lines are shown, whatever comes
	total  int64 // lines when they were loaded

	query, filter *logstore.Query
	asked         string // what the prompt is for: search, filter, or "" when it is closed
	prompt        textinput.Model
	hunt          hunt
	hunting       bool
	cursor        int64 // offset of the line that was found, or jumped to; -1 for none
}

// openLog shows the log around a line; where none is given from its beginning, or its end if it is followed.
func openLog(m *common, place *parser.Pos) {
	if len(m.logs) == 0 {
		return
	}
	v := &logView{cursor: -1, height: m.h - 2}
	if place != nil {
		v.jump(m, place.Source, int64(place.Line))
	} else {
		v.end = m.live.now != nil
		v.load(m)
	}
	m.open(v)
}

// changed goes to the incident that is now the current one.
func (v *logView) changed(m *common) {
	if f := m.current(); f != nil {
		v.jump(m, f.Incident.First.Source, int64(f.Incident.First.Line))
	}
}

// jump puts a line into the middle of the view.
func (v *logView) jump(m *common, source int, n int64) {
	v.source = source
	t := m.log(source)
	if t == nil {
		return
	}
	off := t.Offset(n)
	v.cursor, v.top, v.hunting, v.end = off, off, false, false
	if lines := t.Backward(off, v.height/3); len(lines) > 0 {
		v.top = lines[0].Off
	}
	if last := t.Backward(t.Size(), v.height); len(last) > 0 && v.top > last[0].Off {
		v.top = last[0].Off // the end of the log fills the view
	}
	v.load(m)
}

// load reads the lines that are shown. With a filter, they are looked for.
func (v *logView) load(m *common) tea.Cmd {
	t := m.log(v.source)
	if t == nil {
		return nil
	}
	v.total = t.Lines()
	if v.end {
		return v.last(m, t)
	}
	v.top = max(v.top, t.First())
	if v.filter == nil {
		v.lines = t.Forward(v.top, v.height)
		return nil
	}
	v.lines = nil
	return v.start(m, hunt{Search: logstore.Search{At: v.top, Query: v.filter, Want: v.height}})
}

// last loads the last lines.
func (v *logView) last(m *common, t *logstore.Log) tea.Cmd {
	if v.filter != nil {
		if v.hunt.Back && v.hunt.Query == v.filter && (v.hunting || v.hunt.Size == t.Size()) {
			return nil // they are found, or about to be
		}
		return v.start(m, hunt{Search: logstore.Search{At: t.Size(), Query: v.filter, Want: v.height, Back: true}})
	}
	if v.lines = t.Backward(t.Size(), v.height); len(v.lines) > 0 {
		v.top = v.lines[0].Off
	}
	return nil
}

func (v *logView) receive(m *common, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		v.height = m.h - 2
		return v.load(m)
	case feed.Opened, feed.Progress, feed.Diagnosed, feed.Live:
		if t := m.log(v.source); t != nil {
			v.total = t.Lines()
		}
		if v.end || v.filter == nil && len(v.lines) < v.height {
			return v.load(m)
		}
	case huntMsg:
		return v.take(m, msg.hunt)
	}
	return nil
}

func (v *logView) typing() bool { return v.asked != "" }

func (v *logView) key(m *common, k tea.KeyMsg) tea.Cmd {
	if v.asked != "" {
		return v.ask(m, k)
	}
	t := m.log(v.source)
	if t == nil {
		return nil
	}
	switch k.String() {
	case "/", "&":
		v.open(m, map[string]string{"/": "search", "&": "filter"}[k.String()])
		return nil
	case "n", "N":
		return v.again(m, k.String() == "N")
	case "W":
		v.wrap, v.left = !v.wrap, 0
	case "left", "h":
		v.left = max(0, v.left-16)
	case "right":
		v.left += 16
	case "tab":
		v.source = (v.source + 1) % len(m.logs)
		v.top, v.cursor = 0, -1
		v.lines = nil
		return v.load(m)
	case "enter":
		m.pop()
	case "y":
		for _, l := range v.lines {
			if l.Off == v.cursor {
				return m.copy(logText(l.Text))
			}
		}
		return m.copy("")
	default:
		return v.scroll(m, t, k)
	}
	return nil
}

// scroll moves by lines.
func (v *logView) scroll(m *common, t *logstore.Log, k tea.KeyMsg) tea.Cmd {
	const middle = 1 << 20
	n, ok := scroll(middle, 2*middle, v.height-1, k)
	if !ok {
		return nil
	}
	by := n - middle
	following := v.end
	v.end = false
	switch n {
	case 0:
		v.top = 0
		return v.load(m)
	case 2*middle - 1:
		v.end = m.live.now != nil
		return v.last(m, t)
	}
	if following && by > 0 {
		v.end = true // there is nothing below
		return nil
	}
	if by > 0 {
		last := len(v.lines) - 1
		if last < 1 || by == 1 && last < v.height/2 {
			return nil
		}
		v.top = v.lines[min(by, last)].Off
		return v.load(m)
	}
	if v.filter != nil {
		return v.start(m, hunt{Search: logstore.Search{At: v.top, Query: v.filter, Want: -by, Back: true}})
	}
	if lines := t.Backward(v.top, -by); len(lines) > 0 {
		v.top = lines[0].Off
	}
	return v.load(m)
}

func (v *logView) hints(m *common) []hint {
	if v.asked != "" {
		return []hint{{"Enter", "keep"}, {"Esc", "back"}}
	}
	if m.live.now != nil {
		return []hint{{"q", "back"}, {"j/k", "scroll"}, {"End", "latest"}, {"Space", "pause"}, {"/", "search"}, {"n/N", "again"}, {"&", "filter"}, {"W", "wrap"}, {"y", "copy"}}
	}
	return []hint{{"q", "back"}, {"j/k", "scroll"}, {"/", "search"}, {"n/N", "again"}, {"&", "filter"}, {"W", "wrap"}, {"e/E", "incident"}, {"y", "copy"}}
}

func (v *logView) draw(m *common, w, h int) []string {
	t := m.log(v.source)
	if t == nil {
		return []string{m.header(m.name(), w)}
	}
	if v.height != h-1 && v.filter == nil {
		v.height = h - 1
		v.load(m)
	}
	out := []string{v.header(m, t, w)}
	total := max(v.total, 1)
	marks := map[int64]bool{}
	first := int64(-1)
	if f := m.current(); f != nil {
		marks = grounds(f, v.source)
		if f.Incident.First.Source == v.source {
			first = int64(f.Incident.First.Line)
		}
	}
	q := v.query
	if v.filter != nil {
		q = v.filter
	}
	n, end := int64(0), int64(-1)
	for _, l := range v.lines {
		if l.Off != end {
			n = t.Number(l.Off)
		}
		text := logText(l.Text)
		rows := []string{cells.Cut(cells.Shift(text, v.left), w-gutter(total))}
		if v.wrap {
			rows = chopped(text, w-gutter(total), h)
		}
		k := marked(n, marks)
		switch {
		case n == first:
			k = decisive
		case l.Off == v.cursor:
			k = found
		}
		if k != decisive {
			for i := range rows {
				rows[i] = m.highlight(rows[i], q)
			}
		}
		out = append(out, m.logRows(rows, n, total, w, k)...)
		if end = l.End; l.Ends() {
			n++
		}
	}
	if over := len(out) - h; over > 0 && v.end {
		out = append(out[:1], out[1+over:]...)
	}
	return cells.Clip(out, w, h)
}

// header says which log this is, where in it, and what is looked for.
func (v *logView) header(m *common, t *logstore.Log, w int) string {
	if v.asked != "" {
		return cells.Cut(m.theme.accent.Render(m.word(v.asked))+" "+v.prompt.View(), w)
	}
	var right []string
	if v.hunting {
		done := int64(0)
		if size := t.Size(); size > 0 {
			done = 100 * v.hunt.At / size
		}
		right = append(right, m.theme.warn.Render(fmt.Sprintf(m.word("searching"), done)))
	}
	if v.filter != nil {
		right = append(right, m.theme.warn.Render("& "+cells.Cut(cells.Printable(v.filter.Source), 24)))
	} else if v.query != nil {
		right = append(right, "/ "+cells.Cut(cells.Printable(v.query.Source), 24))
	}
	if first := t.First(); first > 0 {
		right = append(right, m.theme.warn.Render(fmt.Sprintf(m.word("notKept"), memory.Format(float64(first)))))
	}
	if len(v.lines) > 0 {
		right = append(right, fmt.Sprintf(m.word("line"), memory.Grouped(int(t.Number(v.lines[0].Off))), memory.Grouped(int(v.total))))
	}
	return cells.Ends(m.theme.heading.Render("oomdoc")+" "+m.theme.bold.Render(cells.Printable(t.Name)), strings.Join(right, " · "), w)
}

// highlight marks what a query finds in a text.
func (k *look) highlight(text string, q *logstore.Query) string {
	spans := q.Spans(text)
	if len(spans) == 0 {
		return text
	}
	var b strings.Builder
	at := 0
	for _, p := range spans {
		if p[0] < at || p[1] > len(text) || p[0] == p[1] {
			continue
		}
		b.WriteString(text[at:p[0]])
		b.WriteString(k.theme.found.Render(text[p[0]:p[1]]))
		at = p[1]
	}
	b.WriteString(text[at:])
	return b.String()
}
