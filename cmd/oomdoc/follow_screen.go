package main

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/follow"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui"
)

// followSource is the screen's source that reads files as they grow.
type followSource struct {
	names []string
	opts  follow.Options
	kb    *knowledge.Base
}

// Run implements tui.Source.
func (f followSource) Run(ctx context.Context, send func(tea.Msg)) {
	w := live.New(f.kb, func(live.Event) {})
	tapes := map[string]*tui.Tape{}
	var mu sync.Mutex
	var bytes int64
	var last *rules.Diagnosis
	w.Looked = func(d *rules.Diagnosis, s live.Stats) {
		if d != last {
			last = d
			send(tui.Diagnosed{Diagnosis: d})
		}
		mu.Lock()
		n := bytes
		mu.Unlock()
		send(tui.Live{Stats: s, At: time.Now(), Bytes: n})
	}
	var looking sync.WaitGroup
	looking.Go(func() { w.Run(ctx) })
	err := follow.Follow(ctx, f.names, f.opts, func(e follow.Event) error {
		if len(e.Data) == 0 {
			return nil
		}
		t := tapes[e.File]
		if t == nil {
			t = tui.NewTape(e.File, nil) // what rotates away cannot be read again
			tapes[e.File] = t
			send(tui.Opened{Tape: t})
		}
		if _, err := t.Write(e.Data); err != nil {
			send(tui.Failed{Err: err})
		}
		w.Feed(e.File, e.Data)
		mu.Lock()
		bytes += int64(len(e.Data))
		mu.Unlock()
		return nil
	})
	if err != nil {
		send(tui.Failed{Err: err})
	}
	looking.Wait()
}

// followOnScreen follows files on the screen.
func (a *app) followOnScreen(t tui.Terminal, names []string, opts follow.Options) error {
	a.flags.format = "text" // of the report that the screen leaves behind
	text, err := a.flags.options(a.stdout)
	if err != nil {
		return err
	}
	kb, err := a.knowledge()
	if err != nil {
		return err
	}
	return a.show(followSource{names, opts, kb}, t, screenOptions(t, text, kb), text)
}
