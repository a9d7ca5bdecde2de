package follow

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

var errOverflow = fsnotify.ErrEventOverflow

// watcher watches the directories of the followed files. Without it, and where it cannot watch, all
// is found by looking.
type watcher struct {
	fs   *fsnotify.Watcher // nil: no events
	add  func(dir string) error
	err  error // why there are no events
	dirs map[string]os.FileInfo
}

func newWatcher(poll bool) *watcher {
	w := &watcher{dirs: map[string]os.FileInfo{}}
	if !poll {
		if w.fs, w.err = fsnotify.NewBufferedWatcher(4096); w.err == nil {
			w.add = w.fs.Add
		}
	}
	return w
}

func (w *watcher) close() {
	if w.fs != nil {
		w.fs.Close()
	}
}

func (w *watcher) events() <-chan fsnotify.Event {
	if w.fs == nil {
		return nil
	}
	return w.fs.Events
}

func (w *watcher) errors() <-chan error {
	if w.fs == nil {
		return nil
	}
	return w.fs.Errors
}

// want asks for a directory to be watched from the next refresh on.
func (w *watcher) want(dir string) {
	if _, ok := w.dirs[dir]; !ok && w.fs != nil {
		w.dirs[dir] = nil
	}
}

// refresh watches the directories that are wanted, that have appeared, and that were replaced by others
// of the same name.
func (w *watcher) refresh(f *follower) error {
	if w.err != nil {
		return f.once("", "no file events ("+w.err.Error()+"); looking at the files instead")
	}
	if w.fs == nil {
		return nil
	}
	for _, t := range f.order {
		for _, p := range t.places() {
			w.want(filepath.Dir(p))
		}
	}
	for dir, watched := range w.dirs {
		info, err := os.Stat(dir)
		if err != nil || watched != nil && os.SameFile(info, watched) {
			continue
		}
		if watched != nil {
			w.fs.Remove(dir) // it may be gone by itself
		}
		if remote(dir) {
			w.dirs[dir] = info
			if err := f.once(dir, "on a file system without events; looking at it instead"); err != nil {
				return err
			}
			continue
		}
		err = w.add(dir)
		if err == nil {
			w.dirs[dir] = info
			continue
		}
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
			err = f.once("", "the limit of file watches is reached; looking at the files instead")
		} else if !errors.Is(err, os.ErrNotExist) {
			err = f.once(dir, "cannot be watched ("+err.Error()+"); looking at it instead")
		} else {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wake marks the files that an event may be about.
func (f *follower) wake(e fsnotify.Event) error {
	name := filepath.Clean(e.Name)
	if t := cmp.Or(f.tails[name], f.targets[name]); t != nil && e.Op == fsnotify.Write {
		t.dirty = true // by far the most frequent
		return nil
	}
	if _, ok := f.watch.dirs[name]; ok && (e.Op.Has(fsnotify.Remove) || e.Op.Has(fsnotify.Rename)) {
		f.watch.dirs[name] = nil // another may come, with the same number too
	}
	dir, base := filepath.Dir(name), filepath.Base(name)
	for _, t := range f.order {
		for _, p := range t.places() {
			if p == name || filepath.Dir(p) == name || filepath.Dir(p) == dir && strings.HasPrefix(base, stem(p)) {
				t.dirty = true
			}
		}
	}
	if e.Op.Has(fsnotify.Create) {
		for _, p := range f.patterns {
			if ok, _ := filepath.Match(p.text, name); p.glob && ok {
				return f.expand(false)
			}
		}
	}
	return nil
}

// wakeAll takes the events that wait.
func (f *follower) wakeAll() error {
	for range 4096 {
		select {
		case e := <-f.watch.events():
			if err := f.wake(e); err != nil {
				return err
			}
		default:
			return nil
		}
	}
	return nil
}
