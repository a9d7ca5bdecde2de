package record

import (
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/lazy"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
)

// What a source says between quotes is its words, also where the message begins in the middle of them.
var (
	// A function's call up to the quote of its argument: C, Python and JavaScript name functions in lower case, exceptions not.
	callBefore = lazy.Regexp(`(?:^|[^\w.])(?:[a-z_]\w*\.|\)\.)*[a-z_]\w*\(\s*[rbf]?$`)
	// A line that is a call with a literal, or one argument of a call, unless its name is an error's.
	callLine  = lazy.Regexp(`^\s*[a-z_]\w*\(\s*[rbf]?["'].*["'](?:,|\);)$`)
	argument  = lazy.Regexp(`^\s*[A-Za-z_]\w*=[rbf]?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),$`)
	errorName = lazy.Regexp(`^\s*\w*(?i:err|exc|fail|trace)`)
	// A line that is one entry of a list of texts or tuples, or a key's list of texts, and one that is an option of a command that goes on.
	entryLine  = lazy.Regexp(`^\s*\w+:\s*\[(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')(?:,\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))*\],$|^\s*[rbf]?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),$|^\s*\([rbf]?["'].*(?:["']|\),)$`)
	optionLine = lazy.Regexp(`^\s*--?[\w-]+[= ]["'].*["'] \\$`)
	// A line of a source that ends where literals of lines of their own follow.
	opensLiterals = lazy.Regexp(`^(?:(?:raise|return|assert|const|let|var|yield)\b|[A-Za-z_][\w.]*(?:\s*:\s*\w[\w\[\], .]*)?\s*=[^=]?|[\w.]*[a-z_]\w*\($).*[(\[{=+]$|^[A-Za-z_]\w* =$`)
	// What keeps a failure away, up to the failure.
	averting = lazy.Regexp(`\b(?i:avoid(?:s|ing)?|prevent(?:s|ing)?|guard(?:s|ing)? against|work(?:s|ing)? around)\b[^.;]{0,90}$`)
)

// inSource reports whether a message behind a text stands between the quotes of a source's line.
func inSource(line, before string) bool {
	quote := openQuote(before)
	if quote < 0 || len(line) > maxMessage {
		return false
	}
	return callBefore().MatchString(before[max(0, quote-afterRequest):quote]) || callLine().MatchString(line) || entryLine().MatchString(line) || optionLine().MatchString(line) ||
		argument().MatchString(line) && !errorName().MatchString(line)
}

// placeholders are what a manual has where a message has a number.
var placeholders = []string{"<pid>", "<PID>", "<id>", "<ID>", "<N>", "<n>", "<num>"}

// killCommands take such a place, too, in the advice that a program prints with its error.
var killCommands = []string{"kill <", "kill -9 <", "kill -KILL <"}

// isTemplate reports whether a message between two texts is shown with a place for a number instead of one.
func isTemplate(before, after string) bool {
	near := before[max(0, len(before)-afterRequest):] + after[:min(len(after), afterRequest)]
	return containsAny(near, placeholders) && !containsAny(near, killCommands)
}

// literals follows a stream through the expressions of sources that go on over lines of texts in quotes.
type literals struct{ open bool }

// take reports whether a line that is not blank is such a text.
func (p *literals) take(text []byte) bool {
	c := text[0]
	if len(text) > 1 && (c == 'r' || c == 'b' || c == 'f') {
		c = text[1]
	}
	if c == '"' || c == '\'' {
		return p.open
	}
	last := text[len(text)-1]
	p.open = len(text) <= maxMessage && (last == '(' || last == '[' || last == '{' || last == '=' || last == '+') && opensLiterals().Match(text)
	return false
}

// openQuote returns where the last quote of a text stands that nothing behind it closes, -1 where there is none.
func openQuote(before string) int {
	open := -1
	for i := max(0, len(before)-afterRequest); i < len(before); i++ {
		switch c := before[i]; {
		case c == '\\':
			i++
		case c != '"' && c != '\'':
		case open >= 0 && before[open] == c:
			open = -1
		case open < 0 && (c == '"' || i == 0 || !settings.IsWordByte(before[i-1])): // no apostrophe
			open = i
		}
	}
	return open
}

// averts reports whether a text says what is done against the failure that it goes on with.
func averts(s string) bool {
	for _, word := range []string{"void", "revent", "uard", "round"} {
		if strings.Contains(s, word) {
			return averting().MatchString(s)
		}
	}
	return avertsAbroad(s)
}
