package follow

import (
	"os"
	"time"
)

// pipe is a named pipe that is read in a goroutine of its own, since it has no events and its reader
// waits.
type pipe struct {
	generation
	tail *tail
	file *os.File
}

// chunk is what was read from a pipe; the reader waits for done.
type chunk struct {
	from *pipe
	data []byte
	done chan struct{}
}

func (t *tail) openPipe(info os.FileInfo) error {
	file, err := openFifo(t.path)
	if err != nil {
		return t.missing(err, time.Now())
	}
	t.said = ""
	p := &pipe{generation: generation{info: info}, tail: t, file: file}
	t.pipe = p
	f := t.f
	f.readers.Go(func() {
		c := chunk{from: p, done: make(chan struct{})}
		buf := make([]byte, maxLine)
		for {
			n, err := file.Read(buf)
			c.data = buf[:n]
			if n == 0 && err != nil {
				c.data = nil
			}
			select {
			case f.pipes <- c:
				<-c.done
			case <-f.stop:
				return
			}
			if c.data == nil {
				return
			}
		}
	})
	return nil
}

// receive takes what a pipe gave; nil is its end, and it is opened again at the next look.
func (p *pipe) receive(c chunk) error {
	give := func(b []byte) error { return p.tail.give(&p.generation, b) }
	if c.data != nil {
		return p.take(append(p.held, c.data...), give)
	}
	p.file.Close()
	if p.tail.pipe == p {
		p.tail.pipe = nil
	}
	return p.tail.endLine(&p.generation)
}
