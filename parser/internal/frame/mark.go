package frame

import "bytes"

// mark takes off what begins with neither a letter, a digit nor a bracket: quotes, fences, borders.
func (f *Framer) mark(l *layers, b []byte) int {
	switch b[0] {
	case '<':
		return f.syslog(l, b)
	case '>':
		if hasPrefix(b, ">>") {
			return 0 // Python's prompt
		}
		if len(b) == 1 || b[1] == ' ' {
			l.Quoted = true
			return 1
		}
	case '`':
		n := fence(b)
		l.Fence = n > 0 && n == len(b)
		return n
	case '#':
		return f.step(l, b)
	case '_':
		if hasPrefix(b, "_bk;t=") { // Buildkite, when the escape around it was lost
			n := digitRun(b, 6)
			if n >= 10 {
				l.enveloped = true
				return 6 + n
			}
		}
	case 0xe2:
		n := border(b)
		if n > 0 {
			l.border = b[0]
		}
		return n
	case 0xef:
		if hasPrefix(b, "\ufeff") {
			return len("\ufeff")
		}
	}
	return 0
}

// fence reads a Markdown code fence: all of the line when only a language follows.
func fence(b []byte) int {
	if !hasPrefix(b, "```") {
		return 0
	}
	n := 3
	for n < len(b) && b[n] == '`' {
		n++
	}
	rest := trimBlanks(b[n:])
	for _, c := range rest {
		if !isAlnum(c) && c != '-' && c != '+' {
			return n
		}
	}
	if len(rest) > 12 {
		return n
	}
	return len(b)
}

// step takes off BuildKit's "#9 21.46 ", GitHub's "##[error]".
func (f *Framer) step(l *layers, b []byte) int {
	if hasPrefix(b, "##[") {
		n := upTo(b, "]", 20)
		if n > 0 {
			l.enveloped = true
			if name, k := level(bytes.ToUpper(b[3 : n-1])); k > 0 {
				l.level = name
			}
		}
		return n
	}
	n := digitRun(b, 1)
	if n == 0 || !hasPrefix(b[1+n:], " ") {
		return 0
	}
	i := 2 + n
	s := digitRun(b, i)
	if s == 0 || !hasPrefix(b[i+s:], ".") {
		return 0
	}
	d := digitRun(b, i+s+1)
	end := i + s + 1 + d
	if d == 0 || end < len(b) && b[end] != ' ' {
		return 0
	}
	l.enveloped = true
	return end
}

// border reads box drawing: the frame of a rich panel, the edge of a terminal's pane.
func border(b []byte) int {
	n := 0
	for boxed(b[n:]) {
		n += 3
	}
	return n
}

// trimBorder takes the right border off, of the sort of the left one.
func trimBorder(b []byte, left byte) []byte {
	b = trimBlanks(b)
	if left == '|' {
		return trimBlanks(bytes.TrimSuffix(b, []byte("|")))
	}
	for len(b) >= 3 && boxed(b[len(b)-3:]) {
		b = trimBlanks(b[:len(b)-3])
	}
	return b
}

// boxed reports whether b begins with a box drawing character, U+2500 to U+257F.
func boxed(b []byte) bool {
	return len(b) >= 3 && b[0] == 0xe2 && (b[1] == 0x94 || b[1] == 0x95) && b[2] >= 0x80 && b[2] < 0xc0
}
