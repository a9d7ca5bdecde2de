package main

import (
	"context"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/follow"
	"github.com/oomdoc/oomdoc/internal/logstore"
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

// tick is how often the screen hears that time passes.
const tick = time.Second

// Run implements tui.Source.
func (f followSource) Run(ctx context.Context, send func(tea.Msg)) {
	var mu sync.Mutex // guards now and bytes
	var now tui.Live
	var bytes int64
	show := func() {
		mu.Lock()
		now.At, now.Bytes = time.Now(), bytes
		l := now
		mu.Unlock()
		send(l)
	}
	w := live.New(f.kb, func(live.Event) {})
	var last *rules.Diagnosis
	w.Looked = func(d *rules.Diagnosis, s live.Stats) {
		mu.Lock()
		now.Stats = s
		mu.Unlock()
		show()
		if d != last {
			last = d
			send(tui.Diagnosed{Diagnosis: d})
		}
	}
	var others sync.WaitGroup
	others.Go(func() { w.Run(ctx) })
	others.Go(func() {
		t := time.NewTicker(tick)
		defer t.Stop()
		for show(); ; show() {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
			}
		}
	})
	logs, spool := map[string]*logstore.Log{}, logstore.NewSpool(logstore.MaxKept) // what rotates away cannot be read again
	err := follow.Follow(ctx, f.names, f.opts, func(e follow.Event) error {
		if text := notice(e); text != "" {
			send(tui.Notice{Text: e.File + ": " + text})
		}
		if len(e.Data) == 0 {
			return nil
		}
		log := logs[e.File]
		if log == nil {
			log = spool.Log(e.File)
			logs[e.File] = log
			send(tui.Opened{Log: log})
		}
		if _, err := log.Write(e.Data); err != nil {
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
	others.Wait()
}

// followOnScreen follows files on the screen.
func (a *app) followOnScreen(t tui.Terminal, names []string, opts follow.Options) error {
	a.flags.format = "text" // of the report that the screen leaves behind
	text, kb, err := a.setup()
	if err != nil {
		return err
	}
	return a.show(followSource{names, opts, kb}, t, screenOptions(t, text, kb), text)
}
