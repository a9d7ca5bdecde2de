package speaker

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// What the rules ask of a message and of what stands around it on its line.

// inPrompt reports whether a string is open at the message that is the text of a request or of an answer.
func (m *mention) inPrompt() bool {
	prompt := false
	for _, q := range m.record.open {
		switch key := m.record.key(q); {
		case promptKeys()[key]:
			return true
		case textKeys()[key]:
			prompt = prompt || hasAny(strings.ToLower(m.before[max(0, len(m.before)-4*maxMessage):]), requests()) || hasAny(m.context.last, requests())
		case prompt && errorKeys()[key]:
			prompt = false // an answer that tells of an error
		}
	}
	return prompt
}

// inTurn reports whether a turn of a chat that an earlier line of the record began goes on at the message.
func (m *mention) inTurn() bool {
	return openTurn(m.record.Text[max(0, m.start-maxMessage):m.start]) != nil
}

var verbs = []string{"GET /", "POST /", "PUT /", "HEAD /", "DELETE /", "PATCH /", "OPTIONS /"}

// inAddress reports whether the message is inside "GET … HTTP/1.1".
func (m *mention) inAddress() bool {
	before := m.before[max(0, len(m.before)-maxMessage):]
	open := strings.LastIndexByte(before, '"')
	if open < 0 {
		return false
	}
	for _, verb := range verbs {
		if strings.HasPrefix(before[open+1:], verb) {
			return strings.Contains(m.after, " HTTP/")
		}
	}
	return false
}

// places are what a manual or a source has where a message has a figure.
var places = []string{"<pid>", "<PID>", "<id>", "<ID>", "<N>", "<n>", "<num>"}

// blank is an amount of which an author wrote the unit only.
var blank = lazy.Regexp(`\b(?:[xX]{1,4}(?:\.[xX]{1,3})?|N{1,3}|[?_]{1,4}) ?[KMGT]i?B\b`)

// killCommands take such a place, too, in the advice that a program prints with its error.
var killCommands = []string{"kill <", "kill -9 <", "kill -KILL <"}

// isExpression reports whether the message is a regular expression, or has a place for a figure. Beside figures that
// nobody invents a place is what somebody blanked out.
func (m *mention) isExpression() bool {
	rest := m.record.Text[m.end:]
	if strings.HasPrefix(rest, ".*") || strings.HasPrefix(rest, "*") && strings.HasSuffix(m.record.Text[:m.end], ".") || strings.HasPrefix(rest, "|") {
		return true
	}
	around := m.before[max(0, len(m.before)-near):] + m.after[:min(len(m.after), near)]
	return m.figures < 2 && (hasAny(around, places) && !hasAny(around, killCommands) || blank().MatchString(around))
}

// isStatement reports whether the message is a name in a statement of a program.
func (m *mention) isStatement() bool {
	line := m.before[strings.LastIndexByte(m.before, '\n')+1:]
	return m.figures == 0 && line != "" && codeStarts()[firstWord([]byte(line))]
}

// comparison is how pytest shows two texts that differ, or an assertion about one.
var comparison = lazy.Regexp(`^E\s+[-+?] |(?:AssertionError: |\bassert (?:not )?)["'` + "`" + `][^"'` + "`" + `]{0,80}$`)

func (m *mention) isComparison() bool {
	return (strings.HasPrefix(m.before, "E ") || strings.Contains(m.before, "ssert")) && comparison().MatchString(m.before)
}

// listing is what a search or a listing puts in front of a line of a source or a manual.
var (
	listedManual = lazy.Regexp(`^\s*[\w./-]+\.(?:` + manuals + `)(?:[:-]\d+)?[:-]\s*`)
	listedSource = lazy.Regexp(`^\s*(?:[+>-]\s*)?(?:[\w./-]+\.(?:` + sources + `)[:-]\d+[:-]|\d+[:|→]?\s)\s*`)
	commented    = lazy.Regexp(`^\s*(?://[/!]?\s|/\*+\s|<!--)`)
	commentMark  = lazy.Regexp(`^\s*(?:#|//|/?\*|--|<!--|"""|''')\s`)
)

// isListed reports whether a search found the message in a manual, or in a comment of a source.
func (m *mention) isListed() bool {
	if m.before == "" {
		return false
	}
	if listedManual().MatchString(m.before) {
		return true
	}
	at := listedSource().FindStringIndex(m.before)
	return at != nil && commentMark().MatchString(m.before[at[1]-1:])
}

