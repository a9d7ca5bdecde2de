package logstore

import (
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
)

// MaxKept is how much is usually kept of the logs that cannot be read twice (pipes, pastes, compressed files,
// files that rotate away), all of them together, bytes.
const MaxKept = 1 << 30

// inMemory is how much of it is kept in memory before the rest goes to a file.
const inMemory = 8 << 20

// Spool keeps copies of logs for reading them again: the first [inMemory] bytes in memory, the rest in
// a temporary file that only this user can read and that has no name any more where the system allows
// that. Where no file can be written, what came so far stays readable.
type Spool struct {
	mu     sync.RWMutex
	slots  int // how many there may be; each holds a block
	mem    [][]byte
	file   *os.File
	used   int     // slots that were given out so far
	free   []int   // those that were given back
	order  []*kept // whose blocks were begun, oldest first
	copies int     // that are not closed
	err    error   // of the file: from then on nothing more is kept
}

// NewSpool returns an empty spool that keeps this many bytes; the oldest give way to the newest.
func NewSpool(bytes int64) *Spool { return &Spool{slots: int(bytes / block)} }

// Log returns a log that keeps a copy of what is written to it. Once all logs of a spool are closed,
// so is its file.
func (sp *Spool) Log(name string) *Log {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	sp.copies++
	c := &kept{spool: sp}
	return &Log{Name: name, at: c, own: c, counts: []int64{0}}
}

// kept is a spool's copy of one log.
type kept struct {
	spool  *Spool
	slots  []int // of the blocks from gone on
	gone   int64 // blocks that gave way
	size   int64
	closed bool
}

func (c *kept) Write(p []byte) (n int, err error) {
	sp := c.spool
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if c.closed {
		return 0, os.ErrClosed
	}
	for len(p) > 0 && sp.err == nil {
		at := c.size % block
		if at == 0 {
			s := sp.slot() // may take one from c
			c.slots = append(c.slots, s)
			sp.order = append(sp.order, c)
		}
		m := min(len(p), int(block-at))
		if sp.err = sp.write(c.slots[len(c.slots)-1], at, p[:m]); sp.err == nil {
			c.size += int64(m)
			n += m
			p = p[m:]
		}
	}
	return n, sp.err
}

// slot returns a place for a block, that of the oldest one where there is no other.
func (sp *Spool) slot() int {
	if n := len(sp.free); n > 0 {
		s := sp.free[n-1]
		sp.free = sp.free[:n-1]
		return s
	}
	if sp.used < sp.slots {
		sp.used++
		return sp.used - 1
	}
	c := sp.order[0]
	s := c.slots[0]
	sp.order, c.slots = sp.order[1:], c.slots[1:]
	c.gone++
	return s
}

const memSlots = inMemory / block

func (sp *Spool) write(slot int, at int64, p []byte) error {
	if slot < memSlots {
		for len(sp.mem) <= slot {
			sp.mem = append(sp.mem, nil)
		}
		sp.mem[slot] = append(sp.mem[slot][:at], p...)
		return nil
	}
	if sp.file == nil {
		f, err := os.CreateTemp("", "oomdoc-*") // mode 0600
		if err != nil {
			return err
		}
		if runtime.GOOS != "windows" {
			os.Remove(f.Name())
		}
		sp.file = f
	}
	_, err := sp.file.WriteAt(p, int64(slot-memSlots)*block+at)
	return err
}

var errGone = errors.New("this part of the log is not kept any more")

// ReadAt reads what is kept; bytes that gave way are an error.
func (c *kept) ReadAt(p []byte, off int64) (n int, err error) {
	sp := c.spool
	sp.mu.RLock()
	defer sp.mu.RUnlock()
	for n < len(p) {
		i, at := off/block-c.gone, off%block
		switch {
		case c.closed || off >= c.size:
			return n, io.EOF
		case i < 0:
			return n, errGone
		}
		m := min(int64(len(p)-n), block-at, c.size-off)
		if slot := c.slots[i]; slot < memSlots {
			m = int64(copy(p[n:n+int(m)], sp.mem[slot][at:]))
		} else if r, err := sp.file.ReadAt(p[n:n+int(m)], int64(slot-memSlots)*block+at); err != nil {
			return n + r, err
		}
		n += int(m)
		off += m
	}
	return n, nil
}

// first is where what is kept begins.
func (c *kept) first() int64 {
	c.spool.mu.RLock()
	defer c.spool.mu.RUnlock()
	return c.gone * block
}

// Close forgets the copy.
func (c *kept) Close() error {
	sp := c.spool
	sp.mu.Lock()
	defer sp.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	sp.free = append(sp.free, c.slots...)
	sp.order = slices.DeleteFunc(sp.order, func(o *kept) bool { return o == c })
	c.slots = nil
	if sp.copies--; sp.copies > 0 || sp.file == nil {
		return nil
	}
	name := sp.file.Name()
	err := sp.file.Close()
	if runtime.GOOS == "windows" {
		os.Remove(name)
	}
	sp.file, sp.mem, sp.free, sp.used = nil, nil, nil, 0
	return err
}
