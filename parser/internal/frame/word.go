package frame

import "bytes"

// word takes off what begins with a letter: levels, dates with names, streams.
func (f *Framer) word(l *layers, b []byte) int {
	if name, n := level(b); n > 0 {
		if k := f.leveled(l, b, name, n); k > 0 {
			return k
		}
	}
	if b[0] >= 'A' && b[0] <= 'Z' {
		if len(b) > 14 && IsDigit(b[1]) {
			if n := f.glog(l, b); n > 0 {
				return n
			}
		}
		if n := monthStamp(b); n > 0 {
			f.at(l, b[:n])
			l.enveloped = true
			at := n + blanks(b[n:])
			return at + f.host(l, b[at:], false)
		}
		if n := dayStamp(b); n > 0 {
			f.at(l, b[:n])
			l.enveloped = true
			return n + f.afterStamp(l, b[n:])
		}
	}
	if n := stream(b); n > 0 {
		l.enveloped = true
		return n
	}
	return 0
}

// stream reads what names the stream a line came from: "stderr: ", "stdout/INFO  ",
// "PyProcess - W-9-model-stdout: " and "W-9000-model_1.0-stdout org.x.WorkerLifeCycle - ".
func stream(b []byte) int {
	if len(b) < 8 {
		return 0
	}
	switch b[0] {
	case 's':
		if !hasPrefix(b, "stdout") && !hasPrefix(b, "stderr") {
			return 0
		}
		switch r := b[6:]; {
		case hasPrefix(r, ": ") || hasPrefix(r, "| "):
			return 8
		case hasPrefix(r, " | "):
			return 9
		case hasPrefix(r, "/"):
			if _, n := level(r[1:]); n > 0 {
				return 7 + n
			}
		}
	case 'P', 'W':
		if hasPrefix(b, "PyProcess ") {
			if n := upTo(b, "-stdout: ", 120); n > 0 {
				return n
			}
			return upTo(b, "-stderr: ", 120)
		}
		if hasPrefix(b, "W-") && IsDigit(b[2]) {
			if k := token(b, 100); k > 0 && (bytes.HasSuffix(b[:k], []byte("-stdout")) || bytes.HasSuffix(b[:k], []byte("-stderr"))) {
				return upTo(b, " - ", 200)
			}
		}
	}
	return 0
}
