package parser

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// A log also holds words that are not the process's own: prompts in request dumps, addresses in access
// lines, source code, patches, examples. A message among them is nobody's failure.

// contexts are the patterns of such places; compiled when the first failure is met.
type contexts struct{ request, prompt, literal, keyword, code, raised, entry, hunk *regexp.Regexp }

var contextPatterns = sync.OnceValue(func() *contexts {
	return &contexts{
		// A request as a server dumps it: what follows is the user's text.
		request: regexp.MustCompile(`(?:[Rr]eceived request|Added request|Received chat|[Rr]equest body|Processing request)[^\n]{0,200}$`),
		prompt:  regexp.MustCompile(`["']?(?:prompt|content|messages|inputs|text|query)["']?\s*[:=]\s*\[?[{"']`),
		// The quote of a string literal, and what code has in front of it.
		literal: regexp.MustCompile("(?:^|[(,=:\\[{+]|\\b(?:in|not|raise|return|or|and|if|assert|match|grep|rg|echo|print|case|when)|[=!]=)\\s*(?:[rbfu]{1,2})?[\"'`/]\\(?(?:[\\w.]+:? ?)?$"),
		keyword: regexp.MustCompile(`^\s*(?:[+-]\s*)?(?:\d+[:|]\s*)?(?:raise|if|elif|assert|return|except|with|for|while|case|when|const|let|var|def|class|import|from)\b`),
		// A line that begins as code does: a keyword, a call, an assignment, a literal in a list.
		code: regexp.MustCompile("^\\s*(?:[+-]\\s*)?(?:\\d+[:|]\\s*)?(?:raise|if|elif|else|assert|return|except|def|class|import|from|with|for|while|try|case|when|const|let|var|func|fn|println?|console|log|logger|logging|self|pytest|re|[rbf]?[\"'`]|[A-Za-z_][\\w.]*\\s*(?:\\(|=[^=]|\\[)|[\\w.]+\\s*[!=]=)"),
		// An exception's class in front of its sentence: an interpreter's words, not code.
		raised: regexp.MustCompile(`(?:Error|Exception)\(?["']?$|(?:[Ee]rror|[Ee]xception|[Ff]ailed|reason|message|what\(\))["']?\s*[:=]\s*["']?$`),
		entry:  regexp.MustCompile("[\"'`]\\s*[,:)\\]}]+\\s*$"),
		hunk:   regexp.MustCompile(`^(?:@@ -\d+|diff --git |\+\+\+ [ab]/|--- [ab]/|index [0-9a-f]{7,}\.\.)`),
	}
})

// secondHand reports whether a match of the paragraph is somebody's text about a failure.
func (r *reader) secondHand(f *found) bool {
	if r.lines[r.text.LineOf(f.start)].patch {
		return true
	}
	if r.joined == "" {
		r.joined = r.text.Joined()
	}
	at := r.text.JoinedPos(f.start)
	begin, size := strings.LastIndexByte(r.joined[:at], '\n')+1, strings.IndexByte(r.joined[at:], '\n')
	if size < 0 {
		size = len(r.joined) - at
	}
	line, before, after := r.joined[begin:at+size], r.joined[begin:at], r.joined[at:at+size]
	p := contextPatterns()
	if r.inDump(begin, at) {
		return true
	}
	rest := r.text.Raw[r.text.Pos[f.end-1]+1:]
	if inAccessLine(before, after) || bytes.HasPrefix(rest, []byte(".*")) || bytes.HasPrefix(rest, []byte("|")) {
		return true // the latter two: a regular expression; a table's column has a blank before its border
	}
	if !afterQuote(before) {
		return false
	}
	quote := p.literal.FindStringIndex(before)
	if quote == nil {
		return false
	}
	front := before[:quote[0]+strings.IndexAny(before[quote[0]:], "\"'`/")+1]
	switch {
	case p.keyword.MatchString(line):
		return true
	case p.raised.MatchString(front) || !p.code.MatchString(line):
		return false
	}
	// A line that is one quoted text may be a paste; an entry of a list ends in a comma or a bracket.
	return len(front) > 1 || p.entry.MatchString(after)
}

// The bounds of a request dump: text behind its words, and behind the key of its prompt.
const (
	afterRequest = 256
	afterPrompt  = 8192
)

// dump is how far the paragraph was searched for prompts, and where the last one begins and its text does.
type dump struct{ searched, key, text int }

// inDump reports whether the place in the paragraph is inside a request as a server dumps it; the line begins
// at begin. Places are asked for in order, and nothing is searched twice: there may be many on a line.
func (r *reader) inDump(begin, at int) bool {
	p, d := contextPatterns(), &r.dump
	if near := r.joined[max(0, at-afterRequest):at]; strings.Contains(near, "equest") || strings.Contains(near, "eceived chat") {
		if p.request.MatchString(near) {
			return true
		}
	}
	const longest = 64 // a key with its quotes and blanks
	for from := max(d.searched-longest, d.text); from < at; {
		m := p.prompt.FindStringIndex(r.joined[from:at])
		if m == nil {
			break
		}
		d.key, d.text = from+m[0], from+m[1]
		from = d.text
	}
	d.searched = max(d.searched, at)
	return d.text > begin && d.key >= at-afterPrompt
}

// afterQuote reports whether a text may end behind the quote of a literal and a qualified name: what most
// places are not, and cheaper to see than by a pattern.
func afterQuote(s string) bool {
	s = strings.TrimSuffix(strings.TrimSuffix(s, " "), ":")
	for len(s) > 0 {
		switch c := s[len(s)-1]; {
		case c == '.' || c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
			s = s[:len(s)-1]
		default:
			s = strings.TrimSuffix(s, "(")
			return s != "" && strings.IndexByte("\"'`/", s[len(s)-1]) >= 0
		}
	}
	return false
}

// inAccessLine reports whether the place between the two texts is inside "GET … HTTP/1.1".
func inAccessLine(before, after string) bool {
	open := strings.LastIndexByte(before, '"')
	if open < 0 {
		return false
	}
	for _, verb := range []string{"GET /", "POST /", "PUT /", "HEAD /", "DELETE /", "PATCH /", "OPTIONS /"} {
		if strings.HasPrefix(before[open+1:], verb) {
			return strings.Contains(after, " HTTP/")
		}
	}
	return false
}

// inPatch follows a stream through patches: from a hunk's head to the first line that is none of its.
func (r *reader) inPatch(l *line) bool {
	if len(l.text) == 0 {
		return r.patch
	}
	c := l.text[0]
	mark := c == '+' || c == '-' || c == '@' || c == '\\'
	if (mark || c == 'd' || c == 'i') && contextPatterns().hunk.Match(l.text) {
		r.patch = true
	} else if !mark && !l.before {
		r.patch = false
	}
	return r.patch
}
