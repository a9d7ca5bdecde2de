package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/follow"
	"github.com/oomdoc/oomdoc/internal/explain"
	"github.com/oomdoc/oomdoc/internal/input"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui"
	"github.com/oomdoc/oomdoc/tui/feed"
	"github.com/oomdoc/oomdoc/tui/quiet"
	"github.com/oomdoc/oomdoc/tui/terminal"
)

// offerScreen documents the formats that only a diagnosis has.
func offerScreen(c *cobra.Command) {
	f := c.Flags().Lookup("format")
	f.Usage, f.DefValue = "how to answer: tui, text, json, markdown for a ticket, issue for vLLM's bug report form, github for annotations of a workflow, or metrics for Prometheus (default tui in a terminal, else text)", ""
}

// root diagnoses on the screen where there is one, else in text.
func (a *app) root(c *cobra.Command, names []string) error {
	forced := a.flags.format == "tui"
	if forced {
		a.flags.format = "text"
	}
	if forced || !c.Flags().Changed("format") && !inCI(quiet.CI) {
		t, err := a.terminal(os.Getenv)
		if err == nil {
			return a.screen(t, names)
		}
		if forced {
			return fmt.Errorf("--format tui: %w", err)
		}
	}
	return a.diagnose(names)
}

// terminal returns what a screen would be shown on, or why there is none.
func (a *app) terminal(getenv func(string) string) (tui.Terminal, error) {
	out, ok := a.stdout.(*os.File)
	switch {
	case !ok || !term.IsTerminal(int(out.Fd())):
		return tui.Terminal{}, fmt.Errorf("standard output is no terminal")
	case getenv("TERM") == "dumb" || getenv("TERM") == "" && runtime.GOOS != "windows":
		return tui.Terminal{}, fmt.Errorf("the terminal (TERM=%s) cannot show one", getenv("TERM"))
	case term.IsTerminal(int(a.stdin.Fd())):
		return tui.Terminal{Keys: a.stdin, Screen: out}, nil
	}
	keys, err := os.OpenFile(controllingTerminal(), os.O_RDWR, 0)
	if err != nil {
		return tui.Terminal{}, fmt.Errorf("no terminal to read keys from: %w", err)
	}
	return tui.Terminal{Keys: keys, Screen: out}, nil
}

func inCI(v string) bool { return v != "" && v != "0" && v != "false" }

func controllingTerminal() string {
	if runtime.GOOS == "windows" {
		return "CONIN$"
	}
	return "/dev/tty"
}

// screen shows the diagnosis as a screen, and leaves the report behind it.
func (a *app) screen(t tui.Terminal, names []string) error {
	opts, kb, err := a.setup()
	if err != nil {
		return err
	}
	screen := screenOptions(t, opts, kb)
	options := oomdoc.Options{Knowledge: kb}
	var src feed.Source
	if len(names) == 0 && t.Keys == a.stdin {
		screen.Board = feed.NewPasteboard(options)
		src = screen.Board
	} else if src, err = a.reader(names, options); err != nil {
		return err
	}
	return a.show(src, t, screen, opts)
}

func screenOptions(t tui.Terminal, opts report.Options, kb *knowledge.Base) tui.Options {
	return tui.Options{
		Lang: opts.Lang, Color: opts.Color, Dark: darkBackground(os.Getenv("COLORFGBG")), Version: opts.Version,
		Topics: func() []tui.Topic { return topics(kb, opts) },
		World:  terminal.NewWorld(t.Screen),
	}
}

// show runs the screen.
func (a *app) show(src feed.Source, t tui.Terminal, screen tui.Options, opts report.Options) error {
	left, err := tui.Run(context.Background(), src, t, screen)
	if left.Diagnosis != nil {
		if err := report.WriteText(a.stdout, left.Diagnosis, opts); err != nil {
			return err
		}
		a.status = left.Diagnosis.ExitStatus()
	}
	switch sig, ok := left.Signal.(syscall.Signal); {
	case left.Interrupted:
		a.status = exitInterrupted
	case ok:
		a.status = 128 + int(sig)
	}
	if err != nil {
		a.status = rules.ExitUsage
	}
	return err
}

// followOnScreen follows files on the screen.
func (a *app) followOnScreen(t tui.Terminal, names []string, opts follow.Options) error {
	a.flags.format = "text" // of the report that the screen leaves behind
	text, kb, err := a.setup()
	if err != nil {
		return err
	}
	return a.show(feed.Follower{Patterns: names, Options: opts, Knowledge: kb}, t, screenOptions(t, text, kb), text)
}

// reader opens what the screen is to read. One file of several that cannot be opened is only reported.
func (a *app) reader(names []string, opts oomdoc.Options) (feed.Source, error) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	r := feed.Reader{Options: opts}
	for _, name := range names {
		if name == "-" && !input.Regular(a.stdin) {
			r.Inputs = append(r.Inputs, feed.Input{Name: "stdin", ReadCloser: &late{open: func() (io.ReadCloser, error) {
				in, _, err := input.Open(name, a.stdin)
				return in, err
			}}})
			continue
		}
		in, label, err := input.Open(name, a.stdin)
		if err != nil {
			if len(names) > 1 {
				complain(a.stderr, "oomdoc: "+err.Error())
				continue
			}
			return nil, err
		}
		r.Inputs = append(r.Inputs, screenInput(in, label))
	}
	if len(r.Inputs) == 0 {
		return nil, errReported
	}
	return r, nil
}

// screenInput tells the screen where it can read a log again: in the file itself, if it is one and not
// compressed.
func screenInput(in *input.Input, label string) feed.Input {
	out := feed.Input{Name: label, ReadCloser: in}
	if in.Plain && input.Regular(in.File) {
		if info, err := in.File.Stat(); err == nil {
			out.Size = info.Size()
		}
		out.At = in.File
	}
	return out
}

// late opens an input when it is first read: a pipe that has nothing to say yet does not keep the
// screen from opening.
type late struct {
	open func() (io.ReadCloser, error)
	in   io.ReadCloser
}

func (l *late) Read(p []byte) (int, error) {
	if l.in == nil {
		in, err := l.open()
		if err != nil {
			return 0, err
		}
		l.in = in
	}
	return l.in.Read(p)
}

// Close leaves a pipe that is still being waited for to the end of the process.
func (l *late) Close() error { return nil }

// topics are the pages of explain.
func topics(kb *knowledge.Base, opts report.Options) []tui.Topic {
	var out []tui.Topic
	for _, s := range explain.Subjects(kb) {
		out = append(out, tui.Topic{ID: s.ID, Kind: s.KindWord(opts.Lang), Title: s.Title.In(opts.Lang), Text: func(width int) string {
			opts := opts
			opts.Width = width
			return s.Page(opts, kb)
		}})
	}
	return out
}

// darkBackground reads COLORFGBG, "foreground;background" as numbers of colours, where a terminal sets it.
func darkBackground(v string) bool {
	i := strings.LastIndexByte(v, ';')
	n, err := strconv.Atoi(v[i+1:])
	return i >= 0 && err == nil && (n < 7 || n == 8)
}
