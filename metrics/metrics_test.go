package metrics

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/live"
)

const (
	start = "INFO 10-08 20:33:40 [api_server.py:1839] vLLM API server version 0.11.0\n"
	fails = "ERROR 10-08 20:33:48 [core.py:708] ValueError: Free memory on device (6.92/8.0 GiB) on startup is less than desired GPU memory utilization (0.9, 7.2 GiB). Decrease it.\n"
	full  = "INFO 10-08 20:%02d:00 [loggers.py:118] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 90.0 tokens/s, Running: 40 reqs, Waiting: 12 reqs, GPU KV cache usage: 99.1%%, Prefix cache hit rate: 0.0%%\n"
)

// now is when every source was written.
func now(string) time.Time { return time.Unix(1_700_000_000, 0) }

// samples writes the collector's metrics and returns them by name and labels.
func samples(t *testing.T, c *Collector) map[string]string {
	t.Helper()
	var b strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if s := b.String(); s != "" && !strings.HasSuffix(s, "\n") {
		t.Error("the last line does not end")
	}
	out := map[string]string{}
	for line := range strings.Lines(b.String()) {
		if !strings.HasPrefix(line, "#") {
			i := strings.LastIndex(line, " ")
			out[line[:i]] = strings.TrimSpace(line[i:])
		}
	}
	return out
}

