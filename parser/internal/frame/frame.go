package frame

import (
	"bytes"
	"strconv"
)

// line is what a process printed on one line, with the envelopes and prefixes of its way into the
// log taken off.
type Line struct {
	No      int    // line number in the source, from 1
	Width   int    // columns of the physical line as a terminal shows it, for finding hard wraps
	Text    []byte // no known prefix, no ANSI, no blanks at the ends; valid until the next call of frame
	Origin  string // the process: "EngineCore_DP0 pid=18799", "rank0", a container or unit; "" if none
	Outer   string // the first name that stood in front, the container's or the rank's; a wrapped line goes on with it alone
	Unit    string // the container, pod or unit that stood in front first; "" if none
	Time    string // as printed; a logger's own wins over an envelope's
	level   string // DEBUG INFO WARNING ERROR CRITICAL, "" if none
	Head    bool   // it begins a record: a logger's head stood in front, or an envelope that the line before lacks
	Logger  bool   // a logger's head stood in front
	Partial bool   // the text goes on in the next line (CRI "P", Docker's pieces of 16 KiB)
	Repeat  int    // lines this one stands for: 7 for Ray's "[repeated 7x across cluster]", else 1
	Quoted  bool   // a Markdown quote, or the line at which pytest stopped
	Comment bool   // the mark of a comment stood in front
	Fence   bool   // it begins or ends a code block of Markdown
	Indent  int    // blanks in front of the physical line
	Front   []byte // what stood in front of a logger's head in the middle of a line; nil where none did
	Before  bool   // a blank stood in front: a wrap there was between words
	After   bool   // a blank stood behind
}

// The bounds of framing one line.
const (
	MaxLayers = 16 // envelopes and prefixes in front of a text
	MaxNested = 4  // texts inside texts: JSON, escaped line ends
	maxNames  = 64 // names kept of each sort
)

// What the bounds leave out, see Framer.Cut.
var (
	CutLayers = "more than " + strconv.Itoa(MaxLayers) + " prefixes in front of a text: the inner ones were taken for text"
	CutNested = "texts within texts more than " + strconv.Itoa(MaxNested) + " deep were left as they are"
)

// framer takes the layers off the lines of one stream. Each layer is known by its own shape; where
// a shape is ambiguous ("3: ", "name | ") it counts once the stream has shown it in front of
// something that is plainly a head. The zero value is ready.
type Framer struct {
	arena    []byte            // memory of the texts that are not parts of the raw line
	names    map[string]string // origins met, to share their strings
	units    map[string]bool   // containers and pods met in front of heads
	fronts   map[string]bool   // other texts met in front of heads
	lastTime string
	envelope bool   // the line before had an envelope
	labels   bool   // the stream has "3: " in front of its lines (srun --label)
	Cut      string // what a bound left out of the line at hand
	numbers  byte   // the stream has line numbers in front, and what stands behind them
}

// layers is a line while its layers come off.
type layers struct {
	Line
	grade     grade // how precisely origin names the process
	enveloped bool  // a collector's envelope came off
	border    byte  // first byte of the border that stood in front: one may stand behind, too
	iso       bool  // an envelope's time came off: in a line that lost its line ends, the next one begins a line
	probing   bool  // only asking whether this is a head: nothing is learnt, nothing ambiguous taken
}

// grade orders the sources of an origin. A better one replaces a worse; of equals the inner one counts.
type grade uint8

const (
	gradeNone grade = iota
	gradeUnit       // container, pod, systemd unit
	gradeRank       // rank of a job
	gradePID        // process with its pid
)

// frame gives the logical lines of a physical one, which has no newline. Most have one; progress
// bars, JSON and escaped line ends can make it several.
func (f *Framer) Frame(no int, raw []byte, emit func(Line)) {
	f.arena = f.arena[:0]
	said := f.rows(layers{Line: Line{No: no, Repeat: 1}}, raw, 0, emit)
	f.envelope = said.enveloped
}

// rows splits b at line ends and carriage returns; up is what the layers around b said. It returns
// what the layers of all of it said.
func (f *Framer) rows(up layers, b []byte, nested int, emit func(Line)) layers {
	b = bytes.TrimRight(b, "\r\n")
	traits := look(b)
	if traits&hasEnd == 0 {
		return f.row(up, b, traits, nested, emit)
	}
	some := false
	keep := func(l Line) {
		if len(l.Text) > 0 {
			some = true
			emit(l)
		}
	}
	partial, enveloped := up.Partial, up.enveloped
	for len(b) > 0 {
		end := bytes.IndexAny(b, "\r\n")
		if end < 0 {
			end = len(b)
		}
		row := b[:end]
		rest := bytes.TrimLeft(b[end:], "\r\n")
		overwritten := end < len(b) && b[end] == '\r' && !hasPrefix(b[end:], "\r\n")
		b = rest
		if len(row) > 0 {
			up.Partial = partial && len(rest) == 0
			said := f.row(up, row, look(row), nested, keep)
			up.Origin, up.grade, up.Time = said.Origin, said.grade, said.Time
			enveloped = enveloped || said.enveloped
			partial = partial || said.Partial
		}
		up.Head, up.Logger, up.enveloped = overwritten, false, false
	}
	if !some {
		emit(up.Line)
	}
	up.enveloped = enveloped
	return up
}

