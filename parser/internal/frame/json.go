package frame

import (
	"bytes"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// record is what a line of JSON says, in the parts of it that matter; all of it undecoded.
type record struct {
	message   []byte
	rank      int // index into messageKeys of the message's key
	numbers   bool
	more      [][]byte // exceptions told beside the message
	time      []byte
	level     []byte
	unit, pid []byte
	stream    bool
}

// messageKeys are the fields in which collectors and loggers put the text, best first: Docker, journald,
// Python's JSON loggers, Cloud Logging, structlog, OpenTelemetry, Loki.
var messageKeys = []string{"log", "MESSAGE", "message", "msg", "Message", "textPayload", "event", "body", "line", "text"}

// strongKeys of them come first; the others also hold what users write, and count where the object has a time,
// a level or a source.
const strongKeys = 6

var (
	timeKeys      = []string{"time", "timestamp", "ts", "@timestamp", "asctime", "datetime", "__REALTIME_TIMESTAMP"}
	levelKeys     = []string{"level", "levelname", "severity", "lvl", "log_level"}
	unitKeys      = []string{"SYSLOG_IDENTIFIER", "_COMM", "container_name", "container"}
	pidKeys       = []string{"_PID", "SYSLOG_PID"}
	exceptionKeys = []string{"exc_info", "exception", "stack_trace", "stacktrace", "traceback", "exc_text", "error"}
	innerKeys     = []string{"fields", "jsonPayload", "kubernetes", "resource", "labels"}
)

func keyIn(keys []string, key []byte) int {
	for i, k := range keys {
		if string(key) == k {
			return i
		}
	}
	return -1
}

// object frames the text of a JSON object; false when it is none, or has no text.
func (f *Framer) object(l layers, b []byte, nested int, emit func(Line)) bool {
	if c := b[1+blanks(b[1:]):]; len(c) == 0 || c[0] != '"' {
		return false
	}
	r := record{rank: len(messageKeys)}
	if r.object(b, 0) < 0 || r.message == nil || r.rank >= strongKeys && r.time == nil && r.level == nil && r.unit == nil && !r.stream {
		return false
	}
	l.enveloped = true
	if len(r.time) > 0 {
		f.at(&l, r.time)
	}
	if name := levelOf(r.level); name != "" {
		l.level = name
	}
	switch {
	case string(r.unit) == "kernel" || len(r.unit) > 0 && len(r.pid) == 0:
		f.from(&l, gradeUnit, r.unit)
	case len(r.unit) > 0:
		name := append(append(make([]byte, 0, 64), r.unit...), '[')
		f.from(&l, gradeUnit, append(append(name, r.pid...), ']'))
	}
	var text []byte
	if r.numbers {
		text = f.byteList(r.message)
	} else {
		text = f.unquoted(r.message)
	}
	const piece = 16000 // Docker cuts lines into pieces of 16 KiB, and only the last one ends
	l.Partial = l.Partial || r.stream && len(text) >= piece && text[len(text)-1] != '\n'
	f.rows(l, text, nested+1, emit)
	for _, more := range r.more {
		l.Partial = false
		f.rows(l, f.unquoted(more), nested+1, emit)
	}
	return true
}

// levelOf reads a level in any case.
func levelOf(b []byte) string {
	var upper [10]byte
	if len(b) == 0 || len(b) > len(upper) {
		return ""
	}
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		upper[i] = c
	}
	name, _ := level(upper[:len(b)])
	return name
}

// object reads the members of an object and returns its length; that of b when it is cut off, -1
// when b is no object.
func (r *record) object(b []byte, depth int) int {
	i := 1
	for {
		i = gapEnd(b, i)
		switch {
		case i >= len(b):
			return i
		case b[i] == '}':
			return i + 1
		case b[i] == ',':
			i++
			continue
		case b[i] != '"':
			return -1
		}
		key, end := quotedAt(b, i)
		i = gapEnd(b, end)
		if i >= len(b) {
			return i
		}
		if b[i] != ':' {
			return -1
		}
		i = gapEnd(b, i+1)
		if i >= len(b) {
			return i
		}
		switch {
		case b[i] == '"':
			var value []byte
			value, i = quotedAt(b, i)
			r.member(key, value, true, depth)
		case b[i] == '{' && depth < 3 && keyIn(innerKeys, key) >= 0:
			n := r.object(b[i:], depth+1)
			if n < 0 {
				return -1
			}
			i += n
		default:
			start := i
			if i = valueEnd(b, i); i < 0 {
				return -1
			}
			r.member(key, b[start:i], false, depth)
		}
	}
}

func (r *record) member(key, value []byte, isString bool, depth int) {
	rank := keyIn(messageKeys, key)
	switch {
	case rank >= 0 && rank < r.rank && isString:
		r.message, r.rank, r.numbers = value, rank, false
	case string(key) == "MESSAGE" && len(value) > 0 && value[0] == '[':
		r.message, r.rank, r.numbers = value, rank, true
	case rank >= 0:
	case keyIn(timeKeys, key) >= 0:
		if r.time == nil && depth == 0 && (len(value) == 0 || value[0] != '{' && value[0] != '[') {
			r.time = value
		}
	case keyIn(pidKeys, key) >= 0:
		r.pid = value
	case !isString || len(value) == 0:
	case keyIn(levelKeys, key) >= 0:
		r.level = value
	case keyIn(unitKeys, key) >= 0:
		if r.unit == nil {
			r.unit = value
		}
	case keyIn(exceptionKeys, key) >= 0 && len(r.more) < 3:
		r.more = append(r.more, value)
	case string(key) == "stream":
		r.stream = true
	}
}

