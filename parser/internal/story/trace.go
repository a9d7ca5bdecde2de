package story

import (
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// trace is the traceback a process is printing.
type trace struct {
	frames []Frame
	last   int  // line of its last frame
	cut    bool // its head did not come: outer frames are missing
	logged bool // a logger's head stands in front of each line, as it will before the exception
}

// frame puts a traceback together.
func (b *Builder) frame(st *sourceState, m *message.Occurrence) {
	t := st.traces[m.Origin]
	if t == nil {
		if len(st.traces) >= MaxTraces {
			b.LeftOut(m.At, CutTraces)
			clear(st.traces)
		}
		t = &trace{cut: true}
		st.traces[m.Origin] = t
	}
	function := m.Part.Func
	if function == "" { // a head or a chain's joint: a new block begins
		t.frames, t.cut = nil, false
		t.last = m.At.Line
		if inc := st.open; inc != nil && m.Origin == inc.Messages[0].Origin {
			inc.after = false // its traceback is complete
		}
		return
	}
	if m.At.Line-t.last > reachOf(m) || m.Logged != t.logged {
		t.frames, t.cut = nil, t.cut || len(t.frames) > 0
	}
	file := m.Part.File
	switch m.ID {
	case "trace-frame-rich":
		file = m.Part.Path + ".py"
	case "trace-frame-ipython-old":
		file = strings.TrimPrefix(m.Part.Path, "[") + ".py" // a link begins with a bracket
	}
	t.last, t.logged = m.At.Line, m.Logged
	f := Frame{File: strings.ReplaceAll(file, " ", ""), Func: function, Line: m.At.Line}
	if len(t.frames) < MaxFrames {
		t.frames = append(t.frames, f)
	} else {
		b.LeftOut(m.At, CutFrames)
	}
	// Notebooks and bug reports put the exception first and its traceback directly behind.
	if inc := st.open; inc != nil && len(inc.Frames) < MaxFrames && (inc.after || len(inc.Frames) == 0 && m.At.Line-inc.Last.Line <= clauseReach) &&
		m.Origin == inc.Messages[0].Origin && m.Logged == inc.Messages[0].Logged && m.At.Line-inc.Messages[0].At.Line < traceReach {
		inc.after = true
		inc.Frames = append(inc.Frames, f)
	}
}

// reachOf tells how far apart the parts of a traceback may be: the lines of processes that have names can be
// sorted, so that many others may stand between.
func reachOf(m *message.Occurrence) int {
	if m.Origin == "" {
		return unnamedReach
	}
	return traceReach
}

// traceOf returns the traceback that ends in a message, or that the message announces, and whether it is cut.
func (st *sourceState) traceOf(m *message.Occurrence) (frames []Frame, cut bool) {
	if t := st.traces[m.Origin]; t != nil && t.logged == m.Logged && m.LastLine-t.last <= reachOf(m) {
		return t.frames, t.cut
	}
	return nil, false
}
