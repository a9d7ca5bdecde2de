package rules

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
)

// Problem is something wrong with an entry of the knowledge base.
type Problem struct {
	At    knowledge.Position // zero when the entry was not read from a file
	ID    string             // of the cause or remedy
	Field string             // such as signs[2].if
	Msg   string
}

// String returns "file:line:column: id: message".
func (p Problem) String() string {
	where := p.ID + " " + p.Field
	if p.At != (knowledge.Position{}) {
		where = p.At.String() + ": " + p.ID
	}
	return where + ": " + p.Msg
}

// Lint returns what is wrong with a knowledge base: names that do not exist, conditions with wrong
// types or that can never hold, missing languages and sources, versions that are none, causes that
// nothing tells apart. pos says where the entries stand and may be nil.
func Lint(kb *knowledge.Base, pos *knowledge.Positions) []Problem {
	l := linter{kb: kb, pos: pos}
	for _, m := range parser.Catalogue() {
		l.messages = append(l.messages, m.ID)
	}
	for _, c := range kb.Causes {
		l.id = c.ID
		l.cause(c)
	}
	for _, r := range kb.Remedies {
		l.id = r.ID
		l.remedy(r)
	}
	l.rivals()
	return l.out
}

type linter struct {
	kb       *knowledge.Base
	pos      *knowledge.Positions
	messages []string
	id       string // of the entry at hand
	out      []Problem
}

func (l *linter) add(field, format string, args ...any) {
	l.out = append(l.out, Problem{l.pos.Of(l.id, field), l.id, field, fmt.Sprintf(format, args...)})
}