// inComment reports whether the line is a comment: of C and its heirs anywhere, since no log begins so, else in
// a source, or below the head of a function.
func (m *mention) inComment() bool {
	if m.context.comment && (m.context.around == Source || m.context.defined) {
		return true
	}
	return commented().MatchString(m.line) || m.context.around == Source && commentMark().MatchString(m.line)
}

// What stands in front of the string that the message is in, where it is a source's. The quote is the end.
var (
	statement  = lazy.Regexp(`^\s*(?:[+>-]\s*)?(?:[\w./-]+\.\w{1,5}:)?(?:\d+[:|]?\s*)?(?:raise|throw|return|yield|assert\w*|if|elif|else|except|catch|case|when|while|for|with|const|let|var|def|class|func|fn|import|from|echo|print[fl]?n?|export|grep|rg|sed|awk|expect\w*|want|match|contains|pytest|re|fmt|strings?|log|logger|logging|console|self|throw new)\b`)
	callee     = lazy.Regexp(`(?:^|[^\w.])(?:[A-Za-z_]\w*\.|\)\.)*[a-z_]\w*\(\s*[rbf]?$|(?:\]\w+|^\s*)\{(?:[^:]*,\s*)?$`)
	called     = lazy.Regexp(`^\s*[a-z_][\w.]*\(`)
	assignment = lazy.Regexp(`^\s*(?:export\s+)?([A-Za-z_][\w.\[\]]*)(?:\s*:\s*[\w\[\], .*&]+)?\s*(?:=|:=|\+=)\s*[rbf]?$`)
	member     = lazy.Regexp(`^\s*(?:- )?["']?([A-Za-z_]\w*)["']?(?:\s*:\s*\[?|\s)\s*[rbf]?$`)
	raised     = lazy.Regexp(`(?:Error|Exception|Exit|Failure)\(\s*[rbf]?$`)
	entry      = lazy.Regexp(`^\s*[(\[]?\s*[rbfu]*$`)
)

// patternKeys are the keys of configurations and tests whose values are texts to look for.
var patternKeys = lazyWords(`pattern patterns regex regexp match matches contains expect expected want wants example examples near positive negative sample samples title name needle substring grep when_text`)

// inCode reports whether the message stands in a string of a source: the line begins as a statement does, a
// function is called with it, or it is an entry in a list of strings.
func (m *mention) inCode() bool {
	if m.context.literal {
		return true
	}
	q := m.outermost()
	if q == nil || len(m.line) > maxMessage {
		return false
	}
	front := skeleton(m.record.Text[m.record.begin:q.at])
	if strings.HasSuffix(strings.TrimRight(front, " \trbf"), "+") {
		return true
	}
	rest, closed := m.closing(q)
	if statement().MatchString(front) {
		return true
	}
	if raised().MatchString(front) {
		return false // an exception, as Python prints it
	}
	if callee().MatchString(front) || called().MatchString(front) {
		return true
	}
	rest = strings.TrimSpace(rest)
	if isPattern(front) {
		return true
	}
	if k := assignment().FindStringSubmatch(front); k != nil {
		name := strings.ToLower(k[1][strings.LastIndexByte(k[1], '.')+1:])
		argument := rest == "," && strings.HasSuffix(front, "=") // alone on its line
		return !isErrorName(name) && (argument || name != "message" && strings.Contains(front, " =") && strings.Trim(rest, ";,") == "") || strings.HasPrefix(rest, "+")
	}
	if entry().MatchString(front) {
		front = strings.TrimSpace(front)
		switch {
		case strings.HasPrefix(front, "("):
			return !closed || rest == "" || rest == ")," || rest == "," && !strings.HasSuffix(m.line, ",)")
		case closed && rest != "":
			return front != "b" && strings.Trim(rest, ",:)]}+") == ""
		}
	}
	return optionLine().MatchString(m.line)
}

// isPattern reports whether a text is the key of a text to look for, up to the quote.
func isPattern(front string) bool {
	k := member().FindStringSubmatch(front)
	return k != nil && patternKeys()[strings.ToLower(k[1])]
}

// optionLine is an option of a command that goes on.
var optionLine = lazy.Regexp(`^\s*--?[\w-]+[= ]["'].*["'] \\$`)

