// Package template matches the wordings of the message catalogue against the text of a log.
//
// White space means nothing here: a [Text] is the log's text squeezed, all white space taken out and
// remembered as gaps, and a [Program] is a wording squeezed the same way. So a message is found however
// its lines were wrapped, and a figure that stood alone is still told from one that was cut in two.
package template

// Gap is what stood in front of a byte of a Text.
type Gap uint8

// The gaps, from none to the strongest.
const (
	None    Gap = iota
	Blank       // white space within a line
	Wrap        // a line end at the wrap column: words and numbers may go on behind it
	LineEnd     // a line end: text may go on behind it, a word or number does not
)

// Text is text without its white space.
type Text struct {
	B      []byte  // the bytes that are not white space
	Pos    []int32 // where each byte stood in Raw
	Gaps   []Gap   // what stood in front of each byte
	Raw    []byte  // the lines as given, joined by '\n'
	ends   []int32 // end of each line in Raw
	joints []Gap   // how each line goes on from the one before
}

// Reset empties the text and keeps its memory.
func (t *Text) Reset() {
	t.B, t.Pos, t.Gaps, t.Raw, t.ends, t.joints = t.B[:0], t.Pos[:0], t.Gaps[:0], t.Raw[:0], t.ends[:0], t.joints[:0]
}

// Add appends a line. gap tells how it goes on from the line before: wrapped inside a word (Wrap), wrapped
// at a blank (Blank), or not wrapped (LineEnd).
func (t *Text) Add(line []byte, gap Gap) {
	if len(t.ends) > 0 {
		t.Raw = append(t.Raw, '\n')
	}
	base := int32(len(t.Raw))
	t.Raw = append(t.Raw, line...)
	g := gap
	if len(t.ends) == 0 {
		g = LineEnd
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f':
			if g == None {
				g = Blank
			}
			continue
		case c == 0xC2 && i+1 < len(line) && line[i+1] == 0xA0: // no-break space
			if g == None {
				g = Blank
			}
			i++
			continue
		}
		t.B = append(t.B, c)
		t.Pos = append(t.Pos, base+int32(i))
		t.Gaps = append(t.Gaps, g)
		g = None
	}
	t.joints = append(t.joints, gap)
	t.ends = append(t.ends, int32(len(t.Raw)))
}

// LineOf returns the index of the added line that holds byte i of B.
func (t *Text) LineOf(i int) int {
	if i >= len(t.Pos) {
		return max(len(t.ends)-1, 0)
	}
	p, lo, hi := t.Pos[i], 0, len(t.ends)
	for lo < hi {
		m := (lo + hi) / 2
		if t.ends[m] <= p {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// halves reports whether B[:i] ends within a number: "signal 9" is not "signal 99".
func (t *Text) halves(i int) bool {
	return i > 0 && i < len(t.B) && isDigit(t.B[i-1]) && isDigit(t.B[i]) && t.Pos[i] == t.Pos[i-1]+1
}

// LineStart returns where added line n begins in Raw.
func (t *Text) LineStart(n int) int {
	if n == 0 {
		return 0
	}
	return int(t.ends[n-1]) + 1
}

// Slice returns the raw text from byte i of B up to byte j, wraps joined and other white space as one blank.
func (t *Text) Slice(i, j int) string {
	if i >= j {
		return ""
	}
	out := make([]byte, 0, j-i+16)
	for k := i; k < j; k++ {
		if k > i && (t.Gaps[k] == Blank || t.Gaps[k] == LineEnd) {
			out = append(out, ' ')
		}
		out = append(out, t.B[k])
	}
	return string(out)
}

// Tail returns the raw text from byte i of B to the end of its line, blanks kept.
func (t *Text) Tail(i int) string {
	if i >= len(t.Pos) {
		return ""
	}
	return string(t.Raw[t.Pos[i]:t.ends[t.LineOf(i)]])
}

// Joined returns the lines with the wraps between them taken out; a wrap at a blank leaves the blank.
func (t *Text) Joined() string {
	out := make([]byte, 0, len(t.Raw))
	start := int32(0)
	for i, e := range t.ends {
		if i > 0 && t.joints[i] != Wrap {
			out = append(out, jointText[t.joints[i]])
		}
		out = append(out, t.Raw[start:e]...)
		start = e + 1
	}
	return string(out)
}

// jointText is what Joined puts between two lines.
var jointText = [...]byte{None: '\n', Blank: ' ', LineEnd: '\n'}

// JoinedPos returns where byte i of B stands in Joined.
func (t *Text) JoinedPos(i int) int {
	p := int(t.Pos[i])
	for k := range t.LineOf(i) + 1 {
		if k > 0 && t.joints[k] == Wrap {
			p--
		}
	}
	return p
}
