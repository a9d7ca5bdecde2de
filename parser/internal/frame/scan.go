package frame

import "bytes"

// The small scanners of framing. Each looks at the start of b and returns the length of what it
// found, 0 when it is something else.

func IsDigit(c byte) bool { return c >= '0' && c <= '9' }
func IsAlpha(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isAlnum(c byte) bool { return IsAlpha(c) || IsDigit(c) }

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// blanks counts the white space at the start of b.
func blanks(b []byte) int {
	i := 0
	for i < len(b) {
		switch {
		case b[i] == ' ' || b[i] == '\t':
			i++
		case b[i] == 0xc2 && i+1 < len(b) && b[i+1] == 0xa0: // no-break space
			i += 2
		default:
			return i
		}
	}
	return i
}

func trimBlanks(b []byte) []byte {
	b = bytes.TrimRight(b[blanks(b):], " \t\r\n")
	for bytes.HasSuffix(b, []byte("\u00a0")) {
		b = bytes.TrimRight(b[:len(b)-2], " \t\r\n")
	}
	return b
}

// digitRun counts the digits of b from i on.
func digitRun(b []byte, i int) int {
	n := 0
	for i+n < len(b) && IsDigit(b[i+n]) {
		n++
	}
	return n
}

// number reads a short run of digits.
func number(digits []byte) int {
	n := 0
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}

// shaped reports whether b begins like shape, in which 0 stands for a digit.
func Shaped(b []byte, shape string) bool {
	if len(b) < len(shape) {
		return false
	}
	for i := range len(shape) {
		if c := b[i]; c != shape[i] && (shape[i] != '0' || !IsDigit(c)) || shape[i] == '0' && !IsDigit(c) {
			return false
		}
	}
	return true
}

// clock reads 20:33:48 with any fraction.
func clock(b []byte) int {
	if !Shaped(b, "00:00:00") {
		return 0
	}
	if len(b) > 9 && (b[8] == '.' || b[8] == ',') {
		if n := digitRun(b, 9); n > 0 {
			return 9 + n
		}
	}
	if len(b) > 8 && IsDigit(b[8]) {
		return 0
	}
	return 8
}

// date reads 2025-10-08, 2025/10/08, 10/08/2025 and 25/10/08.
func date(b []byte) int {
	switch {
	case Shaped(b, "0000-00-00"), Shaped(b, "0000/00/00"), Shaped(b, "00/00/0000"):
		return 10
	case Shaped(b, "00/00/00"):
		return 8
	}
	return 0
}

// stamp reads a date and a time of day, with its zone.
func stamp(b []byte) int {
	n := date(b)
	if n == 0 || n+1 >= len(b) {
		return 0
	}
	switch b[n] {
	case 'T', ' ', '-', '_', ':':
	default:
		return 0
	}
	c := clock(b[n+1:])
	if c == 0 {
		return 0
	}
	n += 1 + c
	return n + zone(b[n:])
}

// zone reads Z, +02:00, +0200 and " UTC".
func zone(b []byte) int {
	switch {
	case hasPrefix(b, "Z"):
		return 1
	case Shaped(b, "+00:00"), Shaped(b, "-00:00"):
		return 6
	case Shaped(b, "+0000"), Shaped(b, "-0000"):
		return 5
	case Shaped(b, " +0000 "):
		return 6
	case hasPrefix(b, " UTC"), hasPrefix(b, " GMT"):
		return 4
	}
	return 0
}

// shortStamp reads vLLM's "10-08 20:33:48".
func shortStamp(b []byte) int {
	if !Shaped(b, "00-00 00:00:00") {
		return 0
	}
	if c := clock(b[6:]); c > 0 {
		return 6 + c
	}
	return 0
}

// monthStamp reads syslog's "Oct  8 20:33:48", with any fraction.
func monthStamp(b []byte) int {
	if len(b) < 15 || b[3] != ' ' || !month(b) || !IsDigit(b[5]) || b[4] != ' ' && !IsDigit(b[4]) || b[6] != ' ' {
		return 0
	}
	c := clock(b[7:])
	if c == 0 {
		return 0
	}
	return 7 + c
}

func month(b []byte) bool { return threeOf(b, "JanFebMarAprMayJunJulAugSepOctNovDec") }

func weekday(b []byte) bool { return threeOf(b, "MonTueWedThuFriSatSun") }

func threeOf(b []byte, names string) bool {
	for i := 0; i < len(names); i += 3 {
		if hasPrefix(b, names[i:i+3]) {
			return true
		}
	}
	return false
}

// dayStamp reads "Wed Oct  8 20:33:48 2025" (dmesg -T, Apache) and "Wed 2025-10-08 20:33:48 UTC"
// (journalctl -o short-full).
func dayStamp(b []byte) int {
	if len(b) < 20 || b[3] != ' ' || !weekday(b) {
		return 0
	}
	if n := stamp(b[4:]); n > 0 {
		return 4 + n
	}
	n := monthStamp(b[4:])
	if n == 0 {
		return 0
	}
	n += 4
	if Shaped(b[n:], " 0000") {
		n += 5
	}
	return n
}

// level reads the name of a log level that stands as a word.
func level(b []byte) (name string, n int) {
	if len(b) < 3 {
		return "", 0
	}
	switch b[0] {
	case 'I':
		name, n = oneOf(b, "INFO", "INFO")
	case 'W':
		if name, n = oneOf(b, "WARNING", "WARNING"); n == 0 {
			name, n = oneOf(b, "WARN", "WARNING")
		}
	case 'E':
		name, n = oneOf(b, "ERROR", "ERROR")
	case 'D':
		if name, n = oneOf(b, "DEBUG", "DEBUG"); n == 0 {
			name, n = oneOf(b, "DEBG", "DEBUG") // supervisord
		}
	case 'C':
		if name, n = oneOf(b, "CRITICAL", "CRITICAL"); n == 0 {
			name, n = oneOf(b, "CRIT", "CRITICAL")
		}
	case 'F':
		name, n = oneOf(b, "FATAL", "CRITICAL")
	case 'T':
		name, n = oneOf(b, "TRACE", "DEBUG")
	case 'N':
		name, n = oneOf(b, "NOTICE", "INFO")
	}
	if n > 0 && n < len(b) && (isAlnum(b[n]) || b[n] == '_') {
		return "", 0
	}
	return name, n
}

func oneOf(b []byte, word, name string) (string, int) {
	if !hasPrefix(b, word) {
		return "", 0
	}
	return name, len(word)
}

// levelLetter is the level that glog and TensorRT-LLM write as one letter.
func levelLetter(c byte) string {
	switch c {
	case 'I', 'V', 'D':
		return "INFO"
	case 'W':
		return "WARNING"
	case 'E':
		return "ERROR"
	case 'F', 'C':
		return "CRITICAL"
	}
	return ""
}

// place reads where a message comes from: "core.py:708] ", "[core.py:708]", "[x.py:203:f]".
func place(b []byte) int {
	limit := min(len(b), 160)
	colon := false
	for i := 0; i < limit; i++ {
		switch c := b[i]; {
		case c == ']':
			if colon {
				return i + 1
			}
			return 0
		case c == ':':
			colon = colon || i+1 < len(b) && IsDigit(b[i+1])
		case c == ' ' || c == '(' || c == '[' && i > 0:
			return 0
		}
	}
	return 0
}

// token reads a run of bytes up to a blank, at most limit.
func token(b []byte, limit int) int {
	for i, c := range b[:min(len(b), limit+1)] {
		if c == ' ' || c == '\t' {
			return i
		}
	}
	if len(b) <= limit {
		return len(b)
	}
	return 0
}

// upTo finds s in the first limit bytes and returns the index behind it.
func upTo(b []byte, s string, limit int) int {
	i := bytes.Index(b[:min(len(b), limit)], []byte(s))
	if i < 0 {
		return 0
	}
	return i + len(s)
}

// exception reports whether b begins like the last line of a traceback: "torch.OutOfMemoryError: ".
func exception(b []byte) bool {
	i := 0
	for i < len(b) && i < 80 && (isAlnum(b[i]) || b[i] == '.' || b[i] == '_') {
		i++
	}
	return hasPrefix(b[i:], ": ") && bytes.HasSuffix(b[:i], []byte("Error"))
}
