package frame

// ambiguous takes off what could as well be text: it is a prefix where a head stands behind it, or where
// the stream has shown it in front of one.
func (f *Framer) ambiguous(l *layers, b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch c := b[0]; {
	case IsDigit(c):
		return f.number(l, b)
	case IsAlpha(c):
		if n := numberedLine(b); n > 0 && f.isHead(b[n:]) {
			return n
		}
		return f.named(l, b)
	case c == '|':
		// A rule behind a time, or the border of a pasted screen or table, unless the row belongs to
		// nvidia-smi or a summary.
		ruled := l.ruled
		l.ruled = false
		if len(b) > 2 && b[1] == ' ' && f.isHead(b[2:]) {
			if !ruled {
				l.border = '|'
			}
			return 1
		}
	case c == '#': // a log in a comment
		if hasPrefix(b, "# ") && f.isHead(b[1:]) {
			l.Comment = true
			return 1
		}
	}
	return 0
}

// number takes off a time of day, the number of a line or a task, and names that begin with a digit.
func (f *Framer) number(l *layers, b []byte) int {
	n := digitRun(b, 0)
	if n >= len(b) || n > 10 || b[n] == ',' || n == 10 && b[n] == '.' {
		return 0
	}
	if c := clock(b); c > 0 && c < len(b) && b[c] == ' ' {
		if f.isHead(b[c:]) {
			return f.timeOfDay(l, b, c)
		}
		return 0
	}
	if k := f.label(l, b, n); k > 0 {
		return k
	}
	if k := f.numbered(b, n); k > 0 {
		return k
	}
	return f.named(l, b)
}

// numberedLine reads the "Line 97: " of search tools.
func numberedLine(b []byte) int {
	if !hasPrefix(b, "Line ") {
		return 0
	}
	n := digitRun(b, 5)
	if n == 0 || n > 8 || !hasPrefix(b[5+n:], ":") {
		return 0
	}
	return n + 6
}

// label takes off "3: ", which srun --label puts in front of each line. A second blank may be the
// text's own, behind the line number of grep, so only one tells a label.
func (f *Framer) label(l *layers, b []byte, digits int) int {
	if digits > 5 || !hasPrefix(b[digits:], ": ") || f.numbers == ':' {
		return 0
	}
	if !f.labels && (hasPrefix(b[digits:], ":  ") || !f.isHead(b[digits+2:])) {
		return 0
	}
	f.labels = true
	f.rank(l, b[:digits])
	return digits + 2
}

// numbered takes off the line number of grep -n, cat -n and the like.
func (f *Framer) numbered(b []byte, digits int) int {
	if digits > 8 || digits >= len(b) {
		return 0
	}
	n := digits + 1
	switch b[digits] {
	case ':', '\t', '|':
	case '-': // grep -A: only where grep is known
		if f.numbers != ':' {
			return 0
		}
	default:
		if !hasPrefix(b[digits:], "→") {
			return 0
		}
		n = digits + len("→")
	}
	sep := b[digits]
	if sep == '-' {
		sep = ':'
	}
	if f.numbers != sep && !f.isHead(b[n:]) {
		return 0
	}
	f.numbers = sep
	return n
}
