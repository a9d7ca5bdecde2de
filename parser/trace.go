package parser

import "strings"

// trace is the traceback a process is printing.
type trace struct {
	frames []Frame
	last   int  // line of its last frame
	cut    bool // its head did not come: outer frames are missing
	logged bool // a logger's head stands in front of each line, as it will before the exception
}

// frame puts a traceback together.
func (b *builder) frame(st *sourceState, id string, m *Message, private map[string]string, path string) {
	t := st.traces[m.Origin]
	if t == nil {
		if len(st.traces) >= maxTraces {
			b.log.cut(m.At, cutTraces)
			clear(st.traces)
		}
		t = &trace{cut: true}
		st.traces[m.Origin] = t
	}
	function := private["func"]
	if function == "" { // a head or a chain's joint: a new block begins
		t.frames, t.cut = nil, false
		t.last = m.At.Line
		if inc := st.open; inc != nil && m.Origin == inc.Messages[0].Origin {
			inc.after = false // its traceback is complete
		}
		return
	}
	if m.At.Line-t.last > reachOf(m) || m.logged != t.logged {
		t.frames, t.cut = nil, t.cut || len(t.frames) > 0
	}
	file := private["file"]
	switch id {
	case "trace-frame-rich":
		file = path + ".py"
	case "trace-frame-ipython-old":
		file = strings.TrimPrefix(path, "[") + ".py" // a link begins with a bracket
	}
	t.last, t.logged = m.At.Line, m.logged
	f := Frame{File: strings.ReplaceAll(file, " ", ""), Func: function, Line: m.At.Line}
	if len(t.frames) < maxFrames {
		t.frames = append(t.frames, f)
	} else {
		b.log.cut(m.At, cutFrames)
	}
	// Notebooks and bug reports put the exception first and its traceback directly behind.
	if inc := st.open; inc != nil && len(inc.Frames) < maxFrames && (inc.after || len(inc.Frames) == 0 && m.At.Line-inc.Last.Line <= clauseReach) &&
		m.Origin == inc.Messages[0].Origin && m.logged == inc.Messages[0].logged && m.At.Line-inc.Messages[0].At.Line < traceReach {
		inc.after = true
		inc.Frames = append(inc.Frames, f)
	}
}

// reachOf tells how far apart the parts of a traceback may be: the lines of processes that have names can be
// sorted, so that many others may stand between.
func reachOf(m *Message) int {
	if m.Origin == "" {
		return unnamedReach
	}
	return traceReach
}

// traceOf returns the traceback that ends in a message, or that the message announces, and whether it is cut.
func (st *sourceState) traceOf(m *Message) (frames []Frame, cut bool) {
	if t := st.traces[m.Origin]; t != nil && t.logged == m.logged && m.LastLine-t.last <= reachOf(m) {
		return t.frames, t.cut
	}
	return nil, false
}
