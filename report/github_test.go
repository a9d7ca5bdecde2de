package report

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"

	"github.com/oomdoc/oomdoc/knowledge"
)

func github(t *testing.T, log string, opts Options) string {
	t.Helper()
	s := parser.NewSession()
	if err := s.Stream("a.log").ReadAll(strings.NewReader(log)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	opts.Lang = "en"
	if err := WriteGitHub(&out, rules.Diagnose(s.Close(), knowledge.Builtin(), rules.Options{Planner: memory.Planner{}}), opts); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGitHub(t *testing.T) {
	const fails = "ValueError: Free memory on device (6.92/8.0 GiB) on startup is less than desired GPU memory utilization (0.9, 7.2 GiB). Decrease it.\n"
	got := github(t, fails, Options{})
	if !strings.HasPrefix(got, "::error title=oomdoc%3A startup-free-memory::") || strings.Count(got, "\n") != 1 {
		t.Errorf("%q", got)
	}
	for _, want := range []string{"%0A1. Lower gpu_memory_utilization: --gpu-memory-utilization 0.86"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q: no %q", got, want)
		}
	}
	if got := github(t, "all is well\n", Options{}); strings.Contains(got, "::") || got == "" {
		t.Errorf("%q", got)
	}
	// What a log says ends no command and begins none.
	for line := range strings.Lines(github(t, "vllm serve ::set-output::x%0A::add-mask::y\n"+fails, Options{})) {
		if !strings.HasPrefix(line, "::error title=oomdoc") {
			t.Errorf("%q", line)
		}
	}
	if n := strings.Count(github(t, strings.Repeat(fails+"INFO 10-08 20:33:40 [api_server.py:1839] vLLM API server version 0.11.0\n", 40), Options{}), "::error"); n > maxAnnotations {
		t.Errorf("%d errors, GitHub shows %d", n, maxAnnotations)
	}
}

func TestWorkflowCommands(t *testing.T) {
	if got := property("a: b, 100%\r\nc"); got != "a%3A b%2C 100%25%0D%0Ac" {
		t.Errorf("%q", got)
	}
	if got := data("a: b, 100%\r\nc"); got != "a: b, 100%25%0D%0Ac" {
		t.Errorf("%q", got)
	}
}
