package parser

import (
	"io"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/record"
	"github.com/oomdoc/oomdoc/parser/internal/scan"
	"github.com/oomdoc/oomdoc/parser/internal/story"
)

// Session reads one log, which may be several streams (ranks often log to files of their own), and
// gathers what they say. Sessions are independent of each other; one is not safe for concurrent use.
type Session struct {
	streams []*Stream
	build   *story.Builder
}

// NewSession begins a log.
func NewSession() *Session { return &Session{build: story.New()} }

// Stream adds an input to the session. Several may be fed in turn.
func (s *Session) Stream(name string) *Stream {
	source := s.build.Source(name)
	r := record.New(s.build, source)
	st := &Stream{source: source, build: s.build, reader: r, scan: scan.New(record.Gate(), message.GateTexts, r)}
	s.streams = append(s.streams, st)
	return st
}

// Feed takes the next bytes of a session that has one stream, cut anywhere.
func (s *Session) Feed(p []byte) { s.first().Feed(p) }

func (s *Session) first() *Stream {
	if len(s.streams) == 0 {
		return s.Stream("stdin")
	}
	return s.streams[0]
}

// Version changes whenever the streams have said something new.
func (s *Session) Version() uint64 { return s.build.Said() }

// Flush reads lines that may still go on, as far as they have come. What later lines add to them is read
// with those. Call it when no input has come for a moment; it takes time, and changes nothing else.
func (s *Session) Flush() {
	for _, st := range s.streams {
		if !st.closed {
			st.reader.Peek()
		}
	}
}

// Snapshot returns what the streams have said so far, up to the lines that Flush is for. It shares nothing
// with the session, which goes on.
func (s *Session) Snapshot() *Log {
	for _, st := range s.streams {
		st.measure()
	}
	return s.build.Snapshot()
}

// Samples returns what the latest statistics lines of a stream's run say, in order.
func (s *Session) Samples(source int) []Sample { return s.build.Samples(source) }

// Close ends all streams and returns what they said. The session must not be fed afterwards.
func (s *Session) Close() *Log {
	for _, st := range s.streams {
		st.Close()
	}
	return s.build.Finish()
}

// Read reads one stream to its end.
func Read(name string, r io.Reader) (*Log, error) {
	s := NewSession()
	if err := s.Stream(name).ReadAll(r); err != nil {
		return nil, err
	}
	return s.Close(), nil
}

// Stream is one input of a Session: a file, or standard input.
type Stream struct {
	source int
	build  *story.Builder
	reader *record.Reader
	scan   *scan.Stream
	closed bool
}

// Feed takes the next bytes of the stream, cut anywhere.
func (s *Stream) Feed(p []byte) { s.scan.Feed(p) }

// ReadAll feeds the stream from a reader to its end and closes it. What was read before an error stays. The
// result is that of Feed; reading, the gate and what follows from its hits go on side by side.
func (s *Stream) ReadAll(r io.Reader) error {
	defer s.Close()
	return s.scan.ReadAll(r)
}

// Close ends the stream.
func (s *Stream) Close() {
	s.scan.Close()
	s.closed = true
	s.measure()
}

func (s *Stream) measure() {
	lines, bytes := s.scan.Size()
	s.build.Size(s.source, lines, bytes)
}

// Outside adds a message of which only ID, Text and Facts are given, at the end of what the stream has said.
// The ID is one of those that no line states: [MemcgKilled] or [ChildKilled].
func (s *Stream) Outside(m Message) {
	s.reader.Flush()
	lines, _ := s.scan.Size()
	m.At = Pos{Source: s.source, Line: max(1, lines)}
	s.build.Outside(m)
}
