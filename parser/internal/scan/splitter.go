package scan

import (
	"bytes"
	"slices"

	"github.com/oomdoc/oomdoc/parser/internal/gate"
)

const (
	chunkSize = 1 << 20  // bytes given to the gate at a time
	leastKept = 64 << 10 // bytes that a stream keeps before it looks what it can drop
)

// splitter makes windows of a stream: whole lines for the gate, behind enough of what came before them.
type splitter struct {
	decoder decoder
	buf     []byte // history, then complete lines that no window gave yet, then the beginning of a line
	given   int    // windows gave buf[:given]
	kept    int    // of buf, when idle last looked
	dropped int    // bytes that left buf since the last window
	cuts    []int  // indexes in buf of newlines that are not in the input: they cut a long line
	bytes   int64  // of the input
	offset  int64  // of the decoded stream, at the end of buf
	line    int64  // offset at which the last line begins
}

// window is a stretch of lines and what stands before it.
type window struct {
	buf      []byte
	from, to int // the lines are buf[from:to]
	cuts     []int
	hits     []gate.Hit // in the lines
}

func (w *window) lines() []byte { return w.buf[w.from:w.to] }

// decode returns the text of the next bytes, valid until the next call.
func (s *splitter) decode(p []byte) []byte {
	s.bytes += int64(len(p))
	return s.decoder.decode(p)
}

// flush returns what the decoder still held.
func (s *splitter) flush() []byte { return s.decoder.flush() }

// fill takes text until there is enough for a window, and returns the rest.
func (s *splitter) fill(p []byte) []byte {
	for len(p) > 0 && !s.full() {
		// Up to the next place where a long line may be cut.
		n := min(len(p), int(MaxLine-s.offset%MaxLine))
		s.buf = append(s.buf, p[:n]...)
		if k := bytes.LastIndexByte(p[:n], '\n'); k >= 0 {
			s.line = s.offset + int64(k) + 1
		}
		s.offset += int64(n)
		p = p[n:]
		if s.offset%MaxLine == 0 && s.offset-s.line >= MaxLine {
			s.cuts = append(s.cuts, len(s.buf))
			s.buf = append(s.buf, '\n')
			s.line = s.offset
		}
	}
	return p
}

func (s *splitter) full() bool { return len(s.buf)-s.given >= chunkSize }

// end completes the last line, and reports whether it was not.
func (s *splitter) end() bool {
	if s.given == len(s.buf) {
		return false
	}
	s.buf = append(s.buf, '\n')
	return true
}

// window returns the complete lines that are new. It shares the splitter's memory.
func (s *splitter) window() window {
	w := window{buf: s.buf, from: s.given, cuts: s.cuts}
	w.to = s.given + bytes.LastIndexByte(s.buf[s.given:], '\n') + 1
	s.given = w.to
	return w
}

// surplus returns how much of buf no region of later windows can reach: what is too many bytes before them.
func (s *splitter) surplus() int {
	return bytes.LastIndexByte(s.buf[:max(0, s.given-history-2*MaxLine)], '\n') + 1
}

// idle returns surplus, or more where the lines are short: what is too many lines before later windows. It
// looks each time that buf has grown by half, so that on average a byte is moved twice at most.
func (s *splitter) idle() int {
	if len(s.buf) < max(leastKept, s.kept+s.kept/2) {
		return 0
	}
	start := s.given
	for k := 0; k <= backFailed && start > 0; k++ { // one line more than a region takes
		start = bytes.LastIndexByte(s.buf[:start-1], '\n') + 1
	}
	drop := max(s.surplus(), start)
	s.kept = len(s.buf) - drop
	return drop
}

// move drops the beginning of buf and puts the rest into the memory of another slice, or the same.
func (s *splitter) move(to []byte, drop int) {
	s.buf = append(to[:0], s.buf[drop:]...)
	s.given -= drop
	s.cuts = slices.DeleteFunc(s.cuts, func(c int) bool { return c < drop })
	for i := range s.cuts {
		s.cuts[i] -= drop
	}
}
