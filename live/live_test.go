package live

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/report"
)

const logs = "../testdata/logs/"

// play feeds a log in pieces of the sizes that next gives, looks behind each as if nothing came for a
// while, and returns the events.
func play(log []byte, next func() int) (events []Event) {
	w := New(nil, func(e Event) { events = append(events, e) })
	for len(log) > 0 {
		n := min(next(), len(log))
		w.Feed("server.log", log[:n])
		w.look(true)
		log = log[n:]
	}
	w.Close()
	return events
}

// byLine feeds a line at a time.
func byLine(log []byte) func() int {
	return func() int {
		n := bytes.IndexByte(log, '\n') + 1
		if n == 0 {
			n = len(log)
		}
		log = log[n:]
		return max(n, 1)
	}
}

func kinds(events []Event) (out []string) {
	for _, e := range events {
		switch e.Kind {
		case Warning, Incident, Cleared:
			out = append(out, string(e.Kind)+" "+e.cause())
		}
	}
	return out
}

// What is about to fail is warned of once, before it fails; what only looks like it is not.
func TestWarnings(t *testing.T) {
	tests := []struct {
		name string
		want []string
	}{
		{"live-requests-starved", []string{"warning kv-preemption", "incident serving-activation-oom"}},
		{"live-kv-full-one-engine", []string{"warning kv-preemption", "cleared kv-preemption"}},
		{"live-preemptions-rising", []string{"warning kv-preemption", "incident serving-activation-oom"}},
		{"live-device-memory-rising", []string{"warning device-memory-rising", "incident"}},
		{"live-host-memory-low", []string{"warning host-memory-low", "incident host-ram-killed"}},
		{"live-graph-headroom", []string{"warning graph-headroom", "incident cudagraph-capture-oom"}},
		{"live-restart-loop", []string{
			"incident kv-cache-below-max-len", "incident kv-cache-below-max-len", "warning restart-loop", "incident kv-cache-below-max-len",
		}},
		{"healthy-busy", nil},
		{"healthy-v0", nil},
		{"healthy-v1", nil},
		{"healthy-training", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			log, err := os.ReadFile(logs + tt.name + "/input.log")
			if err != nil {
				t.Fatal(err)
			}
			got := kinds(play(log, byLine(log)))
			if !slices.EqualFunc(got, tt.want, strings.HasPrefix) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// However a log comes in, what was told of it last is what a diagnosis of the whole log says.
func TestEventsEndWithTheDiagnosis(t *testing.T) {
	paths, err := filepath.Glob(logs + "*/input.log")
	if err != nil || len(paths) < 40 {
		t.Fatalf("%d logs, %v", len(paths), err)
	}
	for i, path := range paths {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			log, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			d, err := oomdoc.Diagnose("server.log", bytes.NewReader(log), oomdoc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(uint64(i), 3))
			told := map[string]bool{}
			last := map[int]string{}
			for _, e := range play(log, func() int { return 1 + random.IntN(4000) }) {
				if e.Kind == Incident || e.Kind == Warning {
					last[e.Number] = e.cause()
				}
			}
			for _, cause := range last {
				told[cause] = true
			}
			for _, f := range d.Findings {
				e := Event{Finding: f}
				if !told[e.cause()] {
					t.Errorf("%s was not told, but %v", e.cause(), last)
				}
			}
		})
	}
}

// Lines that come after a look belong to the incident that was told, and do not tell it again.
func TestIncidentIsToldOnce(t *testing.T) {
	log, err := os.ReadFile(logs + "no-kv-memory-cri/input.log")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, e := range play(log, byLine(log)) {
		if e.Kind == Incident && !e.Update {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d incidents", n)
	}
}

// Run tells what was fed though nothing follows it, and leaves no goroutine behind.
func TestRun(t *testing.T) {
	before := runtime.NumGoroutine()
	events := make(chan Event, 100)
	w := New(nil, func(e Event) { events <- e })
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		w.Run(ctx)
		close(done)
	}()
	log := "INFO 06-11 09:00:30 [gpu_model_runner.py:2602] Starting to load model acme/doc-13b...\n" +
		"ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.\n"
	for _, b := range []byte(log) {
		w.Feed("server.log", []byte{b})
	}
	for e := range events {
		if e.Kind == Incident {
			if e.Line != 2 || e.cause() != "no-kv-cache-memory" {
				t.Errorf("%+v", e)
			}
			break
		}
	}
	stop()
	<-done
	w.Close()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

func TestNDJSON(t *testing.T) {
	log, err := os.ReadFile(logs + "live-kv-full-one-engine/input.log")
	if err != nil {
		t.Fatal(err)
	}
	events := play(log, byLine(log))
	events = append(events, Event{Kind: Notice, At: time.Unix(0, 0), Source: "a\x1b[31m.log", Text: "truncated\x07"})
	seen := map[Kind]bool{}
	for _, e := range events {
		var b bytes.Buffer
		if err := NDJSON(&b, e, "en"); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(b.Bytes(), []byte("\n")); n != 1 || bytes.ContainsAny(b.Bytes(), "\x1b\x07") {
			t.Errorf("%d lines: %q", n, b.String())
		}
		var j EventJSON
		if err := json.Unmarshal(b.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		if j.Schema != Schema || j.At == "" || (j.Incident != nil) != (j.Event == Warning) || (j.Cause != "") != (j.Event == Cleared) {
			t.Errorf("%s", b.String())
		}
		seen[j.Event] = true
		var text strings.Builder
		if err := Text(&text, e, report.Options{Lang: "zh", Width: 80}); err != nil || strings.ContainsAny(text.String(), "\x1b\x07") {
			t.Errorf("%v %q", err, text.String())
		}
	}
	for _, k := range []Kind{RunStarted, Phase, Warning, Cleared, Notice} {
		if !seen[k] {
			t.Errorf("no event of the kind %s", k)
		}
	}
}

// BenchmarkLook is what a look costs that finds something new, behind a log with many runs.
func BenchmarkLook(b *testing.B) {
	log, err := os.ReadFile(logs + "live-restart-loop/input.log")
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 10, 80} {
		b.Run(fmt.Sprintf("runs=%d", 6*n), func(b *testing.B) {
			w := New(nil, func(Event) {})
			for range n {
				w.Feed("server.log", log)
			}
			w.look(true)
			b.ResetTimer()
			for range b.N {
				w.version = 0
				w.look(true)
			}
		})
	}
}
