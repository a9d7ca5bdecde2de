package frame

import (
	"bytes"
	"strconv"
)

// Line is what a process printed on one line, with the envelopes and prefixes of its way into the
// log taken off.
type Line struct {
	No      int    // line number in the source, from 1
	Width   int    // columns of the physical line as a terminal shows it, for finding hard wraps
	Text    []byte // no known prefix, no ANSI, no blanks at the ends; valid until the next call of Frame
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

// Framer takes the layers off the lines of one stream. Each layer is known by its own shape; where
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
	ruled     bool  // a time came off, and a column's rule may stand behind it
	probing   bool  // only asking whether this is a head: nothing is noted
}

// grade orders the sources of an origin. A better one replaces a worse; of equals the inner one counts.
type grade uint8

const (
	gradeNone grade = iota
	gradeUnit       // container, pod, systemd unit
	gradeRank       // rank of a job
	gradePID        // process with its pid
)

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
