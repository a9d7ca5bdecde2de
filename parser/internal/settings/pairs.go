package settings

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"
)

// Bounds of what is read of one printed configuration.
const (
	maxConfigText  = 64 << 10
	MaxSettings    = 400
	maxConfigDepth = 16
	maxSettingKey  = 64
)

// CutSettings says what the bounds left out of a configuration, see Dialect.Read.
var CutSettings = "a configuration of " + strconv.Itoa(MaxSettings) + " settings or more: the later ones were not read"

// scanPairs reads the settings out of a printed configuration, key=value, 'key': value (Python and
// JSON), Name(key=value), and returns how far it went. Values are given as they stand, quotes
// included; the settings of a nested object have dotted keys and stand before the object itself. The
// first positional argument of a call has the key "".
//
// A value that the end of the text has cut is left out. With keepLast, a bare value outside brackets
// may end the text.
func scanPairs(text string, keepLast bool, yield func(key, value string)) int {
	p := &pairScanner{s: text[:min(len(text), maxConfigText)], left: MaxSettings, keepLast: keepLast, yield: yield}
	p.items("", 0, 0)
	return p.i
}

type pairScanner struct {
	s        string
	i        int
	left     int
	keepLast bool
	yield    func(key, value string)
}

// items reads settings up to the closing bracket and reports whether it is there; open is the bracket
// that began them, 0 at the top.
func (p *pairScanner) items(prefix string, depth int, open byte) bool {
	for n := 0; p.left > 0; n++ {
		p.skip(" \t\r\n,")
		if p.i == len(p.s) {
			return false
		}
		if closes(p.s[p.i]) {
			if open != 0 {
				p.i++
			}
			return true
		}
		start := p.i
		if key := p.key(open); key != "" {
			p.value(join(prefix, key), depth)
			continue
		}
		if open == 0 {
			// At the top only a container can stand without a name, and nothing follows it.
			if n == 0 && p.container() >= 0 {
				p.value(prefix, depth)
			}
			return false
		}
		if n == 0 && prefix == "" {
			p.value("", depth)
		} else {
			p.bare()
		}
		if p.i == start {
			p.i++
		}
	}
	return false
}

func join(prefix, key string) string {
	if prefix == "" {
		return key
	}
	return prefix + "." + key
}

func closes(c byte) bool { return c == ')' || c == ']' || c == '}' }

// skip passes over the bytes of a set, and over comments.
func (p *pairScanner) skip(set string) {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case strings.IndexByte(set, c) >= 0:
			p.i++
		case c == '#' && heuristic.On(heuristic.Comments):
			n := strings.IndexByte(p.s[p.i:], '\n')
			if n < 0 {
				p.i = len(p.s)
				return
			}
			p.i += n
		default:
			return
		}
	}
}

// key reads a name and the sign after it; without one it stays where it is and returns "". White
// space inside a bare name is what a hard wrap left there.
func (p *pairScanner) key(open byte) string {
	i, end := p.i, min(len(p.s), p.i+maxSettingKey)
	var name string
	if c := p.s[i]; c == '\'' || c == '"' {
		k := strings.IndexByte(p.s[i+1:end], c)
		if k < 0 {
			return ""
		}
		name, i = p.s[i+1:i+1+k], i+k+2
	} else {
		k := identEnd(p.s, i, end)
		if k == i {
			return ""
		}
		name, i = p.s[i:k], k
		if gap := spaceEnd(p.s, k); gap > k {
			if more := identEnd(p.s, gap, end); more > gap {
				name, i = name+p.s[gap:more], more
			}
		}
	}
	i = spaceEnd(p.s, i)
	if i == len(p.s) || name == "" {
		return ""
	}
	colon := p.s[i] == ':' && (open == '{' || p.s[p.i] == '\'' || p.s[p.i] == '"')
	if !colon && (p.s[i] != '=' || strings.HasPrefix(p.s[i:], "==")) {
		return ""
	}
	p.i = spaceEnd(p.s, i+1)
	return name
}

