package story

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

// Outside adds a message that no line states, of which only ID, Text, Facts and At are given.
func (b *Builder) Outside(m message.Occurrence) {
	d := &childKilled
	if m.ID == MemcgKilled {
		d = &memcgKilled
	}
	m.Class, m.Phase, m.Repeat, m.LastLine = d.Class, d.Phase, 1, m.At.Line
	for name, f := range m.Facts {
		f.Line, f.Source = m.At.Line, m.At.Source
		m.Facts[name] = f
	}
	b.Message(d, m)
}
