package tui

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/tui/cells"
	"github.com/oomdoc/oomdoc/tui/feed"
)

// liveHeader stands above the diagnosis while a log is followed.
type liveHeader struct {
	now   *feed.Live
	rate  float64 // bytes per second
	bytes int64   // at the time of since
	since time.Time

	full bool // it was said that the oldest lines are not kept

	paused    bool
	diagnosed *feed.Diagnosed // the latest that came meanwhile
	latest    *feed.Live
}

// hold keeps what changes the screen while it is paused.
func (h *liveHeader) hold(msg tea.Msg) bool {
	if !h.paused {
		return false
	}
	switch msg := msg.(type) {
	case feed.Diagnosed:
		h.diagnosed = &msg
	case feed.Live:
		h.latest = &msg
	default:
		return false
	}
	return true
}

// rateSpan is the time over which the rate of the log is taken.
const rateSpan = 2 * time.Second

// take notes a newer state. lost is how much of a log's beginning is not kept any more, the first time that
// something is not, bytes.
func (h *liveHeader) take(l feed.Live, logs []*logstore.Log) (lost int64) {
	if h.now == nil {
		h.bytes, h.since = l.Bytes, l.At
	}
	if d := l.At.Sub(h.since); d >= rateSpan {
		h.rate = float64(l.Bytes-h.bytes) / d.Seconds()
		h.bytes, h.since = l.Bytes, l.At
	}
	h.now = &l
	for _, log := range logs {
		if first := log.First(); first > 0 && !h.full {
			h.full, lost = true, first
		}
	}
	return lost
}

// spacious is from how many rows on the header says all it knows.
const spacious = 40

// draw returns at most so many rows: what runs and since when, its memory unless an incident accounts for it below,
// how it started or how it serves.
func (h *liveHeader) draw(k *look, w, height, screen int, accounted bool) []string {
	if h.now == nil || height < 2 {
		return nil
	}
	l := h.now
	rows := []string{h.title(k, w)}
	if !accounted || screen >= spacious {
		rows = append(rows, k.ledgerRows(l.Ledgers, w, 2+min(1, screen/30))...)
	}
	serves := l.Ready && len(l.Usage) > 0
	if serves {
		rows = append(rows, h.serving(k, w)...)
	}
	if len(l.Stages) > 0 && (!serves || screen >= spacious) {
		rows = append(rows, h.starting(k, w)...)
	}
	rows = rows[:min(len(rows), height-1)]
	return append(rows, k.theme.dim.Render(strings.Repeat("─", w)))
}

// title says what runs and for how long, and how fast the log grows.
func (h *liveHeader) title(k *look, w int) string {
	l := h.now
	var what []string
	for _, s := range []string{l.Model, strings.TrimSpace(l.Engine + " " + l.Version)} {
		if s != "" {
			what = append(what, cells.Printable(s))
		}
	}
	if what == nil {
		what = []string{k.word("liveIdle")}
	} else if !l.Since.IsZero() {
		up := "liveUp"
		if !l.Ready && l.Engine != "" && l.Engine != "pytorch" {
			up = "liveStarts"
		}
		what = append(what, fmt.Sprintf(k.word(up), took(l.At.Sub(l.Since))))
	}
	right := fmt.Sprintf("%s  %s  %s/s", cells.Printable(filepath.Base(l.Source)), size(float64(l.Bytes)), size(h.rate))
	if l.Source == "" {
		right = ""
	}
	if h.paused {
		right = strings.TrimSpace(k.theme.warn.Render(k.word("livePause")) + "  " + k.theme.dim.Render(right))
	} else {
		right = k.theme.dim.Render(right)
	}
	return cells.Ends(k.theme.bold.Render(strings.Join(what, " · ")), right, w)
}

// took prints how long something took: 45s, 2m05s, 3h04m, 2d03h.
func took(d time.Duration) string {
	s := max(0, int(d.Seconds()))
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s < 86400:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dd%02dh", s/86400, s/3600%24)
}

// size prints bytes.
func size(v float64) string {
	if v < 1 {
		return "0 B"
	}
	return memory.Format(v)
}

// serving draws the statistics as sparklines, in two columns.
func (h *liveHeader) serving(k *look, w int) []string {
	l := h.now
	n := max(8, min(40, w/2-26))
	row := func(name string, values []float64, top float64, figure string) string {
		return cells.Fill(k.word(name), 10) + " " + cells.Fill(live.Sparkline(values, n, top), n) + " " + figure
	}
	last := func(v []float64) float64 { return v[len(v)-1] }
	usage := fmt.Sprintf("%.1f%%", last(l.Usage))
	if last(l.Usage) >= 95 {
		usage = k.theme.warn.Render(usage)
	}
	preempted := ""
	if slices.Max(l.Preempted) > 0 { // most engines do not say
		preempted = row("livePreempt", l.Preempted, 0, k.theme.warn.Render(live.Short(last(l.Preempted))))
	}
	pair := func(a, b string) string { return cells.Cut(cells.Fill(a, w/2)+b, w) }
	return []string{
		pair(row("liveKV", l.Usage, 100, usage), row("livePrompt", l.Prompt, 0, live.Short(last(l.Prompt))+"/s")),
		pair(row("liveRun", l.Running, 0, live.Short(last(l.Running))), row("liveGen", l.Generation, 0, live.Short(last(l.Generation))+"/s")),
		pair(row("liveWait", l.Waiting, 0, live.Short(last(l.Waiting))), preempted),
	}
}

// starting draws the start as a line of phases, with the time and the memory that each took.
func (h *liveHeader) starting(k *look, w int) []string {
	l := h.now
	var parts []string
	for i, s := range l.Stages {
		part := cells.Printable(s.Phase)
		if name, ok := stages[s.Phase]; ok {
			part = name.In(k.lang)
		}
		latest := i == len(l.Stages)-1
		begun := time.Duration(s.Begun * float64(time.Second))
		switch {
		case !s.Timed || l.Since.IsZero() && latest:
		case latest && l.Ready: // all of it
			part += " " + took(begun)
		case latest:
			part += " " + took(l.At.Sub(l.Since)-begun)
		default:
			part += " " + took(time.Duration(s.Seconds*float64(time.Second)))
		}
		if s.Memory > 0 {
			part += " " + memory.Format(s.Memory)
		}
		if latest && !l.Ready {
			part = k.theme.accent.Render(part + " …")
		}
		parts = append(parts, part)
	}
	return cells.Wrap(strings.Join(parts, " ▸ "), w, 2)
}