// identEnd returns the end of the name that starts at i; names may be dotted or hyphenated.
func identEnd(s string, i, end int) int {
	for k := i; k < end; k++ {
		if c := s[k]; !IsWordByte(c) && (k == i || c != '.' && c != '-') {
			return k
		}
	}
	return max(i, end)
}

func IsWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// spaceEnd skips a little white space: what a wrap and its indentation can be.
func spaceEnd(s string, i int) int {
	for end := min(len(s), i+maxSettingKey); i < end && strings.IndexByte(" \t\r\n", s[i]) >= 0; i++ {
	}
	return i
}

// value reads one value and yields it; a container's settings first.
func (p *pairScanner) value(key string, depth int) {
	start, whole := p.i, false
	if p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == '\'' || c == '"':
			whole = p.quoted()
		case c == '<' && p.angle():
			whole = true
		case c == '[', c == '(' && (key != "" || depth > 0):
			whole = p.balanced()
		default:
			if at := p.container(); at < 0 {
				whole = p.bare() || depth == 0 && p.keepLast
			} else if depth >= maxConfigDepth {
				p.i = at
				whole = p.balanced()
			} else {
				p.i = at + 1
				whole = p.items(key, depth+1, p.s[at])
			}
		}
	}
	if key == "" && depth == 0 {
		return // the container itself
	}
	if v := strings.TrimSpace(p.s[start:p.i]); whole && v != "" && p.left > 0 {
		p.left--
		p.yield(key, v)
	}
}

// container returns where the bracket of {…} or Name(…) or Name {…} stands, -1 where none begins here.
func (p *pairScanner) container() int {
	if p.s[p.i] == '{' || p.s[p.i] == '(' {
		return p.i
	}
	k := identEnd(p.s, p.i, min(len(p.s), p.i+maxSettingKey))
	if k > p.i && k < len(p.s) && p.s[k] == '(' {
		return k
	}
	if k > p.i && strings.HasPrefix(p.s[k:], " {") {
		return k + 1
	}
	return -1
}

// quoted skips a string and reports whether it is closed.
func (p *pairScanner) quoted() bool {
	q := p.s[p.i]
	for p.i++; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case q:
			p.i++
			return true
		}
	}
	p.i = len(p.s)
	return false
}

// angle skips the <…> in which Python prints enumerations.
func (p *pairScanner) angle() bool {
	k := strings.IndexAny(p.s[p.i:min(len(p.s), p.i+200)], ">\n")
	if k < 0 || p.s[p.i+k] != '>' {
		return false
	}
	p.i += k + 1
	return true
}

// balanced skips from an opening bracket past its closing one and reports whether it is there.
func (p *pairScanner) balanced() bool {
	for depth := 0; p.i < len(p.s); {
		switch c := p.s[p.i]; {
		case c == '\'' || c == '"':
			if !p.quoted() {
				return false
			}
			continue
		case c == '(' || c == '[' || c == '{':
			depth++
		case closes(c):
			if depth--; depth == 0 {
				p.i++
				return true
			}
		}
		p.i++
	}
	return false
}

// bare skips an unquoted value, up to a comma, a closing bracket, or white space before the next
// name= (one release forgot a comma), and reports whether one of them stands there.
func (p *pairScanner) bare() bool {
	start := p.i
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ',' || closes(c):
			return true
		case c == '(' || c == '[' || c == '{':
			if !p.balanced() {
				return false
			}
			continue
		case (c == '\'' || c == '"') && p.i-start <= 2: // f"…", rb'…'
			if !p.quoted() {
				return false
			}
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			gap := spaceEnd(p.s, p.i)
			if gap < len(p.s) && p.s[gap] == '#' && p.i > start {
				return true
			}
			name := identEnd(p.s, gap, min(len(p.s), gap+maxSettingKey))
			if name > gap && name+1 < len(p.s) && p.s[name] == '=' && p.s[name+1] != '=' && p.i > start {
				return true
			}
			p.i = gap
			continue
		}
		p.i++
	}
	return false
}
