package frame

// certain takes one envelope or prefix off the start of b that cannot be taken for anything else: it notes
// what it says and returns its length.
func (f *Framer) certain(l *layers, b []byte) int {
	if len(b) == 0 {
		return 0
	}
	switch c := b[0]; {
	case c == '(':
		return f.process(l, b)
	case c == '[':
		return f.bracket(l, b)
	case IsDigit(c):
		return f.time(l, b)
	case IsAlpha(c):
		return f.word(l, b)
	}
	return f.mark(l, b)
}

// isHead reports whether b plainly begins a line of a process: what is ambiguous in front of it is
// a prefix then.
func (f *Framer) isHead(b []byte) bool {
	b = b[blanks(b):]
	probe := layers{probing: true}
	return f.certain(&probe, b) > 0 && (probe.Head || probe.enveloped || probe.grade >= gradeRank) ||
		hasPrefix(b, "Traceback (most recent call last)") || hasPrefix(b, `File "`) || exception(b)
}
