package tui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/tui/feed"
	"github.com/oomdoc/oomdoc/tui/terminal"
)

// plain is the screen without colours.
func plain(m *Model) string { return ansi.Strip(m.View()) }

func wants(t *testing.T, m *Model, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if !strings.Contains(plain(m), s) {
			t.Errorf("the screen does not show %q:\n%s", s, plain(m))
		}
	}
}

func TestRemedies(t *testing.T) {
	m := opened(t, Options{}, golden(t, "kv-below-max-len-terminal"))
	wants(t, m, "▸ 1  --max-model-len", "✓ fits", "line 85 of 113", "85▶")
	var copied string
	m.opts.World = &terminal.World{Copy: func(s string) { copied = s }}
	press(m, "y")
	if !strings.Contains(copied, "vllm serve google/gemma-3-12b-it --max-model-len ") {
		t.Errorf("copied %q", copied)
	}
	wants(t, m, "copied 5")
	press(m, "2")
	wants(t, m, "▸ 2  --tensor-parallel-size 2")
	press(m, "enter")
	wants(t, m, "[cli]", "What it costs")
	press(m, "right")
	wants(t, m, "[python]", "tensor_parallel_size=2")
	press(m, "esc", "k", "k")
	wants(t, m, "▸ 1 ")
	press(m, "Y")
	if !strings.HasPrefix(copied, "vLLM 0.20.0 did not start") {
		t.Errorf("copied %q", copied)
	}
}

// A remedy moves the log to the line that justifies it, and the way back leads to the decisive one.
func TestJustification(t *testing.T) {
	m := opened(t, Options{}, golden(t, "kv-below-max-len-terminal"))
	press(m, "2")
	wants(t, m, "line 11 of 113", "11▶")
	press(m, "l")
	wants(t, m, " 11▸ ")
	press(m, "esc", "tab", "j", "j")
	wants(t, m, "▸ The log")
}

func TestWhatIf(t *testing.T) {
	m := opened(t, Options{}, golden(t, "kv-below-max-len-terminal"))
	var copied string
	m.opts.World = &terminal.World{Copy: func(s string) { copied = s }}
	press(m, "w")
	wants(t, m, "✗ short", "max_model_len")
	press(m, "j", "f")
	wants(t, m, "✓ fits", "131,072 →")
	press(m, "y")
	if !strings.HasPrefix(copied, "vllm serve google/gemma-3-12b-it --max-model-len ") {
		t.Errorf("copied %q", copied)
	}
	press(m, "r")
	wants(t, m, "✗ short")
	press(m, "left", "left", "right")
	wants(t, m, "131,072 → 122,880")
}

func TestLogView(t *testing.T) {
	var log strings.Builder
	for i := 1; i <= 5000; i++ {
		fmt.Fprintf(&log, "INFO step %d of the run\n", i)
		if i == 4000 {
			log.WriteString("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.10 GiB is free.\n")
		}
	}
	m := opened(t, Options{}, []byte(log.String()))
	press(m, "l")
	wants(t, m, "4001▶")
	press(m, "g")
	wants(t, m, "   1  INFO step 1 of")
	press(m, "G")
	wants(t, m, "5001  INFO step 5000 of")
	press(m, "/", "step 77 ", "enter")
	wants(t, m, "  77▸ INFO step 77 of", "/ step 77")
	press(m, "/", "nowhere", "enter")
	wants(t, m, "not found: nowhere")
	press(m, "/", "step 12", "enter", "n", "n", "N")
	wants(t, m, "121▸ INFO step 121 of")
	press(m, "g", "&", "/step .*99 /")
	wants(t, m, "  99  INFO step 99 of")
	press(m, "enter", "G")
	wants(t, m, "5000  INFO step 4999 of", "4001▶") // the evidence is never filtered away
	if strings.Contains(plain(m), "step 4998") {
		t.Error("the filter lets other lines through")
	}
	press(m, "&", "esc", "g", "&", "!step", "enter")
	wants(t, m, "4001▶")
	if strings.Contains(plain(m), "INFO") {
		t.Error("an inverted filter lets its lines through")
	}
}

