package frame

import (
	"bytes"
	"unicode/utf8"
)

// trait says what a line contains, as far as framing must know.
type trait uint8

const (
	hasEnd       trait = 1 << iota // \r or \n
	hasControl                     // ESC and other control characters, not the tab
	hasHigh                        // bytes from 0x80 on
	hasOpen                        // "[": perhaps what is left of an escape sequence
	hasBackslash                   // perhaps an escaped line end
)

var traitOf = func() (t [256]trait) {
	for c := range t {
		switch {
		case c == '\r' || c == '\n':
			t[c] = hasEnd
		case c < ' ' && c != '\t' || c == 0x7f:
			t[c] = hasControl
		case c >= 0x80:
			t[c] = hasHigh
		}
	}
	t['['] = hasOpen
	t['\\'] = hasBackslash
	return t
}()

func look(b []byte) (t trait) {
	for _, c := range b {
		t |= traitOf[c]
	}
	return t
}

// colored reports whether a line without control characters has escape sequences all the same:
// spelled out, or without their ESC.
func colored(b []byte) bool {
	for i := 0; ; i++ {
		n := bytes.IndexByte(b[i:], '[')
		if n < 0 {
			return false
		}
		i += n
		if _, end := sequence(b, i); end > 0 {
			return true
		}
	}
}

// plain returns b without escape sequences and control characters.
func (f *Framer) plain(b []byte) []byte {
	start := len(f.arena)
	out := f.arena
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c == 0x1b:
			i += escape(b[i:])
			continue
		case c == '[':
			if before, end := sequence(b, i); end > 0 {
				out = out[:max(start, len(out)-before)]
				i = end
				continue
			}
		case traitOf[c] == hasControl:
			i++
			continue
		}
		out = append(out, c)
		i++
	}
	f.arena = out
	return out[start:]
}

// escape returns the length of the sequence that begins with ESC. One that does not end is taken
// for its first bytes only, lest it swallow the line.
func escape(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch c := b[1]; {
	case c == '[':
		i := 2
		for i < len(b) && b[i] >= 0x20 && b[i] < 0x40 {
			i++
		}
		if i < len(b) && b[i] >= 0x40 && b[i] < 0x7f {
			return i + 1
		}
		return i
	case c == ']' || c == '_' || c == 'P' || c == '^' || c == 'X': // OSC, APC (Buildkite's times), DCS, PM, SOS
		for i := 2; i < len(b); i++ {
			if b[i] == 0x07 {
				return i + 1
			}
			if b[i] == 0x1b {
				if i+1 < len(b) && b[i+1] == '\\' {
					return i + 2
				}
				break
			}
		}
		return 2
	case c >= 0x20 && c < 0x30: // character sets
		return min(3, len(b))
	case c > 0x30 && c < 0x7f:
		return 2
	}
	return 1
}

// spelled are the ways to write ESC in text; lost is what may stand where a font or an encoding lost it.
var (
	spelled = []string{"^[", "#033", `\033`, `\x1b`, `\x1B`, `\u001b`, `\u001B`, `\e`}
	lost    = []string{"␛", "←", "\ufffd"}
)

// sequence reads an escape sequence whose ESC is not a byte; its "[" is b[at]. It returns the length
// of the spelled ESC before it, and where it ends, 0 if it is none. Without any ESC only colours
// count, and only those that exist: "[0]", "[rank0]" and "rate[5m]" are text.
func sequence(b []byte, at int) (before, end int) {
	i := at + 1
	for i < len(b) && i-at < 24 && (IsDigit(b[i]) || b[i] == ';' || b[i] == '?') {
		i++
	}
	if i >= len(b) || !IsAlpha(b[i]) {
		return 0, 0
	}
	if n := endsInOneOf(b[:at], spelled); n > 0 {
		return n, i + 1
	}
	if !colours(b[at+1:i]) || b[i] != 'm' || i+1 < len(b) && b[i+1] == ']' {
		return 0, 0
	}
	return endsInOneOf(b[:at], lost), i + 1
}

func endsInOneOf(b []byte, endings []string) int {
	for _, s := range endings {
		if bytes.HasSuffix(b, []byte(s)) {
			return len(s)
		}
	}
	return 0
}

// colours reports whether params are those of a select-graphic-rendition sequence.
func colours(params []byte) bool {
	if len(params) == 0 {
		return false
	}
	n, digits, extended := 0, 0, false
	for i := 0; i <= len(params); i++ {
		if i < len(params) && IsDigit(params[i]) {
			n = n*10 + int(params[i]-'0')
			digits++
			if digits > 3 {
				return false
			}
			continue
		}
		if i < len(params) && params[i] != ';' {
			return false
		}
		switch {
		case extended:
		case n == 38 || n == 48 || n == 58:
			extended = true // a palette index or three bytes follow
		case n > 107 || n > 65 && n < 90 || n > 9 && n < 20:
			return false
		}
		n, digits = 0, 0
	}
	return true
}

// columns counts the columns of a terminal that b takes.
func columns(b []byte) int {
	n := 0
	for len(b) > 0 {
		if b[0] < 0x80 {
			n++
			b = b[1:]
			continue
		}
		r, size := utf8.DecodeRune(b)
		b = b[size:]
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case r >= 0x300 && r < 0x370, r >= 0x200b && r < 0x2010, r >= 0xfe00 && r < 0xfe10:
		return 0
	case r < 0x1100:
		return 1
	case r < 0x1160, r >= 0x2e80 && r < 0xa4d0 && r != 0x303f, r >= 0xac00 && r < 0xd7a4,
		r >= 0xf900 && r < 0xfb00, r >= 0xfe30 && r < 0xfe70, r >= 0xff00 && r < 0xff61,
		r >= 0xffe0 && r < 0xffe7, r >= 0x1f300 && r < 0x1f650, r >= 0x1f680 && r < 0x1f700,
		r >= 0x1f900 && r < 0x1fa00, r >= 0x20000 && r < 0x40000:
		return 2
	}
	return 1
}
