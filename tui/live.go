package tui

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/memory"
)

// Live is the state of a server whose log is still being written.
type Live struct {
	live.Stats
	At    time.Time
	Bytes int64 // read so far
}

// liveHeader stands above the diagnosis while a log is followed.
type liveHeader struct {
	now   *Live
	rate  float64 // bytes per second
	bytes int64   // at the time of since
	since time.Time

	paused    bool
	diagnosed *Diagnosed // the latest that came meanwhile
	latest    *Live
}

// hold keeps what changes the screen while it is paused.
func (h *liveHeader) hold(msg tea.Msg) bool {
	if !h.paused {
		return false
	}
	switch msg := msg.(type) {
	case Diagnosed:
		h.diagnosed = &msg
	case Live:
		h.latest = &msg
	default:
		return false
	}
	return true
}

// pause stops the screen, or shows what has happened meanwhile.
func (m *Model) pause() tea.Cmd {
	h := &m.live
	h.paused = !h.paused
	if h.paused {
		return nil
	}
	var cmds []tea.Cmd
	if h.diagnosed != nil {
		_, cmd := m.Update(*h.diagnosed)
		cmds = append(cmds, cmd)
	}
	if h.latest != nil {
		h.take(*h.latest)
	}
	h.diagnosed, h.latest = nil, nil
	return tea.Batch(cmds...)
}

// rateSpan is the time over which the rate of the log is taken.
const rateSpan = 2 * time.Second

func (h *liveHeader) take(l Live) {
	if h.now == nil {
		h.bytes, h.since = l.Bytes, l.At
	}
	if d := l.At.Sub(h.since); d >= rateSpan {
		h.rate = float64(l.Bytes-h.bytes) / d.Seconds()
		h.bytes, h.since = l.Bytes, l.At
	}
	h.now = &l
}

// draw returns at most h rows: what runs and since when, how it started or how it serves.
func (h *liveHeader) draw(m *Model, w, height int) []string {
	if h.now == nil || height < 2 {
		return nil
	}
	l := h.now
	var what []string
	for _, s := range []string{l.Model, strings.TrimSpace(l.Engine + " " + l.Version)} {
		if s != "" {
			what = append(what, printable(s))
		}
	}
	if what == nil {
		what = []string{m.word("liveIdle")}
	}
	right := fmt.Sprintf("%s  %s  %s/s", printable(filepath.Base(l.Source)), memory.Format(float64(l.Bytes)), memory.Format(h.rate))
	if h.paused {
		right = m.word("livePause") + "  " + right
	}
	rows := []string{ends(m.theme.bold.Render(strings.Join(what, " · ")), m.theme.dim.Render(right), w)}
	if l.Ready && len(l.Usage) > 0 {
		rows = append(rows, h.serving(m, w)...)
	} else if len(l.Stages) > 0 {
		rows = append(rows, h.starting(m, w)...)
	}
	rows = append(rows, m.theme.dim.Render(strings.Repeat("─", w)))
	return rows[:min(len(rows), height)]
}

// serving draws the statistics as sparklines.
func (h *liveHeader) serving(m *Model, w int) []string {
	l := h.now
	n := max(8, min(40, w/2-26))
	row := func(name string, values []float64, top float64, figure string) string {
		return fill(m.word(name), 10) + " " + fill(live.Sparkline(values, n, top), n) + " " + figure
	}
	last := func(v []float64) float64 { return v[len(v)-1] }
	usage := fmt.Sprintf("%.1f%%", last(l.Usage))
	if last(l.Usage) >= 95 {
		usage = m.theme.warn.Render(usage)
	}
	pair := func(a, b string) string { return cut(fill(a, w/2)+b, w) }
	rows := []string{
		pair(row("liveKV", l.Usage, 100, usage), row("livePrompt", l.Prompt, 0, live.Short(last(l.Prompt))+"/s")),
		pair(row("liveRun", l.Running, 0, live.Short(last(l.Running))), row("liveGen", l.Generation, 0, live.Short(last(l.Generation))+"/s")),
		pair(row("liveWait", l.Waiting, 0, live.Short(last(l.Waiting))), h.memory(m)),
	}
	return rows
}

// memory says where the run's memory went, as far as the start has told.
func (h *liveHeader) memory(m *Model) string {
	var parts []string
	for _, s := range h.now.Stages {
		if s.Memory > 0 {
			parts = append(parts, s.Phase+" "+memory.Format(s.Memory))
		}
	}
	return m.theme.dim.Render(strings.Join(parts, "  "))
}

// starting draws the start as a line of phases, with the time and the memory that each took.
func (h *liveHeader) starting(m *Model, w int) []string {
	var parts []string
	for i, s := range h.now.Stages {
		part := s.Phase
		if s.Timed {
			part += " " + time.Duration(s.Seconds*float64(time.Second)).String()
		}
		if s.Memory > 0 {
			part += " " + memory.Format(s.Memory)
		}
		if i == len(h.now.Stages)-1 {
			part = m.theme.accent.Render(part)
		}
		parts = append(parts, part)
	}
	return wrap(strings.Join(parts, " ▸ "), w, 2)
}