func TestIncidents(t *testing.T) {
	log := string(golden(t, "kv-below-max-len-terminal")) + string(golden(t, "kv-full-v1"))
	m := opened(t, Options{}, []byte(log))
	if n := len(m.diagnosis.Findings); n < 2 {
		t.Fatalf("%d findings", n)
	}
	wants(t, m, "incident 1/")
	press(m, "e")
	wants(t, m, "incident 2/")
	press(m, "E", "i", "j", "enter")
	wants(t, m, "incident 2/")
	press(m, "q", "q")
}

// Keys that come quickly are one message, and still each what it is.
func TestJoinedKeys(t *testing.T) {
	m := opened(t, Options{}, golden(t, "kv-below-max-len-terminal"))
	send(m, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("jjw")})
	wants(t, m, "What if")
	send(m, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")})
	wants(t, m, "▸ 3 ")
}

func TestKeysThatAlwaysWork(t *testing.T) {
	m := opened(t, Options{}, golden(t, "healthy-v1"))
	wants(t, m, "No memory failure found")
	press(m, "x", "/", "q", "?")
	wants(t, m, "/q?")
	press(m, "ctrl+c")
	if !m.interrupted {
		t.Error("Ctrl-C does not quit while text is typed")
	}
	if _, cmd := opened(t, Options{}, nil).Update(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q")}); cmd == nil || cmd() != tea.Quit() {
		t.Error("q does not quit")
	}
}

// drive runs a source until it has sent n diagnoses that are final, and returns when it has ended.
func drive(t *testing.T, m *Model, src feed.Source, n int, during func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	messages, ended := make(chan tea.Msg), make(chan struct{})
	defer func() { cancel(); <-ended }()
	go func() {
		defer close(ended)
		src.Run(ctx, func(msg tea.Msg) {
			select {
			case messages <- msg:
			case <-ctx.Done():
			}
		})
	}()
	if during != nil {
		go during()
	}
	for n > 0 {
		select {
		case msg := <-messages:
			send(m, msg)
			if d, ok := msg.(feed.Diagnosed); ok && d.Final {
				n--
			}
		case <-ctx.Done():
			t.Fatal("no diagnosis")
		}
	}
}

func TestReader(t *testing.T) {
	log := golden(t, "kv-below-max-len-terminal")
	m := New(Options{Lang: "en"})
	drive(t, m, feed.Reader{Inputs: []feed.Input{{Name: "a/server.log", ReadCloser: io.NopCloser(strings.NewReader(string(log)))}}}, 1, nil)
	wants(t, m, "oomdoc server.log", "✗ vLLM 0.20.0 did not start", "85▶")
}

// What is pasted is diagnosed, with the carriage returns that terminals send; Ctrl-R starts over; a
// typed line works as well.
func TestPaste(t *testing.T) {
	board := feed.NewPasteboard(oomdoc.Options{})
	m := New(Options{Lang: "en", Board: board})
	wants(t, m, "Paste a log here")
	log := strings.ReplaceAll(string(golden(t, "kv-below-max-len-terminal")), "\n", "\r")
	drive(t, m, board, 1, func() {
		for len(log) > 0 {
			n := min(len(log), 1000)
			board.Feed([]byte(log[:n]), n == len(log))
			log = log[n:]
		}
	})
	wants(t, m, "✗ vLLM 0.20.0 did not start", "85▶")

	drive(t, m, board, 1, func() {
		board.Restart()
		board.Feed([]byte("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.10 GiB is free.\n"), true)
	})
	wants(t, m, "2.00 GiB", "1▶ torch.OutOfMemoryError")
	if strings.Contains(plain(m), "vLLM 0.20.0") {
		t.Error("Ctrl-R keeps what was pasted before")
	}
}

func TestPasteIsBounded(t *testing.T) {
	board := feed.NewPasteboard(oomdoc.Options{})
	m := New(Options{Lang: "en", Board: board})
	chunk := []byte(strings.Repeat("INFO nothing to see\n", 1<<16))
	drive(t, m, board, 1, func() {
		for sent := 0; sent < feed.MaxPaste+len(chunk); sent += len(chunk) {
			board.Feed(chunk, false)
		}
		board.Feed([]byte("the end\n"), true)
	})
	if size := m.logs[0].Size(); size != feed.MaxPaste {
		t.Errorf("kept %d bytes, want %d", size, feed.MaxPaste)
	}
	wants(t, m, "64 MiB")
}