// isErrorName reports whether a name says that its value is an error.
func isErrorName(name string) bool {
	for _, part := range []string{"err", "exc", "fail", "trace", "reason", "detail"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// isTold reports whether the name of a speaker stands in front: "User: ", "**Q:** ".
func (m *mention) isTold() bool {
	head := strings.ToLower(strings.TrimLeft(m.before, " -*•>"))
	sign := strings.IndexAny(head, ":：")
	if sign < 0 || sign > 16 {
		return false
	}
	who := strings.Trim(head[:sign], " *")
	for _, s := range speakers() {
		if who == s {
			return true
		}
	}
	return false
}

// isChange reports whether the line is an entry of a list of changes, or says what is done against the failure.
func (m *mention) isChange() bool {
	if m.before == "" {
		return false
	}
	if isEntry(m.before) {
		return true
	}
	said := sentence(m.before)
	if !hasAny(said, avertingWords()) {
		return false
	}
	at := averting().FindStringIndex(said)
	return at != nil && !speaks(said[:at[0]]) && !refuted().MatchString(said[:at[0]])
}

// refuted is what says in front of a word for averting that it did not.
var refuted = lazy.Regexp(`(?i)(?:Error:|\b(?:not|cannot|can't|couldn't|failed to|unable to|trying to|tried to|尝试|无法|未能)) *(?:\w+ )?$`)

// isEntry reports whether a text begins as an entry of a list of changes does, and the message is what was mended:
// "- Fixed CUDA out of memory", "0a1b2c3 [Core] Fix …".
func isEntry(before string) bool {
	text := strings.ToLower(strings.TrimLeft(before, " -*•"))
	if hash, rest, ok := strings.Cut(text, " "); ok && len(hash) >= 7 && len(hash) <= 40 && strings.Trim(hash, "0123456789abcdef") == "" {
		text = rest
	}
	for strings.HasPrefix(text, "[") && strings.Contains(text, "] ") {
		_, text, _ = strings.Cut(text, "] ")
	}
	for _, c := range changes() {
		if rest, ok := strings.CutPrefix(text, c); ok {
			return len(rest) < 60 && !strings.ContainsAny(rest, ",;") && !strings.Contains(rest, "then")
		}
	}
	return false
}

// sentence returns what of a line stands behind its last full stop: the sentence that goes on in the message.
func sentence(before string) string {
	before = before[max(0, len(before)-near):]
	if i := strings.LastIndex(before, ". "); i >= 0 {
		return before[i+2:]
	}
	return before
}

// announces reports whether a text speaks of what its reader may see, and of nobody's own failure.
func announces(text string) bool {
	lower := strings.ToLower(text)
	return (hasAny(lower, seeingWords()) && seeing().MatchString(text) || hasAny(lower, conditions()) || begins(strings.TrimLeft(lower, " -*#>"), openings())) && !speaks(text)
}

func begins(s string, list []string) bool {
	return slices.ContainsFunc(list, func(w string) bool { return strings.HasPrefix(s, w) })
}

// speaks reports whether somebody speaks of what happened to himself.
func speaks(text string) bool {
	return hasWord(strings.ReplaceAll(strings.ToLower(text), "you got", ""), persons()) || hasAny(text, personsOfScripts())
}

// isAnnounced reports whether the sentence in front of the message, or directly behind it, says "if you see".
func (m *mention) isAnnounced() bool {
	said := sentence(m.before)
	if len(said) > 3 && (announces(said) || m.quote() != nil && hasAny(strings.ToLower(said), weakConditions()) && !speaks(said)) {
		return true
	}
	after := m.after[min(len(m.after), m.end-m.start):]
	after = after[:min(len(after), near)]
	return hasAny(strings.ToLower(after), conditionsAfter()) && !hasAny(after, personsOfScripts())
}

// isExplained reports whether the message stands in quotes, or in a heading, and its meaning or a remedy follows.
func (m *mention) isExplained() bool {
	if strings.HasPrefix(m.before, "##") && strings.HasPrefix(strings.TrimLeft(m.before, "# "), "`") {
		return true
	}
	q := m.quote()
	if q == nil {
		return false
	}
	rest, ok := m.closing(q)
	if !ok {
		return false
	}
	rest = strings.ToLower(strings.TrimLeft(rest, "*`\"' "))
	for _, w := range explaining() {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	for _, sign := range []string{":", "–", "—", "->", "→", "=>", "- "} {
		if behind, ok := strings.CutPrefix(rest, sign); ok {
			verb, _, _ := strings.Cut(strings.TrimSpace(behind), " ")
			return advising()[verb]
		}
	}
	return false
}
