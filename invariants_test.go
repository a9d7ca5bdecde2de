package oomdoc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

func asJSON(t *testing.T, d *rules.Diagnosis) string {
	t.Helper()
	b, err := json.MarshalIndent(report.NewJSON(d, report.Options{Lang: "en"}), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// However the bytes arrive, the report is the same.
func TestChunksDoNotMatter(t *testing.T) {
	for _, g := range goldens(t) {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			want := asJSON(t, g.diagnose(g.logs, whole))
			random := rand.New(rand.NewPCG(1, uint64(len(want))))
			for name, next := range map[string]func() int{
				"byte by byte":  func() int { return 1 },
				"small chunks":  func() int { return 1 + random.IntN(40) },
				"larger chunks": func() int { return 1 + random.IntN(3000) },
			} {
				if got := asJSON(t, g.diagnose(g.logs, next)); got != want {
					t.Errorf("%s: %s", name, firstDifference(got, want))
				}
			}
		})
	}
}

func firstDifference(got, want string) string {
	a, b := bytes.Split([]byte(got), []byte("\n")), bytes.Split([]byte(want), []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d of the report: got %.300s, want %.300s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines of report, want %d", len(a), len(b))
}

// A terminal, a mail or a web page that breaks the lines at any column changes nothing about the cause.
func TestHardWrapsDoNotMatter(t *testing.T) {
	for _, g := range goldens(t) {
		if !wrappable(g.logs) {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			want := answer(g.diagnose(g.logs, whole))
			for c := 60 + len(g.name)%3; c <= 200; c += 3 { // all columns, over three cases
				var logs [][]byte
				for _, log := range g.logs {
					logs = append(logs, hardWrap(log, c))
				}
				if got := answer(g.diagnose(logs, whole)); got != want {
					t.Errorf("wrapped at column %d: %s, want %s", c, got, want)
				}
			}
		})
	}
}

// answer names the causes and severities of all incidents, in their order.
func answer(d *rules.Diagnosis) string {
	s := ""
	for _, f := range d.Findings {
		id := report.UnknownID
		if f.Cause != nil {
			id = f.Cause.ID
		}
		s += id + ";"
	}
	return s
}

// wrappable reports whether the logs are plain text. What a collector writes as records (JSON, CRI's
// parts) or in UTF-16 is not what a terminal breaks.
func wrappable(logs [][]byte) bool {
	for _, log := range logs {
		if !utf8.Valid(log) || bytes.IndexByte(log, 0) >= 0 || bytes.HasPrefix(log, []byte(`{"`)) || bytes.Contains(log, []byte(" stdout F ")) {
			return false
		}
	}
	return true
}

// hardWrap breaks every line after each width characters.
func hardWrap(log []byte, width int) []byte {
	var out []byte
	for line := range bytes.Lines(log) {
		n := 0
		for len(line) > 0 {
			_, size := utf8.DecodeRune(line)
			if n == width && line[0] != '\n' && line[0] != '\r' {
				out = append(out, '\n')
				n = 0
			}
			out = append(out, line[:size]...)
			line = line[size:]
			n++
		}
	}
	return out
}
