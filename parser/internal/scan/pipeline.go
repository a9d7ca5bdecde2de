package scan

import (
	"errors"
	"io"
	"runtime"
	"slices"
	"sync"
)

// ReadAll feeds the stream from a reader to its end and closes it. What was read before an error stays. The
// result is that of Feed; reading, the gate and what follows from its hits go on side by side.
func (s *Stream) ReadAll(r io.Reader) error {
	defer s.Close()
	buf := make([]byte, smallLog)
	n, err := readSome(r, buf)
	s.Feed(buf[:n])
	if err == nil {
		err = s.readOn(r)
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

const smallLog = 64 << 10 // not worth the pipeline

// windowSize is the memory of a window: what is kept, what is new, and a line's beginning.
const windowSize = history + 2*MaxLine + chunkSize + 4*MaxLine

// readSome fills a buffer as far as the reader goes.
func readSome(r io.Reader, buf []byte) (n int, err error) {
	for n < len(buf) && err == nil {
		var k int
		k, err = r.Read(buf[n:])
		n += k
	}
	return n, err
}

// job is a window on its way through the gate.
type job struct {
	window
	drop int // bytes of the window before that this one does not begin with
	done chan struct{}
}

// readOn reads to the end: one goroutine cuts the windows, as many as there are processors look for the gate's
// texts in them, and the caller takes the windows in their order.
func (s *Stream) readOn(r io.Reader) error {
	workers := runtime.GOMAXPROCS(0)
	var (
		free  = make(chan *job, workers+2) // bounds the memory
		todo  = make(chan *job, cap(free))
		order = make(chan *job, cap(free))
		group sync.WaitGroup
		err   error
	)
	for range cap(free) {
		free <- &job{window: window{buf: make([]byte, 0, windowSize)}}
	}
	s.splitter.buf = slices.Grow(s.splitter.buf, windowSize)
	for range workers {
		group.Go(func() {
			for j := range todo {
				j.hits = s.gate.AppendHits(j.hits[:0], j.lines())
				close(j.done)
			}
		})
	}
	group.Go(func() {
		err = s.splitter.run(r, free, todo, order)
		close(todo)
		close(order)
	})
	var last *job
	for j := range order {
		<-j.done
		s.forget(j.drop)
		if last != nil {
			free <- last
		}
		s.advance(j.window)
		last = j
	}
	group.Wait()
	s.forget(s.splitter.dropped)
	s.splitter.dropped = 0
	s.buf, s.cuts = s.splitter.buf, s.splitter.cuts
	return err
}

// run reads to the end and sends the windows to both channels. What is no whole line yet stays in buf.
func (s *splitter) run(r io.Reader, free <-chan *job, todo, order chan<- *job) error {
	buf := make([]byte, chunkSize)
	for {
		n, err := r.Read(buf)
		for p := s.decode(buf[:n]); len(p) > 0; {
			p = s.fill(p)
			if !s.full() {
				break
			}
			j := <-free
			old, hits := j.buf, j.hits
			*j = job{window: s.window(), drop: s.dropped, done: make(chan struct{})}
			j.cuts, j.hits = slices.Clone(s.cuts), hits
			s.dropped = s.surplus()
			s.move(old, s.dropped)
			todo <- j
			order <- j
		}
		if err != nil {
			return err
		}
	}
}
