// Package feed is where a screen has its logs from: sources that read them and say what is known about them so far.
//
// A [Source] sends messages: [Opened], [Diagnosed], [Progress], [Live] and the others of this package, as often as
// it likes; the screen shows the latest of each.
package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/rules"
)

// Source says what is known about a log. It sends messages until there is nothing more to say or the
// context ends; the screen shows the latest of each.
type Source interface {
	Run(ctx context.Context, send func(tea.Msg))
}

// Opened adds a log that can be read again. The n-th is the diagnosis' n-th source.
type Opened struct{ Log *logstore.Log }

// Diagnosed is the diagnosis of what has been read so far.
type Diagnosed struct {
	Diagnosis *rules.Diagnosis
	Final     bool
}

// Progress says how much has been read. Total is 0 where the end is not known.
type Progress struct{ Bytes, Total int64 }

// Failed is an error that ends or spoils the reading; what came before it stays.
type Failed struct{ Err error }

// Live is the state of a server whose log is still being written.
type Live struct {
	live.Stats
	At    time.Time
	Bytes int64 // read so far
}

// Notice is something to know about the reading: a file is not there yet, was rotated, bytes were lost.
type Notice struct{ Text string }

// Input is a log to read.
type Input struct {
	Name string
	io.ReadCloser
	At   io.ReaderAt // where the same bytes can be read at their offsets until ReadCloser is closed; nil where the screen has to keep a copy
	Size int64       // 0 where it is not known
}

// Reader is the Source that reads inputs to their ends.
type Reader struct {
	Inputs  []Input
	Options oomdoc.Options
}

const (
	chunk    = 256 << 10
	pause    = 150 * time.Millisecond // without input for this long, what came is diagnosed
	interval = 100 * time.Millisecond // between two messages about progress
)

// Run reads the inputs one after the other, as one log.
func (r Reader) Run(ctx context.Context, send func(tea.Msg)) {
	s := &session{Session: oomdoc.NewSession(r.Options), send: send, spool: logstore.NewSpool(logstore.MaxKept)}
	for _, in := range r.Inputs {
		s.total += in.Size
		if in.Size == 0 {
			s.total = 0
			break
		}
	}
	for _, in := range r.Inputs {
		if err := s.read(ctx, in); err != nil && ctx.Err() == nil {
			send(Failed{fmt.Errorf("%s: %w", in.Name, err)})
		}
	}
	if ctx.Err() == nil {
		send(Diagnosed{s.Close(), true})
	}
}

// session feeds bytes to a diagnosis and to logs that are kept, and tells the screen.
type session struct {
	*oomdoc.Session
	send         func(tea.Msg)
	spool        *logstore.Spool
	bytes, total int64
	fresh        bool // came in since the last diagnosis
	told         time.Time
	looked       time.Time
	cost         time.Duration // of the last diagnosis
}

// read feeds one input. Reading goes on in a goroutine of its own, so that what a slow pipe has sent is
// diagnosed while it says nothing.
func (s *session) read(ctx context.Context, in Input) error {
	log := logstore.New(in.Name, in.At)
	if in.At == nil {
		log = s.spool.Log(in.Name)
	}
	s.send(Opened{log})
	stream := s.Stream(in.Name)
	chunks := make(chan []byte)
	free := make(chan []byte, 2)
	free <- make([]byte, chunk)
	free <- make([]byte, chunk)
	var end error
	context.AfterFunc(ctx, func() { in.Close() }) // ends a read that waits
	go func() {
		defer close(chunks)
		for {
			buf := <-free
			n, err := in.Read(buf[:chunk])
			if n > 0 {
				select {
				case chunks <- buf[:n]:
				case <-ctx.Done():
					return
				}
			} else {
				free <- buf
			}
			if err != nil {
				if !errors.Is(err, io.EOF) {
					end = err
				}
				return
			}
		}
	}()
	wait := time.NewTimer(pause)
	defer wait.Stop()
	for {
		select {
		case p, ok := <-chunks:
			if !ok {
				stream.Close()
				if in.At == nil {
					in.Close()
				}
				return end
			}
			s.feed(log, stream.Feed, p)
			free <- p[:cap(p)]
			wait.Reset(pause)
		case <-wait.C:
			s.look()
			if s.fresh {
				wait.Reset(pause)
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (s *session) feed(log *logstore.Log, feed func([]byte), p []byte) {
	if _, err := log.Write(p); err != nil {
		s.send(Failed{fmt.Errorf("keeping a copy: %w", err)})
	}
	feed(p)
	s.bytes += int64(len(p))
	s.fresh = true
	if now := time.Now(); now.Sub(s.told) > interval {
		s.told = now
		s.send(Progress{s.bytes, s.total})
	}
}

// look diagnoses what came so far, at most a tenth of the time.
func (s *session) look() {
	if !s.fresh || time.Since(s.looked) < 10*s.cost {
		return
	}
	begun := time.Now()
	d := s.Now()
	s.fresh, s.looked, s.cost = false, time.Now(), time.Since(begun)
	s.send(Diagnosed{d, false})
}
