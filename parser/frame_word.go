package parser

import "bytes"

// word takes off what begins with a letter: levels, dates with names, streams, containers.
func (f *framer) word(l *layers, b []byte) int {
	if name, n := level(b); n > 0 {
		if k := f.leveled(l, b, name, n); k > 0 {
			return k
		}
	}
	if b[0] >= 'A' && b[0] <= 'Z' {
		if len(b) > 14 && isDigit(b[1]) {
			if n := f.glog(l, b); n > 0 {
				return n
			}
		}
		if n := monthStamp(b); n > 0 {
			f.at(l, b[:n])
			l.head = true
			at := n + blanks(b[n:])
			return at + f.host(l, b[at:], false)
		}
		if n := dayStamp(b); n > 0 {
			f.at(l, b[:n])
			l.head = true
			return n + f.afterStamp(l, b[n:])
		}
		if n := numberedLine(b); n > 0 && !l.probing && f.isHead(b[n:]) {
			return n
		}
	}
	if n := stream(b); n > 0 {
		l.head = true
		return n
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
		if hasPrefix(b, "W-") && isDigit(b[2]) {
			if k := token(b, 100); k > 0 && (bytes.HasSuffix(b[:k], []byte("-stdout")) || bytes.HasSuffix(b[:k], []byte("-stderr"))) {
				return upTo(b, " - ", 200)
			}
		}
	}
	return 0
}

// named takes off the name of a container, pod or file:
//
//	vllm-1  | …                    docker compose
//	pod-7d9f › container › …       stern
//	pod-7d9f container …           stern's older form, once something plain followed the names
//	job\tstep\t2025-10-08T…Z …     gh run view --log
//	server.log:12:…                grep
func (f *framer) named(l *layers, b []byte) int {
	if l.probing {
		return 0
	}
	i := 0
	for i < len(b) && i <= 100 && (isAlnum(b[i]) || b[i] == '-' || b[i] == '_' || b[i] == '.' || b[i] == '@') {
		i++
	}
	if i == 0 || i >= len(b) || i > 100 {
		return 0
	}
	name := b[:i]
	switch b[i] {
	case ' ':
		gap := i + blanks(b[i:])
		if gap >= len(b) {
			return 0
		}
		if b[gap] == '|' && (gap+1 == len(b) || b[gap+1] == ' ') {
			return f.compose(l, name, b, gap+1)
		}
		if n := f.action(l, b); n > 0 {
			return n
		}
		return f.stern(l, name, b, gap)
	case '\t':
		return f.action(l, b)
	case ':':
		return f.grepped(name, b)
	}
	return 0
}

func (f *framer) compose(l *layers, name, b []byte, end int) int {
	rest := b[end:]
	if _, n := level(name); n == len(name) && n > 0 {
		return 0
	}
	rest = rest[blanks(rest):]
	switch {
	case f.units[string(name)], f.isHead(rest):
	case counted(name) && (len(rest) == 0 || rest[0] == '|' || bytes.IndexByte(rest, '|') < 0):
	default:
		return 0
	}
	learn(&f.units, name)
	f.from(l, gradeUnit, name)
	l.head = true
	return end
}

// counted reports whether a name ends like compose's ("vllm-1", "vllm_1") or a swarm's ("vllm.1.x@node").
func counted(name []byte) bool {
	if bytes.IndexByte(name, '@') > 0 {
		return true
	}
	i := len(name)
	for i > 0 && isDigit(name[i-1]) {
		i--
	}
	return i < len(name) && i > 1 && (name[i-1] == '-' || name[i-1] == '_')
}

// stern takes off the pod and the container; the second name begins at b[gap].
func (f *framer) stern(l *layers, pod, b []byte, gap int) int {
	if !label1123(pod) || bytes.IndexByte(pod, '-') < 0 {
		return 0
	}
	const arrow = "› "
	if hasPrefix(b[gap:], arrow) {
		at := gap + len(arrow)
		n := token(b[at:], 64)
		if n == 0 {
			return 0
		}
		end := at + n
		end += blanks(b[end:])
		if hasPrefix(b[end:], "›") {
			end += len("›")
		}
		f.from(l, gradeUnit, b[at:at+n])
		l.head = true
		return end
	}
	n := token(b[gap:], 64)
	if n == 0 || !label1123(b[gap:gap+n]) {
		return 0
	}
	end := gap + n
	pair := b[:end]
	rest := b[end:]
	rest = rest[blanks(rest):]
	if hasPrefix(rest, "›") {
		end = len(b) - len(rest) + len("›")
	} else if !f.units[string(pair)] && !f.isHead(rest) {
		return 0
	}
	learn(&f.units, pair)
	f.from(l, gradeUnit, b[gap:gap+n])
	l.head = true
	return end
}

// label1123 reports whether a name could be a pod's or a container's.
func label1123(name []byte) bool {
	for _, c := range name {
		if (c < 'a' || c > 'z') && !isDigit(c) && c != '-' {
			return false
		}
	}
	return len(name) > 0
}

