package speaker

import (
	"bytes"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
)

// surroundings is a short memory of what the lines look like.
type surroundings struct {
	shapes  [window]shape
	n       int
	count   [shapes]int
	person  bool // somebody speaks of himself
	teaches bool // a heading says that failures are explained
}

const window = 40 // lines

// shape is what a line looks like.
type shape uint8

const (
	plainShape  shape = iota
	outputShape       // a program's
	codeShape         // a source's
	proseShape        // a sentence
	markupShape       // a heading, an entry of a list, a fence
	shapes
)

func (s *surroundings) add(l *frame.Line, traced bool) {
	k := shapeOf(l)
	if traced && k == codeShape {
		k = outputShape // the line that a frame shows
	}
	if s.n >= window {
		s.count[s.shapes[s.n%window]]--
	}
	s.shapes[s.n%window] = k
	s.count[k]++
	s.n++
	if k == proseShape || k == markupShape || k == plainShape {
		lower := strings.ToLower(string(l.Text[:min(len(l.Text), near)]))
		s.person = s.person || k == markupShape && hasAny(lower, reporting()) || hasWord(lower, persons()) || hasAny(lower, personsOfScripts())
		s.teaches = s.teaches || k == markupShape && hasAny(lower, teaching())
	}
}

// genre judges the surroundings. A few lines do not tell.
func (s *surroundings) genre() Genre {
	n := min(s.n, window)
	c := &s.count
	switch {
	case n < 3 || 4*c[outputShape] > n:
		return Own
	case 2*c[codeShape] > n:
		return Source
	case c[markupShape] > 0 && (c[proseShape] >= 2 || s.teaches && c[proseShape] == 1) && 2*(c[proseShape]+c[markupShape]) > n && !s.person:
		return Manual
	}
	return Own
}

// shapeOf tells what a line looks like by its first and its last letters.
func shapeOf(l *frame.Line) shape {
	text := l.Text
	switch {
	case text[0] == '"' || inString(l.Front):
		return codeShape
	case l.Time != "" || l.Logger || l.Origin != "" || l.Head || hasPrefix(text, `File "`) || hasPrefix(text, "Traceback (") || text[0] == '^':
		return outputShape
	case l.Fence || isHeading(text):
		return markupShape
	case codeStarts()[firstWord(text)] || strings.IndexByte("}@/*)", text[0]) >= 0 && !hasPrefix(text, "**") || strings.IndexByte("{;([\\=,)}]>", text[len(text)-1]) >= 0 || hasSuffix(text, "):"):
		return codeShape
	case bytes.Contains(text[:min(len(text), 120)], []byte("%|")):
		return outputShape
	case sentenceLike(text):
		return proseShape
	}
	return plainShape
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }
func hasSuffix(b []byte, s string) bool { return len(b) >= len(s) && string(b[len(b)-len(s):]) == s }

// firstWord returns the letters that a text begins with, and the sign in front of them.
func firstWord(text []byte) string {
	i := 0
	if text[0] == '#' {
		i = 1
	}
	for i < len(text) && i < 12 && text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z' {
		i++
	}
	if i < len(text) && strings.IndexByte(" (:;", text[i]) < 0 {
		return ""
	}
	return string(text[:i])
}

// codeStarts are the words with which lines of sources begin, and few sentences.
var codeStarts = lazyWords(`import def class return elif else for while try except raise assert func fn let const var type package pub struct
	enum impl #include #define #ifdef #endif static void public private async await switch case default export namespace using template`)

// isHeading reports whether a line is a heading or the rule of Markdown, reST or HTML.
func isHeading(text []byte) bool {
	switch text[0] {
	case '#':
		n := 1
		for n < len(text) && text[n] == '#' {
			n++
		}
		if n > 6 || n+2 >= len(text) || text[n] != ' ' {
			return false
		}
		c, next := text[n+1], text[n+2]
		return c >= 0x80 || c == '`' || c == '*' || c >= '0' && c <= '9' && next == '.' || c >= 'A' && c <= 'Z' && next >= 'a' && next <= 'z'
	case '*':
		return hasPrefix(text, "**") && len(text) < 80 && (hasSuffix(text, "**") || hasSuffix(text, "**:") || hasSuffix(text, ":**"))
	case '-', '=':
		return len(text) == 3 && text[1] == text[0] && text[2] == text[0] // programs print longer rules, too
	case '<':
		return hasPrefix(text, "<h") || hasPrefix(text, "<p>")
	case '!':
		return hasPrefix(text, "![")
	case '.':
		return hasPrefix(text, ".. ")
	}
	return false
}

// sentenceLike reports whether a text has the words of a sentence: several in lower case and little else.
func sentenceLike(text []byte) bool {
	words, wide, other := 0, 0, 0
	for _, w := range bytes.Fields(text[:min(len(text), 400)]) {
		w = bytes.Trim(w, "*_`'\"().,;:!?")
		letters := len(w) > 0
		for _, c := range w {
			if c >= 0x80 {
				wide++
			} else if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '\'') {
				letters = false
			}
		}
		if letters {
			words++
		} else {
			other++
		}
	}
	return words >= 4 && words > 2*other || wide >= 24
}
