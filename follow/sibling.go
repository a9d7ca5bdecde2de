package follow

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// sibling is a file next to a followed one that may be an earlier generation of it.
type sibling struct {
	path string
	info os.FileInfo
}

// rotatedName reports whether a file name is one that rotation gives to old generations of base:
// app.log.1, app.log-20260102.gz, app.log.old, app-2026-01-02T03-04-05.log.
func rotatedName(base, name string) bool {
	name = plainName(name)
	if rest, ok := strings.CutPrefix(name, base); ok && rest != "" {
		switch strings.Trim(rest, ".-_") {
		case "old", "bak", "prev", "last", "orig", "save", "~":
			return true
		}
		return strings.Contains(".-_~", rest[:1]) && digits(rest) > 0
	}
	ext := filepath.Ext(base)
	mid, ok := strings.CutPrefix(name, stem(base))
	mid, ok2 := strings.CutSuffix(mid, ext)
	// A few digits could be the number of another worker; a date is none.
	return ok && ok2 && ext != "" && digits(mid) >= 8 && strings.Contains(".-_", mid[:1])
}

// stem is a file's name without extension, with which the names of its old generations begin.
func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

func digits(s string) (n int) {
	for i := range len(s) {
		if '0' <= s[i] && s[i] <= '9' {
			n++
		}
	}
	return n
}

// siblings lists the files that may be earlier generations, oldest first.
func (t *tail) siblings() []sibling {
	var found []sibling
	type place struct{ dir, base string }
	var places []place
	for _, p := range t.places() {
		places = append(places, place{filepath.Dir(p), filepath.Base(p)})
		if t.away != "" {
			places = append(places, place{t.away, filepath.Base(p)})
		}
	}
	for _, p := range places {
		entries, _ := os.ReadDir(p.dir) // what cannot be listed cannot be searched
		for _, e := range entries {
			path := filepath.Join(p.dir, e.Name())
			if !rotatedName(p.base, e.Name()) || t.f.tails[path] != nil {
				continue
			}
			info, err := os.Stat(path)
			if err != nil || !info.Mode().IsRegular() {
				continue
			}
			if p.dir == t.away && info.ModTime().Before(t.began()) {
				continue
			}
			found = append(found, sibling{path, info})
		}
	}
	slices.SortStableFunc(found, func(a, b sibling) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	return found
}

// rememberSiblings notes the generations that were there before us, which are not ours to read. Those
// that are not compressed yet may be later: their content is noted too.
func (t *tail) rememberSiblings() {
	all := t.siblings()
	t.judged = map[fileID]stamp{}
	for i, b := range all {
		file, err := openFile(b.path)
		if err != nil {
			continue
		}
		id := identify(file)
		t.judged[id] = stampOf(b.info)
		if !compressed(b.path) && len(all)-i <= maxMarks/2 && b.info.Size() > 0 {
			g := generation{content: file, id: id, mtime: b.info.ModTime()}
			g.seek(b.info.Size())
			t.know(g.mark())
		}
		file.Close()
	}
}

// collect looks beside the path for generations that were missed and for copies of those that were
// truncated, and opens what has something unread. They come before the current generation.
func (t *tail) collect(now time.Time) (found bool, err error) {
	t.looked = now
	judged := map[fileID]stamp{}
	at := len(t.gens)
	if t.cur != nil {
		at--
	}
	for _, b := range t.siblings() {
		if open := t.openAnywhere(b.info); open != nil {
			if s, ok := t.judged[open.id]; ok {
				judged[open.id] = s
			}
			continue
		}
		file, err := openFile(b.path)
		if err != nil {
			continue // renamed meanwhile: it is found under its new name next time
		}
		info, err := file.Stat()
		if err != nil {
			file.Close()
			continue
		}
		g := newGeneration(file, info, now)
		if s, ok := t.judged[g.id]; ok && s == stampOf(info) {
			judged[g.id] = s
			file.Close()
			continue
		}
		if compressed(b.path) {
			if exists(plainName(b.path)) { // the compressor is at work
				file.Close()
				continue
			}
			if g.content, err = decompress(file, b.path); err != nil {
				file.Close()
				judged[g.id] = stampOf(info)
				if err := t.say(b.path + " cannot be read: " + reason(err)); err != nil {
					return found, err
				}
				continue
			}
			g.file = nil
		}
		switch t.judge(g, info) {
		case undecided:
			g.Close()
		case nothingNew:
			judged[g.id] = stampOf(info)
			g.Close()
		case unread:
			if g.file == nil { // complete, so all of it is known once it is read
				judged[g.id] = stampOf(info)
			}
			g.foundBeside = true
			t.gens = slices.Insert(t.gens, at, g)
			at++
			found = true
		}
	}
	t.judged = judged
	return found, nil
}

// unopenedHead returns the beginning of the file that the path leads to, nil if a tail has it open.
func (t *tail) unopenedHead() []byte {
	info, err := os.Stat(t.path)
	if err != nil || !info.Mode().IsRegular() || t.openAnywhere(info) != nil {
		return nil
	}
	file, err := openFile(t.path)
	if err != nil {
		return nil
	}
	defer file.Close()
	return headOf(file)
}

// openAnywhere returns the generation of any path as which the file is open.
func (t *tail) openAnywhere(info os.FileInfo) *generation {
	for _, o := range t.f.order {
		if g := o.openAs(info); g != nil {
			return g
		}
	}
	return nil
}

type verdict int

const (
	undecided verdict = iota
	nothingNew
	unread
)

// judge finds out what a file beside the path is, and goes to the first unread byte of it.
func (t *tail) judge(g *generation, info os.FileInfo) verdict {
	if g.file != nil && info.Size() == 0 {
		return undecided
	}
	best := -1
	for i, m := range t.known {
		if (best < 0 || m.Off > t.known[best].Off) && m.in(g) {
			best = i
		}
	}
	if best >= 0 {
		m := t.known[best]
		if g.file != nil && info.Size() <= m.Off {
			return nothingNew
		}
		g.seek(m.Off)
		t.known = slices.Delete(t.known, best, best+1)
		return unread
	}
	if info.ModTime().Before(t.since) {
		return nothingNew
	}
	head := headOf(g)
	if len(head) == 0 {
		return nothingNew
	}
	// What begins like a known generation, but is shorter and no newer, was taken of it earlier:
	// compressors keep the time, and the writer may have gone on after them. A hole says nothing.
	stale := func(m mark) bool { return !info.ModTime().After(m.Time) && m.begins(g) }
	if len(bytes.Trim(head, "\x00")) > 0 && slices.ContainsFunc(t.known, stale) {
		return nothingNew
	}
	if sameStart(head, t.unopenedHead()) { // in this order: the file may just have been created and copied
		return undecided
	}
	if slices.ContainsFunc(t.gens, g.snapshot) {
		return undecided // of what is being read; it matters once the original is truncated
	}
	return unread
}

// began is when the reading of this path began, as far as its generations tell.
func (t *tail) began() time.Time {
	if !t.since.IsZero() {
		return t.since
	}
	return t.f.began
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
