package template

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// Op is an instruction of a Program.
type Op uint8

// The instructions.
const (
	OpLit   Op = iota // S must follow
	OpCap             // a value of type Type; kept under Name S unless S is ""
	OpSplit           // try X, then Y
	OpJump            // go on at X
	OpEnd             // matched
	OpSet             // a value that the wording implies: S is name=value
)

// Inst is one instruction.
type Inst struct {
	Op   Op
	Type Type
	X, Y int16
	S    string
}

// Program is a compiled wording.
type Program []Inst

// minLead is the shortest text that a wording can be found by.
const minLead = 4

// Lead returns the text by which a program is found, and whether the program begins with it; else figures or
// short texts stand in front of it.
func (p Program) Lead() (text string, first bool) {
	for i := range p {
		switch p[i].Op {
		case OpLit:
			if len(p[i].S) >= minLead {
				return p[i].S, i == 0
			}
		case OpCap, OpSet:
		default:
			return p[0].S, true
		}
	}
	return p[0].S, true
}

// Type is the type of a capture.
type Type uint8

// The types of captures.
const (
	Size Type = iota // number and unit: bytes, KiB, KB … TiB; powers of 1024
	GiB              // a bare number in GiB, and so on
	MiB
	KiB
	Bytes
	GB10
	MB10
	Pages   // of 4 KiB
	Int     // thousands separators allowed
	Num     // signed, decimals
	Percent // as Num
	Word
	Name
	Any
	Rest
)

// TypeNames are the spellings of the types in the catalogue.
var TypeNames = [...]string{"size", "gib", "mib", "kib", "bytes", "gb10", "mb10", "pages", "int", "num", "percent", "word", "name", "any", "rest"}

// unit is the number of bytes in 1 of a bare-number type, 1 for plain numbers.
func (t Type) unit() float64 {
	switch t {
	case GiB:
		return 1 << 30
	case MiB:
		return 1 << 20
	case KiB:
		return 1 << 10
	case Pages:
		return 4096
	case GB10:
		return 1e9
	case MB10:
		return 1e6
	}
	return 1
}

// Numeric reports whether captures of the type are numbers.
func (t Type) Numeric() bool { return t <= Percent }

// Capture is a value that a wording captured.
type Capture struct {
	Name  string
	Type  Type
	Num   float64
	Slack float64 // half of the last printed digit, in the value's unit
	Text  string
	At    int // where it begins in Text.B
}

const (
	maxSteps = 20000 // of one match attempt
	maxName  = 200
	maxAny   = 400
)

type back struct {
	pc, pos, caps int
}

// Matcher runs programs; it keeps its memory from match to match. Not safe for concurrent use.
type Matcher struct {
	GaveUp bool // the last match took too many steps

	stack []back
	caps  []Capture
}

// maxBefore is how far in front of a program's lead its beginning may stand.
const maxBefore = 48

// MatchAround runs p where its lead stands at byte i of t. It returns where the match begins and ends, an end of
// -1 where there is none.
func (m *Matcher) MatchAround(p Program, t *Text, i int) (start, end int, caps []Capture) {
	if _, first := p.Lead(); first {
		end, caps = m.Match(p, t, i)
		return i, end, caps
	}
	for start = i - 1; start >= 0 && i-start <= maxBefore; start-- {
		if start > 0 && t.within(start) {
			continue
		}
		if end, caps = m.Match(p, t, start); end > i {
			return start, end, caps
		}
	}
	return i, -1, nil
}

// within reports whether byte i stands within a word, or within a number, also one that a wrap divides.
func (t *Text) within(i int) bool {
	figure := func(c byte) bool { return c == '.' || isDigit(c) }
	switch t.Gaps[i] {
	case None:
		return isWord(t.B[i]) && isWord(t.B[i-1])
	case Wrap:
		return figure(t.B[i]) && figure(t.B[i-1])
	}
	return false
}

