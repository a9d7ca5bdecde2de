package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
)

// maxCalls bounds the calls that are under way; the stream is not read on until one has ended.
const maxCalls = 64

// session is a client that is being served.
type session struct {
	*Server
	out   io.Writer
	slots chan struct{} // calls that work at the same time
	calls sync.WaitGroup
	room  chan struct{} // calls that are under way

	mu     sync.Mutex // of out, gone and cancel
	gone   error      // why nothing can be written any more
	cancel map[string]context.CancelFunc
}

// Serve answers a client until its stream ends, ctx is done, or nothing can be written to it any more. Calls
// that are under way when the stream ends are finished. The error is that of a broken stream.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	c := &session{
		Server: s, out: out, cancel: map[string]context.CancelFunc{},
		slots: make(chan struct{}, runtime.GOMAXPROCS(0)), room: make(chan struct{}, maxCalls),
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := make(chan error, 1)
	go func() { // a read that waits cannot be interrupted
		err := c.read(ctx, stop, in)
		c.calls.Wait()
		ended <- err
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// read takes messages until the stream ends. Calls are carried out beside it.
func (c *session) read(ctx context.Context, stop context.CancelCauseFunc, in io.Reader) error {
	l := lines{bufio.NewReaderSize(in, 64<<10)}
	for ctx.Err() == nil {
		text, err := l.next()
		if tooLong := (*Error)(nil); errors.As(err, &tooLong) {
			c.write(stop, reply(nil, nil, tooLong))
			continue
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading from the client: %w", err)
		}
		if text[0] == '[' {
			c.batch(ctx, stop, text)
			continue
		}
		if r, bad := parse(text); bad != nil {
			c.write(stop, bad)
		} else if r != nil {
			c.start(ctx, r, func(answer *response) { c.write(stop, answer) })
		}
	}
	return nil
}

// batch answers messages that came together, as revision 2025-03-26 has it, together.
func (c *session) batch(ctx context.Context, stop context.CancelCauseFunc, text []byte) {
	var parts []json.RawMessage
	if err := json.Unmarshal(text, &parts); err != nil || len(parts) == 0 || len(parts) > maxCalls {
		code := codeInvalidRequest
		if err != nil {
			code = codeParse
		}
		c.write(stop, reply(nil, nil, failure(code, "a batch is a list of 1 to %d messages", maxCalls)))
		return
	}
	var mu sync.Mutex
	var answers []*response
	var waiting sync.WaitGroup
	add := func(r *response) {
		mu.Lock()
		defer mu.Unlock()
		answers = append(answers, r)
	}
	for _, part := range parts {
		if r, bad := parse(part); bad != nil {
			add(bad)
		} else if r != nil {
			waiting.Add(1)
			c.start(ctx, r, func(answer *response) {
				defer waiting.Done()
				if answer != nil {
					add(answer)
				}
			})
		}
	}
	c.calls.Go(func() {
		waiting.Wait()
		if len(answers) > 0 {
			c.write(stop, answers)
		}
	})
}

// start carries a request out and hands over its answer: nil where it has none, being a notification or
// cancelled. What takes no time is answered at once, in the order of the questions.
func (c *session) start(ctx context.Context, r *request, done func(*response)) {
	if r.id == nil {
		c.notified(r)
		done(nil)
		return
	}
	if !slow[r.method] {
		done(c.answer(ctx, r))
		return
	}
	c.room <- struct{}{}
	ctx, cancel := context.WithCancel(ctx)
	c.mu.Lock()
	c.cancel[string(r.id)] = cancel
	c.mu.Unlock()
	c.calls.Go(func() {
		defer func() { <-c.room }()
		c.slots <- struct{}{}
		answer := c.answer(ctx, r)
		<-c.slots
		c.mu.Lock()
		delete(c.cancel, string(r.id))
		c.mu.Unlock()
		if ctx.Err() != nil {
			answer = nil
		}
		cancel()
		done(answer)
	})
}

// slow are the methods that read files.
var slow = map[string]bool{"tools/call": true, "resources/read": true}

// notified takes what needs no answer.
func (c *session) notified(r *request) {
	if r.method != "notifications/cancelled" {
		return
	}
	var p struct {
		ID json.RawMessage `json:"requestId"`
	}
	if json.Unmarshal(r.params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.cancel[string(p.ID)]; cancel != nil {
		cancel()
	}
}

// answer carries a request out. A fault of ours costs the client one answer, not the session.
func (c *session) answer(ctx context.Context, r *request) (answer *response) {
	defer func() {
		if fault := recover(); fault != nil {
			c.log(fmt.Sprintf("%s failed: %v\n%s", r.method, fault, debug.Stack()))
			answer = reply(r.id, nil, failure(codeInternal, "%s failed; this is a fault of the server", r.method))
		}
	}()
	result, err := c.dispatch(ctx, r)
	if err != nil {
		e := (*Error)(nil)
		if !errors.As(err, &e) {
			e = failure(codeInternal, "%v", err)
		}
		return reply(r.id, nil, e)
	}
	return reply(r.id, result, nil)
}

// write sends an answer, or answers, as one line. Without a reader the session is over.
func (c *session) write(stop context.CancelCauseFunc, answer any) {
	if r, ok := answer.(*response); ok && r == nil {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(answer); err != nil {
		c.log("an answer cannot be written: " + err.Error())
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.gone != nil {
		return
	}
	if _, err := c.out.Write(b.Bytes()); err != nil {
		c.gone = fmt.Errorf("writing to the client: %w", err)
		stop(c.gone)
	}
}

func (c *session) log(line string) {
	if c.Log != nil {
		c.Log(line)
	}
}
