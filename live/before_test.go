package live

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// heard is an event and how many lines had come by then.
type heard struct {
	Event
	after int
}

// listen feeds a log line by line.
func listen(t *testing.T, name string) (lines [][]byte, events []heard) {
	t.Helper()
	log, err := os.ReadFile(logs + name + "/input.log")
	if err != nil {
		t.Fatal(err)
	}
	lines = bytes.SplitAfter(bytes.TrimRight(log, "\n"), []byte("\n"))
	n := 0
	w := New(nil, func(e Event) { events = append(events, heard{e, n}) })
	for _, line := range lines {
		n++
		w.Feed("server.log", line)
		w.look(true)
	}
	w.Close()
	return lines, events
}

// Each condition that is warned of is warned of exactly once, before the failure that the log then shows,
// which is told as the failure it is. What ends by itself is cleared.
func TestWarnedBeforeItFails(t *testing.T) {
	tests := []struct {
		condition string
		log       string
		warning   string // the cause that is warned of
		failure   string // on the line of the failure; "" where it ends by itself
		cause     string // of the failure
	}{
		{"KV cache above 95 % with requests waiting for a minute", "live-kv-full", "kv-preemption", "OutOfMemoryError", "serving-activation-oom"},
		{"the same, in one engine of two, and over", "live-kv-full-one-engine", "kv-preemption", "", ""},
		{"preemptions rising", "live-preemptions-rising", "kv-preemption", "OutOfMemoryError", "serving-activation-oom"},
		{"fewer run, more wait, no prompt is taken in", "live-requests-starved", "kv-preemption", "OutOfMemoryError", "serving-activation-oom"},
		{"memory grows over the steps", "live-device-memory-rising", "device-memory-rising", "OutOfMemoryError", "memory-leak-steps"},
		{"headroom smaller than the graphs to come", "live-graph-headroom", "graph-headroom", "OutOfMemoryError", "cudagraph-capture-oom"},
		{"host memory shrinks", "live-host-memory-low", "host-memory-low", "return code = -9", "host-ram-killed"},
		{"the same failure ends start after start", "live-restart-loop", "restart-loop", "ValueError: To serve at least", "kv-cache-below-max-len"},
	}
	for _, tt := range tests {
		t.Run(tt.condition, func(t *testing.T) {
			lines, events := listen(t, tt.log)
			failed := 0 // the last line of the failure
			for i, line := range lines {
				if tt.failure != "" && bytes.Contains(line, []byte(tt.failure)) {
					failed = i + 1
				}
			}
			warned, cleared, found := 0, 0, 0
			for _, e := range events {
				switch {
				case e.Kind == Warning:
					warned++
					if e.cause() != tt.warning {
						t.Errorf("line %d warns of %s", e.after, e.cause())
					}
					if failed > 0 && (e.after >= failed || e.Line >= failed) {
						t.Errorf("the warning comes with line %d and is about line %d; it fails in line %d", e.after, e.Line, failed)
					}
				case e.Kind == Cleared:
					cleared++
				case e.Kind == Incident && e.cause() == tt.cause:
					found++
				case e.Kind == Incident:
					t.Errorf("line %d is told as %s", e.after, e.cause())
				}
			}
			if warned != 1 {
				t.Errorf("%d warnings", warned)
			}
			if (failed == 0) != (tt.failure == "") || (found > 0) != (tt.cause != "") {
				t.Errorf("it fails in line %d; %d incidents of %q", failed, found, tt.cause)
			}
			if tt.failure == "" && cleared != 1 {
				t.Errorf("cleared %d times", cleared)
			}
		})
	}
}

// A server that is busy for hours is never warned of: its cache fills up and drains, requests queue for a
// place in the batch, prompts come in bursts, and some minutes there are none.
func TestBusyServerIsHealthy(t *testing.T) {
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 6))
		w := New(nil, func(e Event) {
			if e.Kind == Warning || e.Kind == Incident {
				t.Errorf("seed %d: %s %s in line %d", seed, e.Kind, e.cause(), e.Line)
			}
		})
		w.Feed("server.log", []byte("(APIServer pid=3) INFO 05-02 06:00:00 [api_server.py:1896] vLLM API server version 0.11.0\n"+
			"(EngineCore_DP0 pid=9) INFO 05-02 06:00:31 [kv_cache_utils.py:1087] GPU KV cache size: 94,208 tokens\n"+
			"(APIServer pid=3) INFO:     Application startup complete.\n"))
		usage, running, waiting, full, calm := 10.0, 4, 0, 0, 0
		for i := range 3000 { // ten seconds each
			usage += 14 * (random.Float64() - 0.48)
			if usage > 99.5 || full >= 4 { // what runs ends; nothing stays full for a minute
				usage = 60 + 20*random.Float64()
			}
			usage = max(usage, 2)
			ran, waited := running, waiting
			running, waiting = 4+int(usage*2.4), 0
			if usage >= 95 || usage < 80 && random.IntN(4) == 0 { // for the cache, or for a place in the batch
				waiting = 1 + random.IntN(60)
			}
			if usage >= 95 && running < ran { // what ends is not put back
				waiting = min(waiting, waited)
			}
			if calm++; usage >= 95 {
				full, calm = full+1, 0
			} else if calm > 1 { // one line in between is no end of it
				full = 0
			}
			prompt := 2000 * random.Float64()
			if usage < 80 && random.IntN(4) == 0 {
				prompt = 0
			}
			at := 6*3600 + 60 + 10*i
			w.Feed("server.log", fmt.Appendf(nil, "(APIServer pid=3) INFO 05-%02d %02d:%02d:%02d [loggers.py:127] Engine 000: Avg prompt throughput: %.1f tokens/s, Avg generation throughput: %.1f tokens/s, Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %.1f%%, Prefix cache hit rate: 12.0%%\n%s",
				2+at/86400, at/3600%24, at/60%60, at%60, prompt, 300+200*random.Float64(), running, waiting, usage,
				strings.Repeat("(APIServer pid=3) INFO:     10.9.0.4:40112 - \"POST /v1/completions HTTP/1.1\" 200 OK\n", random.IntN(4))))
			if i%50 == 0 {
				w.look(true)
			}
		}
		w.Close()
	}
}