func gapEnd(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// quotedAt returns the inside of the string that begins at b[i], and where it ends; all the rest
// of b when it is cut off.
func quotedAt(b []byte, i int) ([]byte, int) {
	for k := i + 1; k < len(b); k++ {
		switch b[k] {
		case '\\':
			k++
		case '"':
			return b[i+1 : k], k + 1
		}
	}
	return b[i+1:], len(b)
}

// valueEnd skips a value that is no string.
func valueEnd(b []byte, i int) int {
	open, start := 0, i
	for i < len(b) {
		switch b[i] {
		case '"':
			_, i = quotedAt(b, i)
			continue
		case '{', '[':
			open++
		case '}', ']', ',':
			if open == 0 {
				if i == start {
					return -1
				}
				return i
			}
			if b[i] != ',' {
				open--
			}
		}
		i++
	}
	return i
}

// element frames a line of pretty-printed JSON: an element of a notebook's output
// ("RuntimeError: …\n",) or a member that holds a text ("textPayload": "…",).
func (f *Framer) element(l layers, b []byte, nested int, emit func(Line)) bool {
	inside, end := quotedAt(b, 0)
	rest := trimBlanks(b[end:])
	if len(rest) > 0 && rest[0] == ':' {
		if keyIn(messageKeys[:strongKeys], inside) < 0 {
			return false
		}
		rest = rest[1+blanks(rest[1:]):]
		if len(rest) == 0 || rest[0] != '"' {
			return false
		}
		inside, end = quotedAt(rest, 0)
		rest = trimBlanks(rest[end:])
	} else if !bytes.HasSuffix(inside, []byte(`\n`)) {
		return false
	}
	if len(rest) > 1 || len(rest) == 1 && rest[0] != ',' {
		return false
	}
	f.rows(l, f.unquoted(inside), nested+1, emit)
	return true
}

// requestKeys stand in front of what a user wrote.
var requestKeys = []string{"prompt", "GenerateReqInput", "text='", `text="`, `'content'`, `"content"`, `"arguments"`, `"input"`, `"text": "`}

// severalLines reports whether a text with escaped line ends plainly is several lines of a log.
// What a prompt holds is not.
func (f *Framer) severalLines(b []byte) bool {
	i := 0
	for range 64 {
		n := bytes.Index(b[i:], []byte(`\n`))
		if n < 0 {
			return false
		}
		if i == 0 && slices.ContainsFunc(requestKeys, func(k string) bool { return bytes.Contains(b[:n], []byte(k)) }) {
			return false
		}
		i += n + 2
		next := bytes.TrimLeft(b[i:], " ")
		if hasPrefix(next, `File \"`) || f.isHead(next) {
			return true
		}
	}
	return false
}

// unquoted undoes the escapes of JSON and of Python's repr. What is no escape stays.
func (f *Framer) unquoted(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	start := len(f.arena)
	out := f.arena
	for i := 0; i < len(b); {
		n := bytes.IndexByte(b[i:], '\\')
		if n < 0 || i+n+1 >= len(b) {
			out = append(out, b[i:]...)
			break
		}
		out = append(out, b[i:i+n]...)
		i += n
		switch c := b[i+1]; c {
		case 'n', 'r', 't', 'b', 'f':
			out = append(out, [...]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}[c])
		case '"', '\'', '\\', '/':
			out = append(out, c)
		case 'u':
			r, size := escapedRune(b[i:])
			if size == 0 {
				out = append(out, '\\')
				i++
				continue
			}
			if r != 0 {
				out = utf8.AppendRune(out, r)
			}
			i += size
			continue
		default:
			out = append(out, '\\', c)
		}
		i += 2
	}
	f.arena = out
	return out[start:]
}

// escapedRune reads \u00e9, and a surrogate pair written so.
func escapedRune(b []byte) (rune, int) {
	high := hex4(b)
	if high < 0 {
		return 0, 0
	}
	if utf16.IsSurrogate(high) {
		if low := hex4(b[6:]); low >= 0 {
			if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
				return r, 12
			}
		}
		return utf8.RuneError, 6
	}
	return high, 6
}

func hex4(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range b[2:6] {
		switch {
		case IsDigit(c):
			r = r<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return r
}

// byteList decodes journald's [27,91,51,50,109], which it writes for text that has colours.
func (f *Framer) byteList(b []byte) []byte {
	start := len(f.arena)
	for i := 0; i < len(b); {
		n := digitRun(b, i)
		if n == 0 {
			i++
			continue
		}
		if n <= 3 {
			f.arena = append(f.arena, byte(number(b[i:i+n])))
		}
		i += n
	}
	return f.arena[start:]
}
