// Package oomdoc is the diagnosis as a library: a log in, a diagnosis out.
//
//	d, err := oomdoc.Diagnose("server.log", file, oomdoc.Options{})
//	if err != nil { … }
//	report.WriteText(os.Stdout, d, report.Options{Lang: "en", Width: 80})
//
// A log that is still being written is fed to a [Session] as it comes. Nothing here reads files, uses the
// network or keeps state between calls; sessions may run concurrently.
package oomdoc

import (
	"io"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// Options changes how a log is diagnosed. The zero value is the usual way.
type Options struct {
	Knowledge *knowledge.Base // nil: the built-in knowledge
}

// Diagnose reads a log to its end. The error is the reader's; what came before it is diagnosed.
func Diagnose(name string, r io.Reader, opts Options) (*rules.Diagnosis, error) {
	s := NewSession(opts)
	err := s.Stream(name).ReadAll(r)
	return s.Close(), err
}

// Session is a diagnosis of streams that are still being written.
type Session struct {
	*parser.Session
	opts Options
}

// NewSession begins a diagnosis. Feed it bytes in any chunking, or add streams, then Close it.
func NewSession(opts Options) *Session {
	if opts.Knowledge == nil {
		opts.Knowledge = knowledge.Builtin()
	}
	return &Session{parser.NewSession(), opts}
}

// Close ends the session and returns the diagnosis.
func (s *Session) Close() *rules.Diagnosis { return s.diagnose(s.Session.Close()) }

// Now returns the diagnosis of what has been fed so far; the session goes on. Call it when no input
// has come for a moment: a message whose lines are still coming is taken for complete.
func (s *Session) Now() *rules.Diagnosis {
	s.Flush()
	return s.diagnose(s.Snapshot())
}

func (s *Session) diagnose(log *parser.Log) *rules.Diagnosis {
	return rules.Diagnose(log, s.opts.Knowledge, rules.Options{Planner: memory.Planner{}})
}
