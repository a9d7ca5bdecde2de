package explain

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

func (p *page) message(m parser.MessageInfo) {
	what := []string{p.word("message"), p.engine(m.Engine)}
	if m.Phase != "" {
		what = append(what, p.wordf("phase", m.Phase))
	}
	p.head(m.ID, m.Doc, what...)
	class := m.Class.String()
	p.text("class", p.word("class"+strings.ToUpper(class[:1])+class[1:]))
	if m.Engine != "" {
		p.text("printed", strings.Join(slices.DeleteFunc([]string{m.Engine, p.version("since", m.Since), p.version("until", m.Until)}, func(s string) bool { return s == "" }), ", "))
	}
	p.list("wordings", m.Wordings)
	var facts []string
	for _, name := range factsOf(m) {
		if f, ok := fact.Lookup(name); ok {
			facts = append(facts, f.Name+" ("+f.Kind.String()+"): "+f.Doc)
		}
	}
	p.list("states", facts)
	if len(m.Examples) > 0 {
		p.section("example")
		for i, e := range m.Examples {
			if i > 0 {
				p.print("\n")
			}
			p.verbatim(e)
		}
	}
	var users []string
	for _, c := range p.kb.Causes {
		if slices.ContainsFunc(conditions(c), func(src string) bool { return mentionsMessage(src, m.ID) }) {
			users = append(users, p.named(c.ID))
		}
	}
	p.list("usedBy", users)
}

func (p *page) version(key, v string) string {
	if v == "" {
		return ""
	}
	return p.wordf(key, v)
}

var (
	capture = regexp.MustCompile(`\{([a-z_]+)(?::[a-z0-9]+)?\}`)
	quoted  = regexp.MustCompile(`"([^"]*)"`)
	name    = regexp.MustCompile(`[a-z_][a-z0-9_]*`)
)

// factsOf returns the facts that a message's wordings capture, each once.
func factsOf(m parser.MessageInfo) []string {
	var out []string
	for _, w := range m.Wordings {
		for _, c := range capture.FindAllStringSubmatch(w, -1) {
			if !slices.Contains(out, c[1]) {
				out = append(out, c[1])
			}
		}
	}
	return out
}

// conditions returns all that a cause asks of a log.
func conditions(c *knowledge.Cause) []string {
	out := []string{c.When}
	for _, s := range c.Signs {
		out = append(out, s.If)
	}
	for _, u := range c.Remedies {
		out = append(out, u.If)
		for _, e := range u.Set {
			out = append(out, e)
		}
	}
	for _, e := range c.DeadEnds {
		out = append(out, e.If, e.Unless)
	}
	return out
}

// mentionsMessage reports whether a condition names a message, by id, glob or a derived figure's formula.
func mentionsMessage(src, id string) bool {
	return slices.ContainsFunc(mentionsOf(src).texts, func(pattern string) bool {
		ok, err := path.Match(pattern, id)
		return ok && err == nil
	})
}

// mentionsName reports whether a condition names a fact or figure, itself or through a figure's formula.
func mentionsName(src, want string) bool { return slices.Contains(mentionsOf(src).names, want) }

// mentions is what a condition names, itself and through the formulas of its figures.
type mentions struct{ names, texts []string }

var mentioned sync.Map // from a condition to its mentions: a page looks at all of them

func mentionsOf(src string) mentions {
	if m, ok := mentioned.Load(src); ok {
		return m.(mentions)
	}
	var m mentions
	for _, q := range quoted.FindAllStringSubmatch(src, -1) {
		m.texts = append(m.texts, q[1])
	}
	for _, n := range name.FindAllString(quoted.ReplaceAllString(src, ""), -1) {
		m.names = append(m.names, n)
		for _, d := range rules.Derived {
			if d.Name == n {
				through := mentionsOf(d.Formula)
				m.names, m.texts = append(m.names, through.names...), append(m.texts, through.texts...)
			}
		}
	}
	mentioned.Store(src, m)
	return m
}

// fact explains a fact, or a derived figure with its formula.
func (p *page) fact(f fact.Info, formula string) {
	kind := "fact"
	if formula != "" {
		kind = "figure"
	}
	p.head(f.Name, f.Doc, p.word(kind), f.Kind.String())
	p.text("formula", formula)
	var stated, users, changed []string
	for _, m := range parser.Catalogue() {
		if slices.Contains(factsOf(m), f.Name) {
			stated = append(stated, m.ID)
		}
	}
	for _, c := range p.kb.Causes {
		if slices.ContainsFunc(conditions(c), func(src string) bool { return mentionsName(src, f.Name) }) {
			users = append(users, p.named(c.ID))
		}
	}
	for _, r := range p.kb.Remedies {
		if slices.Contains(r.Settings, f.Name) {
			changed = append(changed, p.named(r.ID))
		}
	}
	p.list("statedBy", stated)
	p.list("usedBy", users)
	p.list("changedBy", changed)
}
