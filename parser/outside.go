package parser

import "github.com/oomdoc/oomdoc/parser/internal/message"

// Messages that no line states: what whoever ran the process knows of its end.
const (
	MemcgKilled = "kernel-memcg-events"
	ChildKilled = "child-killed"
)

var (
	memcgKilled = message.Template{
		ID: MemcgKilled, Class: message.ClassFailure,
		Doc: "Not printed: the kernel's counters of the cgroup (memory.events, oom_kill) rose while the command ran under oomdoc run.",
	}
	childKilled = message.Template{
		ID: ChildKilled, Class: message.ClassHint,
		Doc: "Not printed: the command that oomdoc run started was ended by SIGKILL, and no counter tells whether for memory.",
	}
)

// Outside adds a message of which only ID, Text and Facts are given, at the end of what the stream has said.
// The ID is one of those that no line states.
func (s *Stream) Outside(m Message) {
	d := &childKilled
	if m.ID == MemcgKilled {
		d = &memcgKilled
	}
	s.reader.flush()
	m.Class, m.Phase, m.Repeat = d.Class, d.Phase, 1
	m.At = Pos{s.source, max(1, s.no-1+s.lines(s.at, s.splitter.given))}
	m.LastLine = m.At.Line
	for name, f := range m.Facts {
		f.Line, f.Source = m.At.Line, s.source
		m.Facts[name] = f
	}
	s.session.build.message(d, m, nil, "")
}
