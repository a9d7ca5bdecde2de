package record

import (
	"bytes"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// A log also holds words that are not the process's own: prompts in request dumps, addresses in access
// lines, source code, patches, examples. A message among them is nobody's failure.

// listing is what stands in front of a line that grep -n, a patch or a listing shows.
const listing = `(?:[+>-]\s*)?(?:[\w./-]+\.\w{1,5}:)?(?:\d+[:|]\s*)?`

// The patterns of such places.
var (
	// A request as a server dumps it: what follows is the user's text.
	requestDump = lazy.Regexp(`(?:[Rr]eceived request|Added request|Received chat|[Rr]equest body|Processing request|Generated response)[^\n]{0,200}$`)
	// The quote of a string literal, and what code has in front of it.
	literalBefore = lazy.Regexp("(?:^|[(,=:\\[{+]|\\b(?:in|not|raise|return|or|and|if|assert|match|(?:grep|rg|sed|awk)(?: -\\w+)*|echo|print|case|when)|[=!]=)\\s*(?:[rbfu]{1,2})?[\"'`/]\\(? ?(?:[\\w.]+:? ?)?$")
	keywordLine   = lazy.Regexp(`^\s*` + listing + `(?:raise|if|elif|assert|return|except|with|for|while|case|when|const|let|var|def|class|import|from)\b`)
	// A line that begins as code does: a keyword, a call, an assignment, a literal in a list.
	codeLine = lazy.Regexp("^\\s*" + listing + "(?:grep|rg|sed|awk|echo|export|pattern|regexp?|contains|expect(?:ed)?|want|raise|if|elif|else|assert|return|except|def|class|import|from|with|for|while|try|case|when|const|let|var|func|fn|println?|console|log|logger|logging|self|pytest|re|[rbf]?[\"'`]|[A-Za-z_][\\w.]*\\s*(?:\\(|=[^=]|\\[)|[\\w.]+\\s*[!=]=)")
	// What only a test's or a manual's words have in front of a quote: pytest's assert, "if you see".
	quotedInProse = lazy.Regexp("(?:\\bassert (?:not )?|\\b(?i:if|when) (?:you|your|the|a|an|this|it)\\b[^\"'`]{0,80})[\"'`]\\(?(?:[\\w.]+:? ?)?$")
	// pytest's comparison of two texts.
	comparison = lazy.Regexp(`^E\s+[-+?] `)
	// An exception's class in front of its sentence: an interpreter's words, not code.
	raisedBefore = lazy.Regexp(`(?:Error|Exception)\(?["']?$|(?:[Ee]rror|[Ee]xception|[Ff]ailed|reason|message|what\(\))["']?\s*[:=]\s*["']?$|(?:\b|_)(?i:err|msg|details?|cause|failure|stderr|stdout|evalue)["']?(?:=|:\s*)["']?$|^\s*(?:details|debug_error_string) = "$`)
	entryAfter   = lazy.Regexp("[\"'`]\\s*[,:)\\]}]+\\s*$")
	// A line of a manual, or a comment of a source, as grep -n or a listing shows it; of C and its heirs also as it stands: no log begins so.
	printedBefore = lazy.Regexp(`^\s*(?:[\w./-]+\.(?:` + documents + `)(?:[:-]\d+)?[:-]|(?:[\w./-]+\.(?:` + sources + `)(?:[:-]\d+)?[:-]|\d+[:|→]?)\s*(?:#|//|/?\*|--|;|<!--|"""|''')\s|//[/!]?\s)`)
	// What a list of changes, or a conversation, has in front of a message.
	toldBefore = lazy.Regexp(`^\s*(?:[-*•]\s+|\*\*|[0-9a-f]{7,12}\s+)?(?:\[[\w ]+\]\s*)*(?:(?:Fix(?:es|ed)?|Handle[sd]?|Catch(?:es)?|Avoid(?:s|ed)?)\b[:\s]|(?:修复|修正|Исправлен[аоы]?|Behoben|Corrigée?|Corregid[ao]|Corrigid[ao])[:：\s]|(?:User|Human|Assistant|Question|Prompt|Q)\s*(?::\s|：))`)
	// A heading of a manual is a message in quotes; what a manual says of one follows it.
	quotedHeading = lazy.Regexp("^#{2,6} +`[^`]{0,120}(?:` ?\\(?)?$")
	adviceBehind  = lazy.Regexp("^[\"'`*]*(?:\\s+(?:(?:usually|typically|often|simply) )?(?:means?|indicates?|is (?:raised|thrown|shown|printed|logged)|(?:occurs|happens|appears) (?:when|if))\\b|\\s*(?::|–|—|->|→|=>)\\s*(?i:lower|reduce|decrease|increase|raise|try|use|set|add|enable|disable|check|make|you)\\b)")
	hunkHead      = lazy.Regexp(`^(?:@@ -\d+|diff --git |\+\+\+ [ab]/|--- [ab]/|index [0-9a-f]{7,}\.\.)`)
)

// secondHand reports whether a match of the paragraph is somebody's text about a failure.
func (r *Reader) secondHand(f *found) bool {
	if r.lines[r.text.LineOf(f.start)].shown {
		return true
	}
	if r.joined == "" {
		r.joined = r.text.Joined()
	}
	at := r.text.JoinedPos(f.start)
	begin, end := r.lineAround(at)
	line, before, after := r.joined[begin:end], r.joined[begin:at], r.joined[at:end]
	if r.inDump(begin, at) || turnBefore(before) != "" {
		return true
	}
	rest := r.text.Raw[r.text.Pos[f.end-1]+1:]
	if inAccessLine(before, after) || isTemplate(before, after) || bytes.HasPrefix(rest, []byte(".*")) || bytes.HasPrefix(rest, []byte("|")) {
		return true // the latter two: a regular expression; a table's column has a blank before its border
	}
	if strings.HasPrefix(line, "E ") && comparison().MatchString(line) {
		return true
	}
	if len(before) > 0 {
		r.work += proseWork
		said := sentenceOf(before)
		if printedBefore().MatchString(before) || toldBefore().MatchString(before) || advises(said) || averts(said) || inSource(line, before) || quotedHeading().MatchString(before) {
			return true
		}
	}
	if advisesBehind(after) {
		return true
	}
	if !afterQuote(before) {
		return false
	}
	if strings.Contains(before, "AssertionError: ") || adviceBehind().MatchString(behind(before, after)) {
		return true
	}
	if quotedInProse().MatchString(before[max(0, len(before)-afterRequest):]) {
		return true
	}
	quote := literalBefore().FindStringIndex(before)
	if quote == nil {
		return false
	}
	front := before[:quote[0]+strings.IndexAny(before[quote[0]:], "\"'`/")+1]
	switch {
	case keywordLine().MatchString(line):
		return true
	case raisedBefore().MatchString(front) || !codeLine().MatchString(line):
		return false
	}
	// A line that is one quoted text may be a paste; an entry of a list ends in a comma or a bracket.
	return len(strings.TrimPrefix(front, "b")) > 1 || entryAfter().MatchString(after)
}

// sentenceOf returns what of a line stands behind its last full stop: the sentence that goes on in a message.
func sentenceOf(before string) string {
	before = before[max(0, len(before)-afterRequest):]
	if i := strings.LastIndex(before, ". "); i >= 0 {
		return before[i+2:]
	}
	return before
}

// behind returns what follows the quote that closes a message, "" where none does.
func behind(before, after string) string {
	quote := before[strings.LastIndexAny(before, "\"'`/")]
	after = after[:min(len(after), maxMessage)]
	if i := strings.IndexByte(after, quote); i >= 0 {
		return after[i:min(len(after), i+80)]
	}
	return ""
}

// The bounds of a request dump: text behind its words, and behind the key of its prompt.
const (
	afterRequest = 256
	afterPrompt  = 64 << 10
	maxMessage   = 2048 // a message and its quotes
)

// dump is how far the paragraph was searched: the line at hand, and the last prompt's key and text.
type dump struct{ begin, end, searched, key, text int }

// lineAround returns the bounds of the line of joined that holds a place. Places are asked for in order.
func (r *Reader) lineAround(at int) (begin, end int) {
	d := &r.dump
	for d.end <= at {
		size := strings.IndexByte(r.joined[d.end:], '\n')
		if size < 0 {
			size = len(r.joined) - d.end
		}
		d.begin, d.end = d.end, d.end+size+1
	}
	return d.begin, d.end - 1
}

// inDump reports whether the place in the paragraph is inside a request as a server dumps it; the line begins
// at begin. Places are asked for in order, and nothing is searched twice: there may be many on a line.
func (r *Reader) inDump(begin, at int) bool {
	d := &r.dump
	if near := r.joined[max(0, at-afterRequest):at]; strings.Contains(near, "equest") || strings.Contains(near, "eceived chat") || strings.Contains(near, "enerated response") {
		if requestDump().MatchString(near) {
			return true
		}
	}
	for ; d.searched < at; d.searched++ {
		if c := r.joined[d.searched]; c == ':' || c == '=' {
			key, text := promptAround(r.joined, d.searched)
			if text > at {
				break
			}
			if text > 0 {
				d.key, d.text = key, text
			}
		}
	}
	return d.text > begin && d.key >= at-afterPrompt
}

// promptAround returns where the key of a prompt begins, and its text behind the quote or bracket, if the colon
// or equals sign at a place stands between them; else zeros.
func promptAround(s string, sign int) (key, text int) {
	front := strings.TrimRight(s[max(0, sign-64):sign], " \t\n")
	front = strings.TrimRight(front, `"'\`)
	i := slices.IndexFunc(promptKeys, func(k string) bool { return strings.HasSuffix(front, k) })
	if i < 0 {
		return 0, 0
	}
	behind := strings.TrimLeft(s[sign+1:min(len(s), sign+64)], " \t\n")
	n := min(len(s), sign+64) - len(behind)
	for behind != "" && (behind[0] == '[' || behind[0] == '\\') {
		behind = behind[1:]
		n++
	}
	if behind == "" || strings.IndexByte("{\"'", behind[0]) < 0 {
		return 0, 0
	}
	return sign - len(promptKeys[i]), n + 1
}

var promptKeys = []string{"prompt", "content", "messages", "inputs", "input", "instruction", "text", "query", "question"}

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

const longestAddress = 2048

// inAccessLine reports whether the place between the two texts is inside "GET … HTTP/1.1".
func inAccessLine(before, after string) bool {
	before = before[max(0, len(before)-longestAddress):]
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
