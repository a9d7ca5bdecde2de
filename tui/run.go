package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
	"time"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"

	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/feed"
	"github.com/oomdoc/oomdoc/tui/quiet"
	"github.com/oomdoc/oomdoc/tui/terminal"
)

func init() { quiet.Restore() } // Bubble Tea has been initialised by now

// fps is how often Bubble Tea looks for a new picture; how many there are is up to paced.
const fps = 60

// grace is how long the first picture waits for the diagnosis, so that a small log opens with its answer.
const grace = 40 * time.Millisecond

// Terminal is what the screen is drawn on and where keys come from.
type Terminal struct{ Keys, Screen *os.File }

// Left says how the screen was left.
type Left struct {
	Diagnosis   *rules.Diagnosis // the latest; nil before there was one
	Interrupted bool             // by Ctrl-C
	Signal      os.Signal        // that ended it, or nil
}

// Run shows the screen until it is left, driven by a source. Whatever ends it, a panic and a signal
// included, the terminal is as it was before.
func Run(ctx context.Context, src feed.Source, t Terminal, opts Options) (left Left, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := New(opts)
	if w, h, err := term.GetSize(int(t.Screen.Fd())); err == nil {
		m.w, m.h = w, h
	}
	var p *tea.Program
	keys := terminal.NewKeyboard(t.Keys, func(text []byte, end bool) {
		switch {
		case opts.Board != nil:
			opts.Board.Feed(text, end)
		case utf8.Valid(text) && len(text) > 0 && len(text) < 4096: // into a prompt
			p.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(string(text)), Paste: true})
		}
	})
	options := []tea.ProgramOption{tea.WithOutput(t.Screen), tea.WithAltScreen(), tea.WithFPS(fps), tea.WithoutSignalHandler()}
	if runtime.GOOS != "windows" { // there, keys do not come as bytes
		options = append(options, tea.WithInput(keys))
	}
	p = tea.NewProgram(&paced{Model: m, now: time.Now}, options...)

	messages := make(chan tea.Msg, 16)
	crashed := make(chan error, 1)
	go func() {
		defer close(messages)
		defer func() {
			if r := recover(); r != nil {
				crashed <- fmt.Errorf("%v\n%s", r, debug.Stack())
				p.Kill()
			}
		}()
		src.Run(ctx, func(msg tea.Msg) {
			select {
			case messages <- msg:
			case <-ctx.Done():
			}
		})
	}()
	if opts.Board == nil {
		settle(m, messages)
	}
	go func() {
		for msg := range messages {
			p.Send(msg)
		}
	}()

	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ended := make(chan os.Signal, 1)
	go func() {
		select {
		case sig := <-signals:
			ended <- sig
			p.Quit()
		case <-ctx.Done():
		}
	}()

	_, err = p.Run()
	cancel()
	for _, log := range m.logs {
		log.Close()
	}
	select {
	case err = <-crashed:
	default:
		if err != nil && !errors.Is(err, tea.ErrProgramPanic) {
			err = fmt.Errorf("the terminal: %w", err)
		}
	}
	select {
	case left.Signal = <-ended:
	default:
	}
	left.Diagnosis, left.Interrupted = m.diagnosis, m.interrupted
	return left, err
}

// settle gives the model what the source says in its first moments.
func settle(m *Model, messages <-chan tea.Msg) {
	deadline := time.After(grace)
	for {
		select {
		case msg, ok := <-messages:
			if !ok {
				return
			}
			m.Update(msg)
			if _, done := msg.(feed.Diagnosed); done {
				return
			}
		case <-deadline:
			return
		}
	}
}
