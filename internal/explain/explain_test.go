package explain

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
)

// Everything has a page, causes and remedies in both languages, without a trace of the notation it is written in.
func TestEveryPage(t *testing.T) {
	kb := knowledge.Builtin()
	for _, lang := range []string{"en", "zh"} {
		for _, s := range Subjects(kb) {
			if lang == "zh" && s.Kind != Causes && s.Kind != Remedies {
				continue // the catalogue speaks English
			}
			lines := strings.Split(strings.TrimRight(s.Page(report.Options{Lang: lang, Width: 80}, kb), "\n"), "\n")
			if len(lines) < 3 || !strings.HasPrefix(lines[0], s.ID) {
				t.Errorf("%s %s: a page of %d lines: %q", lang, s.ID, len(lines), lines[0])
			}
			for _, line := range lines {
				if s.Kind != Messages && !strings.HasPrefix(line, "  | ") && !strings.HasPrefix(line, "    ") && strings.ContainsAny(line, "{}") {
					t.Errorf("%s %s: %q", lang, s.ID, line)
				}
				if strings.HasPrefix(line, "  | ") && ansi.StringWidth(line) > 80 {
					t.Errorf("%s %s: a line of the log is %d columns wide", lang, s.ID, ansi.StringWidth(line))
				}
			}
		}
	}
}

// No two things of one kind share an id.
func TestIDsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Subjects(knowledge.Builtin()) {
		if seen[s.Kind+" "+s.ID] {
			t.Errorf("%s: two %s", s.ID, s.Kind)
		}
		seen[s.Kind+" "+s.ID] = true
	}
}

func TestWithoutLog(t *testing.T) {
	for text, want := range map[string]string{
		"{kv_needed} is needed":                        "<kv_needed> is needed",
		"{kv_needed:gib} GiB":                          "<kv_needed> GiB",
		"vLLM[ {engine_version}] did not start":        "vLLM <engine_version> did not start",
		"[One of {gpu_total}.][ Two of {kv_shortage}]": "One of <gpu_total>. Two of <kv_shortage>",
		`--limit '{"image": 1}'`:                       `--limit '{"image": 1}'`,
		"a[0] and an open [ or {":                      "a[0] and an open [ or {",
		"":                                             "",
	} {
		if got := withoutLog(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestMentions(t *testing.T) {
	for _, tt := range []struct {
		src, message string
		want         bool
	}{
		{`message("kv-too-small-*")`, "kv-too-small-v1", true},
		{`message("kv-too-small")`, "kv-too-small-v1", false},
		{`device_oom and ready`, "torch-device-oom-bare", true}, // through the figure's formula
		{`ready`, "torch-device-oom-bare", false},
	} {
		if got := mentionsMessage(tt.src, tt.message); got != tt.want {
			t.Errorf("%s and %s: %v", tt.src, tt.message, got)
		}
	}
	for _, tt := range []struct {
		src, fact string
		want      bool
	}{
		{"kv_needed > kv_available", "kv_needed", true},
		{"kv_shortage > 1 GiB", "kv_needed", true},
		{`text has "kv_needed"`, "kv_needed", false},
		{"kv_needed_twice > 1", "kv_needed", false},
	} {
		if got := mentionsName(tt.src, tt.fact); got != tt.want {
			t.Errorf("%s and %s: %v", tt.src, tt.fact, got)
		}
	}
}
