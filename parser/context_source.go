package parser

import "strings"

// What a source says between quotes is its words, also where the message begins in the middle of them.
var (
	// A function's call up to the quote of its argument: C, Python and JavaScript name functions in lower case, exceptions not.
	callBefore = pattern(`(?:^|[^\w.])(?:[a-z_]\w*\.|\)\.)*[a-z_]\w*\(\s*[rbf]?$`)
	// A line that is a call with a literal, or one argument of a call, unless its name is an error's.
	callLine  = pattern(`^\s*[a-z_]\w*\(\s*[rbf]?["'].*["'](?:,|\);)$`)
	argument  = pattern(`^\s*[A-Za-z_]\w*=[rbf]?(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'),$`)
	errorName = pattern(`^\s*\w*(?i:err|exc|fail|trace)`)
	// What keeps a failure away, up to the failure.
	averting = pattern(`\b(?i:avoid(?:s|ing)?|prevent(?:s|ing)?|guard(?:s|ing)? against|work(?:s|ing)? around)\b[^.;]{0,90}$`)
)

// inSource reports whether a message behind a text stands between the quotes of a source's line.
func inSource(line, before string) bool {
	quote := openQuote(before)
	if quote < 0 || len(line) > maxMessage {
		return false
	}
	return callBefore().MatchString(before[max(0, quote-afterRequest):quote]) || callLine().MatchString(line) || argument().MatchString(line) && !errorName().MatchString(line)
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
		case open < 0 && (c == '"' || i == 0 || !isWordByte(before[i-1])): // no apostrophe
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
	return false
}
