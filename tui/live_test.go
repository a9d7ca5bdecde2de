package tui

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/tui/cells"
	"github.com/oomdoc/oomdoc/tui/feed"
)

func liveModel(w, h int) *Model {
	m := New(Options{Lang: "en"})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

func serving(at int, usage float64) feed.Live {
	gib := func(v float64) float64 { return v * (1 << 30) }
	return feed.Live{
		Stats: live.Stats{
			Source: "/var/log/server.log", Engine: "vllm", Version: "0.11.0", Model: "acme/doc-13b", Ready: true,
			Since: time.Unix(-7384, 0),
			Stages: []live.Stage{
				{Phase: "model_load", Seconds: 45, Timed: true, Memory: gib(24)}, {Phase: "kv_alloc", Begun: 45, Seconds: 61, Timed: true, Memory: gib(9.87)},
				{Phase: "serving", Begun: 106, Timed: true},
			},
			Ledgers: []memory.Ledger{{Total: gib(40), Budget: gib(36), Parts: []memory.Part{
				{Name: "weights", Bytes: gib(24)}, {Name: "activations", Bytes: gib(1.5)}, {Name: "kv_cache", Bytes: gib(9.87)},
				{Name: "cudagraph", Bytes: gib(0.6)}, {Name: "free", Bytes: gib(4.03)},
			}}},
			Usage: []float64{10, 50, usage}, Running: []float64{1, 20, 64}, Waiting: []float64{0, 0, 12},
			Prompt: []float64{0, 900, 1800}, Generation: []float64{0, 100, 640}, Preempted: []float64{0, 0, 0},
		},
		At: time.Unix(int64(at), 0), Bytes: int64(at) << 20,
	}
}

func TestLiveHeader(t *testing.T) {
	m := liveModel(100, 30)
	m.Update(feed.Live{At: time.Unix(0, 0)})
	wants(t, m, "waiting for an engine's first words")
	start := serving(1, 0)
	start.Ready, start.Usage, start.Ledgers = false, nil, nil
	start.Since, start.Stages = time.Unix(-60, 0), start.Stages[:2]
	m.Update(start)
	wants(t, m, "starting for 1m01s", "load 45s 24.00 GiB ▸ KV sizing 16s 9.87 GiB …")
	m.Update(serving(4, 97.5))
	wants(t, m, "acme/doc-13b · vllm 0.11.0 · up 2h03m", "server.log", "97.5%", "▁", "64", "12", "1.8k/s", "640/s", "1 MiB/s")
	wants(t, m, "GPU 0 █", "40.00 GiB", "weights 24.00 GiB", "KV cache 9.87 GiB", "CUDA graphs", "free 4.03 GiB")
	if s := plain(m); strings.Contains(s, "preempted") || strings.Contains(s, "▸") {
		t.Errorf("preemptions that nobody counts, or the start of a server that runs:\n%s", s)
	}
	pre := serving(5, 97.5)
	pre.Preempted = []float64{0, 2, 7}
	m.Update(pre)
	wants(t, m, "preempted  ▁▃█")
	m.Update(tea.WindowSizeMsg{Width: 160, Height: 50})
	wants(t, m, "load 45s 24.00 GiB ▸ KV sizing 1m01s 9.87 GiB ▸ ready 1m46s")
	for range 2 {
		pre.At = pre.At.Add(3 * time.Second)
		m.Update(pre)
	}
	wants(t, m, "0 B/s")
}

// growing is a followed log on a screen, and what writes lines to it.
func growing(t *testing.T, w, h int) (*Model, func(n int)) {
	m := liveModel(w, h)
	log := logstore.New("server.log", nil)
	t.Cleanup(func() { log.Close() })
	send(m, feed.Opened{Log: log})
	lines, at := 0, 0
	grow := func(n int) {
		for range n {
			lines++
			fmt.Fprintf(log, "INFO line <%d>\n", lines)
		}
		at++
		send(m, serving(at, 40))
	}
	grow(100)
	return m, grow
}

func lacks(t *testing.T, m *Model, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if strings.Contains(plain(m), s) {
			t.Errorf("the screen shows %q:\n%s", s, plain(m))
		}
	}
}

// While there is nothing to diagnose, the end of the log stands under the header; scrolling holds it, End
// lets it go on.
func TestLiveTail(t *testing.T) {
	for _, open := range [][]string{nil, {"l"}} { // under the header, and alone
		m, grow := growing(t, 80, 24)
		press(m, open...)
		wants(t, m, "<100>")
		grow(5)
		wants(t, m, "<105>")
		lacks(t, m, "<80>")
		press(m, "up")
		lacks(t, m, "<105>")
		wants(t, m, "<104>")
		grow(50)
		wants(t, m, "<104>")
		lacks(t, m, "<105>", "<155>")
		wants(t, m, " of 155")
		press(m, "pgup")
		grow(1)
		lacks(t, m, "<104>", "<156>")
		press(m, "end")
		wants(t, m, "<156>")
		grow(1)
		wants(t, m, "<157>")
		press(m, "down") // there is nothing below
		grow(1)
		wants(t, m, "<158>")
		press(m, "g")
		grow(1)
		wants(t, m, "<1>")
		press(m, "G")
		grow(1)
		wants(t, m, "<160>")

		press(m, "/", "<33>", "enter")
		grow(1)
		wants(t, m, "33▸")
		press(m, "end", "&", "3>", "enter")
		wants(t, m, "<153>")
		lacks(t, m, "<154>")
		grow(2)
		wants(t, m, "<163>")
		lacks(t, m, "<162>")
	}
}

