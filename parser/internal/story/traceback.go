package story

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trace"
)

const (
	traceReach   = 400 // lines between a traceback's last frame and the exception it ends in
	unnamedReach = 60  // the same where no line names its process
)

// traceback is the one that a process is printing.
type traceback struct {
	frames []trace.Frame
	last   int  // line of its last frame
	cut    bool // its head did not come: outer frames are missing
	logged bool // a logger's head stands in front of each line, as it will before the exception
}

// frameOf is the frame that a message of a traceback shows; ok is false for a head, or for a chain's joint.
func frameOf(m *message.Occurrence) (f trace.Frame, ok bool) {
	if m.Part.Func == "" {
		return f, false
	}
	file := m.Part.File
	switch m.ID {
	case "trace-frame-rich":
		file = m.Part.Path + ".py"
	case "trace-frame-ipython-old":
		file = strings.TrimPrefix(m.Part.Path, "[") + ".py" // a link begins with a bracket
	}
	at, _ := strconv.Atoi(m.Part.Number)
	return trace.Frame{File: strings.ReplaceAll(file, " ", ""), Func: m.Part.Func, Line: m.At.Line, At: at, Code: m.Part.Code}, true
}

// frame puts a process's traceback together.
func (t *thread) frame(m *message.Occurrence) {
	tb := t.traces[m.Origin]
	if tb == nil {
		if len(t.traces) >= MaxTraces {
			t.LeftOut(m.At, CutTraces)
			clear(t.traces)
		}
		tb = &traceback{cut: true}
		t.traces[m.Origin] = tb
	}
	f, ok := frameOf(m)
	if !ok { // a new block begins
		tb.frames, tb.cut, tb.last = nil, false, m.At.Line
		if inc := t.open; inc != nil && m.Origin == inc.Messages[0].Origin {
			inc.after = false // its traceback is complete
		}
		return
	}
	if m.At.Line-tb.last > reachOf(m) || m.Logged != tb.logged {
		tb.frames, tb.cut = nil, tb.cut || len(tb.frames) > 0
	}
	tb.last, tb.logged = m.At.Line, m.Logged
	if len(tb.frames) < MaxFrames {
		tb.frames = append(tb.frames, f)
	} else {
		t.LeftOut(m.At, CutFrames)
	}
	// Notebooks and bug reports put the exception first and its traceback directly behind.
	if inc := t.open; inc != nil && len(inc.Frames) < MaxFrames && (inc.after || len(inc.Frames) == 0 && m.At.Line-inc.Last.Line <= t.reach(clauseReach)) &&
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
func (t *thread) traceOf(m *message.Occurrence) (frames []trace.Frame, cut bool) {
	if tb := t.traces[m.Origin]; tb != nil && tb.logged == m.Logged && m.LastLine-tb.last <= reachOf(m) {
		return tb.frames, tb.cut
	}
	return nil, false
}
