package parser

import "bytes"

// line is what a process printed on one line, with the envelopes and prefixes of its way into the
// log taken off.
type line struct {
	no      int    // line number in the source, from 1
	width   int    // columns of the physical line as a terminal shows it, for finding hard wraps
	text    []byte // no known prefix, no ANSI, no blanks at the ends; valid until the next call of frame
	origin  string // the process: "EngineCore_DP0 pid=18799", "rank0", a container or unit; "" if none
	outer   string // the first name that stood in front, the container's or the rank's; a wrapped line goes on with it alone
	time    string // as printed; a logger's own wins over an envelope's
	level   string // DEBUG INFO WARNING ERROR CRITICAL, "" if none
	head    bool   // it begins a record: a logger's head stood in front, or an envelope that the line before lacks
	logger  bool   // a logger's head stood in front
	partial bool   // the text goes on in the next line (CRI "P", Docker's pieces of 16 KiB)
	repeat  int    // lines this one stands for: 7 for Ray's "[repeated 7x across cluster]", else 1
	quoted  bool   // a Markdown quote, or the line at which pytest stopped
	comment bool   // the mark of a comment stood in front
	fence   bool   // it begins or ends a code block of Markdown
	before  bool   // a blank stood in front: a wrap there was between words
	after   bool   // a blank stood behind
}

// The bounds of framing one line.
const (
	maxLayers = 16 // envelopes and prefixes in front of a text
	maxNested = 4  // texts inside texts: JSON, escaped line ends
	maxNames  = 64 // names kept of each sort
)

// framer takes the layers off the lines of one stream. Each layer is known by its own shape; where
// a shape is ambiguous ("3: ", "name | ") it counts once the stream has shown it in front of
// something that is plainly a head. The zero value is ready.
type framer struct {
	arena    []byte            // memory of the texts that are not parts of the raw line
	names    map[string]string // origins met, to share their strings
	units    map[string]bool   // containers and pods met in front of heads
	fronts   map[string]bool   // other texts met in front of heads
	lastTime string
	envelope bool   // the line before had an envelope
	labels   bool   // the stream has "3: " in front of its lines (srun --label)
	cut      string // what a bound left out of the line at hand
	numbers  byte   // the stream has line numbers in front, and what stands behind them
}

// layers is a line while its layers come off.
type layers struct {
	line
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
func (f *framer) frame(no int, raw []byte, emit func(line)) {
	f.arena = f.arena[:0]
	said := f.rows(layers{line: line{no: no, repeat: 1}}, raw, 0, emit)
	f.envelope = said.enveloped
}

// rows splits b at line ends and carriage returns; up is what the layers around b said. It returns
// what the layers of all of it said.
func (f *framer) rows(up layers, b []byte, nested int, emit func(line)) layers {
	b = bytes.TrimRight(b, "\r\n")
	traits := look(b)
	if traits&hasEnd == 0 {
		return f.row(up, b, traits, nested, emit)
	}
	some := false
	keep := func(l line) {
		if len(l.text) > 0 {
			some = true
			emit(l)
		}
	}
	partial, enveloped := up.partial, up.enveloped
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
			up.partial = partial && len(rest) == 0
			said := f.row(up, row, look(row), nested, keep)
			up.origin, up.grade, up.time = said.origin, said.grade, said.time
			enveloped = enveloped || said.enveloped
			partial = partial || said.partial
		}
		up.head, up.logger, up.enveloped = overwritten, false, false
	}
	if !some {
		emit(up.line)
	}
	up.enveloped = enveloped
	return up
}

// row frames a text without line ends and returns what its layers said.
func (f *framer) row(up layers, b []byte, traits trait, nested int, emit func(line)) layers {
	if traits&hasControl != 0 || traits&hasOpen != 0 && colored(b) {
		b = f.plain(b)
	}
	l := up
	l.width = len(b)
	if traits&hasHigh != 0 {
		l.width = columns(b)
	}
	l.before = len(b) > 0 && (b[0] == ' ' || b[0] == '\t')
	l.after = len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t')
	b = f.peel(&l, b)
	if nested == maxNested && len(b) > 1 && (b[0] == '{' || traits&hasBackslash != 0 && f.severalLines(b)) {
		f.cut = cutNested
	}
	if nested < maxNested && len(b) > 1 {
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
	whole := l.width
	for inside := false; ; inside = true {
		at := gluedHead(&l, b)
		if at == 0 {
			break
		}
		rest := up
		if !l.logger {
			rest = l // all of it is one process's
		}
		rest.partial = l.partial
		if front := trimBlanks(b[:at]); l.logger || inside || !f.isPrefix(front) {
			l.width, l.partial = columns(front), false
			f.say(l, front, emit)
			up.head = true
		}
		rest.head = true
		rest.width = whole // where the physical line ends tells whether it was wrapped
		b = f.peel(&rest, b[at:])
		l = rest
	}
	f.say(l, b, emit)
	return l
}

// say gives out a line whose layers are off. An envelope makes it a head only after a line without:
// where each line has one, it tells nothing about where records begin.
func (f *framer) say(l layers, text []byte, emit func(line)) {
	l.head = l.head || l.enveloped && !f.envelope
	text = f.repeated(&l, trimBlanks(text))
	if n := beforeColumn(text); n > 0 && (l.head || l.level != "") {
		text, l.after = text[:n], true
	}
	l.text = text
	emit(l.line)
}

// peel takes off layer after layer and returns the rest.
func (f *framer) peel(l *layers, b []byte) []byte {
	for n := 0; ; n++ {
		b = b[blanks(b):]
		off := f.layer(l, b)
		if off == 0 {
			break
		}
		if n == maxLayers {
			f.cut = cutLayers
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
func (f *framer) layer(l *layers, b []byte) int {
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
func (f *framer) isHead(b []byte) bool {
	b = b[blanks(b):]
	probe := layers{probing: true}
	return f.layer(&probe, b) > 0 && (probe.head || probe.enveloped || probe.grade >= gradeRank) ||
		hasPrefix(b, "Traceback (most recent call last)") || hasPrefix(b, `File "`) || exception(b)
}

// repeated cuts off Ray's " [repeated 7x across cluster] (Ray deduplicates logs by default. …)".
func (f *framer) repeated(l *layers, b []byte) []byte {
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
	l.repeat = max(1, number(rest[:n]))
	return trimBlanks(b[:at])
}

// from notes the process; name is a part of the line.
func (f *framer) from(l *layers, g grade, name []byte) {
	if g < l.grade || len(name) == 0 || l.probing {
		l.grade = max(l.grade, g)
		return
	}
	l.grade = g
	if s, ok := f.names[string(name)]; ok {
		l.named(s)
		return
	}
	if f.names == nil || len(f.names) >= maxNames {
		f.names = make(map[string]string, 8)
	}
	s := string(bytes.ToValidUTF8(name, []byte("?")))
	f.names[string(name)] = s
	l.named(s)
}

func (l *layers) named(s string) {
	if l.outer == "" {
		l.outer = s
	}
	l.origin = s
}

// at notes the time; lines of the same second share the string.
func (f *framer) at(l *layers, time []byte) {
	if l.probing {
		return
	}
	if f.lastTime != string(time) {
		f.lastTime = string(time)
	}
	l.time = f.lastTime
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