var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`) })

func (l *linter) cause(c *knowledge.Cause) {
	if !idForm().MatchString(c.ID) {
		l.add("id", "an id is made of lower-case words and hyphens")
	}
	l.engines("engine", c.Engine, "")
	if c.Resource != "" && !slices.Contains(Resources, c.Resource) {
		l.add("resource", "unknown resource %q%s", c.Resource, didYouMean(c.Resource, Resources))
	}
	l.text("title", c.Title, 80)
	l.text("headline", c.Headline, 0)
	l.text("explain", c.Explain, 0)
	l.text("about", c.About, 0)
	l.optionalText("next", c.Next)
	l.sources("sources", c.Sources)

	var when program
	if c.When == "" {
		l.add("when", "a cause needs a condition")
	} else {
		when = l.condition("when", c.When, nil)
	}
	if c.Sure != "" {
		l.condition("sure", c.Sure, when)
	}
	for i, s := range c.Signs {
		field := fmt.Sprintf("signs[%d]", i)
		if s.If == "" {
			l.add(field, "a sign needs a condition")
		} else {
			l.condition(field+".if", s.If, when)
		}
		if s.Adds == 0 {
			l.add(field, "a sign that adds nothing")
		}
		l.optionalText(field+".shows", s.Shows)
	}
	for i, n := range c.ConfusedWith {
		field := fmt.Sprintf("confused_with[%d]", i)
		l.causeID(field+".id", n.ID)
		if r := l.kb.Remedy(n.Look); n.Look != "" && (r == nil || !r.Look) {
			l.add(field+".look", "%q is no look", n.Look)
		}
		l.text(field+".how", n.How, 0)
	}
	for i, id := range c.LeadsTo {
		l.causeID(fmt.Sprintf("leads_to[%d]", i), id)
	}
	l.remedies(c, when)
	l.deadEnds(c, when)
}

func (l *linter) remedies(c *knowledge.Cause, when program) {
	if len(c.Remedies) == 0 && !c.NotMemory && !c.Unknown {
		l.add("remedies", "a cause without a remedy")
	}
	for i, u := range c.Remedies {
		field := fmt.Sprintf("remedies[%d]", i)
		if r := l.remedyID(field+".use", u.Use); r != nil && r.Myth {
			l.add(field+".use", "%s is a myth", u.Use)
		}
		for _, name := range slices.Sorted(maps.Keys(u.Set)) {
			l.setting(field+".set."+name, name, u.Set[name])
		}
		if u.If != "" {
			l.condition(field+".if", u.If, when)
		}
		l.optionalText(field+".why", u.Why)
		for j, o := range u.Outcomes {
			l.sources(fmt.Sprintf("%s.outcomes[%d].source", field, j), []string{o.Source})
		}
	}
}

func (l *linter) deadEnds(c *knowledge.Cause, when program) {
	for i, e := range c.DeadEnds {
		field := fmt.Sprintf("dead_ends[%d]", i)
		l.remedyID(field+".use", e.Use)
		if e.If != "" {
			l.condition(field+".if", e.If, when)
		}
		if e.Unless != "" {
			l.condition(field+".unless", e.Unless, when)
		}
		l.text(field+".why", e.Why, 0)
		l.optionalText(field+".helps", e.Helps)
		if e.If == "" && e.Unless == "" && slices.ContainsFunc(c.Remedies, func(u knowledge.Use) bool { return u.Use == e.Use }) {
			l.add(field+".use", "%s is a remedy of this cause and always a dead end", e.Use)
		}
	}
}

func (l *linter) remedy(r *knowledge.Remedy) {
	if !idForm().MatchString(r.ID) {
		l.add("id", "an id is made of lower-case words and hyphens")
	}
	l.text("title", r.Title, 60)
	l.text("effect", r.Effect, 0)
	if r.If != "" {
		l.condition("if", r.If, nil)
		l.text("else", r.Else, 0)
	}
	l.optionalText("cost", r.Cost)
	l.optionalText("say", r.Say)
	if r.Hint != "" {
		l.condition("hint", r.Hint, nil)
	}
	for i, res := range r.Frees {
		if !slices.Contains(Resources, res) {
			l.add(fmt.Sprintf("frees[%d]", i), "unknown resource %q%s", res, didYouMean(res, Resources))
		}
	}
	for i, e := range r.Useless {
		field := fmt.Sprintf("useless[%d]", i)
		if e.If == "" {
			l.add(field+".if", "a lever that is useless everywhere is a myth")
		} else {
			l.condition(field+".if", e.If, nil)
		}
		l.text(field+".why", e.Why, 0)
	}
	l.optionalText("verify", r.Verify)
	l.sources("sources", r.Sources)
	if r.CostRank < 0 || r.CostRank > 5 {
		l.add("cost_rank", "%d is not between 0 and 5", r.CostRank)
	}
	for i, name := range r.Settings {
		if _, ok := fact.Lookup(name); !ok {
			l.add(fmt.Sprintf("settings[%d]", i), "unknown fact %q%s", name, didYouMean(name, allNames()))
		}
	}
	for i, a := range r.Apply {
		field := fmt.Sprintf("apply[%d]", i)
		l.engines(field+".engine", a.Engine, "host")
		for _, v := range [][2]string{{".since", a.Since}, {".until", a.Until}} {
			if v[1] != "" && !validVersion(v[1]) {
				l.add(field+v[0], "%q is no version", v[1])
			}
		}
		if order, ok := compareVersions(a.Since, a.Until); ok && order > 0 {
			l.add(field+".since", "since %s is after until %s", a.Since, a.Until)
		}
		if a.If != "" {
			l.condition(field+".if", a.If, nil)
		}
		for _, text := range []string{a.CLI, a.Python, a.Code, a.Trainer, a.Env, a.Shell, a.Docker, a.K8s} {
			for _, n := range NeededWords() {
				if word := n.Word.FindString(text); word != "" && !n.declares(a.If) {
					l.add(field+".if", "%q is printed only where the log shows it: name %s in the condition", word, strings.Join(n.When, " or "))
				}
			}
		}
		if (a == knowledge.Apply{Engine: a.Engine, Since: a.Since, Until: a.Until, If: a.If}) && r.Say == (knowledge.Text{}) {
			l.add(field, "a spelling for no entry point")
		}
	}
}

// condition checks one and returns its code, nil when something is wrong. within is a condition that
// holds where this one is asked.
func (l *linter) condition(field, src string, within program) program {
	p := l.expression(field, src, fact.Bool)
	if p == nil {
		return nil
	}
	switch {
	case neverHolds(p):
		l.add(field, "can never hold")
		return nil // what is asked within it would be reported over and over
	case within != nil && neverHolds(p, within):
		l.add(field, "can never hold where the cause's condition holds")
	}
	return p
}

func (l *linter) setting(field, name, src string) {
	f, ok := fact.Lookup(name)
	if strings.ContainsAny(name, "()") {
		l.add(field, "in a YAML {…} an expression with a comma stands in quotes")
		return
	}
	if !ok {
		l.add(field, "unknown fact %q%s", name, didYouMean(name, allNames()))
		return
	}
	l.expression(field, src, f.Kind)
}

// expression parses and checks an expression anew, whatever was generated for it.
func (l *linter) expression(field, src string, want fact.Kind) program {
	p, err := parse(src)
	if err == nil {
		err = check(p, want, l.messages)
	}
	if err == nil {
		return p
	}
	at, msg := l.pos.Of(l.id, field), err.Error()
	var e *Error
	if errors.As(err, &e) {
		msg = e.Msg
		if at != (knowledge.Position{}) {
			at.Column += utf8.RuneCountInString(src[:min(e.Offset, len(src))])
		}
	}
	l.out = append(l.out, Problem{at, l.id, field, msg})
	return nil
}

func (l *linter) engines(field, list, also string) {
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		if name != "" && name != "any" && name != also && !slices.Contains(engines, name) {
			l.add(field, "unknown engine %q%s", name, didYouMean(name, engines))
		}
	}
}

func (l *linter) causeID(field, id string) {
	if l.kb.Cause(id) == nil {
		l.add(field, "unknown cause %q%s", id, didYouMean(id, ids(l.kb.Causes, func(c *knowledge.Cause) string { return c.ID })))
	}
}

func (l *linter) remedyID(field, id string) *knowledge.Remedy {
	r := l.kb.Remedy(id)
	if r == nil {
		l.add(field, "unknown remedy %q%s", id, didYouMean(id, ids(l.kb.Remedies, func(r *knowledge.Remedy) string { return r.ID })))
	}
	return r
}

func ids[T any](list []T, id func(T) string) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = id(e)
	}
	return out
}

// text checks a text that must be there, of at most limit characters where that is not 0.
func (l *linter) text(field string, t knowledge.Text, limit int) {
	if t == (knowledge.Text{}) {
		l.add(field, "missing")
		return
	}
	l.optionalText(field, t)
	for _, s := range []string{t.En, t.Zh} {
		if n := utf8.RuneCountInString(s); limit > 0 && n > limit {
			l.add(field, "%d characters, at most %d", n, limit)
		}
	}
}

var braced = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\{([a-z_]+)(:\w+)?\}`) })

