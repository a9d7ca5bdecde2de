package tui

import (
	"bytes"
	"regexp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/report"
)

// query is what a search or a filter looks for in a line: a substring, without regard to case unless
// it has capitals, or a /pattern/; with ! in front, lines that do not have it.
type query struct {
	source string
	invert bool
	word   []byte // of a substring, lower case where fold is on
	fold   bool
	re     *regexp.Regexp
}

// parseQuery reads a query as it is typed; "" is none.
func parseQuery(s string) (*query, error) {
	q := &query{source: s}
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
func (q *query) match(line []byte, scratch *[]byte) bool {
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = []byte(report.Printable(string(line))) // colours do not come between what was typed
	}
	return q.has(line, scratch) != q.invert
}

func (q *query) has(line []byte, scratch *[]byte) bool {
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

// spans returns where a printable text has what is looked for, to be highlighted.
func (q *query) spans(text string) [][2]int {
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

// step is how much of a log is looked through before the screen is drawn again, bytes.
const step = 2 << 20

// hunt looks for lines in a log, a step at a time.
type hunt struct {
	tape  *Tape
	query *query
	keep  map[int64]bool // offsets of lines that always match: the evidence
	back  bool
	want  int
	at    int64 // where it goes on: the beginning of a line
	size  int64 // of the log when it began
	found []Line
	done  bool
	again bool // it has gone around the end of the log already
	run   int  // the hunt's number; messages of an older one are dropped
}

// huntMsg says how far a hunt has come.
type huntMsg struct{ hunt }

// next does one step.
func (h hunt) next() tea.Msg {
	var scratch []byte
	for read := int64(0); read < step && !h.done; {
		var lines []Line
		if h.back {
			lines = h.tape.Backward(h.at, 512)
		} else {
			lines = h.tape.Forward(h.at, 512)
		}
		if len(lines) == 0 {
			h.done = true
			break
		}
		for i := range lines {
			l := lines[i]
			if h.back {
				l = lines[len(lines)-1-i]
				h.at = l.Off
			} else {
				h.at = l.End
			}
			read += l.End - l.Off
			if h.keep[l.Off] || h.query.match([]byte(strings.TrimRight(l.Text, "\r\n")), &scratch) {
				h.found = append(h.found, l)
				if len(h.found) >= h.want {
					h.done = true
					break
				}
			}
		}
	}
	return huntMsg{h}
}
