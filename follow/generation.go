package follow

import (
	"bytes"
	"io"
	"math"
	"os"
	"slices"
	"time"
)

// maxLine is where a line that does not end is passed on in pieces, bytes.
const maxLine = 64 << 10

// content is a file, or what a compressed file holds.
type content interface {
	io.ReaderAt
	io.Closer
}

// generation is one file that a path led to, or one filling of it.
type generation struct {
	content
	file        *os.File // the content when it is a plain file; nil: a compressed one, which is complete
	info        os.FileInfo
	foundBeside bool // found beside the path, which never led to it while we looked
	id          fileID
	off         int64  // up to here the bytes have been given
	head        []byte // the first of them
	tail        []byte // the last of them
	held        []byte // the bytes after off that were read: an unfinished line
	loose       bool   // the bytes given end within a line
	end         bool   // the last look found nothing more to read

	size  int64 // at the last look
	mtime time.Time
	grown time.Time // when something new was last found
}

func newGeneration(file *os.File, info os.FileInfo, now time.Time) *generation {
	return &generation{content: file, file: file, info: info, id: identify(file), grown: now}
}

func (g *generation) mark() mark {
	return mark{ID: g.id, Off: g.off, Head: digest(g.head), Tail: digest(g.tail), Time: g.mtime}
}

// seek goes to a place in the file without giving what is before it.
func (g *generation) seek(off int64) {
	g.off = off
	g.head = make([]byte, min(off, headSize))
	g.tail = make([]byte, min(off, tailSize))
	g.ReadAt(g.head, 0) // bytes that are gone by now show as a change at the next look
	g.ReadAt(g.tail, off-int64(len(g.tail)))
}

// pass moves off behind b, the bytes that follow it.
func (g *generation) pass(b []byte) {
	if n := headSize - len(g.head); n > 0 {
		g.head = append(g.head, b[:min(n, len(b))]...)
	}
	g.off += int64(len(b))
	if len(b) >= tailSize {
		g.tail = append(g.tail[:0], b[len(b)-tailSize:]...)
		return
	}
	g.tail = append(g.tail, b...)
	g.tail = slices.Delete(g.tail, 0, max(0, len(g.tail)-tailSize))
}

// reset makes the file a new generation, from its beginning.
func (g *generation) reset(now time.Time) {
	*g = generation{content: g.content, file: g.file, info: g.info, id: g.id, grown: now}
}

// continues reports whether g is a copy of old, to be read from where old was left.
func (g *generation) continues(old *generation) bool {
	if old.off == 0 {
		return g.off == 0 && sameStart(headOf(g), old.held)
	}
	return g.off == old.off && bytes.Equal(g.head, old.head)
}

// snapshot reports whether g was copied from live, which may have grown since, or have been truncated.
func (g *generation) snapshot(live *generation) bool {
	if live.off > 0 && live.mark().in(g) || sameStart(headOf(g), live.held) && live.off == 0 {
		return true
	}
	size := g.info.Size()
	if g.file == nil {
		size = lengthOf(g)
	}
	n := min(size, tailSize)
	var a, b [tailSize]byte
	g.ReadAt(a[:n], size-n)
	got, _ := live.ReadAt(b[:n], size-n)
	return int64(got) == n && a == b && sameStart(headOf(g), headOf(live))
}

// lengthOf reads a compressed file to its end.
func lengthOf(r io.ReaderAt) int64 {
	n, _ := io.Copy(io.Discard, io.NewSectionReader(r, 0, math.MaxInt64))
	return n
}

// shorter reports that the file has less than n bytes after off.
func (g *generation) shorter(n int) bool {
	return g.file != nil && g.info.Size()-g.off < int64(n)
}

