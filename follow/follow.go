package follow

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options say how files are followed. The zero value reads each file from its beginning, with events.
type Options struct {
	Poll       bool          // only look every Interval, use no file events
	Interval   time.Duration // between two looks at every file; 0 is 100 ms
	FromEnd    bool          // begin at the end of the files that are there already
	LastLines  int           // with FromEnd: this many lines before the end
	Checkpoint string        // a file that remembers how far each file was read, to go on there; "" is none
}

// Event is what a sink is given: data, or one of the other things to know about a file.
type Event struct {
	File string // the path, cleaned, as given or as the pattern matched

	// Data is the next bytes of the file, valid until the sink returns. It ends at the end of a line,
	// except where the line is longer than 64 KiB or has stood unfinished for a second; then the rest
	// of the line comes with the file's next data.
	Data []byte

	Rotated bool   // the path leads to a new generation; data of the old one may still follow
	Lost    int64  // at least this many bytes vanished before they could be read
	Notice  string // a line for people, without newline
}

// Said is what there is to say to people of an event beside its data, or "".
func (e Event) Said() string {
	switch {
	case e.Lost > 0:
		return fmt.Sprintf("truncated; at least %d bytes were gone before they could be read", e.Lost)
	case e.Notice == "" && e.Rotated:
		return "rotated"
	}
	return e.Notice
}

// Follow calls sink for everything that happens to the files that match patterns, those that appear
// later included, until ctx ends; then it returns nil. A file with several names is read under the
// first. A pattern is as in [filepath.Match]; one without wildcards is a path, which need not exist.
// Calls of sink do not overlap; an error that it returns ends Follow with this error. Other errors
// are a bad pattern and a checkpoint that cannot be read. All else is a Notice, and tried again.
func Follow(ctx context.Context, patterns []string, opts Options, sink func(Event) error) error {
	if opts.Interval <= 0 {
		opts.Interval = 100 * time.Millisecond
	}
	f := newFollower(opts, sink)
	defer f.close()
	for _, p := range patterns {
		p = filepath.Clean(p)
		if _, err := filepath.Match(p, ""); err != nil {
			return fmt.Errorf("%w: %s", err, p)
		}
		f.patterns = append(f.patterns, newPattern(p))
	}
	if opts.Checkpoint != "" {
		var err error
		if f.saved, err = loadCheckpoint(opts.Checkpoint); err != nil {
			return err
		}
	}
	return f.run(ctx)
}

const (
	bufSize = 256 << 10
	// settle is how long a line may stand unfinished before it is passed on as it is.
	settle = time.Second
	// slice is how much of a file is read before the others have their turn.
	slice = 4 << 20
	// maxPause is the longest wait for more events before the files are read.
	maxPause = 10 * time.Millisecond
)

type follower struct {
	opts     Options
	sink     func(Event) error
	patterns []pattern
	tails    map[string]*tail // by path
	targets  map[string]*tail // by where links lead
	order    []*tail          // the tails as they came
	buf      []byte
	watch    *watcher
	saved    checkpoint
	savedAt  time.Time
	began    time.Time
	told     map[string]bool // notices given by once
	changed  bool            // data has been given since savedAt

	pipes   chan chunk
	stop    chan struct{}
	readers sync.WaitGroup
}

func newFollower(opts Options, sink func(Event) error) *follower {
	return &follower{
		opts:    opts,
		sink:    sink,
		buf:     make([]byte, bufSize),
		tails:   map[string]*tail{},
		targets: map[string]*tail{},
		told:    map[string]bool{},
		began:   time.Now(),
		pipes:   make(chan chunk),
		stop:    make(chan struct{}),
	}
}

type pattern struct {
	text string
	glob bool
}

func newPattern(text string) pattern {
	_, err := os.Lstat(text)
	return pattern{text, err != nil && strings.ContainsAny(text, "*?[")}
}

func (f *follower) run(ctx context.Context) error {
	f.watch = newWatcher(f.opts.Poll)
	defer f.watch.close()
	if err := f.expand(true); err != nil {
		return err
	}
	tick := time.NewTicker(f.opts.Interval)
	defer tick.Stop()
	always := make(chan struct{})
	close(always)
	for all, expanded := true, f.began; ; {
		began := time.Now()
		busy, err := f.round(all)
		if err != nil {
			return err
		}
		all = false
		looked := time.Now()
		pause := 4 * looked.Sub(began)
		var again chan struct{}
		if busy {
			again = always
		}
		select {
		case <-ctx.Done():
			return f.finish()
		case <-again:
		case <-tick.C:
			all = true
			if time.Since(expanded) >= min(time.Second, 10*f.opts.Interval) {
				expanded = time.Now()
				err = f.expand(false)
			}
		case c := <-f.pipes:
			err = c.from.receive(c)
			c.done <- struct{}{}
		case e := <-f.watch.events():
			// Right away when little happens; in larger pieces when much does, so that most of the time
			// is not spent on looking.
			time.Sleep(min(pause, maxPause) - time.Since(looked))
			err = cmp.Or(f.wake(e), f.wakeAll())
		case e := <-f.watch.errors():
			all = true
			if errors.Is(e, errOverflow) { // any event may be missing
				err = f.expand(false)
			} else {
				err = f.once("", e.Error())
			}
		}
		if err != nil {
			return err
		}
	}
}

