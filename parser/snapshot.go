package parser

import (
	"maps"
	"slices"
)

// Flush reads lines that may still go on, as far as they have come. What later lines add to them is read
// with those. Call it when no input has come for a moment; it takes time, and changes nothing else.
func (s *Session) Flush() {
	for _, st := range s.streams {
		if st.reader != nil {
			st.reader.peek()
		}
	}
}

// Snapshot returns what the streams have said so far, up to the lines that Flush is for. It shares nothing
// with the session, which goes on.
func (s *Session) Snapshot() *Log {
	log := &Log{Sources: slices.Clone(s.log.Sources), Cuts: slices.Clone(s.log.Cuts)}
	for i, st := range s.streams {
		if st.reader != nil {
			log.Sources[i].Bytes, log.Sources[i].Lines = st.splitter.bytes, st.no-1+st.lines(st.at, st.splitter.given)
		}
	}
	for _, run := range s.log.Runs {
		log.Runs = append(log.Runs, run.clone())
	}
	b := builder{log: log}
	return b.finish()
}

func (r *Run) clone() *Run {
	c := *r
	c.Facts, c.Phases, c.Incidents = maps.Clone(r.Facts), slices.Clone(r.Phases), make([]*Incident, len(r.Incidents))
	for i, inc := range r.Incidents {
		d := *inc
		d.Messages, d.Frames, d.Origins = slices.Clone(inc.Messages), slices.Clone(inc.Frames), slices.Clone(inc.Origins)
		d.Devices, d.listed = slices.Clone(inc.Devices), slices.Clone(inc.listed)
		d.Failed = slices.Clone(inc.Failed)
		d.Facts, d.Before = maps.Clone(inc.Facts), maps.Clone(inc.Before)
		c.Incidents[i] = &d
	}
	return &c
}
