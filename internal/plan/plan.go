// Package plan answers what becomes of the memory when settings change: it reads the settings as people write
// them, asks the planner, and writes what it says as text and as JSON.
//
// The common path: [Apply] or [Solve] on the state of a failure, then [Plan.WriteText].
package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/rules"
)

// Plan is a change that has been worked out.
type Plan struct {
	About   string // what failed; "" where nothing did
	Verdict memory.Verdict

	changes []change
	solved  string // the setting that was solved for
	aside   bool   // it does not bear on what failed
	before  []memory.Ledger
	cache   [2]memory.Cache // before and after
}

// change is a setting with its values, written for people, and the new one for programs.
type change struct {
	name, was, now string
	value          fact.Value
}

// StateOf is the state that a plan for a log starts from: that of its first failure, or of its latest run.
func StateOf(d *rules.Diagnosis) (*memory.State, error) {
	if len(d.Findings) > 0 {
		return memory.FromIncident(d.Findings[0].Incident), nil
	}
	if len(d.Facts) == 0 {
		return nil, errors.New("the log states no figures to plan with")
	}
	return memory.NewState(d.Facts, d.Log.Runs[len(d.Log.Runs)-1].Engine, ""), nil
}

// Settings are the settings that it changes, by their names.
func (p *Plan) Settings() map[string]fact.Value {
	out := map[string]fact.Value{}
	for _, c := range p.changes {
		out[c.name] = c.value
	}
	return out
}

// start is a plan that changes nothing: the same books on both sides, not the sentence of the failure.
func start(s *memory.State) *Plan {
	before := s.WhatIf(memory.Change{}).Ledgers
	if len(before) == 0 {
		before = s.Ledgers()
	}
	return &Plan{before: before}
}

// Apply changes settings, each written name=value. An error says which is wrong and how.
func Apply(s *memory.State, assignments []string) (*Plan, error) {
	p, c := start(s), memory.Change{}
	for _, text := range assignments {
		name, v, err := parseSetting(text)
		if err != nil {
			return nil, err
		}
		if _, twice := c[name]; twice {
			return nil, fmt.Errorf("--set %s: %s is set twice", text, name)
		}
		x, err := settingValue(name, v)
		if err != nil {
			return nil, err
		}
		c[name] = x
		p.changes = append(p.changes, newChange(s, name, v))
	}
	p.Verdict = s.WhatIf(c)
	p.cache = [2]memory.Cache{s.Cache(nil), s.Cache(c)}
	return p, nil
}

// Solve finds the value of a setting with which the failure is gone.
func Solve(s *memory.State, setting string) (*Plan, error) {
	p := start(s)
	p.solved = setting
	info, err := lookupSetting(setting)
	if err != nil {
		return nil, err
	}
	x, v := s.Fit(info.Name)
	p.Verdict = v
	dir, known := s.Effect(info.Name)
	p.aside = known && dir == 0
	if v.Kind != memory.Unknown {
		p.changes = []change{newChange(s, info.Name, wordFor(info, x))}
		p.cache = [2]memory.Cache{s.Cache(nil), s.Cache(memory.Change{info.Name: x})}
	}
	return p, nil
}

// newChange writes a setting's old and new value for people.
func newChange(s *memory.State, name string, now fact.Value) change {
	c := change{name: name, now: rules.Format(now, "en"), value: now}
	info, _ := fact.Lookup(name)
	if x, basis, ok := s.Current(name); ok {
		c.was = rules.Format(wordFor(info, x), "en")
		switch {
		case basis == memory.Estimated && info.Kind == fact.Text:
			c.was = "auto" // the words of a width are many; what is not stated is the engine's choice
		case basis == memory.Estimated:
			c.was = "≈" + c.was
		}
	}
	return c
}

// wordFor is a planner's number as a value of the setting: the words for data types and methods are
// known to it by their width.
func wordFor(info fact.Info, x float64) fact.Value {
	if info.Kind != fact.Text {
		return fact.Value{Kind: info.Kind, Num: x}
	}
	var words []string
	for w, width := range rules.SettingWords[info.Name] {
		if width == x {
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		return fact.Value{Kind: fact.Text}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	return fact.Value{Kind: fact.Text, Text: words[0]}
}

// plainValue is a value as it stands in JSON.
func plainValue(v fact.Value) any {
	switch {
	case v.Kind == fact.Bool:
		return v.Num != 0
	case v.Kind.Numeric():
		return v.Num
	}
	return v.Text
}