// round takes a look at the files that something happened to, or at all of them. It reports whether
// there is more to read.
func (f *follower) round(all bool) (busy bool, err error) {
	now := time.Now()
	for _, t := range f.order {
		if !all && !t.dirty {
			continue
		}
		if t.dirty, err = t.step(now); err != nil {
			return false, err
		}
		busy = busy || t.dirty
	}
	if all {
		f.order = slices.DeleteFunc(f.order, func(t *tail) bool {
			if t.glob && t.forgotten(now) {
				delete(f.tails, t.path)
				delete(f.targets, t.real)
				return true
			}
			return false
		})
	}
	if f.changed && now.Sub(f.savedAt) > time.Second {
		return busy, f.saveCheckpoint(now)
	}
	return busy, nil
}

// finish reads what is there and ends.
func (f *follower) finish() error {
	for _, t := range f.order {
		if _, err := t.step(time.Now()); err != nil {
			return err
		}
		if f.opts.Checkpoint == "" { // otherwise the unfinished line is for the next time
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
	return f.saveCheckpoint(time.Now())
}

// saveCheckpoint writes down how far all files have been read, those of earlier times included.
func (f *follower) saveCheckpoint(now time.Time) error {
	f.changed, f.savedAt = false, now
	if f.opts.Checkpoint == "" {
		return nil
	}
	c := checkpoint{Version: checkpointVersion, Saved: now, Files: f.saved.remembered(now)}
	for _, t := range f.order {
		c.Files[t.path] = t.marks()
	}
	if err := c.write(f.opts.Checkpoint); err != nil {
		return f.once("", "the checkpoint cannot be written: "+reason(err))
	}
	return nil
}

func (f *follower) close() {
	close(f.stop)
	for _, t := range f.order {
		t.close()
	}
	f.readers.Wait()
}

// expand finds the files that the patterns match by now. Those of the first time obey FromEnd; later
// ones are new, and read from their beginning.
func (f *follower) expand(first bool) error {
	var fresh []*tail
	for _, p := range f.patterns {
		paths := []string{p.text}
		if p.glob {
			paths, _ = filepath.Glob(p.text) // the pattern is known to be good
		}
		for _, path := range paths {
			if f.tails[path] != nil || p.glob && !f.wanted(path, first) {
				continue
			}
			t := newTail(f, path, p.glob, first)
			f.tails[path] = t
			f.order = append(f.order, t)
			fresh = append(fresh, t)
		}
		if p.glob {
			f.watch.want(filepath.Dir(p.text))
			if first && len(paths) == 0 {
				if err := f.notice(p.text, "nothing matches yet"); err != nil {
					return err
				}
			}
		}
	}
	for _, t := range fresh { // when all are known, so that none takes another for its own old generation
		t.begin()
	}
	for _, t := range f.order {
		for _, p := range t.places() {
			f.watch.want(filepath.Dir(p))
		}
	}
	return f.watch.refresh(f.once)
}

// wake marks the files that an event may be about.
func (f *follower) wake(e fsnotify.Event) error {
	name := filepath.Clean(e.Name)
	if t := cmp.Or(f.tails[name], f.targets[name]); t != nil && e.Op == fsnotify.Write {
		t.dirty = true // by far the most frequent
		return nil
	}
	if e.Op.Has(fsnotify.Remove) || e.Op.Has(fsnotify.Rename) {
		f.watch.replaced(name)
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

// wanted reports whether a match of a pattern is to be followed for itself: not a directory, not
// compressed, and not what the rotation of another followed file left, which that file's tail reads.
func (f *follower) wanted(path string, first bool) bool {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || compressed(path) {
		return false
	}
	if first {
		return true
	}
	for _, t := range f.order {
		if filepath.Dir(t.path) == filepath.Dir(path) && rotatedName(filepath.Base(t.path), filepath.Base(path)) {
			return false
		}
	}
	return true
}

func (f *follower) notice(file, text string) error {
	return f.sink(Event{File: file, Notice: text})
}

// once gives a notice that is not to be repeated.
func (f *follower) once(file, text string) error {
	if f.told[file+text] {
		return nil
	}
	f.told[file+text] = true
	return f.notice(file, text)
}
