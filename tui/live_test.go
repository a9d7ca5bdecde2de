package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/live"
)

func liveModel(w, h int) *Model {
	m := New(Options{Lang: "en"})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	return m
}

func serving(at int, usage float64) Live {
	return Live{
		Stats: live.Stats{
			Source: "/var/log/server.log", Engine: "vllm", Version: "0.11.0", Model: "acme/doc-13b", Ready: true,
			Stages: []live.Stage{{Phase: "model_load", Seconds: 45, Timed: true, Memory: 24 << 30}, {Phase: "serving"}},
			Usage:  []float64{10, 50, usage}, Running: []float64{1, 20, 64}, Waiting: []float64{0, 0, 12},
			Prompt: []float64{0, 900, 1800}, Generation: []float64{0, 100, 640}, Preempted: []float64{0, 0, 0},
		},
		At: time.Unix(int64(at), 0), Bytes: int64(at) << 20,
	}
}

func TestLiveHeader(t *testing.T) {
	m := liveModel(100, 30)
	m.Update(Live{Stats: live.Stats{Source: "server.log"}, At: time.Unix(0, 0)})
	if s := m.View(); !strings.Contains(s, "waiting for an engine") {
		t.Errorf("nothing said yet:\n%s", s)
	}
	start := serving(1, 0)
	start.Ready, start.Usage = false, nil
	m.Update(start)
	if s := m.View(); !strings.Contains(s, "model_load 45s 24.00 GiB ▸ serving") {
		t.Errorf("the start:\n%s", s)
	}
	m.Update(serving(4, 97.5))
	for _, want := range []string{"acme/doc-13b · vllm 0.11.0", "server.log", "97.5%", "▁", "64", "12", "1.8k/s", "640/s"} {
		if s := m.View(); !strings.Contains(s, want) {
			t.Errorf("no %q in\n%s", want, s)
		}
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
				if cells(r) > w || strings.Contains(r, "\x1b") {
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
