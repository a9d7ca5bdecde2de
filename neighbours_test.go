package oomdoc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
)

// neighbour is the log of a healthy server whose every figure is its own: the nth of a stream.
func neighbour(n int) []byte {
	var b strings.Builder
	p := 9000 + 111*n
	add := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	add("INFO 11-0%d 05:06:07 [api_server.py:1896] vLLM API server version 0.10.%d", 1+n, n%3)
	add("INFO 11-0%d 05:06:07 [utils.py:233] non-default args: {'model': 'acme/side-%d', 'max_model_len': %d, 'gpu_memory_utilization': 0.7%d, 'tensor_parallel_size': %d, 'max_num_seqs': %d, 'kv_cache_dtype': 'fp8', 'swap_space': %d.0}", 1+n, n, 3000+n, n, 3+n, 40+n, 30+n)
	add("(EngineCore_DP0 pid=%d) INFO 11-0%d 05:06:20 [gpu_model_runner.py:2338] Starting to load model acme/side-%d...", p, 1+n, n)
	add("(EngineCore_DP0 pid=%d) INFO 11-0%d 05:06:40 [gpu_model_runner.py:2392] Model loading took 11.7%d GiB and 17.0%d seconds", p, 1+n, n, n)
	add("(EngineCore_DP0 pid=%d) INFO 11-0%d 05:06:59 [gpu_worker.py:298] Available KV cache memory: 33.1%d GiB", p, 1+n, n)
	add("(EngineCore_DP0 pid=%d) INFO 11-0%d 05:06:59 [kv_cache_utils.py:1087] GPU KV cache size: 271,%03d tokens", p, 1+n, 100+n)
	add("(EngineCore_DP0 pid=%d) INFO 11-0%d 05:07:10 [gpu_model_runner.py:3118] Graph capturing finished in 21 secs, took 0.4%d GiB", p, 1+n, n)
	add("INFO:     Started server process [%d]", p-1)
	add("INFO:     Application startup complete.")
	for i := range 6 {
		add("INFO 11-0%d 05:08:%d7 [loggers.py:127] Engine 000: Avg prompt throughput: 17.%d tokens/s, Avg generation throughput: 31.%d tokens/s, Running: %d reqs, Waiting: 0 reqs, GPU KV cache usage: 7.%d%%, Prefix cache hit rate: 0.0%%", 1+n, i, n, n, 1+n, n)
	}
	return []byte(b.String())
}

// The names that collectors put in front of the lines of several servers.
var collectors = map[string]func(n int) string{
	"compose": func(n int) string { return fmt.Sprintf("server-%d  | ", n+1) },
	"kubectl": func(n int) string { return fmt.Sprintf("[pod/server-%d/engine] ", n) },
	"stern":   func(n int) string { return fmt.Sprintf("server-%d › engine ", n) },
}

// Several servers may write into one stream. What one of them fails of is said as if it were alone: no figure, setting,
// stage or version of another is among it.
func TestEnginesSideBySide(t *testing.T) {
	for _, g := range goldens(t) {
		if len(g.logs) != 1 || !wrappable(g.logs) {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			log := utf8Of(g.logs[0])
			if d := g.diagnose([][]byte{log}, whole); slices.ContainsFunc(d.Log.Runs, func(r *parser.Run) bool { return r.Unit != "" }) {
				t.Skip("has a collector's names already")
			}
			random := rand.New(rand.NewPCG(3, uint64(len(log))))
			for name, prefix := range collectors {
				want := said(t, prefixLines(log, prefix(0)))
				for _, engines := range []int{2, 3, 8} {
					var all [][][]byte
					all = append(all, slices.Collect(bytes.Lines(prefixLines(log, prefix(0)))))
					for n := 1; n < engines; n++ {
						all = append(all, slices.Collect(bytes.Lines(prefixLines(neighbour(n), prefix(n)))))
					}
					mixed := interleave(random, all)
					if got := said(t, mixed); got != want {
						t.Errorf("%s, %d engines: %s", name, engines, firstDifference(got, want))
						return
					}
				}
			}
		})
	}
}

// places are the numbers of lines in a report.
var places = regexp.MustCompile(`"(line|first_line|last_line)": \d+`)

// said is all that a report tells of the incidents but for places.
func said(t *testing.T, log []byte) string {
	t.Helper()
	d, err := oomdoc.Diagnose("log", bytes.NewReader(log), oomdoc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.MarshalIndent(report.NewJSON(d, report.Options{Lang: "en"}).Incidents, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return places.ReplaceAllString(string(b), "")
}

func prefixLines(log []byte, prefix string) []byte {
	var b bytes.Buffer
	for line := range bytes.Lines(log) {
		b.WriteString(prefix)
		b.Write(bytes.TrimRight(line, "\r\n"))
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// interleave shuffles the lines of logs into one, each log's in their order.
func interleave(random *rand.Rand, logs [][][]byte) []byte {
	var b bytes.Buffer
	left := 0
	for _, l := range logs {
		left += len(l)
	}
	for left > 0 {
		n := random.IntN(left)
		for i := range logs {
			if n < len(logs[i]) {
				b.Write(logs[i][0])
				logs[i] = logs[i][1:]
				break
			}
			n -= len(logs[i])
		}
		left--
	}
	return b.Bytes()
}
