package parser

import "io"

// Session reads one log, which may be several streams (ranks often log to files of their own), and
// gathers what they say. Sessions are independent of each other; one is not safe for concurrent use.
type Session struct {
	log     Log
	streams []*Stream
	build   builder
}

// NewSession begins a log.
func NewSession() *Session {
	s := &Session{}
	s.build.log = &s.log
	return s
}

// Stream adds an input to the session. Several may be fed in turn.
func (s *Session) Stream(name string) *Stream {
	s.log.Sources = append(s.log.Sources, Source{Name: name})
	st := &Stream{session: s, source: len(s.log.Sources) - 1, ix: catalogueIndex(), no: 1, takenNo: 1}
	st.reader = &reader{ix: st.ix, build: &s.build, source: st.source}
	s.build.sources = append(s.build.sources, newSourceState())
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
func (s *Session) Version() uint64 { return s.build.version }

// Close ends all streams and returns what they said. The session must not be fed afterwards.
func (s *Session) Close() *Log {
	for _, st := range s.streams {
		st.Close()
	}
	return s.build.finish()
}

// Read reads one stream to its end.
func Read(name string, r io.Reader) (*Log, error) {
	s := NewSession()
	if err := s.Stream(name).ReadAll(r); err != nil {
		return nil, err
	}
	return s.Close(), nil
}