// Space stops the log and the header; what came meanwhile is shown when it goes on.
func TestLivePauseHoldsTheLog(t *testing.T) {
	m, grow := growing(t, 80, 24)
	press(m, " ")
	before := plain(m)
	grow(30)
	if after := plain(m); after != before {
		t.Errorf("it went on:\n%s\n%s", before, after)
	}
	wants(t, m, "paused")
	press(m, "up") // looking around is not going on
	lacks(t, m, "<130>")
	press(m, "end")
	press(m, " ")
	wants(t, m, "<130>")
	lacks(t, m, "paused")
}

// A failure takes the place of a warning on the screen, unless somebody is reading; then it is said.
func TestLiveIncidents(t *testing.T) {
	log := golden(t, "live-requests-starved")
	lines := bytes.SplitAfter(log, []byte("\n"))
	last := len(lines) - 1
	for len(bytes.TrimSpace(lines[last])) == 0 {
		last--
	}
	warned := oomdoc.NewSession(oomdoc.Options{})
	warned.Stream("server.log").Feed(bytes.Join(lines[:last], nil))
	failed := oomdoc.NewSession(oomdoc.Options{})
	failed.Stream("server.log").Feed(log)
	first, second := feed.Diagnosed{Diagnosis: warned.Now()}, feed.Diagnosed{Diagnosis: failed.Now()}

	m := liveModel(100, 40)
	send(m, serving(1, 99), first)
	wants(t, m, "! The server goes on")
	send(m, serving(2, 99), second)
	wants(t, m, "✗ ", "serving-activation-oom", "incident 1/2")

	m = liveModel(100, 40)
	send(m, serving(1, 99), first)
	press(m, "j")
	send(m, second)
	wants(t, m, "! The server goes on", "new: ")
	press(m, "e")
	wants(t, m, "serving-activation-oom")
}

// A warning that is over says so.
func TestLiveWarningIsOver(t *testing.T) {
	log := golden(t, "live-kv-full-one-engine")
	s := oomdoc.NewSession(oomdoc.Options{})
	stream := s.Stream("server.log")
	m := liveModel(140, 40)
	said := ""
	for line := range bytes.Lines(log) {
		stream.Feed(line)
		d := s.Now()
		if len(d.Findings) == 0 {
			continue
		}
		send(m, serving(1, 50), feed.Diagnosed{Diagnosis: d})
		screen := plain(m)
		switch {
		case strings.Contains(screen, "! The server goes on") && said == "":
			said = "warned"
		case strings.Contains(screen, "✓ The server goes on") && strings.Contains(screen, "over for now") && said == "warned":
			said = "over"
		}
	}
	if said != "over" {
		t.Errorf("it was %q:\n%s", said, plain(m))
	}
}

// Where the bound of what is kept has bitten, the screen says so.
func TestLiveSaysWhatIsNotKept(t *testing.T) {
	m := liveModel(100, 30)
	spool := logstore.NewSpool(1 << 20)
	log := spool.Log("server.log")
	defer log.Close()
	send(m, feed.Opened{Log: log})
	for i := range 40000 {
		fmt.Fprintf(log, "INFO line <%d> %s\n", i+1, strings.Repeat("x", 40))
	}
	send(m, serving(1, 40))
	wants(t, m, "<40000>", "the oldest", "are not kept")
	press(m, "g")
	if first := log.Number(log.First()); first < 2 {
		t.Errorf("line %d is the first", first)
	} else {
		wants(t, m, fmt.Sprintf("<%d>", first), "are not kept")
	}
}

// Whatever the size, the screen is filled to its last row and no further.
func TestLiveHeaderFits(t *testing.T) {
	for w := 1; w < 120; w += 7 {
		for h := 1; h < 40; h += 3 {
			m := liveModel(w, h)
			l := serving(3, 50)
			l.Model = strings.Repeat("显存/", 40) + "\x1b[31m"
			m.Update(l)
			rows := strings.Split(m.View(), "\n")
			if len(rows) != h {
				t.Fatalf("%d×%d: %d rows", w, h, len(rows))
			}
			for _, r := range rows {
				if cells.Width(r) > w || strings.Contains(r, "\x1b") {
					t.Fatalf("%d×%d: %q", w, h, r)
				}
			}
		}
	}
}

// Space stops the screen; what came meanwhile is shown when it goes on.
func TestLivePause(t *testing.T) {
	m := liveModel(100, 30)
	m.Update(serving(1, 40))
	space := tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	m.Update(space)
	m.Update(serving(2, 99))
	if s := m.View(); !strings.Contains(s, "40.0%") || !strings.Contains(s, "paused") {
		t.Errorf("it went on:\n%s", s)
	}
	m.Update(space)
	if s := m.View(); !strings.Contains(s, "99.0%") || strings.Contains(s, "paused") {
		t.Errorf("it did not go on:\n%s", s)
	}
}
