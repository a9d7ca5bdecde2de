package frame

import (
	"bytes"
	"strings"
)

// time takes off what begins with the digits of a time.
func (f *Framer) time(l *layers, b []byte) int {
	n := digitRun(b, 0)
	switch {
	case n >= len(b):
		return 0
	case n == 4 || n == 2:
		if s := stamp(b); s > 0 {
			f.at(l, b[:s])
			l.enveloped = true
			l.iso = b[10] == 'T'
			return s + f.afterStamp(l, b[s:])
		}
		if c := clock(b); c > 0 && c < len(b) && b[c] == ' ' {
			if _, k := level(b[c+1:]); k > 0 {
				return f.timeOfDay(l, b, c)
			}
			return 0
		}
	case n == 10 && b[n] == '.': // journalctl -o short-unix
		end := n + 1 + digitRun(b, n+1)
		if end < len(b) && b[end] == ' ' {
			if k := f.host(l, b[end+1:], true); k > 0 {
				f.at(l, b[:end])
				l.enveloped = true
				return end + 1 + k
			}
		}
		return 0
	}
	if n <= 10 && b[n] == ',' {
		return f.kmsg(l, b)
	}
	return 0
}

// timeOfDay takes off a time without a date, n bytes long.
func (f *Framer) timeOfDay(l *layers, b []byte, n int) int {
	f.at(l, b[:n])
	l.enveloped = true
	return n + f.afterStamp(l, b[n:])
}

// afterStamp takes off what collectors and loggers put between the time and the text.
func (f *Framer) afterStamp(l *layers, b []byte) int {
	i := blanks(b)
	r := b[i:]
	if hasPrefix(r, "stdout ") || hasPrefix(r, "stderr ") { // CRI
		if end := 7 + token(r[7:], 40); end > 7 && (r[7] == 'F' || r[7] == 'P') && (end == 8 || r[8] == ':') {
			l.Partial = l.Partial || r[7] == 'P'
			return i + min(end+1, len(r))
		}
	}
	if len(r) < 3 {
		return i
	}
	switch r[0] {
	case '|':
		if r[1] == ' ' {
			if n := f.loguru(l, r); n > 0 {
				return i + n
			}
			l.ruled = true
		}
		return i
	case '-':
		if r[1] == ' ' {
			return i + 2 + f.dashed(l, r[2:])
		}
		return i
	case '>':
		if hasPrefix(r, ">> ") {
			return i + 3
		}
	case ':': // TensorFlow's ": W tensorflow/core/x.cc:12] "
		if r[1] == ' ' && levelLetter(r[2]) != "" {
			if n := upTo(r, "]", 200); n > 0 && endsInLine(r[:n-1]) {
				l.logged(levelLetter(r[2]))
				return i + n
			}
		}
		return i
	}
	if name, n := level(r); n > 0 && n < len(r) && (r[n] == ' ' || r[n] == '\t') {
		gap := blanks(r[n:])
		if shortStamp(r[n+gap:]) > 0 {
			return i // vLLM's own head
		}
		l.logged(name)
		n += gap
		if k := place(r[n:]); k > 0 {
			return i + n + k
		}
		if k := token(r[n:], 80); k > 0 && bytes.Contains(r[n:n+k], []byte(".py:")) {
			return i + n + afterPlace(r[n:])
		}
		return i + n + target(r[n:])
	}
	return i + f.host(l, r, true)
}

// loguru takes off "| INFO     | module:function:12 - ".
func (f *Framer) loguru(l *layers, b []byte) int {
	name, n := level(b[2:])
	if n == 0 {
		return 0
	}
	n += 2
	n += blanks(b[n:])
	if !hasPrefix(b[n:], "| ") {
		return 0
	}
	n += 2
	l.logged(name)
	if k := token(b[n:], 120); k > 0 && bytes.IndexByte(b[n:n+k], ':') > 0 && hasPrefix(b[n+k:], " - ") {
		n += k + 3
	}
	return n
}

// dashed takes off the fields of "INFO - autotuner.py:262 - " and "vllm.engine - INFO - ".
func (f *Framer) dashed(l *layers, b []byte) int {
	end, i, named := 0, 0, false
	for range 4 {
		n := upTo(b[i:], " - ", 80)
		if n == 0 {
			break
		}
		field := bytes.TrimSpace(b[i : i+n-3])
		name, k := level(field)
		switch {
		case end == 0 && k > 0 && k == len(field):
			l.logged(name)
			end = i + n
		case bytes.IndexByte(field, ' ') >= 0 || named:
			return end
		case end == 0:
			named = true
		case bytes.ContainsAny(field, "._:") || string(field) == "root":
			return i + n
		default:
			return end
		}
		i += n
	}
	return end
}

// target skips the module that Rust programs name: "text_generation_launcher: ".
func target(b []byte) int {
	sign := false
	for i, c := range b[:min(len(b), 80)] {
		switch {
		case c == '_':
			sign = true
		case c == ':' && i > 0 && i+1 < len(b) && b[i+1] == ' ':
			if sign {
				return i + 2
			}
			return 0
		case c == ':':
			sign = true
		case c < 'a' || c > 'z':
			return 0
		}
	}
	return 0
}

