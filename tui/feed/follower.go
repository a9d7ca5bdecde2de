package feed

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
)

// Follower is the Source that reads files as they grow.
type Follower struct {
	Patterns  []string // as of [follow.Follow]
	Options   follow.Options
	Knowledge *knowledge.Base
}

// tick is how often the screen hears that time passes.
const tick = time.Second

// Run follows the files until the context ends.
func (f Follower) Run(ctx context.Context, send func(tea.Msg)) {
	var mu sync.Mutex // guards now and bytes
	var now Live
	var bytes int64
	show := func() {
		mu.Lock()
		now.At, now.Bytes = time.Now(), bytes
		l := now
		mu.Unlock()
		send(l)
	}
	w := live.New(f.Knowledge, func(live.Event) {})
	var last *rules.Diagnosis
	w.Looked = func(d *rules.Diagnosis, s live.Stats) {
		mu.Lock()
		now.Stats = s
		mu.Unlock()
		show()
		if d != last {
			last = d
			send(Diagnosed{Diagnosis: d})
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
	err := follow.Follow(ctx, f.Patterns, f.Options, func(e follow.Event) error {
		if text := e.Said(); text != "" {
			send(Notice{Text: e.File + ": " + text})
		}
		if len(e.Data) == 0 {
			return nil
		}
		log := logs[e.File]
		if log == nil {
			log = spool.Log(e.File)
			logs[e.File] = log
			send(Opened{Log: log})
		}
		if _, err := log.Write(e.Data); err != nil {
			send(Failed{Err: err})
		}
		w.Feed(e.File, e.Data)
		mu.Lock()
		bytes += int64(len(e.Data))
		mu.Unlock()
		return nil
	})
	if err != nil {
		send(Failed{Err: err})
	}
	others.Wait()
}
