package expect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/parser"
)

// Script is a parsed test file.
type Script []Statement

// Statement is one line of a test file.
type Statement struct {
	File string
	Line int
	Text string // the statement as written, without "todo" and comment
	Todo bool   // known not to hold
	Log  string // the path of a log statement, else ""

	check check
}

// Parse reads a test file. The error names the file, line and column of the first mistake.
func Parse(name, text string) (Script, error) {
	var s Script
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		words, err := split(strings.TrimSuffix(line, "\r"))
		if err == nil && len(words) == 0 {
			continue
		}
		st := Statement{File: name, Line: i + 1}
		if err == nil {
			err = st.parse(words)
		}
		if e, ok := err.(mistake); ok {
			return nil, fmt.Errorf("%s:%d:%d: %s", name, i+1, e.column, e.what)
		}
		s = append(s, st)
	}
	return s, nil
}

// Logs returns the paths of the logs, in order.
func (s Script) Logs() []string {
	var out []string
	for _, st := range s {
		if st.Log != "" {
			out = append(out, st.Log)
		}
	}
	return out
}

// mistake is what is wrong at a column of a line.
type mistake struct {
	column int
	what   string
}

func (m mistake) Error() string { return m.what }

// word is a blank-separated part of a line, or a quoted string.
type word struct {
	text   string
	column int
	quoted bool
}

// split cuts a line into words and takes its comment off.
func split(line string) ([]word, error) {
	var words []word
	for i := 0; i < len(line); {
		start := i
		switch c := line[i]; {
		case c == ' ' || c == '\t':
			i++
			continue
		case c == '#':
			return words, nil
		case c == '"':
			quoted, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return nil, mistake{column(line, i), "this string does not end"}
			}
			text, _ := strconv.Unquote(quoted)
			words = append(words, word{text, column(line, start), true})
			i += len(quoted)
		default:
			for i < len(line) && line[i] != ' ' && line[i] != '\t' {
				i++
			}
			words = append(words, word{line[start:i], column(line, start), false})
		}
	}
	return words, nil
}

func column(line string, at int) int { return utf8.RuneCountInString(line[:at]) + 1 }

// scanner takes the words of a statement one after the other.
type scanner struct {
	words []word
	last  word
}

func (s *scanner) done() bool { return len(s.words) == 0 }

// next takes a word; what says what is missing otherwise.
func (s *scanner) next(what string) (word, error) {
	if s.done() {
		return word{}, mistake{s.last.column + utf8.RuneCountInString(s.last.text), "here " + what + " is missing"}
	}
	s.last, s.words = s.words[0], s.words[1:]
	return s.last, nil
}

// bad complains about the word taken last.
func (s *scanner) bad(format string, args ...any) error {
	return mistake{s.last.column, fmt.Sprintf(format, args...)}
}

// keywords takes these words if they come next.
func (s *scanner) keywords(phrase string) bool {
	want := strings.Fields(phrase)
	if len(want) > len(s.words) {
		return false
	}
	for i, w := range want {
		if s.words[i].quoted || s.words[i].text != w {
			return false
		}
	}
	s.last, s.words = s.words[len(want)-1], s.words[len(want):]
	return true
}

func (st *Statement) parse(words []word) error {
	s := &scanner{words: words}
	st.Todo = s.keywords("todo")
	st.Text = unparse(s.words)
	var err error
	switch {
	case s.keywords("expect"):
		st.check, err = expectation(s)
	case st.Todo:
		if _, err = s.next("expect"); err == nil {
			err = s.bad("only what is expected can be todo, not %q", s.last.text)
		}
	case s.keywords("log"):
		_, err = s.next("the path of a log")
		st.Log = s.last.text
	default:
		w, _ := s.next("a statement")
		err = s.bad("a statement begins with log or expect, not with %q", w.text)
	}
	if err == nil && !s.done() {
		w, _ := s.next("")
		return s.bad("%q is too much here", w.text)
	}
	return err
}

func unparse(words []word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = w.text
		if w.quoted {
			parts[i] = strconv.Quote(w.text)
		}
	}
	return strings.Join(parts, " ")
}

// form is a kind of expectation: the words it begins with, and what reads the rest.
type form struct {
	words string
	parse func(*scanner) (check, error)
}

// forms is tried in order: what begins like another stands before it.
var forms = []form{
	{"nothing", func(*scanner) (check, error) { return nothing, nil }},
	{"no cause", func(*scanner) (check, error) { return noCause, nil }},
	{"no remedy", withID(noRemedy)},
	{"no dead end", withID(noDeadEnd)},
	{"cause", parseCause},
	{"other-cause", withID(otherCause)},
	{"degraded", withID(degraded)},
	{"phase", parsePhase},
	{"fact", parseFact},
	{"remedy", parseRemedy},
	{"dead end", withID(deadEnd)},
	{"line", parseLine},
	{"text", parseText},
}

func expectation(s *scanner) (check, error) {
	for _, f := range forms {
		if s.keywords(f.words) {
			return f.parse(s)
		}
	}
	w, err := s.next("what is expected")
	if err != nil {
		return nil, err
	}
	return nil, s.bad("nothing that can be expected is called %q", w.text)
}

func withID(f func(id string) check) func(*scanner) (check, error) {
	return func(s *scanner) (check, error) {
		w, err := s.next("an id")
		return f(w.text), err
	}
}

func parseCause(s *scanner) (check, error) {
	w, err := s.next("the id of a cause")
	if err != nil {
		return nil, err
	}
	least := 0.0
	if s.keywords(">=") {
		c, err := s.next("a confidence")
		if err != nil {
			return nil, err
		}
		if least, err = strconv.ParseFloat(c.text, 64); err != nil || least < 0 || least > 1 {
			return nil, s.bad("a confidence lies between 0 and 1")
		}
	}
	return cause(w.text, least), nil
}

func parsePhase(s *scanner) (check, error) {
	w, err := s.next("a phase")
	if err == nil && !slices.Contains(parser.Phases, w.text) {
		err = s.bad("no phase is called %q", w.text)
	}
	return phase(w.text), err
}

func parseRemedy(s *scanner) (check, error) {
	w, err := s.next("a rank or the id of a remedy")
	if err != nil {
		return nil, err
	}
	rank, err := strconv.Atoi(w.text)
	if err != nil || w.quoted {
		return remedy(w.text), nil
	}
	if rank < 1 {
		return nil, s.bad("ranks begin with 1")
	}
	if w, err = s.next("the id of a remedy, or a part of its spelling in quotes"); err != nil {
		return nil, err
	}
	if w.quoted {
		return spelled(rank, w.text), nil
	}
	return ranked(rank, w.text), nil
}

func parseLine(s *scanner) (check, error) {
	w, err := s.next("a line number")
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(w.text)
	if err != nil || n < 1 {
		return nil, s.bad("this is no line number")
	}
	return line(n), nil
}

func parseText(s *scanner) (check, error) {
	w, err := s.next("a text in quotes")
	if err == nil && !w.quoted {
		err = s.bad("the text must stand in quotes")
	}
	return text(w.text), err
}
