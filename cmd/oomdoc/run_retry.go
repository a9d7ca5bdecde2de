package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/internal/child"
	"github.com/oomdoc/oomdoc/internal/shell"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// nextTry returns the first remedy that is worth a start without being asked, and the command with it; nil where there is
// none. Everything must speak for it: the cause is certain, the log's own figures say that it fits, it is a setting of
// this very command, and nobody has been served or has told the command to stop.
func nextTry(ran child.Result, args []string, tried map[string]bool) (*rules.Remedy, []string) {
	d := ran.Diagnosis
	if !failed(d) || ran.Told || ran.Status >= 128 || !serves(args) {
		return nil, nil
	}
	f := d.Findings[0]
	if f.Cause == nil || f.Confidence < report.Certain || slices.ContainsFunc(d.Log.Runs, func(r *parser.Run) bool { return r.Ready }) {
		return nil, nil
	}
	for i := range f.Remedies {
		r := &f.Remedies[i]
		exact := r.Basis == "computed" && r.Verdict.Kind == memory.Fits && (r.Verdict.Basis == memory.Stated || r.Verdict.Basis == memory.Derived)
		if tried[r.ID] || !exact || len(r.Change) == 0 {
			continue
		}
		if at := slices.IndexFunc(r.Apply, func(s rules.Spelling) bool { return s.Entry == "cli" && !s.Open && strings.HasPrefix(s.Text, "--") }); at >= 0 {
			if next := rules.WithFlags(args, r.Apply[at].Text); !slices.Equal(next, args) {
				return r, next
			}
		}
	}
	return nil, nil
}

// serves reports whether a command takes the engine's flags at its end: vllm serve, or the module that does the same.
func serves(args []string) bool {
	if len(args) < 2 {
		return false
	}
	name := filepath.Base(args[0])
	return name == "vllm" && args[1] == "serve" ||
		strings.HasPrefix(name, "python") && len(args) > 2 && args[1] == "-m" && strings.HasPrefix(args[2], "vllm.entrypoints.")
}

// againText says that a command is started again.
func againText(n, of int, r *rules.Remedy, args []string) string {
	words := make([]string, len(args))
	for i, w := range args {
		words[i] = shell.Quote(w)
	}
	return fmt.Sprintf("\noomdoc: STARTING AGAIN (%d of %d): %s: %s\noomdoc: $ %s\n", n, of, r.Title.En, r.Verdict.Sums, strings.Join(words, " "))
}
