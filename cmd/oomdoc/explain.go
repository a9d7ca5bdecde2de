package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc/internal/explain"
	"github.com/oomdoc/oomdoc/knowledge"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "What a cause, remedy, message, fact or engine is",
		Long: `Prints what oomdoc knows about a cause, a remedy, a message of a log, a fact or an
engine's release: what it is and why, how to tell it from its neighbours, what helps
and what does not, with reported cases and sources. oomdoc list names them all.`,
		Example: `  oomdoc explain kv-cache-below-max-len
  oomdoc explain fp8-kv-cache
  oomdoc explain vllm@0.9.1
  oomdoc explain --lang zh max_model_len`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: a.completeID,
		RunE:              func(_ *cobra.Command, args []string) error { return a.explain(args[0]) },
	}
}

func (a *app) explain(word string) error {
	opts, kb, err := a.setup()
	if err != nil {
		return err
	}
	var pages []string
	for _, s := range explain.Lookup(kb, word) {
		pages = append(pages, s.Page(opts, kb))
	}
	if len(pages) == 0 {
		return explain.Unknown(kb, word)
	}
	_, err = io.WriteString(a.stdout, strings.Join(pages, "\n\n"))
	return err
}

func (a *app) completeID(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	if len(args) == 0 {
		for _, s := range explain.Subjects(knowledge.Builtin()) {
			ids = append(ids, s.ID+"\t"+s.Title.In("en"))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