// row frames a text without line ends and returns what its layers said.
func (f *Framer) row(up layers, b []byte, traits trait, nested int, emit func(Line)) layers {
	if traits&hasControl != 0 || traits&hasOpen != 0 && colored(b) {
		b = f.plain(b)
	}
	l := up
	l.Width = len(b)
	if traits&hasHigh != 0 {
		l.Width = columns(b)
	}
	l.Indent = blanks(b)
	l.Before = len(b) > 0 && (b[0] == ' ' || b[0] == '\t')
	l.After = len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t')
	b = f.peel(&l, b)
	if nested == MaxNested && len(b) > 1 && (b[0] == '{' || traits&hasBackslash != 0 && f.severalLines(b)) {
		f.Cut = CutNested
	}
	if nested < MaxNested && len(b) > 1 {
		switch {
		case b[0] == '{' && f.object(l, b, nested, emit):
			l.enveloped = true
			return l
		case b[0] == '"' && f.element(l, b, nested, emit):
			return l
		case traits&hasBackslash != 0 && f.severalLines(b):
			return f.rows(l, f.unquoted(b), nested+1, emit)
		}
	}
	whole := l.Width
	for inside := false; ; inside = true {
		at := gluedHead(&l, b)
		if at == 0 {
			break
		}
		rest := up
		if !l.Logger {
			rest = l // all of it is one process's
		}
		rest.Front = b[:at]
		rest.Partial = l.Partial
		if front := trimBlanks(b[:at]); l.Logger || inside || !f.isPrefix(front) {
			l.Width, l.Partial = columns(front), false
			f.say(l, front, emit)
			up.Head = true
		}
		rest.Head = true
		rest.Width = whole // where the physical line ends tells whether it was wrapped
		b = f.peel(&rest, b[at:])
		l = rest
	}
	f.say(l, b, emit)
	return l
}

// say gives out a line whose layers are off. An envelope makes it a head only after a line without:
// where each line has one, it tells nothing about where records begin.
func (f *Framer) say(l layers, text []byte, emit func(Line)) {
	l.Head = l.Head || l.enveloped && !f.envelope
	text = f.repeated(&l, trimBlanks(text))
	if n := beforeColumn(text); n > 0 && (l.Head || l.level != "") {
		text, l.After = text[:n], true
	}
	l.Text = text
	emit(l.Line)
}

// peel takes off layer after layer and returns the rest.
func (f *Framer) peel(l *layers, b []byte) []byte {
	for n := 0; ; n++ {
		b = b[blanks(b):]
		off := f.layer(l, b)
		if off == 0 {
			break
		}
		if n == MaxLayers {
			f.Cut = CutLayers
			break
		}
		b = b[off:]
	}
	if l.border != 0 {
		b = trimBorder(b, l.border)
	}
	return b
}

// layer takes one envelope or prefix off the start of b: it notes what it says and returns its length.
func (f *Framer) layer(l *layers, b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch c := b[0]; {
	case c == '(':
		return f.process(l, b)
	case c == '[':
		return f.bracket(l, b)
	case c >= '0' && c <= '9':
		return f.number(l, b)
	case c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
		return f.word(l, b)
	}
	return f.mark(l, b)
}

// isHead reports whether b plainly begins a line of a process: what is ambiguous in front of it is
// a prefix then.
func (f *Framer) isHead(b []byte) bool {
	b = b[blanks(b):]
	probe := layers{probing: true}
	return f.layer(&probe, b) > 0 && (probe.Head || probe.enveloped || probe.grade >= gradeRank) ||
		hasPrefix(b, "Traceback (most recent call last)") || hasPrefix(b, `File "`) || exception(b)
}

// repeated cuts off Ray's " [repeated 7x across cluster] (Ray deduplicates logs by default. …)".
func (f *Framer) repeated(l *layers, b []byte) []byte {
	if len(b) == 0 || b[len(b)-1] != ']' && b[len(b)-1] != ')' {
		return b
	}
	at := bytes.LastIndex(b, []byte("[repeated "))
	if at < 0 {
		return b
	}
	rest := b[at+len("[repeated "):]
	n := digitRun(rest, 0)
	if n == 0 || n > 6 || !hasPrefix(rest[n:], "x across cluster]") {
		return b
	}
	l.Repeat = max(1, number(rest[:n]))
	return trimBlanks(b[:at])
}

// from notes the process; name is a part of the line.
func (f *Framer) from(l *layers, g grade, name []byte) {
	if g < l.grade || len(name) == 0 || l.probing {
		l.grade = max(l.grade, g)
		return
	}
	l.grade = g
	if s, ok := f.names[string(name)]; ok {
		l.named(g, s)
		return
	}
	if f.names == nil || len(f.names) >= maxNames {
		f.names = make(map[string]string, 8)
	}
	s := string(bytes.ToValidUTF8(name, []byte("?")))
	f.names[string(name)] = s
	l.named(g, s)
}

func (l *layers) named(g grade, s string) {
	if g == gradeUnit && l.Unit == "" {
		l.Unit = s
	}
	if l.Outer == "" {
		l.Outer = s
	}
	l.Origin = s
}

// at notes the time; lines of the same second share the string.
func (f *Framer) at(l *layers, time []byte) {
	if l.probing {
		return
	}
	if f.lastTime != string(time) {
		f.lastTime = string(time)
	}
	l.Time = f.lastTime
}

// learn adds a name to a bounded set.
func learn(set *map[string]bool, name []byte) {
	if len(*set) >= maxNames || (*set)[string(name)] {
		return
	}
	if *set == nil {
		*set = map[string]bool{}
	}
	(*set)[string(name)] = true
}