// host takes off "host ident[123]: " and "host kernel: " of syslog and journald. With strict set the
// ident must carry a pid, or be the kernel.
func (f *Framer) host(l *layers, b []byte, strict bool) int {
	h := token(b, 80)
	if h == 0 || h+2 >= len(b) {
		return 0
	}
	for _, c := range b[:h] {
		if !isAlnum(c) && c != '.' && c != '-' && c != '_' {
			return 0
		}
	}
	i := h + 1
	ident := i
	for i < len(b) && i-ident < 80 && (isAlnum(b[i]) || strings.IndexByte("_./@()-\\+#", b[i]) >= 0) {
		i++
	}
	name := b[ident:i]
	pid := false
	if i < len(b) && b[i] == '[' {
		n := digitRun(b, i+1)
		if n == 0 || i+1+n >= len(b) || b[i+1+n] != ']' {
			return 0
		}
		i += n + 2
		name = b[ident:i]
		pid = true
	}
	if len(name) == 0 || i >= len(b) || b[i] != ':' || i+1 < len(b) && b[i+1] != ' ' {
		return 0
	}
	if strict && !pid && string(name) != "kernel" {
		return 0
	}
	f.from(l, gradeUnit, name)
	return i + 1
}

// syslog takes off what follows "<30>": RFC 5424, RFC 3164, a kernel time.
func (f *Framer) syslog(l *layers, b []byte) int {
	n := digitRun(b, 1)
	if n == 0 || n > 3 || 1+n >= len(b) || b[1+n] != '>' {
		return 0
	}
	i := n + 2
	r := b[i:]
	if !hasPrefix(r, "1 ") {
		if hasPrefix(r, "[") || monthStamp(r) > 0 || stamp(r) > 0 {
			l.enveloped = true
			return i
		}
		return 0
	}
	at := 2
	if s := stamp(r[at:]); s > 0 {
		f.at(l, r[at:at+s])
		at += s
	} else if hasPrefix(r[at:], "- ") {
		at++
	} else {
		return 0
	}
	var part [4][]byte // host, application, process, message kind
	for k := range part {
		at += blanks(r[at:])
		n := token(r[at:], 255)
		if n == 0 {
			return 0
		}
		part[k] = r[at : at+n]
		at += n
	}
	l.enveloped = true
	app := part[1]
	if string(app) != "-" {
		if pid := part[2]; digitRun(pid, 0) == len(pid) {
			app = append(append(append(append(make([]byte, 0, len(app)+len(pid)+2), app...), '['), pid...), ']')
		}
		f.from(l, gradeUnit, app)
	}
	at += blanks(r[at:])
	for at < len(r) && r[at] == '[' { // structured data
		n := upTo(r[at:], "]", 1024)
		if n == 0 {
			break
		}
		at += n
	}
	if hasPrefix(r[at:], "-") {
		at++
	}
	return i + at
}

// kernel takes off "[ 4412.006670] " and the "[  T123] " that may follow it.
func (f *Framer) kernel(l *layers, b []byte) int {
	i := 1 + blanks(b[1:])
	if (hasPrefix(b[i:], "T") || hasPrefix(b[i:], "C")) && l.Origin == "kernel" {
		if n := digitRun(b, i+1); n > 0 && hasPrefix(b[i+1+n:], "]") {
			return i + n + 2
		}
	}
	n := digitRun(b, i)
	if n == 0 || i+n+7 >= len(b) || b[i+n] != '.' || digitRun(b, i+n+1) != 6 || b[i+n+7] != ']' {
		return 0
	}
	end := i + n + 8
	if l.Time == "" {
		f.at(l, b[i:end-1])
	}
	l.Head = true
	gap := blanks(b[end:])
	if k := f.host(l, b[end+gap:], true); k > 0 { // journalctl -o short-monotonic
		return end + gap + k
	}
	f.from(l, gradeUnit, []byte("kernel"))
	return end
}

// kmsg takes off the head of /dev/kmsg: "6,901,4412006670,-;".
func (f *Framer) kmsg(l *layers, b []byte) int {
	i := 0
	for range 3 {
		n := digitRun(b, i)
		if n == 0 || i+n >= len(b) || b[i+n] != ',' {
			return 0
		}
		i += n + 1
	}
	n := upTo(b[i:], ";", 80)
	if n == 0 || bytes.IndexByte(b[i:i+n], ' ') >= 0 {
		return 0
	}
	l.Head = true
	f.from(l, gradeUnit, []byte("kernel"))
	return i + n
}

// nameBracket takes off "[pod/name/container] " (kubectl logs --prefix), "[stderr] ", and
// "[resource.labels.containerName: vllm] " (Cloud Logging).
func (f *Framer) nameBracket(l *layers, b []byte) int {
	end := upTo(b, "]", 200)
	if end == 0 {
		return 0
	}
	inner := b[1 : end-1]
	switch {
	case string(inner) == "stderr" || string(inner) == "stdout":
	case hasPrefix(inner, "pod/") && bytes.Count(inner, []byte("/")) == 2 && bytes.IndexByte(inner, ' ') < 0:
		f.from(l, gradeUnit, inner[len("pod/"):])
	case hasPrefix(inner, "resource.labels."):
		if at := bytes.Index(inner, []byte(": ")); at > 0 {
			f.from(l, gradeUnit, inner[at+2:])
		}
	default:
		return 0
	}
	l.enveloped = true
	return end
}
