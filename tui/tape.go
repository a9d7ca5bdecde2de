package tui

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// block is how far apart a tape's line counts stand, bytes. A log of 10 GiB has 40,960 of them.
const block = 256 << 10

// Tape is a log that can be read again, line by line, from any place. It keeps no lines, only how many
// line ends stand before each block, so that a log of any size takes a few hundred KiB. One goroutine
// writes what is read; any number may read.
type Tape struct {
	Name string

	mu     sync.RWMutex
	at     io.ReaderAt
	own    *kept   // the tape's own copy of the bytes, or nil
	size   int64   // bytes seen
	first  int64   // what First said last
	counts []int64 // line ends before offset i × block
	lines  int64   // line ends in all
	last   byte
}

// NewTape returns a tape over bytes that can be read at their offsets, such as a file's; with a nil at
// the tape keeps a copy of what is written to it.
func NewTape(name string, at io.ReaderAt) *Tape {
	if at == nil {
		return NewKeeper().Tape(name)
	}
	return &Tape{Name: name, at: at, counts: []int64{0}}
}

// Write tells the tape the next bytes of its log. It fails only where a copy cannot be kept.
func (t *Tape) Write(p []byte) (int, error) {
	n := len(p)
	if n == 0 {
		return 0, nil
	}
	var err error
	if t.own != nil {
		if k, e := t.own.Write(p); e != nil {
			p, err = p[:k], e
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(p) > 0 {
		room := int(block - t.size%block)
		part := p[:min(room, len(p))]
		t.lines += int64(bytes.Count(part, newline))
		t.size += int64(len(part))
		t.last = part[len(part)-1]
		if len(part) == room {
			t.counts = append(t.counts, t.lines)
		}
		p = p[len(part):]
	}
	return n, err
}

// First is where the first line begins of which all can still be read: 0 as long as the bound of what is
// kept has taken nothing away.
func (t *Tape) First() int64 {
	if t.own == nil {
		return 0
	}
	from := t.own.first()
	t.mu.Lock()
	defer t.mu.Unlock()
	if from > t.first {
		p := make([]byte, longLine)
		n, _ := t.at.ReadAt(p, from)
		t.first = from + int64(bytes.IndexByte(p[:n], '\n')) + 1 // within a longer line, where its piece begins
	}
	return t.first
}

// Close gives back what the tape keeps.
func (t *Tape) Close() error {
	if t.own != nil {
		return t.own.Close()
	}
	return nil
}

// Size is how many bytes the tape has seen.
func (t *Tape) Size() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.size
}

// Lines is how many lines it has seen, a last one without its end included.
func (t *Tape) Lines() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.size > 0 && t.last != '\n' {
		return t.lines + 1
	}
	return t.lines
}

var newline = []byte{'\n'}

// Number returns the number of the line at an offset, from 1.
func (t *Tape) Number(off int64) int64 {
	t.mu.RLock()
	i := min(int(off/block), len(t.counts)-1)
	n := t.counts[i]
	t.mu.RUnlock()
	return n + int64(bytes.Count(t.read(int64(i)*block, off-int64(i)*block), newline)) + 1
}

// Offset returns where line n begins, as far as the tape has been written and can still be read.
func (t *Tape) Offset(n int64) int64 {
	first := t.First()
	if n <= 1 {
		return first
	}
	t.mu.RLock()
	i, _ := slices.BinarySearch(t.counts, n-1)
	i = max(0, i-1)
	left := n - 1 - t.counts[i]
	t.mu.RUnlock()
	off := int64(i) * block
	if off+block <= first {
		return first
	}
	for left > 0 {
		p := t.read(off, block)
		if len(p) == 0 {
			return t.start(t.Size())
		}
		for left > 0 {
			k := bytes.IndexByte(p, '\n')
			if k < 0 {
				break
			}
			left--
			off += int64(k) + 1
			p = p[k+1:]
		}
		if left > 0 {
			off += int64(len(p))
		}
	}
	return max(off, first)
}

// read returns up to n bytes at an offset, fewer at the end or where they cannot be read.
func (t *Tape) read(off, n int64) []byte {
	n = min(n, t.Size()-off)
	if n <= 0 || off < 0 {
		return nil
	}
	p := make([]byte, n)
	k, _ := t.at.ReadAt(p, off)
	return p[:k]
}
