package speaker

import "strings"

// Bounds of what is looked at around a message.
const (
	near       = 256  // bytes of a sentence before it
	maxMessage = 2048 // a message and what closes its quotes
	maxQuotes  = 12   // strings in strings
)

// Record is the text of a record, its lines joined by line ends, in which messages were matched. They are
// asked for in order.
type Record struct {
	Text string

	begin, end int // of the line at hand
	scanned    int
	open       []quote // at Text[:scanned]
}

// quote is a string's beginning.
type quote struct {
	at    int  // of its quote sign
	sign  byte // " ' `
	depth int  // strings that it stands in, by the backslashes in front of the sign
}

// mention is a message in a record, and what stands around it.
type mention struct {
	context       Context
	record        *Record
	start, end    int
	line          string // on which it begins
	before, after string // of that line; after holds the message itself
	figures       int    // that it states
}

func (r *Record) mention(c Context, start, end int) *mention {
	for r.end <= start {
		size := strings.IndexByte(r.Text[r.end:], '\n')
		if size < 0 {
			size = len(r.Text) - r.end
		}
		r.begin, r.end = r.end, r.end+size+1
	}
	last := r.end - 1
	r.scan(start)
	return &mention{context: c, record: r, start: start, end: end, line: r.Text[r.begin:last], before: r.Text[r.begin:start], after: r.Text[start:last]}
}

// scan follows the strings of the record up to a place. A string ends with its line: what goes on behind it
// is a [Span]'s business.
func (r *Record) scan(to int) {
	slashes := 0
	for i := r.scanned; i < to; i++ {
		c := r.Text[i]
		switch c {
		case '\\':
			slashes++
			continue
		case '\n':
			r.open = r.open[:0]
		case '"', '\'', '`':
			r.sign(i, c, depthOf(slashes))
		}
		slashes = 0
	}
	r.scanned = max(r.scanned, to)
}

// depthOf tells in how many strings a quote sign stands that has so many backslashes in front of it.
func depthOf(slashes int) (depth int) {
	for ; slashes&1 == 1; slashes >>= 1 {
		depth++
	}
	return depth
}

// sign takes a quote sign: it closes the string that began with its like, or begins one. Between letters it is
// an apostrophe.
func (r *Record) sign(i int, c byte, depth int) {
	follows := i+1 < len(r.Text) && isWord(r.Text[i+1])
	for k := len(r.open) - 1; k >= 0; k-- {
		if q := r.open[k]; q.sign == c && q.depth == depth {
			if c != '\'' || !follows {
				r.open = r.open[:k]
			}
			return
		}
	}
	if c == '\'' && i > 0 && isWord(r.Text[i-1]) && !stringPrefix(r.Text[:i]) || len(r.open) == maxQuotes {
		return
	}
	r.open = append(r.open, quote{i, c, depth})
}

// stringPrefix reports whether a text ends in the letters in front of a Python string: b'…', rf'…'.
func stringPrefix(s string) bool {
	i := len(s)
	for i > 0 && len(s)-i < 3 && isWord(s[i-1]) {
		i--
	}
	return i < len(s) && (i == 0 || !isWord(s[i-1])) && strings.Trim(s[i:], "rbfuRBFU") == ""
}

// key returns the word whose value a string is: "prompt" of `"prompt": "`, "" where it is nobody's.
func (r *Record) key(q quote) string { return keyBefore(r.Text[max(0, q.at-64):q.at]) }

// keyBefore returns the key that a text ends in, in lower case: a word, its sign, and what opens a list.
func keyBefore(s string) string {
	s = strings.TrimRight(s, " \t\n[{(\\")
	if s == "" || s[len(s)-1] != ':' && s[len(s)-1] != '=' {
		return ""
	}
	s = strings.TrimRight(s[:len(s)-1], " \t\n\"'`\\")
	i := len(s)
	for i > 0 && isWord(s[i-1]) {
		i--
	}
	return strings.ToLower(s[i:])
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// quote returns the innermost string that is open at the message, nil where none is.
func (m *mention) quote() *quote {
	if n := len(m.record.open); n > 0 {
		return &m.record.open[n-1]
	}
	return nil
}

// outermost returns the first string of the line that is open at the message, nil where none is.
func (m *mention) outermost() *quote {
	for i := range m.record.open {
		if m.record.open[i].at >= m.record.begin {
			return &m.record.open[i]
		}
	}
	return nil
}

// skeleton takes what strings hold out of a line's text.
func skeleton(s string) string {
	if !strings.ContainsAny(s, "\"'`") {
		return s
	}
	var out strings.Builder
	r := Record{Text: s}
	for i := range len(s) {
		inside := len(r.open) > 0
		r.scan(i + 1)
		if !inside || len(r.open) == 0 {
			out.WriteByte(s[i])
		}
	}
	return out.String()
}

// closing returns what of the line follows the string that the message stands in, and whether it ends there.
func (m *mention) closing(q *quote) (rest string, ok bool) {
	text := m.after[:min(len(m.after), maxMessage)]
	slashes := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			slashes++
			continue
		case c == q.sign && depthOf(slashes) <= q.depth && !(c == '\'' && i+1 < len(text) && isWord(text[i+1])):
			return text[i+1:], true
		}
		slashes = 0
	}
	return "", false
}
