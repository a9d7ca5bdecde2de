package follow

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// look finds out where the path leads. It reports whether that is a new generation.
func (t *tail) look(now time.Time) (moved bool, err error) {
	if t.failed.Equal(now) {
		return false, nil
	}
	info, err := os.Stat(t.path)
	if err != nil {
		return false, t.missing(err, now)
	}
	t.left = time.Time{}
	if t.cur != nil && os.SameFile(info, t.cur.info) {
		if t.cur.end {
			t.said = ""
		}
		return false, nil
	}
	if t.pipe != nil && os.SameFile(info, t.pipe.info) {
		return false, nil
	}
	if t.same != nil && t.same.openAs(info) != nil {
		return false, nil
	}
	if info.IsDir() {
		return false, t.say("is a directory")
	}
	file, err := openFile(t.path)
	if err != nil {
		return false, t.missing(err, now)
	}
	if info, err = file.Stat(); err != nil {
		file.Close()
		return false, t.missing(err, now)
	}
	switch mode := info.Mode(); {
	case mode&os.ModeNamedPipe != 0:
		file.Close()
		return false, t.openPipe(info)
	case !mode.IsRegular():
		file.Close()
		return false, t.say("is neither a file nor a pipe")
	}
	if i := slices.IndexFunc(t.gens, func(g *generation) bool { return os.SameFile(g.info, info) }); i >= 0 {
		file.Close() // renamed back, or a link back to it
		t.cur = t.gens[i]
		t.cur.foundBeside = false
		t.gens = append(slices.Delete(t.gens, i, i+1), t.cur)
		return true, nil
	}
	for _, other := range t.f.order {
		if other != t && other.openAs(info) != nil {
			file.Close()
			t.same, t.cur = other, nil
			return false, t.say("is the same file as " + other.path + ", and read as that")
		}
	}
	t.same = nil
	if t.pipe != nil {
		t.pipe.file.Close() // its reader ends and says so
		t.pipe = nil
	}
	return true, t.turn(newGeneration(file, info, now), now)
}

// turn makes g the current generation.
func (t *tail) turn(g *generation, now time.Time) error {
	prev, first := t.cur, t.start
	t.leave(prev)
	t.cur = g
	t.gens = append(t.gens, g)
	t.resolve()
	at, known := t.recall(g)
	switch {
	case known:
		g.seek(at)
	case prev != nil && prev.off >= headSize && prev.mark().in(g):
		// Replaced by a longer copy of itself, as rsync and editors do: it goes on.
		g.seek(prev.off)
		g.loose = prev.loose
		if t.loose == prev {
			t.loose = g
		}
		prev.held = nil
		t.shut(prev)
	case t.start && t.f.opts.FromEnd:
		g.seek(lastLines(g, g.info.Size(), t.f.opts.LastLines, t.f.buf))
	}
	again := t.opened && !known
	t.start, t.opened = false, true
	if first {
		return nil
	}
	if _, err := t.collect(now); err != nil || !again {
		return err
	}
	t.search = now.Add(lookBeside)
	return t.f.sink(Event{File: t.path, Rotated: true})
}

// leave notes where the generation that the path leads away from has gone.
func (t *tail) leave(g *generation) {
	if g == nil || g.file == nil {
		return
	}
	if p := nameOf(g.file); p != "" && !slices.ContainsFunc(t.places(), func(q string) bool { return filepath.Dir(q) == filepath.Dir(p) }) {
		t.away = filepath.Dir(p)
	}
}

// recall finds how far a file was read before, by this path or another one, and forgets the mark.
func (t *tail) recall(g *generation) (off int64, ok bool) {
	for _, other := range append([]*tail{t}, t.f.order...) {
		best := -1
		for i, m := range other.known {
			resumed := !other.since.IsZero() && m.Off >= tailSize // device numbers change when a machine starts
			if (m.ID == g.id || resumed) && (best < 0 || m.Off > other.known[best].Off) && m.in(g) {
				best = i
			}
		}
		if best >= 0 {
			off = other.known[best].Off
			other.known = slices.Delete(other.known, best, best+1)
			return off, true
		}
	}
	return 0, false
}

// truncated begins a new generation in g's file, after what a copy beside it still has of the old one.
func (t *tail) truncated(g *generation, now time.Time) error {
	old := *g
	lost := max(0, old.size-old.off-int64(len(old.held)))
	old.content, old.file = nil, nil
	t.know(old.mark())
	wasLoose := t.loose == g
	if wasLoose {
		t.loose = nil
	}
	g.reset(now)
	t.search = now.Add(lookBeside)
	if _, err := t.collect(now); err != nil {
		return err
	}
	copied := slices.IndexFunc(t.gens, func(c *generation) bool { return c != g && c.continues(&old) })
	if copied >= 0 && t.gens[copied].shorter(len(old.held)) {
		t.shut(t.gens[copied]) // copied before the end of what we hold was written
		copied = -1
	}
	if copied >= 0 {
		t.gens[copied].loose = old.loose
		if wasLoose {
			t.loose = t.gens[copied]
		}
		lost = 0
	} else if len(old.held) > 0 || old.loose {
		id := old.mark()
		if err := t.endLine(&old); err != nil {
			return err
		}
		t.known = slices.DeleteFunc(t.known, func(m mark) bool { return m == id })
		t.know(old.mark())
	}
	return t.f.sink(Event{File: t.path, Rotated: true, Lost: lost, Notice: "truncated"})
}

// missing tells once that the path cannot be opened, and why.
func (t *tail) missing(err error, now time.Time) error {
	if !errors.Is(err, os.ErrNotExist) {
		return t.say("cannot be opened (" + reason(err) + "); trying on")
	}
	if t.left.IsZero() {
		t.left = now
	}
	if !t.opened {
		if t.glob {
			return nil
		}
		return t.say("is not there yet")
	}
	if now.Sub(t.left) < settle { // between the two halves of a rotation
		return nil
	}
	return t.say("is gone; waiting for it to come back")
}
