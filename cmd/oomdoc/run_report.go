package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// maxShort is what Kubernetes keeps of a termination message, in bytes.
// https://kubernetes.io/docs/tasks/debug/debug-application/determine-reason-pod-failure/
const maxShort = 4096

// writeShort writes the short diagnosis to a file, or to the termination log where there is one.
func writeShort(file string, d *rules.Diagnosis, lang string) error {
	flag := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if file == "" {
		file, flag = terminationLog, os.O_WRONLY|os.O_TRUNC
	}
	f, err := os.OpenFile(file, flag, 0o644)
	if err != nil {
		if flag&os.O_CREATE == 0 && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) {
			return nil // not ours to write
		}
		return err
	}
	_, err = f.WriteString(short(d, lang))
	return errors.Join(err, f.Close())
}

// short is the diagnosis in at most maxShort bytes of UTF-8: of the finding to read first the answer,
// the commands and what not to try.
func short(d *rules.Diagnosis, lang string) string {
	f := d.Findings[0]
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", report.Headline(f, lang))
	if f.Cause != nil {
		line("cause %s · %s", f.Cause.ID, report.Certainty(f.Confidence, lang))
	}
	if e := report.Explanation(f, lang); e != "" {
		line("%s", e)
	}
	for i := range f.Remedies[:min(len(f.Remedies), 5)] {
		r := &f.Remedies[i]
		apply := ""
		if len(r.Apply) > 0 {
			apply = ": " + r.Apply[0].Text
		}
		line("%d  %s%s", i+1, r.Title.In(lang), report.Printable(apply))
	}
	for i := range f.DeadEnds[:min(len(f.DeadEnds), 5)] {
		line("✗  %s", f.DeadEnds[i].Title.In(lang))
	}
	m := &f.Incident.Messages[0]
	line("line %d: %s", m.At.Line, report.Printable(m.Text))
	if f.Cause == nil {
		line("%s", report.Next(f, lang))
	}
	return cut(strings.ToValidUTF8(b.String(), "?"), maxShort)
}

// cut shortens s to at most n bytes, between two characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const dots = "…\n"
	n -= len(dots)
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + dots
}
