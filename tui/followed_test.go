package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/tui/feed"
)

// What the screen hears of a file that appears, grows and rotates.
func TestFollowedScreen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "server.log")
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	messages := make(chan tea.Msg, 100)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		feed.Follower{Patterns: []string{path}, Knowledge: knowledge.Builtin()}.Run(ctx, func(m tea.Msg) {
			select {
			case messages <- m:
			case <-ctx.Done():
			}
		})
	}()
	m := New(Options{Lang: "en"})
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	shows := func(texts ...string) {
		t.Helper()
		for patience := time.After(20 * time.Second); ; {
			missing := ""
			for _, s := range texts {
				if !strings.Contains(m.View(), s) {
					missing = s
				}
			}
			if missing == "" {
				return
			}
			select {
			case msg := <-messages:
				m.Update(msg)
			case <-patience:
				t.Fatalf("no %q in\n%s", missing, m.View())
			}
		}
	}
	shows("waiting for an engine", "is not there yet")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	file.WriteString("INFO 06-11 09:00:00 [api_server.py:1034] vLLM API server version 0.9.1\n" +
		"INFO 06-11 09:00:30 [gpu_model_runner.py:1770] Starting to load model acme/doc-13b...\n" +
		"INFO 06-11 09:01:10 [gpu_model_runner.py:1801] Model loading took 24.41 GiB and 38.200000 seconds\n")
	shows("vllm 0.9.1 · starting for 1m", "config 30s", "load 40s 24.41 GiB", "█ weights 24.41 GiB", "Model loading took")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Skip("an open file cannot be renamed here")
	}
	file.Close()
	if err := os.WriteFile(path, []byte(decisiveLine), 0o644); err != nil {
		t.Fatal(err)
	}
	shows("kv-cache-below-max-len", "rotated")
	stop()
	<-ended
}

const decisiveLine = "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, which is larger than the available KV cache memory (3.12 GiB). Based on the available memory, the estimated maximum model length is 22736.\n"
