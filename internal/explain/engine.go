package explain

import (
	"maps"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory/engine"
)

// profileTitle is what the page of an engine is about.
var profileTitle = knowledge.Text{En: "What the engine does with a card's memory, by release", Zh: "引擎如何使用显存（按版本）"}

// profileSubject finds the page of an engine at one of its releases: vllm@0.9.1.
func profileSubject(word string) (Subject, bool) {
	name, release, ok := strings.Cut(strings.ToLower(word), "@")
	s := engine.Get(name)
	r, parsed := engine.ParseRelease(release)
	if !ok || s == nil || !parsed {
		return Subject{}, false
	}
	return Subject{word, Engines, profileTitle, func(p *page) { p.profile(s, r) }}, true
}

// engineSubjects are the engines whose profiles are known; of their releases the latest is shown.
func engineSubjects() []Subject {
	var out []Subject
	for _, name := range engine.Names() {
		s := engine.Get(name)
		var r engine.Release
		if n := len(s.Eras); n > 0 {
			r, _ = engine.ParseRelease(s.Eras[n-1])
		}
		out = append(out, Subject{name, Engines, profileTitle, func(p *page) { p.profile(s, r) }})
	}
	return out
}

// profile prints what holds of an engine's release, each rule with its source.
func (p *page) profile(s *engine.Sheet, r engine.Release) {
	id := s.Engine
	if len(s.Eras) > 0 {
		id += "@" + r.String()
	}
	p.head(id, profileTitle.In(p.opts.Lang), p.word("engine"))
	at := engine.Profile{Sheet: s, Release: r, Entry: "server"}
	at.Generation, at.Runner = at.Is("generation"), at.Is("runner")
	var rules, sources []string
	for _, list := range slices.Sorted(maps.Keys(s.Rules)) {
		rule := at.Rule(list)
		if rule.Is == "" {
			continue
		}
		line := list + ": " + rule.Is
		if rule.Means != "" {
			line += " – " + rule.Means
		}
		rules = append(rules, line)
		sources = append(sources, list+": "+rule.Source)
	}
	p.list("profile.rules", rules)
	var flags []string
	for _, f := range s.Flags {
		if len(s.Eras) == 0 || r.Within(f.Since, f.Until) {
			flags = append(flags, f.Name)
		}
	}
	p.text("profile.flags", strings.Join(flags, " "))
	if len(s.Eras) > 0 {
		p.text("profile.eras", strings.Join(s.Eras, " "))
	}
	p.list("sources", append(sources, s.FlagsSource))
}
