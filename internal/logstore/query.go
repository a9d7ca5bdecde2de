package logstore

import (
	"bytes"
	"regexp"
	"strings"
)

// Query is what a search or a filter looks for in a line: a substring, without regard to case unless
// it has capitals, or a /pattern/; with ! in front, lines that do not have it.
type Query struct {
	Source string // as it was typed
	invert bool
	word   []byte // of a substring, lower case where fold is on
	fold   bool
	re     *regexp.Regexp
	seen   func(string) string
}

// ParseQuery reads a query as it is typed; "" is none. Of a line with escape sequences what is seen is looked
// through. An error is that of a pattern.
func ParseQuery(s string, seen func(line string) string) (*Query, error) {
	q := &Query{Source: s, seen: seen}
	if rest, ok := strings.CutPrefix(s, "!"); ok {
		q.invert, s = true, rest
	}
	if s == "" {
		return nil, nil
	}
	q.fold = strings.ToLower(s) == s
	if len(s) > 2 && s[0] == '/' && s[len(s)-1] == '/' {
		s = s[1 : len(s)-1]
		if q.fold {
			s = "(?i)" + s
		}
		re, err := regexp.Compile(s)
		q.re = re
		return q, err
	}
	q.word = []byte(s)
	return q, nil
}

// match reports whether a line, as it stands in the log, is one of those that are looked for.
func (q *Query) match(line []byte, scratch *[]byte) bool {
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = []byte(q.seen(string(line))) // colours do not come between what was typed
	}
	return q.has(line, scratch) != q.invert
}

func (q *Query) has(line []byte, scratch *[]byte) bool {
	if q.re != nil {
		return q.re.Match(line)
	}
	if !q.fold {
		return bytes.Contains(line, q.word)
	}
	*scratch = appendLower((*scratch)[:0], line)
	return bytes.Contains(*scratch, q.word)
}

// appendLower lowers ASCII letters.
func appendLower(dst, src []byte) []byte {
	for _, c := range src {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// Spans returns where a printable text has what is looked for, to be highlighted.
func (q *Query) Spans(text string) [][2]int {
	if q == nil || q.invert {
		return nil
	}
	var out [][2]int
	if q.re != nil {
		for _, p := range q.re.FindAllStringIndex(text, 20) {
			out = append(out, [2]int{p[0], p[1]})
		}
		return out
	}
	b := []byte(text)
	if q.fold {
		b = appendLower(nil, b)
	}
	for at := 0; len(out) < 20; {
		k := bytes.Index(b[at:], q.word)
		if k < 0 {
			break
		}
		out = append(out, [2]int{at + k, at + k + len(q.word)})
		at += k + len(q.word)
	}
	return out
}
