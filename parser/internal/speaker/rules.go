package speaker

import "github.com/oomdoc/oomdoc/internal/heuristic"

// Rule is one step of the judgement.
type Rule struct {
	Name  string
	Genre Genre // what follows where it holds
	Why   string
	Facts bool // it holds for figures and settings as well as for failures
	holds func(m *mention) bool
}

// Rules are tried in this order; the first that holds decides, and where none does the process speaks.
var Rules = []Rule{
	{"span over lines", Other, "", true, func(m *mention) bool { return m.context.span != nil && m.context.span.State != Denied }},
	{"prompt's value", Prompt, "it is the text of a request or of its answer", true, (*mention).inPrompt},
	{"turn of a chat", Conversation, "it stands in a turn of a chat", true, func(m *mention) bool { return openTurn(m.before) != nil || m.inTurn() }},
	{"hunk of a patch", Diff, "it stands in a hunk of a patch", true, func(m *mention) bool { return m.context.patch }},
	{"request's address", Other, "it is part of a request's address", true, (*mention).inAddress},
	{"expression", Source, "a regular expression or a place for a value stands where a process prints a figure", false, (*mention).isExpression},
	{"row of a table", Table, "it stands in a table", false, func(m *mention) bool { return m.context.table }},
	{"commit", Other, "it stands in the description of a commit", true, func(m *mention) bool { return m.context.commit }},
	{"made up by a test", Test, "a test made it up", true, func(m *mention) bool { return m.context.test || m.isComparison() }},
	{"search's finding", Source, "a search found it in a source or a manual", false, (*mention).isListed},
	{"turn's name", Conversation, "it stands behind the name of who speaks", false, (*mention).isTold},
	{"comment", Source, "it stands in a comment", false, (*mention).inComment},
	{"string of a source", Source, "it is a string of a source", false, (*mention).inCode},
	{"sign of life", Own, "", false, func(m *mention) bool { return m.context.lives }},
	{"change", Other, "a list of changes names what was mended", false, (*mention).isChange},
	{"announced", Manual, "the sentence speaks of what its reader may see", false, (*mention).isAnnounced},
	{"explained", Manual, "the sentence explains it", false, (*mention).isExplained},
	{"traceback", Own, "", false, func(m *mention) bool { return m.context.traced }},
	{"source around", Source, "it stands in a source", false, func(m *mention) bool { return m.context.around == Source && (m.quote() != nil || m.isStatement()) }},
	{"manual around", Manual, "it stands in a manual", false, func(m *mention) bool { return m.context.around == Manual && (m.context.taught || m.figures < 3) }},
}

// Judge says whose words stand in a record from start to end, with so many figures. Of what only states facts,
// which nobody quotes for its own sake, just the rules that are for it are asked. Places are asked for in order.
func (t *Tracker) Judge(c Context, r *Record, start, end, figures int, states bool) Verdict {
	if !heuristic.On(heuristic.Speaker) {
		return Verdict{}
	}
	m := r.mention(c, start, end)
	m.figures = figures
	for i := range Rules {
		rule := &Rules[i]
		if states && !rule.Facts || !rule.holds(m) || !heuristic.On(rule.Name) {
			continue
		}
		if rule.Name == "span over lines" {
			return m.context.span.Verdict()
		}
		if rule.Genre == Source && c.traced {
			return Verdict{Genre: Source} // the line that a traceback shows: nobody's quotation
		}
		return Verdict{rule.Genre, rule.Why}
	}
	return Verdict{}
}
