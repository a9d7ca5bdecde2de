package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/oomdoc/oomdoc/follow"
	"github.com/oomdoc/oomdoc/internal/input"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/tui/quiet"
)

// following is the program with logs that are still being written.
type following struct {
	*app
	on         bool
	lines      int
	sinceStart bool
	poll       bool
	checkpoint string
	print, raw bool
	metrics    metricsFlags
}

// add adds the flags that say how such logs are read.
func (f *following) add(c *cobra.Command) {
	p := c.Flags()
	p.BoolVarP(&f.on, "follow", "f", false, "go on reading as the files grow, rotate and come back; patterns are watched for new files")
	p.IntVarP(&f.lines, "lines", "n", 0, "with -f: begin this many `lines` before the end of the files that are there")
	p.BoolVar(&f.sinceStart, "since-start", false, "with -f: begin at the beginning of the files (the default)")
	p.BoolVar(&f.poll, "poll", false, "with -f: look at the files again and again, use no file events")
	p.StringVar(&f.checkpoint, "checkpoint", "", "with -f: remember in `file` how far was read, and go on there")
	p.BoolVar(&f.print, "print", false, "with -f: copy the lines to standard output, and say what happens on standard error")
	p.BoolVar(&f.raw, "raw", false, "with --print: escape sequences too, where standard output is a terminal")
	f.metrics.add(c)
	c.MarkFlagsMutuallyExclusive("lines", "since-start")
	p.Lookup("format").Usage += "; with -f ndjson too, not json"
}

// followed are the flags that mean nothing without -f.
var followed = []string{"lines", "since-start", "poll", "checkpoint", "print", "raw", "metrics", "metrics-interval"}

// rootOrFollow is what the program does without a subcommand.
func (f *following) rootOrFollow(c *cobra.Command, names []string) error {
	if f.on {
		return f.followLogs(c, names)
	}
	for _, name := range followed {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--%s goes with --follow", name)
		}
	}
	return f.root(c, names)
}

// followLogs says what happens in logs as it happens, until it is interrupted or standard input ends.
func (f *following) followLogs(c *cobra.Command, names []string) error {
	if f.lines < 0 {
		return fmt.Errorf("--lines %d: must not be negative", f.lines)
	}
	stdin := len(names) == 0 || slices.Equal(names, []string{"-"})
	if !stdin && slices.Contains(names, "-") {
		return errors.New("standard input cannot be followed together with files")
	}
	if err := f.metrics.check(); err != nil {
		return err
	}
	opts := follow.Options{Poll: f.poll, FromEnd: c.Flags().Changed("lines"), LastLines: f.lines, Checkpoint: f.checkpoint}
	if forced := f.flags.format == "tui"; !stdin && (forced || !c.Flags().Changed("format") && !f.print && f.metrics.file == "" && !inCI(quiet.CI)) {
		t, err := f.terminal(os.Getenv)
		if err == nil {
			return f.followOnScreen(t, names, opts)
		}
		if forced {
			return fmt.Errorf("--format tui: %w", err)
		}
	}
	events := f.stdout
	if f.print {
		events = f.stderr
	}
	tell, err := f.teller(events)
	if err != nil {
		return err
	}
	kb, err := f.knowledge()
	if err != nil {
		return err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(50)) // much is kept of each file, and little allocated

	ctx, stop := context.WithCancelCause(context.Background())
	defer stop(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	go func() {
		select {
		case s := <-signals:
			stop(interrupted{s})
		case <-ctx.Done():
		}
	}()

	w := live.New(kb, func(e live.Event) {
		if err := tell(e); err != nil {
			stop(err)
		}
	})
	count := f.metrics.keep(ctx, w, kb, f.warn)
	looked := make(chan struct{})
	go func() {
		w.Run(ctx)
		close(looked)
	}()
	if stdin {
		err = f.readLive(ctx, w, count)
	} else {
		err = f.followFiles(ctx, names, opts, w, count)
	}
	end := context.Cause(ctx)
	stop(nil)
	<-looked
	d := w.Close()
	f.status = d.ExitStatus()
	f.warn(count.end(d))
	var by interrupted
	switch {
	case errors.As(end, &by):
		f.status = by.status()
		return nil
	case end != nil:
		return end
	}
	return err
}

// interrupted is the signal that ended the program.
type interrupted struct{ os.Signal }

func (i interrupted) Error() string { return i.String() }

// status follows the shells: 128 and the signal's number.
func (i interrupted) status() int {
	if n, ok := i.Signal.(syscall.Signal); ok {
		return 128 + int(n)
	}
	return exitInterrupted
}

// teller returns what writes events, in the format that was asked for.
func (f *following) teller(out io.Writer) (func(live.Event) error, error) {
	format := f.flags.format
	if format == "ndjson" {
		f.flags.format = "text" // the other options are the text's
	} else if err := oneOf("format", format, "text", "ndjson"); err != nil {
		return nil, fmt.Errorf("with --follow: %w", err)
	}
	opts, err := f.flags.options(out)
	if err != nil {
		return nil, err
	}
	if format == "ndjson" {
		return func(e live.Event) error { return live.NDJSON(out, e, opts.Lang) }, nil
	}
	return func(e live.Event) error { return live.Text(out, e, opts) }, nil
}

// followFiles feeds the watcher with files.
func (f *following) followFiles(ctx context.Context, names []string, opts follow.Options, w *live.Watcher, count *counting) error {
	several := len(names) > 1 || strings.ContainsAny(names[0], "*?[")
	pass := f.printer(several)
	return follow.Follow(ctx, names, opts, func(e follow.Event) error {
		if text := e.Said(); text != "" {
			w.Notice(e.File, text)
		}
		count.followed(e)
		if len(e.Data) == 0 {
			return nil
		}
		w.Feed(e.File, e.Data)
		return pass(e.File, e.Data)
	})
}

// readLive feeds the watcher with standard input, to its end.
func (f *following) readLive(ctx context.Context, w *live.Watcher, count *counting) error {
	in, label, err := input.Open("-", f.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	defer context.AfterFunc(ctx, func() { in.Close() })() // ends a read that waits
	pass := f.printer(false)
	buf := make([]byte, 64<<10)
	for {
		n, err := in.Read(buf)
		w.Feed(label, buf[:n])
		count.read(label, buf[:n], 0)
		if err := pass(label, buf[:n]); err != nil {
			return err
		}
		switch {
		case errors.Is(err, io.EOF) || ctx.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", label, input.Reason(err))
		}
	}
}

// printer returns what copies lines to standard output: byte by byte, unless that is a terminal that
// they could act on. Of several files it says, as tail does, which one the lines are from.
func (f *following) printer(several bool) func(file string, data []byte) error {
	if !f.print {
		return func(string, []byte) error { return nil }
	}
	screen, ok := f.stdout.(*os.File)
	safe := !f.raw && ok && term.IsTerminal(int(screen.Fd()))
	last := ""
	return func(file string, data []byte) error {
		if len(data) == 0 {
			return nil
		}
		if several && file != last {
			lead := ""
			if last != "" {
				lead = "\n"
			}
			last = file
			if _, err := fmt.Fprintf(f.stdout, "%s==> %s <==\n", lead, report.Printable(file)); err != nil {
				return err
			}
		}
		if safe {
			data = []byte(report.PrintableLines(string(data)))
		}
		_, err := f.stdout.Write(data)
		return err
	}
}