// action takes off the job and the step of a GitHub Actions log as gh prints it; the time follows.
func (f *framer) action(l *layers, b []byte) int {
	job := bytes.IndexByte(b[:min(len(b), 120)], '\t')
	if job < 0 {
		return 0
	}
	step := upTo(b[job+1:], "\t", 160)
	if step == 0 {
		return 0
	}
	end := job + 1 + step
	rest := bytes.TrimPrefix(b[end:], []byte("\ufeff"))
	if stamp(rest) == 0 {
		return 0
	}
	l.head = true
	return len(b) - len(rest)
}

// logEndings are the file names that grep may put in front of a line of a log.
var logEndings = []string{".log", ".out", ".err", ".txt"}

// grepped takes off "server.log:12:" and "server.log:". Python's own "x.py:12: UserWarning" stays.
func (f *framer) grepped(name, b []byte) int {
	for _, e := range logEndings {
		if !bytes.HasSuffix(name, []byte(e)) {
			continue
		}
		end := len(name) + 1
		if n := digitRun(b, end); n > 0 && end+n < len(b) && b[end+n] == ':' && !shaped(b[end:], "00:00:00") {
			return end + n + 1
		}
		if f.isHead(b[end:]) {
			return end
		}
	}
	return 0
}

// mark takes off what begins with neither a letter, a digit nor a bracket: quotes, fences, borders.
func (f *framer) mark(l *layers, b []byte) int {
	switch b[0] {
	case '<':
		return f.syslog(l, b)
	case '>':
		if hasPrefix(b, ">>") {
			return 0 // Python's prompt
		}
		if len(b) == 1 || b[1] == ' ' {
			l.quoted = true
			return 1
		}
	case '`':
		return fence(b)
	case '|':
		// A border of a pasted screen or table, unless the row belongs to nvidia-smi or a summary.
		if len(b) > 2 && b[1] == ' ' && !l.probing && f.isHead(b[2:]) {
			l.border = '|'
			return 1
		}
	case '#':
		return f.step(l, b)
	case '_':
		if hasPrefix(b, "_bk;t=") { // Buildkite, when the escape around it was lost
			n := digitRun(b, 6)
			if n >= 10 {
				l.head = true
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

// step takes off BuildKit's "#9 21.46 ", GitHub's "##[error]", and the "# " of a log in a comment.
func (f *framer) step(l *layers, b []byte) int {
	if hasPrefix(b, "##[") {
		n := upTo(b, "]", 20)
		if n > 0 {
			l.head = true
			if name, k := level(bytes.ToUpper(b[3 : n-1])); k > 0 {
				l.level = name
			}
		}
		return n
	}
	if hasPrefix(b, "# ") && !l.probing && f.isHead(b[1:]) {
		return 1
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
	l.head = true
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

// gluedHead finds the next head inside b: vLLM's own behind a prefix of the user's, behind a
// progress bar that did not end its line, or in a log that lost its line ends; there also a process
// prefix or a time like the ones that came off. It returns where the head begins, 0 if there is none.
func gluedHead(l *layers, b []byte) int {
	at := 0
	for i := 0; at == 0; {
		n := bytes.IndexByte(b[i:], ':')
		if n < 0 {
			break
		}
		i += n + 1
		if i > 14 && l.iso && b[i-15] == ' ' && shaped(b[i-14:], "0000-00-00T00:00:00") {
			at = i - 14
		} else if i > 14 && shortStamp(b[i-9:]) > 0 {
			at = levelBefore(b[:i-9])
		}
	}
	near := b
	if at > 0 {
		near = b[:at]
	}
	if p := gluedProcess(near); p > 0 && (at > 0 && len(trimBlanks(b[p:at])) > 0 && onlyPrefix(b[p:at]) || l.grade == gradePID) {
		return p
	}
	return at
}

// levelBefore returns where the level at the end of b begins, 0 if none stands there.
func levelBefore(b []byte) int {
	for _, name := range []string{"DEBUG ", "INFO ", "WARNING ", "ERROR ", "CRITICAL "} {
		if at := len(b) - len(name); at > 0 && string(b[at:]) == name && !isAlpha(b[at-1]) {
			return at
		}
	}
	return 0
}

// gluedProcess finds a process prefix with a name inside b, 0 if there is none.
func gluedProcess(b []byte) int {
	for i := 0; ; {
		n := bytes.Index(b[i:], []byte(" pid="))
		if n < 0 {
			return 0
		}
		i += n + len(" pid=")
		open := bytes.LastIndexByte(b[max(0, i-80):i], '(') + max(0, i-80)
		if open < 1 || b[open] != '(' || b[open-1] != ' ' && b[open-1] != ']' || b[open+1] < 'A' || b[open+1] > 'Z' {
			continue
		}
		end := i + digitRun(b, i)
		if end > i && end < len(b) && (b[end] == ')' || hasPrefix(b[end:], ", ip=")) {
			return open
		}
	}
}

// onlyPrefix reports whether b is a process prefix and nothing else.
func onlyPrefix(b []byte) bool {
	return bytes.IndexByte(b, ')') == len(bytes.TrimRight(b, " "))-1
}
