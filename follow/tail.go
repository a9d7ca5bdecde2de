package follow

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

const (
	// linger is how long a generation that the path has left stays open after its last growth, in case
	// its writer is slow to open the new one.
	linger = 10 * time.Second
	// hurried is the same where rotations come so fast that files would pile up.
	hurried  = time.Second
	manyOpen = 16
	// lineEnd is how long such a generation may stand within a line before the line counts as ended.
	lineEnd = 5 * time.Second
	// lookBeside is how long after a rotation the directory is searched for generations: a rename can
	// hide from one listing, a copy may still be under way, a compressor at work.
	lookBeside = 3 * time.Second
	// gone is how long a file without a name is read on while nothing replaces it.
	gone        = time.Minute
	searchEvery = 200 * time.Millisecond
	// maxMarks bounds the memory of closed generations.
	maxMarks = 256
	// maxTurns bounds the rotations that one step follows.
	maxTurns = 64
)

// tail follows one path.
type tail struct {
	f      *follower
	path   string
	real   string // where path's links lead, when elsewhere
	away   string // the directory that the last generation was moved to, when another
	glob   bool
	start  bool // the path's file was there at the beginning: Options say where in it to begin
	opened bool // the path has had a generation
	dirty  bool // something happened, or there is more to read

	gens  []*generation // open, in order; the last one is current unless the path leads nowhere
	cur   *generation   // the generation that the path leads to
	pipe  *pipe         // instead of generations
	loose *generation   // the data given last end within a line of this one
	same  *tail         // this path is another name of its file

	known  []mark           // generations that are closed, or were there before us
	judged map[fileID]stamp // files beside the path about which all is known
	since  time.Time        // files beside the path that are older are not ours; zero: those known are
	search time.Time        // until then the directory is searched
	looked time.Time        // when it was searched last
	said   string           // the last notice about the path
	failed time.Time        // when reading failed last
	left   time.Time        // when the path was first found leading nowhere; zero: it leads somewhere
}

// stamp is how a file looked from outside.
type stamp struct {
	size  int64
	mtime int64
}

func stampOf(info os.FileInfo) stamp { return stamp{info.Size(), info.ModTime().UnixNano()} }

func newTail(f *follower, path string, glob, first bool) *tail {
	t := &tail{f: f, path: path, glob: glob, dirty: true}
	t.start = first && exists(path)
	t.resolve()
	return t
}

// begin takes note of the generations that are there already: all of them are old, or those that the
// checkpoint knows.
func (t *tail) begin() {
	if saved, ok := t.f.saved.Files[t.path]; ok {
		// File times are coarser than the clock.
		t.known, t.since, t.start = saved, t.f.saved.Saved.Add(-2*time.Second), false
		return
	}
	t.rememberSiblings()
}

// resolve finds out where the path's links lead.
func (t *tail) resolve() {
	if t.f.targets[t.real] == t {
		delete(t.f.targets, t.real)
	}
	t.real = ""
	if r, err := filepath.EvalSymlinks(t.path); err == nil && r != t.path {
		t.real = r
		t.f.targets[r] = t
	}
}

// places are the paths beside which rotated generations may be.
func (t *tail) places() []string {
	if t.real == "" {
		return []string{t.path}
	}
	return []string{t.path, t.real}
}

// step takes a look at the path and reads what is new. It reports whether there is more to read at
// once.
func (t *tail) step(now time.Time) (busy bool, err error) {
	for range maxTurns {
		if busy, err = t.drain(now); err != nil {
			return false, err
		}
		moved, err := t.look(now)
		if err != nil {
			return false, err
		}
		if !moved {
			break
		}
		busy = true
	}
	if busy {
		return true, nil
	}
	if now.Before(t.search) && now.Sub(t.looked) >= searchEvery {
		if found, err := t.collect(now); found || err != nil {
			return true, err
		}
	}
	return false, t.retire(now)
}

// drain reads the open generations in order. One that is not at its end, or within a line, holds up
// those after it.
func (t *tail) drain(now time.Time) (busy bool, err error) {
	budget := slice
	for i := 0; i < len(t.gens); i++ {
		g := t.gens[i]
		changed, err := g.advance(t.f.buf, budget, now, func(b []byte) error { return t.give(g, b) })
		var bad readError
		switch {
		case errors.As(err, &bad):
			t.shut(g)
			t.failed = now
			return false, t.say("cannot be read (" + reason(bad) + "); trying on")
		case err != nil:
			return false, err
		case changed && g.foundBeside: // a copy, overwritten by the next one
			t.shut(g)
			t.search, t.looked = now.Add(lookBeside), time.Time{}
			i--
		case changed:
			if err := t.truncated(g, now); err != nil {
				return false, err
			}
			return true, nil
		case !g.end:
			return true, nil
		case g.loose && i < len(t.gens)-1:
			return false, nil
		}
	}
	return false, nil
}

