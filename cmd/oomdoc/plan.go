package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/spf13/cobra"
)

// planFlags are the options of plan.
type planFlags struct {
	set   []string
	solve string
	facts string
}

func (a *app) planCommand() *cobra.Command {
	var f planFlags
	c := &cobra.Command{
		Use:   "plan [LOG...]",
		Short: "What becomes of the memory when settings change",
		Long: `Takes the figures of a log's first failure, or of its latest run where nothing failed,
or of a file of facts, changes settings and prints where each GPU's memory would go,
before and after, and whether it is enough by the engine's own sums. ~ marks figures
that follow from the log by arithmetic, ≈ those that rest on a formula.

Sizes take units (12GiB, 800 MiB), lengths k for 1,000 and K for 1,024, ratios a
decimal or per cent. A file of facts is JSON, names as oomdoc list facts has them:
  {"engine_version": "0.10.2", "max_model_len": 65536, "kv_needed": "8 GiB",
   "kv_available": {"value": 5819679899, "unit": "bytes"}}

Exit status: 0 it fits or is borderline, 1 it falls short, 2 usage or input error,
3 the figures do not tell.`,
		Example: `  oomdoc plan server.log --set max_model_len=32768 --set tensor_parallel_size=2
  oomdoc plan server.log --solve max_model_len
  oomdoc plan --facts card.json --set gpu_memory_utilization=0.95`,
		RunE: func(_ *cobra.Command, args []string) error { return a.plan(f, args) },
	}
	a.flags.addFormat(c)
	c.Flags().StringArrayVar(&f.set, "set", nil, "change a setting: `name=value`; repeatable")
	c.Flags().StringVar(&f.solve, "solve", "", "find the `setting`'s value with which the failure is gone")
	c.Flags().StringVar(&f.facts, "facts", "", "take the facts of a JSON `file` instead of a log")
	c.MarkFlagsMutuallyExclusive("set", "solve")
	c.MarkFlagsOneRequired("set", "solve")
	return c
}

// planned is a plan that has been worked out.
type planned struct {
	about   string // what failed; "" where nothing did
	changes []change
	solved  string // the setting that was solved for
	aside   bool   // it does not bear on what failed
	verdict memory.Verdict
	before  []memory.Ledger
}

// change is a setting with its values, written for people, and the new one for programs.
type change struct {
	name, was, now string
	value          any
}

func (a *app) plan(f planFlags, logs []string) error {
	if err := oneOf("format", a.flags.format, "text", "json"); err != nil {
		return err
	}
	opts, err := a.flags.options(a.stdout)
	if err != nil {
		return err
	}
	if f.facts != "" && len(logs) > 0 {
		return errors.New("plan takes a log or --facts, not both")
	}
	p := planned{solved: f.solve}
	state, err := a.planState(f, logs, opts, &p)
	if err != nil {
		return err
	}
	// The same books on both sides: the plan that changes nothing, not the sentence of the failure.
	if p.before = state.WhatIf(memory.Change{}).Ledgers; len(p.before) == 0 {
		p.before = state.Ledgers()
	}
	if f.solve != "" {
		err = p.solve(state)
	} else {
		err = p.apply(state, f.set)
	}
	if err != nil {
		return err
	}
	a.status = map[memory.Kind]int{memory.Short: rules.ExitDiagnosed, memory.Unknown: rules.ExitUnknown}[p.verdict.Kind]
	if a.flags.format == "json" {
		return p.writeJSON(a.stdout)
	}
	return p.writeText(a.stdout, opts)
}

// planState reads the figures that the plan starts from.
func (a *app) planState(f planFlags, logs []string, opts report.Options, p *planned) (*memory.State, error) {
	if f.facts != "" {
		return a.readFacts(f.facts)
	}
	kb, err := a.knowledge()
	if err != nil {
		return nil, err
	}
	if len(logs) == 0 {
		logs = []string{"-"}
	}
	session := oomdoc.NewSession(oomdoc.Options{Knowledge: kb})
	for _, name := range logs {
		if err := a.readInto(context.Background(), session, name); err != nil {
			return nil, err
		}
	}
	d := session.Close()
	if len(d.Findings) > 0 {
		p.about = report.Headline(d.Findings[0], opts.Lang)
		return memory.FromIncident(d.Findings[0].Incident), nil
	}
	if len(d.Facts) == 0 {
		return nil, errors.New("the log states no figures to plan with")
	}
	return memory.NewState(d.Facts, d.Log.Runs[len(d.Log.Runs)-1].Engine, ""), nil
}

func (p *planned) apply(s *memory.State, assignments []string) error {
	c := memory.Change{}
	for _, text := range assignments {
		name, v, err := parseSetting(text)
		if err != nil {
			return err
		}
		if _, twice := c[name]; twice {
			return fmt.Errorf("--set %s: %s is set twice", text, name)
		}
		x, err := settingValue(name, v)
		if err != nil {
			return err
		}
		c[name] = x
		p.changes = append(p.changes, newChange(s, name, v))
	}
	p.verdict = s.WhatIf(c)
	return nil
}

func (p *planned) solve(s *memory.State) error {
	info, err := lookupSetting(p.solved)
	if err != nil {
		return err
	}
	x, v := s.Fit(info.Name)
	p.verdict = v
	dir, known := s.Effect(info.Name)
	p.aside = known && dir == 0
	if v.Kind != memory.Unknown {
		p.changes = []change{newChange(s, info.Name, wordFor(info, x))}
	}
	return nil
}

// newChange writes a setting's old and new value for people.
func newChange(s *memory.State, name string, now fact.Value) change {
	c := change{name: name, now: rules.Format(now, "en"), value: plainValue(now)}
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
