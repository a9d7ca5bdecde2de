package follow

import (
	"errors"
	"os"
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

// replaced notes that a watched directory is gone: another may come, with the same number too.
func (w *watcher) replaced(dir string) {
	if _, ok := w.dirs[dir]; ok {
		w.dirs[dir] = nil
	}
}

// want asks for a directory to be watched from the next refresh on.
func (w *watcher) want(dir string) {
	if _, ok := w.dirs[dir]; !ok && w.fs != nil {
		w.dirs[dir] = nil
	}
}

// refresh watches the directories that are wanted, that have appeared, and that were replaced by others
// of the same name. What there is to know about it goes to tell.
func (w *watcher) refresh(tell func(file, text string) error) error {
	if w.err != nil {
		return tell("", "no file events ("+w.err.Error()+"); looking at the files instead")
	}
	if w.fs == nil {
		return nil
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
			if err := tell(dir, "on a file system without events; looking at it instead"); err != nil {
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
			err = tell("", "the limit of file watches is reached; looking at the files instead")
		} else if !errors.Is(err, os.ErrNotExist) {
			err = tell(dir, "cannot be watched ("+err.Error()+"); looking at it instead")
		} else {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
