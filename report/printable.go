package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxMarks is how many combining marks may stand on one letter: more is no language, and overprints
// the lines around it.
const maxMarks = 4

// Printable returns s with everything that could act on a terminal, or hide, made visible or taken
// out: control characters, escape sequences, bidirectional and zero-width marks, invalid UTF-8.
// White space of every kind becomes blanks, so the result is one line.
func Printable(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	lastEnd := max(strings.LastIndexByte(s, 0x07), strings.LastIndex(s, "\x1b\\"), strings.LastIndex(s, "\u009c"))
	marks := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		mark := unicode.In(r, unicode.Mn, unicode.Me)
		before := b.Len()
		switch {
		case r == utf8.RuneError && n == 1:
			b.WriteRune(utf8.RuneError)
		case r == 0x1b:
			n = escape(s[i:], lastEnd-i)
		case r == 0x85 || unicode.IsSpace(r) || r == '\u2800' || unicode.Is(unicode.Zs, r):
			b.WriteByte(' ')
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		case !unicode.IsGraphic(r):
			b.WriteRune(utf8.RuneError)
		case mark && marks == maxMarks:
		default:
			b.WriteString(s[i : i+n])
		}
		switch {
		case b.Len() == before: // what is taken out separates nothing
		case mark:
			marks++
		default:
			marks = 0
		}
		i += n
	}
	return b.String()
}

// PrintableLines is [Printable] for each line of a text.
func PrintableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x20 || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// escape returns the length of the escape sequence that s begins with. lastEnd is where the last end of
// a control string stands: without one behind it the sequence is not closed, and its text stays.
func escape(s string, lastEnd int) int {
	if len(s) < 2 {
		return 1
	}
	switch c := s[1]; {
	case c == '[': // CSI: parameters, then a final byte
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x3f {
				return i
			}
		}
		return len(s)
	case c == ']' || c == 'P' || c == 'X' || c == '^' || c == '_': // a string, up to BEL or ST
		if lastEnd < 2 {
			return 2
		}
		for i := 2; i < len(s); i++ {
			switch {
			case s[i] == 0x07:
				return i + 1
			case strings.HasPrefix(s[i:], "\x1b\\"), strings.HasPrefix(s[i:], "\u009c"):
				return i + 2
			}
		}
		return 2
	case c >= 0x20 && c <= 0x2f: // intermediate bytes, then a final one: character sets
		i := 2
		for i < len(s) && s[i] >= 0x20 && s[i] <= 0x2f {
			i++
		}
		if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
			i++
		}
		return i
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 1
}
