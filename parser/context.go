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
type contexts struct{ dump, literal, keyword, code, raised, entry, hunk *regexp.Regexp }

var contextPatterns = sync.OnceValue(func() *contexts {
	return &contexts{
		// A request as a server dumps it: what follows is the user's text.
		dump: regexp.MustCompile(`(?:[Rr]eceived request|Added request|Received chat|[Rr]equest body|Processing request)[^\n]{0,200}$|["']?(?:prompt|content|messages|inputs|text|query)["']?\s*[:=]\s*\[?[{"'][^\n]*$`),
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
	if p.dump.MatchString(r.joined[max(0, at-8192):at]) {
		return true
	}
	rest := r.text.Raw[r.text.Pos[f.end-1]+1:]
	if inAccessLine(before, after) || bytes.HasPrefix(rest, []byte(".*")) || bytes.HasPrefix(rest, []byte("|")) {
		return true // the latter two: a regular expression; a table's column has a blank before its border
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
