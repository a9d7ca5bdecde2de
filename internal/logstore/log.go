// Package logstore keeps logs that can be read again, line by line, from any place, whatever their size.
//
// The common path: [New] for a log whose bytes stay where they are, such as a file's, or [Spool.Log] for one that
// cannot be read twice; [Log.Write] what comes; [Log.Forward] and [Log.Backward] from an offset, [Log.Offset] and
// [Log.Number] between offsets and line numbers; [Search] for what a [Query] asks.
//
// Guarantees: a log of 10 GiB takes a few hundred KiB beside the copy that a spool keeps; a spool keeps no more
// than it was told to, the newest; what it keeps is for this user's eyes only.
package logstore

import (
	"bytes"
	"io"
	"slices"
	"sync"
)

// block is how far apart a log's line counts stand, bytes. A log of 10 GiB has 40,960 of them.
const block = 256 << 10

// Log is a log that can be read again, line by line, from any place. It keeps no lines, only how many
// line ends stand before each block, so that a log of any size takes a few hundred KiB. One goroutine
// writes what is read; any number may read.
type Log struct {
	Name string

	mu     sync.RWMutex
	at     io.ReaderAt
	own    *kept   // the log's own copy of the bytes, or nil
	size   int64   // bytes seen
	first  int64   // what First said last
	counts []int64 // line ends before offset i × block
	lines  int64   // line ends in all
	last   byte
}

// New returns a log over bytes that can be read at their offsets, such as a file's; with a nil at,
// it keeps a copy of what is written to it.
func New(name string, at io.ReaderAt) *Log {
	if at == nil {
		return NewSpool(MaxKept).Log(name)
	}
	return &Log{Name: name, at: at, counts: []int64{0}}
}

// Write tells the log its next bytes. It fails only where a copy cannot be kept.
func (l *Log) Write(p []byte) (int, error) {
	n := len(p)
	if n == 0 {
		return 0, nil
	}
	var err error
	if l.own != nil {
		if k, e := l.own.Write(p); e != nil {
			p, err = p[:k], e
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(p) > 0 {
		room := int(block - l.size%block)
		part := p[:min(room, len(p))]
		l.lines += int64(bytes.Count(part, newline))
		l.size += int64(len(part))
		l.last = part[len(part)-1]
		if len(part) == room {
			l.counts = append(l.counts, l.lines)
		}
		p = p[len(part):]
	}
	return n, err
}

// First is where the first line begins of which all can still be read: 0 as long as the bound of what is
// kept has taken nothing away.
func (l *Log) First() int64 {
	if l.own == nil {
		return 0
	}
	from := l.own.first()
	l.mu.Lock()
	defer l.mu.Unlock()
	if from > l.first {
		p := make([]byte, longLine)
		n, _ := l.at.ReadAt(p, from)
		l.first = from + int64(bytes.IndexByte(p[:n], '\n')) + 1 // within a longer line, where its piece begins
	}
	return l.first
}

// Close gives back what the log keeps.
func (l *Log) Close() error {
	if l.own != nil {
		return l.own.Close()
	}
	return nil
}

// Size is how many bytes the log has.
func (l *Log) Size() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.size
}

// Lines is how many lines it has, a last one without its end included.
func (l *Log) Lines() int64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if l.size > 0 && l.last != '\n' {
		return l.lines + 1
	}
	return l.lines
}

var newline = []byte{'\n'}

// Number returns the number of the line at an offset, from 1.
func (l *Log) Number(off int64) int64 {
	l.mu.RLock()
	i := min(int(off/block), len(l.counts)-1)
	n := l.counts[i]
	l.mu.RUnlock()
	return n + int64(bytes.Count(l.read(int64(i)*block, off-int64(i)*block), newline)) + 1
}

// Offset returns where line n begins, as far as the log has been written and can still be read.
func (l *Log) Offset(n int64) int64 {
	first := l.First()
	if n <= 1 {
		return first
	}
	l.mu.RLock()
	i, _ := slices.BinarySearch(l.counts, n-1)
	i = max(0, i-1)
	left := n - 1 - l.counts[i]
	l.mu.RUnlock()
	off := int64(i) * block
	if off+block <= first {
		return first
	}
	for left > 0 {
		p := l.read(off, block)
		if len(p) == 0 {
			return l.start(l.Size())
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
func (l *Log) read(off, n int64) []byte {
	n = min(n, l.Size()-off)
	if n <= 0 || off < 0 {
		return nil
	}
	p := make([]byte, n)
	k, _ := l.at.ReadAt(p, off)
	return p[:k]
}
