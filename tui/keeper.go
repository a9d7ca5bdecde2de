package tui

import (
	"errors"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
)

// Of the logs that cannot be read twice (pipes, pastes, compressed files, files that rotate away), the
// screen keeps this much, all of them together; the oldest gives way to the newest.
const maxKept = 1 << 30

// inMemory is how much of it is kept in memory before the rest goes to a file.
const inMemory = 8 << 20

// Keeper keeps copies of logs for reading them again: the first [inMemory] bytes in memory, the rest in
// a temporary file that only this user can read and that has no name any more where the system allows
// that. Where no file can be written, what came so far stays readable.
type Keeper struct {
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

// NewKeeper returns a keeper of nothing so far.
func NewKeeper() *Keeper { return &Keeper{slots: maxKept / block} }

// Tape returns a tape that keeps a copy of what is written to it. Once all tapes of a keeper are closed,
// so is its file.
func (k *Keeper) Tape(name string) *Tape {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.copies++
	c := &kept{keeper: k}
	return &Tape{Name: name, at: c, own: c, counts: []int64{0}}
}

// kept is a keeper's copy of one log.
type kept struct {
	keeper *Keeper
	slots  []int // of the blocks from gone on
	gone   int64 // blocks that gave way
	size   int64
	closed bool
}

func (c *kept) Write(p []byte) (n int, err error) {
	k := c.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	if c.closed {
		return 0, os.ErrClosed
	}
	for len(p) > 0 && k.err == nil {
		at := c.size % block
		if at == 0 {
			s := k.slot() // may take one from c
			c.slots = append(c.slots, s)
			k.order = append(k.order, c)
		}
		m := min(len(p), int(block-at))
		if k.err = k.write(c.slots[len(c.slots)-1], at, p[:m]); k.err == nil {
			c.size += int64(m)
			n += m
			p = p[m:]
		}
	}
	return n, k.err
}

// slot returns a place for a block, that of the oldest one where there is no other.
func (k *Keeper) slot() int {
	if n := len(k.free); n > 0 {
		s := k.free[n-1]
		k.free = k.free[:n-1]
		return s
	}
	if k.used < k.slots {
		k.used++
		return k.used - 1
	}
	c := k.order[0]
	s := c.slots[0]
	k.order, c.slots = k.order[1:], c.slots[1:]
	c.gone++
	return s
}

const memSlots = inMemory / block

func (k *Keeper) write(slot int, at int64, p []byte) error {
	if slot < memSlots {
		for len(k.mem) <= slot {
			k.mem = append(k.mem, nil)
		}
		k.mem[slot] = append(k.mem[slot][:at], p...)
		return nil
	}
	if k.file == nil {
		f, err := os.CreateTemp("", "oomdoc-*") // mode 0600
		if err != nil {
			return err
		}
		if runtime.GOOS != "windows" {
			os.Remove(f.Name())
		}
		k.file = f
	}
	_, err := k.file.WriteAt(p, int64(slot-memSlots)*block+at)
	return err
}

var errGone = errors.New("this part of the log is not kept any more")

// ReadAt reads what is kept; bytes that gave way are an error.
func (c *kept) ReadAt(p []byte, off int64) (n int, err error) {
	k := c.keeper
	k.mu.RLock()
	defer k.mu.RUnlock()
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
			m = int64(copy(p[n:n+int(m)], k.mem[slot][at:]))
		} else if r, err := k.file.ReadAt(p[n:n+int(m)], int64(slot-memSlots)*block+at); err != nil {
			return n + r, err
		}
		n += int(m)
		off += m
	}
	return n, nil
}

// first is where what is kept begins.
func (c *kept) first() int64 {
	c.keeper.mu.RLock()
	defer c.keeper.mu.RUnlock()
	return c.gone * block
}

// Close forgets the copy.
func (c *kept) Close() error {
	k := c.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	k.free = append(k.free, c.slots...)
	k.order = slices.DeleteFunc(k.order, func(o *kept) bool { return o == c })
	c.slots = nil
	if k.copies--; k.copies > 0 || k.file == nil {
		return nil
	}
	name := k.file.Name()
	err := k.file.Close()
	if runtime.GOOS == "windows" {
		os.Remove(name)
	}
	k.file, k.mem, k.free, k.used = nil, nil, nil, 0
	return err
}