// unchanged reports, from the file's size and time alone, that there is nothing to read.
func (g *generation) unchanged() (bool, error) {
	if g.file == nil {
		return g.end, nil
	}
	info, err := g.file.Stat()
	if err != nil {
		return false, readError{err}
	}
	size, mtime := info.Size(), info.ModTime()
	if size == g.size && mtime.Equal(g.mtime) && size == g.off+int64(len(g.held)) {
		return true, nil
	}
	g.size, g.mtime = size, mtime
	return false, nil
}

// next reads the bytes after off into buf, those held once more. It checks in the same breath that the
// bytes before are still what was read; changed reports that they are not.
func (g *generation) next(buf []byte) (body []byte, changed bool, err error) {
	if g.file == nil {
		n := copy(buf, g.held)
		m, err := g.ReadAt(buf[n:], g.off+int64(n))
		return buf[:n+m], false, err
	}
	n, err := g.ReadAt(buf, g.off-int64(len(g.tail)))
	known := len(g.tail) + len(g.held)
	changed = n < known || !bytes.Equal(buf[:len(g.tail)], g.tail) || !bytes.Equal(buf[len(g.tail):known], g.held)
	if changed && err != nil && err != io.EOF {
		return nil, false, err
	}
	return buf[len(g.tail):max(n, len(g.tail))], changed, err
}

// advance reads on and calls give with whole lines, until the end or until budget bytes have been
// read. changed reports that the file holds something else by now.
func (g *generation) advance(buf []byte, budget int, now time.Time, give func([]byte) error) (changed bool, err error) {
	size, mtime := g.size, g.mtime
	if same, err := g.unchanged(); same || err != nil {
		g.end = same
		return false, err
	}
	for g.end = false; budget > 0; {
		body, changed, err := g.next(buf)
		if changed {
			g.size, g.mtime = size, mtime // those of now may be of something else
			return true, nil
		}
		size, mtime = g.size, g.mtime
		fresh := len(body) - len(g.held)
		if fresh > 0 {
			g.grown = now
			budget -= fresh
			if err := g.take(body, give); err != nil {
				return false, err
			}
		}
		if err == io.EOF || err == nil && fresh == 0 {
			g.end = true
			return false, nil
		}
		if err != nil {
			return false, readError{err}
		}
	}
	return false, nil
}

// readError is an error of the file, not of the sink.
type readError struct{ error }

// take gives the whole lines of body and holds the rest; body begins with what is held.
func (g *generation) take(body []byte, give func([]byte) error) error {
	if len(bytes.Trim(g.tail, "\x00")) == 0 {
		// A writer that does not append goes on at its old place in a truncated file; the hole before
		// it reads as NULs.
		if hole := len(body) - len(bytes.TrimLeft(body, "\x00")); hole >= tailSize || g.off > 0 {
			g.pass(body[:hole])
			body = body[hole:]
		}
	}
	cut := bytes.LastIndexByte(body, '\n') + 1
	if len(body)-cut >= maxLine {
		cut = len(body)
	}
	g.held = append(g.held[:0], body[cut:]...)
	if cut == 0 {
		return nil
	}
	g.pass(body[:cut])
	g.loose = body[cut-1] != '\n'
	return give(body[:cut])
}

// release gives what is held as it is.
func (g *generation) release(give func([]byte) error) error {
	if len(g.held) == 0 {
		return nil
	}
	b := slices.Clone(g.held)
	g.held = g.held[:0]
	g.pass(b)
	g.loose = true
	return give(b)
}

// lastLines returns where the last n whole lines of the file begin, an unfinished one at its end not
// counted but included.
func lastLines(r io.ReaderAt, size int64, n int, buf []byte) int64 {
	found := 0
	for end := size; end > 0; {
		b := buf[:min(int64(len(buf)), end)]
		begin := end - int64(len(b))
		if _, err := r.ReadAt(b, begin); err != nil && err != io.EOF {
			return size
		}
		for i := len(b); i > 0; {
			i = bytes.LastIndexByte(b[:i], '\n')
			if i < 0 {
				break
			}
			if found++; found > n {
				return begin + int64(i) + 1
			}
		}
		end = begin
	}
	return 0
}
