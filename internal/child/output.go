package child

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// output is one of a command's outputs on its way to ours.
type output struct {
	from *os.File
	to   io.Writer
	n    atomic.Int64 // bytes that came
	line []byte       // the line that is being written; guarded by watch.mu
}

// pass copies until the output ends. When ours breaks, the command's is read on, so that it lives on.
func (o *output) pass(w *watch) {
	buf := make([]byte, 64<<10)
	broken := false
	for {
		n, err := o.from.Read(buf)
		if n > 0 {
			if !broken {
				_, werr := o.to.Write(buf[:n])
				broken = werr != nil
			}
			o.n.Add(int64(n))
			w.take(o, buf[:n])
		}
		if err != nil {
			return
		}
	}
}

// watch gathers the outputs of a command as one log, since what fails on one of them is explained by
// the settings on the other.
type watch struct {
	mu      sync.Mutex
	session *oomdoc.Session
	stream  *parser.Stream
	outputs []*output
	closed  bool
}

func newWatch(opts oomdoc.Options) *watch {
	s := oomdoc.NewSession(opts)
	return &watch{session: s, stream: s.Stream("output")}
}

// maxHeld is where a line that does not end is passed on in pieces.
const maxHeld = 64 << 10

// take adds bytes of an output, by whole lines.
func (w *watch) take(o *output, p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	if !slices.Contains(w.outputs, o) {
		w.outputs = append(w.outputs, o)
	}
	end := bytes.LastIndexByte(p, '\n') + 1
	if end == 0 && len(o.line)+len(p) > maxHeld {
		end = len(p)
	}
	if end > 0 {
		w.stream.Feed(o.line)
		w.stream.Feed(p[:end])
		o.line = o.line[:0]
	}
	o.line = append(o.line, p[end:]...)
}

// close ends the log, with what the system says about the end of the command.
func (w *watch) close(end ending, before, after usage) *rules.Diagnosis {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	for _, o := range w.outputs {
		if len(o.line) > 0 {
			w.stream.Feed(append(o.line, '\n'))
		}
	}
	if m, ok := lastWord(end, before, after); ok {
		w.stream.Outside(m)
	}
	return w.session.Close()
}