func isWord(c byte) bool {
	return c == '.' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// Prefix reports whether t from byte i up to end is the beginning of a match of p that the end cuts off, and returns
// the values that are whole. Of alternatives and optional pieces, those that are written out first are followed.
func (m *Matcher) Prefix(p Program, t *Text, i, end int) (caps []Capture, ok bool) {
	m.stack, m.caps = m.stack[:0], m.caps[:0]
	pc, pos := 0, i
	for range maxPrefix {
		in, ok := &p[pc], true
		switch in.Op {
		case OpEnd:
			ok = false // it matches whole
		case OpJump:
			pc = int(in.X)
			continue
		case OpSplit:
			m.stack = append(m.stack, back{int(in.Y), pos, len(m.caps)})
			pc++
			continue
		case OpSet:
			name, value, _ := strings.Cut(in.S, "=")
			m.caps = append(m.caps, Capture{Name: name, Type: Word, Text: value, At: pos})
			pc++
		case OpLit:
			rest := t.B[pos:end]
			if len(rest) < len(in.S) {
				if string(rest) == in.S[:len(rest)] {
					return m.caps, true
				}
				ok = false
				break
			}
			if ok = string(rest[:len(in.S)]) == in.S; ok {
				pos, pc = pos+len(in.S), pc+1
			}
		case OpCap:
			if in.Type == Any || in.Type == Name || in.Type == Rest {
				ok = false
				break
			}
			c, n := capture(t, pos, in.Type)
			if n > end || n < 0 {
				if pos < end && !isDigit(t.B[pos]) && in.Type.Numeric() {
					ok = false
					break
				}
				return m.caps, true // the cut is in the value
			}
			if in.S != "" {
				c.Name, c.Type, c.At = in.S, in.Type, pos
				m.caps = append(m.caps, c)
			}
			pos, pc = n, pc+1
		}
		if !ok {
			if len(m.stack) == 0 {
				return nil, false
			}
			b := m.stack[len(m.stack)-1]
			m.stack = m.stack[:len(m.stack)-1]
			pc, pos, m.caps = b.pc, b.pos, m.caps[:b.caps]
		}
	}
	return nil, false
}

const maxPrefix = 500 // steps

// Match runs p at byte i of t. It returns where the match ends in t.B, or -1, and what was captured;
// the captures are valid until the next call.
func (m *Matcher) Match(p Program, t *Text, i int) (end int, caps []Capture) {
	m.stack, m.caps, m.GaveUp = m.stack[:0], m.caps[:0], false
	pc, pos := 0, i
	for step := 0; step < maxSteps; step++ {
		in := &p[pc]
		ok := true
		switch in.Op {
		case OpEnd:
			if ok = !t.halves(pos); ok {
				return pos, m.caps
			}
		case OpJump:
			pc = int(in.X)
			continue
		case OpSplit:
			m.stack = append(m.stack, back{int(in.Y), pos, len(m.caps)})
			pc = int(in.X)
			continue
		case OpSet:
			name, value, _ := strings.Cut(in.S, "=")
			m.caps = append(m.caps, Capture{Name: name, Type: Word, Text: value, At: pos})
			pc++
		case OpLit:
			if ok = hasPrefixAt(t.B, pos, in.S); ok {
				pos += len(in.S)
				pc++
			}
		case OpCap:
			if in.Type == Any || in.Type == Name {
				pos, ok = m.lazy(p, pc, t, pos)
				if ok {
					pc++
				}
				break
			}
			var c Capture
			var n int
			if c, n = capture(t, pos, in.Type); n >= 0 {
				if in.S != "" {
					c.Name, c.Type, c.At = in.S, in.Type, pos
					m.caps = append(m.caps, c)
				}
				pos, pc = n, pc+1
			} else {
				ok = false
			}
		}
		if !ok {
			if len(m.stack) == 0 {
				return -1, nil
			}
			b := m.stack[len(m.stack)-1]
			m.stack = m.stack[:len(m.stack)-1]
			pc, pos, m.caps = b.pc, b.pos, m.caps[:b.caps]
		}
	}
	m.GaveUp = true
	return -1, nil
}

func hasPrefixAt(b []byte, i int, s string) bool {
	return len(b)-i >= len(s) && string(b[i:i+len(s)]) == s
}

// lazy captures up to the next literal, the nearest one only: wordings are written so that this is enough.
func (m *Matcher) lazy(p Program, pc int, t *Text, pos int) (int, bool) {
	in := &p[pc]
	end := len(t.B)
	limit := maxAny
	if in.Type == Name {
		limit = maxName
		if pos < end && (t.B[pos] == '\'' || t.B[pos] == '"' || t.B[pos] == '`') {
			if k := bytes.IndexByte(t.B[pos+1:min(end, pos+1+limit)], t.B[pos]); k >= 0 {
				m.keep(in, t, pos+1, pos+1+k)
				return pos + k + 2, true
			}
		}
	}
	end = min(end, pos+limit)
	if next := nextLit(p, pc+1); next != "" {
		k := bytes.Index(t.B[pos:min(len(t.B), end+len(next))], []byte(next))
		if k < 0 {
			return pos, false
		}
		end = pos + k
	}
	for k := pos + 1; k < end; k++ {
		if t.Gaps[k] == LineEnd && in.Type == Name {
			if nextLit(p, pc+1) != "" {
				return pos, false
			}
			end = k
		}
	}
	m.keep(in, t, pos, end)
	return end, true
}

func (m *Matcher) keep(in *Inst, t *Text, i, j int) {
	if in.S != "" {
		m.caps = append(m.caps, Capture{Name: in.S, Type: in.Type, Text: t.Slice(i, j), At: i})
	}
}

func nextLit(p Program, pc int) string {
	for pc < len(p) {
		switch p[pc].Op {
		case OpLit:
			return p[pc].S
		case OpJump:
			pc = int(p[pc].X)
		default:
			return ""
		}
	}
	return ""
}

// capture reads one value at i; the end is -1 when there is none.
func capture(t *Text, i int, typ Type) (Capture, int) {
	switch typ {
	case Word:
		j := i
		for j < len(t.B) && !wordEnd(t.B[j]) && (j == i || t.Gaps[j] == None || t.Gaps[j] == Wrap) {
			j++
		}
		if j == i {
			return Capture{}, -1
		}
		return Capture{Text: t.Slice(i, j)}, j
	case Rest:
		return Capture{Text: t.Slice(i, len(t.B))}, len(t.B)
	}
	v, slack, j := number(t, i, typ == Int || typ == Num || typ == Bytes)
	if j < 0 {
		return Capture{}, -1
	}
	unit := typ.unit()
	if typ == Size {
		if unit, j = sizeUnit(t.B, j); j < 0 {
			return Capture{}, -1
		}
		if unit == 1 {
			slack = 0
		}
	}
	if typ == Int && v != math.Trunc(v) {
		return Capture{}, -1
	}
	return Capture{Num: v * unit, Slack: slack * unit}, j
}

func wordEnd(c byte) bool {
	switch c {
	case ',', ';', '(', ')', '[', ']', '{', '}', '\'', '"', '`':
		return true
	}
	return false
}

// number reads a number: sign, digits, thousands separators, decimals. A size may go on behind the end of its
// line, wrapped or not: its unit is still to come.
func number(t *Text, i int, exact bool) (v, slack float64, end int) {
	b := t.B
	j := i
	if j < len(b) && (b[j] == '-' || b[j] == '+') {
		j++
	}
	var buf [40]byte
	s := append(buf[:0], b[i:j]...)
	digits, point, decimals := 0, false, 0
	for ; j < len(b) && len(s) < len(buf); j++ {
		c := b[j]
		if j > i && !joined(t, j) && (exact || t.Gaps[j] != LineEnd || !isDigit(c) || digits == 0) {
			break
		}
		if c >= '0' && c <= '9' {
			digits++
			if point {
				decimals++
			}
			s = append(s, c)
			continue
		}
		if c == '.' && !point && digits > 0 && j+1 < len(b) && isDigit(b[j+1]) && (joined(t, j+1) || !exact && t.Gaps[j+1] == LineEnd) {
			point = true
			s = append(s, c)
			continue
		}
		if c == ',' && !point && digits > 0 && digits <= 15 && thousands(t, j) {
			continue
		}
		break
	}
	if digits == 0 {
		return 0, 0, -1
	}
	// An exponent, as Python prints very large and very small numbers.
	if j+2 < len(b) && (b[j] == 'e' || b[j] == 'E') && joined(t, j) && (b[j+1] == '+' || b[j+1] == '-') && isDigit(b[j+2]) {
		s = append(s, b[j], b[j+1])
		for j += 2; j < len(b) && isDigit(b[j]) && len(s) < len(buf); j++ {
			s = append(s, b[j])
		}
	}
	v, err := strconv.ParseFloat(string(s), 64)
	if err != nil {
		return 0, 0, -1
	}
	if !exact || point {
		slack = 0.5 * math.Pow10(-decimals)
	}
	return v, slack, j
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func joined(t *Text, i int) bool { return t.Gaps[i] == None || t.Gaps[i] == Wrap }

// thousands reports whether the comma at j separates a group of exactly three digits.
func thousands(t *Text, j int) bool {
	if j+3 >= len(t.B) {
		return false
	}
	for k := j + 1; k <= j+3; k++ {
		if !isDigit(t.B[k]) || !joined(t, k) {
			return false
		}
	}
	return j+4 >= len(t.B) || !isDigit(t.B[j+4]) || !joined(t, j+4)
}

// sizeUnit reads the unit behind a number.
func sizeUnit(b []byte, i int) (float64, int) {
	for _, u := range sizeUnits {
		if hasPrefixAt(b, i, u.name) {
			return u.bytes, i + len(u.name)
		}
	}
	return 0, -1
}

var sizeUnits = []struct {
	name  string
	bytes float64
}{
	{"bytes", 1}, {"byte", 1}, {"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"PiB", 1 << 50},
	{"kB", 1 << 10}, {"KB", 1 << 10}, {"MB", 1 << 20}, {"GB", 1 << 30}, {"TB", 1 << 40}, {"Gib", 1 << 30}, {"Mib", 1 << 20},
	{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"G", 1 << 30}, {"M", 1 << 20}, {"K", 1 << 10}, {"B", 1},
}
