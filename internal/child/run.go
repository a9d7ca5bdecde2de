// Package child runs a command, stays out of its way, and diagnoses what it has printed when it fails.
//
// The common path is [Run]. Output, terminal, signals and exit status are the command's. A command that was
// killed without a word leaves nothing to read; then the counters of its cgroup tell whether memory was the
// reason.
package child

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/rules"
)

// Result is how a command ended.
type Result struct {
	Status    int              // its exit status; 128 and the signal's number when a signal ended it
	Diagnosis *rules.Diagnosis // of what it has printed; nil where it did not fail
	Spared    bool             // it was killed, and its cgroup counts kills for memory, but not this one
	Told      bool             // somebody told it to end, with a signal that was passed on
}

// Run runs a command to its end. An error says why it could not be started.
func Run(args []string, stdin *os.File, stdout, stderr io.Writer, opts oomdoc.Options) (Result, error) {
	group := ownCgroup(os.DirFS("/"))
	before := group.read()
	w := newWatch(opts)
	c, err := start(args, stdin, stdout, stderr)
	if err != nil {
		return Result{}, err
	}
	var copied sync.WaitGroup
	for _, o := range c.outputs {
		copied.Go(func() { o.pass(w) })
	}
	end := c.wait()
	drain(&copied, c)
	c.restore()
	if end.status == 0 {
		return Result{}, nil
	}
	after := group.read()
	return Result{end.status, w.close(end, before, after), end.killed && after.counted, c.told()}, nil
}

// The patience with grandchildren that hold the output open when the command has ended.
const (
	lastWords = 300 * time.Millisecond // without output
	patience  = 3 * time.Second
)

// drain waits for what the command has written.
func drain(copied *sync.WaitGroup, c *child) {
	done := make(chan struct{})
	go func() {
		copied.Wait()
		close(done)
	}()
	deadline := time.After(patience)
	for {
		before := c.passed()
		select {
		case <-done:
			return
		case <-deadline:
			return
		case <-time.After(lastWords):
			if c.passed() == before {
				return
			}
		}
	}
}

// passed counts the bytes that came.
func (c *child) passed() (n int64) {
	for _, o := range c.outputs {
		n += o.n.Load()
	}
	return n
}
