package oomdoc_test

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/oomdoc/oomdoc/parser"
)

var (
	memoryClass = regexp.MustCompile(`OutOfMemoryError`)
	stackFrame  = regexp.MustCompile(`(?m)^.*File ".*", line \d+, in `)
)

// A log may end at any byte within its deciding sentence: once the class of the exception stands there, or a stage with a
// stack before it, something is said.
func TestCutWithinTheDecidingSentence(t *testing.T) {
	for _, g := range goldens(t) {
		if len(g.logs) != 1 {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			log := utf8Of(g.logs[0])
			d := g.diagnose([][]byte{log}, whole)
			if len(d.Findings) == 0 || d.Findings[0].Incident.Class != parser.ClassFailure {
				return
			}
			m := d.Findings[0].Incident.Messages[0]
			from, to := lineAt(log, m.At.Line), lineAt(log, m.LastLine+1)
			stacked := stackFrame.Match(log[lineAt(log, max(1, m.At.Line-8)):from])
			for at := from + 1; at < to; at++ {
				cut := log[:at]
				if !stacked && !memoryClass.Match(cut[from:]) {
					continue
				}
				d := g.diagnose([][]byte{cut}, whole)
				if len(d.Findings) == 0 && (memoryClass.Match(cut[from:]) || hasStage(d.Log)) {
					t.Errorf("silent on a log that ends with %q", cut[max(from, at-120):])
					return
				}
			}
		})
	}
}

// lineAt is the offset of a line, counted from 1.
func lineAt(text []byte, no int) int {
	at := 0
	for ; no > 1; no-- {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			return len(text)
		}
		at += i + 1
	}
	return at
}

func hasStage(log *parser.Log) bool {
	run := log.Runs[len(log.Runs)-1]
	return len(run.Phases) > 0
}