var guards = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\[!?([a-z_]+)\? `) })

// optionalText checks a text that may be missing: both languages or none, and names that exist.
func (l *linter) optionalText(field string, t knowledge.Text) {
	if t == (knowledge.Text{}) {
		return
	}
	if t.En == "" {
		l.add(field, "no English")
	}
	if t.Zh == "" {
		l.add(field, "no Chinese")
	}
	for _, s := range []string{t.En, t.Zh} {
		for _, m := range braced().FindAllStringSubmatch(s, -1) {
			kind, ok := lookupName(m[1])
			switch unit := strings.TrimPrefix(m[2], ":"); {
			case !ok:
				l.add(field, "unknown name {%s}%s", m[1], didYouMean(m[1], allNames()))
			case unit != "" && (inUnit[unit] == 0 || kind != fact.Bytes):
				l.add(field, "{%s:%s}: only bytes have a unit: gib, mib or kib", m[1], unit)
			}
		}
		for _, m := range guards().FindAllStringSubmatch(s, -1) {
			if kind, ok := lookupName(m[1]); !ok || kind != fact.Bool {
				l.add(field, "[%s? …]: no condition is called so%s", m[1], didYouMean(m[1], allNames()))
			}
		}
		if strings.Count(s, "[") != strings.Count(s, "]") {
			l.add(field, "a square bracket is not closed")
		}
	}
}

func (l *linter) sources(field string, list []string) {
	if len(list) == 0 || list[0] == "" {
		l.add(field, "no source")
	}
}
