package tui

import (
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/report"
)

// hunt is a search on its way through a log.
type hunt struct {
	logstore.Search
	again bool // it has gone around the end of the log already
	run   int  // the hunt's number; messages of an older one are dropped
}

// huntMsg says how far a hunt has come.
type huntMsg struct{ hunt }

// next does one step.
func (h hunt) next() tea.Msg {
	h.Search = h.Step()
	return huntMsg{h}
}

// start begins a hunt; an older one is forgotten. Its first step is taken at once: what is near is
// there when the next key comes.
func (v *logView) start(m *common, h hunt) tea.Cmd {
	h.Log, h.run = m.log(v.source), v.hunt.run+1
	h.Size = h.Log.Size()
	if h.Query == v.filter {
		h.Keep = v.kept(m, h.Log)
	}
	v.hunt, v.hunting = h, true
	return v.take(m, h.next().(huntMsg).hunt)
}

// kept are the lines that no filter takes away: those the diagnosis stands on.
func (v *logView) kept(m *common, t *logstore.Log) map[int64]bool {
	out := map[int64]bool{}
	if m.diagnosis == nil {
		return out
	}
	for _, f := range m.diagnosis.Findings[:min(len(m.diagnosis.Findings), 20)] {
		for n := range grounds(f, v.source) {
			out[t.Offset(n)] = true
		}
	}
	return out
}

// take works in what a hunt has found so far.
func (v *logView) take(m *common, h hunt) tea.Cmd {
	if !v.hunting || h.run != v.hunt.run {
		return nil
	}
	v.hunt = h
	v.hunting = !h.Done
	switch {
	case h.Query != v.filter: // a search
		if h.Done && len(h.Found) == 0 && !h.again {
			h.again, h.At = true, 0 // around the end
			if h.Back {
				h.At = h.Log.Size()
			}
			return v.start(m, hunt{Search: logstore.Search{At: h.At, Query: h.Query, Want: 1, Back: h.Back}, again: true})
		}
		if h.Done {
			v.arrive(m, h)
		}
	case !h.Back:
		v.lines = h.Found
	case h.Done && v.end:
		v.lines = slices.Clone(h.Found)
		slices.Reverse(v.lines)
		if len(v.lines) > 0 {
			v.top = v.lines[0].Off
		}
	case h.Done && len(h.Found) > 0:
		v.top = h.Found[len(h.Found)-1].Off
		return v.load(m)
	}
	if v.hunting {
		return h.next
	}
	return nil
}

// arrive shows the line that a search found.
func (v *logView) arrive(m *common, h hunt) {
	v.end = false
	if len(h.Found) == 0 {
		m.note = fmt.Sprintf(m.word("notFound"), h.Query.Source)
		return
	}
	t, l := h.Log, h.Found[0]
	v.cursor = l.Off
	for _, on := range v.lines {
		if on.Off == l.Off {
			return // it is on the screen already
		}
	}
	v.top = l.Off
	if before := t.Backward(l.Off, v.height/3); len(before) > 0 {
		v.top = before[0].Off
	}
	v.lines = t.Forward(v.top, v.height)
}

// open shows the prompt.
func (v *logView) open(m *common, what string) {
	v.asked = what
	v.prompt = m.input(map[string]string{"search": "/", "filter": "& "}[what])
	if what == "filter" && v.filter != nil {
		v.prompt.SetValue(v.filter.Source)
		v.prompt.CursorEnd()
	}
}

// ask takes a key for the prompt. A filter holds while it is typed.
func (v *logView) ask(m *common, k tea.KeyMsg) tea.Cmd {
	what := v.asked
	switch k.String() {
	case "esc":
		v.asked = ""
		if what == "filter" {
			v.filter = nil
			return v.load(m)
		}
		return nil
	case "enter":
		v.asked = ""
	default:
		v.prompt, _ = v.prompt.Update(k)
		if what != "filter" {
			return nil
		}
	}
	q, err := logstore.ParseQuery(v.prompt.Value(), report.Printable)
	if err != nil {
		if v.asked == "" {
			m.note = fmt.Sprintf(m.word("badPattern"), err)
		}
		return nil
	}
	if what == "filter" {
		v.filter = q
		return v.load(m)
	}
	v.query = q
	return v.again(m, false)
}

// again searches on from the line that was found last.
func (v *logView) again(m *common, back bool) tea.Cmd {
	if v.query == nil {
		return nil
	}
	at := v.top
	for _, l := range v.lines {
		if l.Off == v.cursor {
			if at = l.End; back {
				at = l.Off
			}
		}
	}
	return v.start(m, hunt{Search: logstore.Search{At: at, Query: v.query, Want: 1, Back: back}})
}