// give passes data on. Where data of another generation ended within a line, the line ends here.
func (t *tail) give(g *generation, b []byte) error {
	if t.loose != nil && t.loose != g {
		if err := t.endLine(t.loose); err != nil {
			return err
		}
	}
	t.loose = nil
	if g.loose {
		t.loose = g
	}
	t.f.changed = true
	return t.f.sink(Event{File: t.path, Data: b})
}

// endLine ends the line within which the given data of g end.
func (t *tail) endLine(g *generation) error {
	if err := g.release(func(b []byte) error { return t.give(g, b) }); err != nil || !g.loose {
		return err
	}
	g.loose = false
	return t.give(g, []byte{'\n'})
}

// retire closes generations that have come to rest, and passes on lines that stand unfinished.
func (t *tail) retire(now time.Time) error {
	for _, g := range slices.Clone(t.gens) {
		quiet := now.Sub(g.grown)
		if g == t.cur {
			if quiet >= settle && t.gens[0] == g {
				if err := g.release(func(b []byte) error { return t.give(g, b) }); err != nil {
					return err
				}
			}
			if !t.left.IsZero() && quiet >= gone && now.Sub(t.left) >= gone && !named(g.file) {
				t.cur = nil
				if err := t.endLine(g); err != nil {
					return err
				}
				t.shut(g)
			}
			continue
		}
		if quiet >= lineEnd {
			if err := t.endLine(g); err != nil {
				return err
			}
		}
		patience := linger
		if len(t.gens) > manyOpen {
			patience = hurried
		}
		// While the new file stays empty, its writer may go on in the old one for ever.
		idle := t.cur != nil && t.cur.off == 0 && len(t.cur.held) == 0 && g == t.gens[len(t.gens)-2]
		if g.end && len(g.held) == 0 && (g.file == nil || quiet >= patience && !idle) {
			t.shut(g)
		}
	}
	return nil
}

// reason returns what an error says beside the names of files.
func reason(err error) string {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no.Error()
	}
	return err.Error()
}

// forgotten reports that a path that a pattern had matched is gone for good.
func (t *tail) forgotten(now time.Time) bool {
	return !t.left.IsZero() && now.Sub(t.left) >= gone && len(t.gens) == 0 && t.pipe == nil
}

// say gives a notice, unless it was the last one.
func (t *tail) say(text string) error {
	if t.said == text {
		return nil
	}
	t.said = text
	return t.f.notice(t.path, text)
}

// openAs returns the generation as which the file is open, nil if it is not.
func (t *tail) openAs(info os.FileInfo) *generation {
	for _, g := range t.gens {
		if os.SameFile(g.info, info) {
			return g
		}
	}
	if t.pipe != nil && os.SameFile(t.pipe.info, info) {
		return &t.pipe.generation
	}
	return nil
}

func (t *tail) know(m mark) {
	t.known = append(t.known, m)
	if n := len(t.known) - maxMarks; n > 0 {
		t.known = slices.Delete(t.known, 0, n)
	}
}

// marks tell how far each generation has been read.
func (t *tail) marks() []mark {
	marks := append([]mark{}, t.known...)
	for _, g := range t.gens {
		if g.off > 0 {
			marks = append(marks, g.mark())
		}
	}
	return marks
}

// shut closes a generation and remembers it.
func (t *tail) shut(g *generation) {
	m := g.mark()
	if g.file == nil || !named(g.file) {
		m.ID = fileID{} // the number will be given to another file
	}
	if m.Off > 0 {
		t.know(m)
	}
	g.Close()
	t.gens = slices.DeleteFunc(t.gens, func(o *generation) bool { return o == g })
	if t.cur == g {
		t.cur = nil
	}
	if t.loose == g {
		t.loose = nil
	}
}

// flush gives the unfinished lines, at the end of all.
func (t *tail) flush() error {
	for _, g := range t.gens {
		if err := g.release(func(b []byte) error { return t.give(g, b) }); err != nil {
			return err
		}
	}
	if t.pipe != nil {
		return t.pipe.release(func(b []byte) error { return t.give(&t.pipe.generation, b) })
	}
	return nil
}

func (t *tail) close() {
	for _, g := range t.gens {
		g.Close()
	}
	if t.pipe != nil {
		t.pipe.file.Close()
	}
}