func want(t *testing.T, got map[string]string, wanted map[string]string) {
	t.Helper()
	for name, value := range wanted {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
	if t.Failed() {
		t.Logf("%v", got)
	}
}

func TestLook(t *testing.T) {
	s := oomdoc.NewSession(oomdoc.Options{})
	a, b := s.Stream("/var/log/a.log"), s.Stream("/var/log/b.log")
	c := New("v1", "k1")
	c.When = now
	a.Feed([]byte(start + fails))
	b.Feed([]byte(start))
	c.Look(s.Now(), nil)
	const labels = `source="a.log",engine="vllm",cause="startup-free-memory",phase="startup",severity="failure"`
	want(t, samples(t, c), map[string]string{
		`oomdoc_build_info{version="v1",knowledge="k1"}`:                                                 "1",
		"oomdoc_incidents_total{" + labels + "}":                                                         "1",
		`oomdoc_last_incident_timestamp_seconds{source="a.log",cause="startup-free-memory"}`:             "1700000000",
		`oomdoc_starts_total{source="a.log",engine="vllm"}`:                                              "1",
		`oomdoc_starts_total{source="b.log",engine="vllm"}`:                                              "1",
		`oomdoc_missing_bytes{source="a.log",cause="startup-free-memory"}`:                               "300647710",
		`oomdoc_ledger_bytes{source="a.log",device="0",part="free"}`:                                     "7430293422",
		`oomdoc_run_info{source="b.log",engine="vllm",engine_version="0.11.0",model="",phase="startup"}`: "1",
	})
	// A crash loop: one incident, counted as often as it happened; looking again counts nothing.
	for range 4 {
		a.Feed([]byte(start + fails))
		c.Look(s.Now(), nil)
		c.Look(s.Now(), nil)
	}
	want(t, samples(t, c), map[string]string{
		"oomdoc_incidents_total{" + labels + "}":            "5",
		`oomdoc_starts_total{source="a.log",engine="vllm"}`: "5",
	})
	// What a session no longer holds stays counted.
	c.Look(oomdoc.NewSession(oomdoc.Options{}).Close(), nil)
	want(t, samples(t, c), map[string]string{"oomdoc_incidents_total{" + labels + "}": "5"})
}

// TestOldIncident: what was written long ago is no alert now.
func TestOldIncident(t *testing.T) {
	s := oomdoc.NewSession(oomdoc.Options{})
	s.Stream("a.log").Feed([]byte(start + fails))
	c := New("v1", "k1")
	c.When = func(source string) time.Time {
		if source != "a.log" {
			t.Errorf("asked for %s", source)
		}
		return time.Unix(7, 0)
	}
	c.Look(s.Now(), nil)
	want(t, samples(t, c), map[string]string{`oomdoc_last_incident_timestamp_seconds{source="a.log",cause="startup-free-memory"}`: "7"})
}

func TestWarning(t *testing.T) {
	s := oomdoc.NewSession(oomdoc.Options{})
	a := s.Stream("a.log")
	c := New("v1", "k1")
	c.When = now
	a.Feed([]byte(start))
	for i := range 9 {
		a.Feed(fmt.Appendf(nil, full, 40+i))
	}
	c.Look(s.Now(), &live.Stats{Source: "a.log", Usage: []float64{50, 99.5}, Running: []float64{1, 40}, Waiting: []float64{0, 12}})
	want(t, samples(t, c), map[string]string{
		`oomdoc_warnings_active{source="a.log",cause="kv-preemption"}`: "1",
		`oomdoc_kv_cache_usage_ratio{source="a.log"}`:                  "0.995",
		`oomdoc_requests{source="a.log",state="waiting"}`:              "12",
	})
	a.Feed([]byte(start)) // another run: the warning is over
	c.Look(s.Now(), nil)
	want(t, samples(t, c), map[string]string{`oomdoc_warnings_active{source="a.log",cause="kv-preemption"}`: "0"})
}

func TestReading(t *testing.T) {
	c := New("v1", "k1")
	c.Read("dir/a.log", 10, 2, 0)
	c.Read("dir/a.log", 4, 1, 7)
	c.Rotated()
	c.Took(3 * time.Millisecond)
	c.Took(9 * time.Second)
	want(t, samples(t, c), map[string]string{
		`oomdoc_read_bytes_total{source="a.log"}`: "14", `oomdoc_read_lines_total{source="a.log"}`: "3", `oomdoc_lost_bytes_total{source="a.log"}`: "7",
		"oomdoc_rotations_total": "1", `oomdoc_look_duration_seconds_bucket{le="0.001"}`: "0", `oomdoc_look_duration_seconds_bucket{le="0.005"}`: "1",
		`oomdoc_look_duration_seconds_bucket{le="+Inf"}`: "2", "oomdoc_look_duration_seconds_count": "2", "oomdoc_look_duration_seconds_sum": "9.003",
	})
}

// TestSources: a thousand names, then one for all others.
func TestSources(t *testing.T) {
	c := New("v1", "k1")
	for i := range maxSources + 50 {
		c.Read(fmt.Sprintf("%d.log", i), 1, 1, 0)
	}
	got := samples(t, c)
	want(t, got, map[string]string{`oomdoc_read_bytes_total{source="…other"}`: "50", `oomdoc_read_bytes_total{source="0.log"}`: "1"})
}

func TestLabelsEnd(t *testing.T) {
	c := New("v1", "k1")
	c.Read("a\\\"b\n\x1b[31m.log", 1, 1, 0)
	for name := range samples(t, c) {
		if strings.Contains(name, "read_bytes") && !strings.HasPrefix(name, `oomdoc_read_bytes_total{source="a\\\"b`) || strings.Contains(name, "\x1b") {
			t.Errorf("%q", name)
		}
	}
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "oomdoc.prom")
	c := New("v1", "k1")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	c.Keep(ctx, name, time.Hour, func(err error) { t.Error(err) })
	text, err := os.ReadFile(name)
	if err != nil || !strings.Contains(string(text), "oomdoc_build_info") {
		t.Errorf("%q %v", text, err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%v is left beside it", files)
	}
	told := 0
	c.Keep(ctx, filepath.Join(dir, "none", "oomdoc.prom"), time.Hour, func(error) { told++ })
	if told != 1 {
		t.Errorf("trouble was told %d times", told)
	}
	if CheckFile(name) != nil || CheckFile("oomdoc.txt") == nil {
		t.Error("the name")
	}
}

// TestPromtool: Prometheus's own checks of the names and of the alert, where it is installed.
func TestPromtool(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("SKIPPED: there is no promtool here")
	}
	s := oomdoc.NewSession(oomdoc.Options{})
	a := s.Stream("a.log")
	a.Feed([]byte(start))
	for i := range 9 {
		a.Feed(fmt.Appendf(nil, full, 40+i))
	}
	a.Feed([]byte(start + fails))
	c := New("v1", "k1")
	c.Read("a.log", 2, 1, 1)
	c.Rotated()
	c.Took(time.Second)
	c.Look(s.Now(), &live.Stats{Source: "a.log", Usage: []float64{50}, Running: []float64{1}, Waiting: []float64{0}})
	var b strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(promtool, "check", "metrics")
	cmd.Stdin = strings.NewReader(b.String())
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v %s\n%s", err, out, b.String())
	}
	for _, args := range [][]string{{"check", "rules", "oomdoc.rules.yml"}, {"test", "rules", "oomdoc.rules.test.yml"}} {
		cmd := exec.Command(promtool, args...)
		cmd.Dir = "../packaging/prometheus"
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v: %v %s", args, err, out)
		}
	}
}
