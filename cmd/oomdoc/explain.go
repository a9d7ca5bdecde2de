package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/spf13/cobra"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "What a cause, remedy, message or fact is",
		Long: `Prints what oomdoc knows about a cause, a remedy, a message of a log or a fact: what
it is and why, how to tell it from its neighbours, what helps and what does not,
with reported cases and sources. oomdoc list names them all.`,
		Example: `  oomdoc explain kv-cache-below-max-len
  oomdoc explain fp8-kv-cache
  oomdoc explain --lang zh max_model_len`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeID,
		RunE:              func(_ *cobra.Command, args []string) error { return a.explain(args[0]) },
	}
}

func (a *app) explain(word string) error {
	opts, err := a.flags.options(a.stdout)
	if err != nil {
		return err
	}
	kb, err := a.knowledge()
	if err != nil {
		return err
	}
	p := newPage(a.stdout, opts, kb)
	for i, s := range lookup(kb, word) {
		if i > 0 {
			p.print("\n\n")
		}
		s.write(p)
	}
	if p.empty() {
		return unknownID(kb, word)
	}
	return p.flush()
}

// subject is something that has a page.
type subject struct {
	id    string
	kind  string
	title knowledge.Text
	write func(*page)
}

// The kinds of subjects, as they are named on the command line.
const (
	kindCauses   = "causes"
	kindRemedies = "remedies"
	kindMessages = "messages"
	kindFacts    = "facts"
)

var kinds = []string{kindCauses, kindRemedies, kindMessages, kindFacts}

// subjects lists everything that has a page, by kind, in the order of the knowledge base.
func subjects(kb *knowledge.Base) []subject {
	var out []subject
	for _, c := range kb.Causes {
		out = append(out, subject{c.ID, kindCauses, c.Title, func(p *page) { p.cause(c) }})
	}
	for _, r := range kb.Remedies {
		out = append(out, subject{r.ID, kindRemedies, r.Title, func(p *page) { p.remedy(r) }})
	}
	for _, m := range parser.Catalogue() {
		out = append(out, subject{m.ID, kindMessages, knowledge.Text{En: m.Doc}, func(p *page) { p.message(m) }})
	}
	for _, f := range fact.Table {
		out = append(out, subject{f.Name, kindFacts, knowledge.Text{En: f.Doc}, func(p *page) { p.fact(f, "") }})
	}
	for _, d := range rules.Derived {
		f := fact.Info{Name: d.Name, Kind: d.Kind, Doc: d.Doc}
		out = append(out, subject{d.Name, kindFacts, knowledge.Text{En: d.Doc}, func(p *page) { p.fact(f, d.Formula) }})
	}
	return out
}

// lookup returns the subjects of an id. A cause and a message may share one. Flags are understood as the
// facts that they set: --max-model-len is max_model_len.
func lookup(kb *knowledge.Base, word string) []subject {
	all := subjects(kb)
	word = strings.ToLower(strings.TrimLeft(word, "-"))
	for _, id := range []string{word, strings.ReplaceAll(word, "-", "_"), strings.ReplaceAll(word, "_", "-")} {
		found := slices.DeleteFunc(slices.Clone(all), func(s subject) bool { return s.id != id })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

var listPlace = regexp.MustCompile(`^#?[0-9]+$`)

// unknownID says that a word is no id, and which ids it may have been meant for.
func unknownID(kb *knowledge.Base, word string) error {
	if listPlace.MatchString(word) {
		return fmt.Errorf("%s is a place in a list, which changes from log to log, and no id; the report gives the id beside it (oomdoc list has them all)", word)
	}
	var ids []string
	for _, s := range subjects(kb) {
		ids = append(ids, s.id)
	}
	near := rules.Near(strings.ToLower(word), ids)
	for _, id := range ids {
		if len(word) > 2 && strings.Contains(id, strings.ToLower(word)) {
			near = append(near, id)
		}
	}
	near = unique(near)
	hint := "oomdoc list names everything that has a page"
	if len(near) > 0 {
		hint = "did you mean " + strings.Join(near[:min(len(near), 3)], ", ") + "?"
	}
	return fmt.Errorf("nothing is called %q; %s", word, hint)
}

// unique drops what has stood before, keeping the order.
func unique(list []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

func (a *app) completeID(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if len(args) == 0 {
		for _, s := range subjects(knowledge.Builtin()) {
			ids = append(ids, s.id+"\t"+s.title.In("en"))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
