// Package explain lays out a page for everything that oomdoc has a name for: causes, remedies, messages of a log,
// facts, derived figures and engines by release.
//
// The common path: [Lookup] finds the subjects of a word, [Subject.Page] is the page. A page is printable
// whatever the knowledge base holds, and no wider than its options say, commands and addresses excepted.
package explain

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// Subject is something that has a page.
type Subject struct {
	ID    string
	Kind  string // one of [Kinds]
	Title knowledge.Text
	write func(*page)
}

// Page is the subject's page.
func (s Subject) Page(opts report.Options, kb *knowledge.Base) string {
	p := newPage(opts, kb)
	s.write(p)
	return p.out.String()
}

// KindWord is what a page calls its kind.
func (s Subject) KindWord(lang string) string {
	return pageWords[map[string]string{Causes: "cause", Remedies: "remedy", Messages: "message", Facts: "fact", Engines: "engine"}[s.Kind]].In(lang)
}

// The kinds of subjects, as they are named on the command line.
const (
	Causes   = "causes"
	Remedies = "remedies"
	Messages = "messages"
	Facts    = "facts"
	Engines  = "engines"
)

// Kinds are all of them, in the order of [Subjects].
var Kinds = []string{Causes, Remedies, Messages, Facts, Engines}

// Subjects lists everything that has a page, by kind, in the order of the knowledge base.
func Subjects(kb *knowledge.Base) []Subject {
	var out []Subject
	for _, c := range kb.Causes {
		out = append(out, Subject{c.ID, Causes, c.Title, func(p *page) { p.cause(c) }})
	}
	for _, r := range kb.Remedies {
		out = append(out, Subject{r.ID, Remedies, r.Title, func(p *page) { p.remedy(r) }})
	}
	for _, m := range parser.Catalogue() {
		out = append(out, Subject{m.ID, Messages, knowledge.Text{En: m.Doc}, func(p *page) { p.message(m) }})
	}
	for _, f := range fact.Table {
		out = append(out, Subject{f.Name, Facts, knowledge.Text{En: f.Doc}, func(p *page) { p.fact(f, "") }})
	}
	for _, d := range rules.Derived {
		f := fact.Info{Name: d.Name, Kind: d.Kind, Doc: d.Doc}
		out = append(out, Subject{d.Name, Facts, knowledge.Text{En: d.Doc}, func(p *page) { p.fact(f, d.Formula) }})
	}
	return append(out, engineSubjects()...)
}

// Lookup returns the subjects of an id. A cause and a message may share one. Flags are understood as the
// facts that they set: --max-model-len is max_model_len.
func Lookup(kb *knowledge.Base, word string) []Subject {
	if s, ok := profileSubject(word); ok {
		return []Subject{s}
	}
	all := Subjects(kb)
	word = strings.ToLower(strings.TrimLeft(word, "-"))
	for _, id := range []string{word, strings.ReplaceAll(word, "-", "_"), strings.ReplaceAll(word, "_", "-")} {
		found := slices.DeleteFunc(slices.Clone(all), func(s Subject) bool { return s.ID != id })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Search returns the subjects of a kind, "" for all, in whose id or title all of the words occur.
func Search(kb *knowledge.Base, kind, text string) []Subject {
	words := strings.Fields(strings.ToLower(text))
	return slices.DeleteFunc(Subjects(kb), func(s Subject) bool {
		text := strings.ToLower(s.ID + " " + s.Title.En + " " + s.Title.Zh)
		return kind != "" && s.Kind != kind ||
			slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(text, w) })
	})
}

var listPlace = regexp.MustCompile(`^#?[0-9]+$`)

// Unknown says that a word is no id, and which ids it may have been meant for.
func Unknown(kb *knowledge.Base, word string) error {
	if listPlace.MatchString(word) {
		return fmt.Errorf("%s is a place in a list, which changes from log to log, and no id; the report gives the id beside it (oomdoc list has them all)", word)
	}
	var ids []string
	for _, s := range Subjects(kb) {
		ids = append(ids, s.ID)
	}
	near := rules.Near(strings.ToLower(word), ids)
	for _, id := range ids {
		if len(word) > 2 && strings.Contains(id, strings.ToLower(word)) && !slices.Contains(near, id) {
			near = append(near, id)
		}
	}
	hint := "oomdoc list names everything that has a page"
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near[:min(len(near), 3)], ", ") + "?"
	}
	return fmt.Errorf("nothing is called %q; %s", word, hint)
}
