package follow

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestEvents: events alone are enough on a local file system.
func TestEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(3)
	w.follow(Options{Interval: time.Hour}, w.path, filepath.Join(w.dir, "*.txt"))
	w.complete()
	w.write(3)
	w.complete()
	w.rename(w.path + ".1")
	w.write(3)
	w.complete()
	w.reopen()
	w.write(3)
	w.complete()
	f := w.create(filepath.Join(w.dir, "new.txt"))
	defer f.Close()
	f.WriteString(line(w.next))
	w.next++
	w.complete()
}

// TestOverflow: when more happens than the queue of events holds, all files are looked at.
func TestOverflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(1)
	w.follow(Options{Interval: time.Hour}, filepath.Join(w.dir, "*.log"))
	w.complete()
	w.pause.Lock()
	w.write(1)
	pauseFor(50) // the reader waits in the sink now
	noise := w.create(filepath.Join(w.dir, "noise"))
	defer noise.Close()
	for i := range 30_000 {
		fmt.Fprint(noise, "x") // equal events in a row would be one
		if i%10 == 0 {
			w.write(1)
		} else {
			noise.Chmod(0o600)
		}
	}
	other := w.create(filepath.Join(w.dir, "other.log")) // its events are lost
	defer other.Close()
	other.WriteString(line(w.next))
	w.next++
	w.pause.Unlock()
	w.complete()
}

func TestNoEvents(t *testing.T) {
	for name, watch := range map[string]*watcher{
		"no watcher": {err: syscall.EMFILE},
		"no watches": func() *watcher {
			w := newWatcher(false)
			w.add = func(string) error { return syscall.ENOSPC }
			return w
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			a := newAt(t, "app.log", "*.txt")
			defer watch.close()
			watch.dirs = newWatcher(true).dirs
			a.f.watch = watch
			for range 3 {
				a.write(1)
				a.step(time.Second)
			}
			a.complete()
			if len(a.notices) != 2 { // and that nothing matches *.txt
				t.Errorf("notices: %q", a.notices)
			}
		})
	}
}
