package terminal

import (
	"bytes"
	"os"
)

// The marks a terminal puts around what is pasted.
const (
	pasteBegins = "\x1b[200~"
	pasteEnds   = "\x1b[201~"
)

// Keyboard is the terminal that keys come from. Pastes are taken out of what it reads and given to
// paste as they come: Bubble Tea would gather them whole, at quadratic cost.
type Keyboard struct {
	*os.File // for its descriptor: raw mode, waiting
	paste    func(p []byte, end bool)

	held    []byte // may be the beginning of a mark
	inside  bool   // a paste has begun
	pending []byte // keys that are not read yet
	buf     []byte
}

// NewKeyboard reads keys from a file; paste is given what is pasted, a copy, and told where it ends.
func NewKeyboard(f *os.File, paste func(p []byte, end bool)) *Keyboard {
	return &Keyboard{File: f, paste: paste, buf: make([]byte, 64<<10)}
}

// Read returns the next keys; none where all that came was pasted.
func (k *Keyboard) Read(p []byte) (int, error) {
	if len(k.pending) == 0 {
		buf := k.buf
		if !k.inside {
			buf = buf[:min(len(p), len(buf))] // what is left over would wait for the next key
		}
		n, err := k.File.Read(buf)
		k.split(buf[:n])
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, k.pending)
	k.pending = k.pending[n:]
	return n, nil
}

// split sorts bytes into keys and pastes.
func (k *Keyboard) split(b []byte) {
	b = append(k.held, b...)
	k.held = nil
	for len(b) > 0 {
		mark := pasteBegins
		if k.inside {
			mark = pasteEnds
		}
		if i := bytes.Index(b, []byte(mark)); i >= 0 {
			k.give(b[:i], k.inside)
			b, k.inside = b[i+len(mark):], !k.inside
			continue
		}
		n := partial(b, mark)
		if n == 1 && !k.inside {
			n = 0 // the Escape key
		}
		k.held = bytes.Clone(b[len(b)-n:])
		k.give(b[:len(b)-n], false)
		return
	}
}

func (k *Keyboard) give(p []byte, end bool) {
	if !k.inside {
		k.pending = append(k.pending, p...)
	} else if len(p) > 0 || end {
		k.paste(bytes.Clone(p), end)
	}
}

// partial is the length of the longest beginning of mark that b ends with.
func partial(b []byte, mark string) int {
	for n := min(len(b), len(mark)-1); n > 0; n-- {
		if string(b[len(b)-n:]) == mark[:n] {
			return n
		}
	}
	return 0
}
