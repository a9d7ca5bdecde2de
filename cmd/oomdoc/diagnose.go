package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/input"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// exitInterrupted follows the shells: 128 + SIGINT.
const exitInterrupted = 130

// writers are the formats of a diagnosis.
var writers = map[string]func(io.Writer, *rules.Diagnosis, report.Options) error{
	"text": report.WriteText, "json": report.WriteJSON, "markdown": report.WriteMarkdown, "issue": report.WriteIssue,
	"github": report.WriteGitHub, "metrics": writeMetrics,
}

// diagnose reads the files, or standard input, and prints what it finds.
func (a *app) diagnose(names []string) error {
	opts, kb, err := a.setup()
	if err != nil {
		return err
	}
	if len(names) == 0 {
		names = []string{"-"}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	session := oomdoc.NewSession(oomdoc.Options{Knowledge: kb})
	read, failed := 0, false
	for _, name := range names {
		if err := a.readInto(ctx, session, name); err != nil {
			if errors.Is(err, context.Canceled) {
				break
			}
			complain(a.stderr, "oomdoc: "+err.Error())
			failed = true
			continue
		}
		read++
	}
	if read == 0 && ctx.Err() == nil {
		return errReported
	}
	d := session.Close()
	if ctx.Err() == nil && !slices.ContainsFunc(d.Log.Sources, func(s parser.Source) bool { return s.Bytes > 0 }) {
		return fmt.Errorf("%s: nothing was read; errors go to another stream than output: COMMAND 2>&1 | oomdoc", d.Log.Sources[0].Name)
	}
	if err := writers[a.flags.format](a.stdout, d, opts); err != nil {
		if errors.Is(err, syscall.EPIPE) {
			return nil // the reader has seen enough
		}
		return err
	}
	if a.flags.format == "github" {
		a.warn(writeSummary(os.Getenv("GITHUB_STEP_SUMMARY"), d, opts))
	}
	switch {
	case ctx.Err() != nil:
		a.status = exitInterrupted
	case failed:
		a.status = rules.ExitUsage
	default:
		a.status = d.ExitStatus()
	}
	return nil
}

// writeSummary appends the Markdown report to the summary of a step of GitHub Actions; without one it does nothing.
func writeSummary(file string, d *rules.Diagnosis, opts report.Options) error {
	if file == "" {
		return nil
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("the step's summary: %w", err)
	}
	return errors.Join(report.WriteMarkdown(f, d, opts), f.Close())
}

// readInto feeds one input to the session.
func (a *app) readInto(ctx context.Context, session *oomdoc.Session, name string) error {
	in, label, err := input.Open(name, a.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	stop := context.AfterFunc(ctx, func() { in.Close() }) // ends a read that waits
	defer stop()
	stream := session.Stream(label)
	if err := stream.ReadAll(in); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%s: %w", label, input.Reason(err))
	}
	return nil
}
