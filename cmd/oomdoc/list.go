package main

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc/internal/explain"
	"github.com/oomdoc/oomdoc/report"
)

func (a *app) listCommand() *cobra.Command {
	var search string
	c := &cobra.Command{
		Use:   "list [causes|remedies|messages|facts|engines]",
		Short: "Everything that has a page, or one kind of it",
		Example: `  oomdoc list causes
  oomdoc list --search fragment`,
		Args:      cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs),
		ValidArgs: explain.Kinds,
		RunE: func(_ *cobra.Command, args []string) error {
			kind := ""
			if len(args) == 1 {
				kind = args[0]
			}
			return a.list(kind, search)
		},
	}
	c.Flags().StringVar(&search, "search", "", "only entries in whose id or title all of these words occur")
	return c
}

// list prints ids and titles in aligned columns.
func (a *app) list(kind, search string) error {
	opts, kb, err := a.setup()
	if err != nil {
		return err
	}
	found, wide := explain.Search(kb, kind, search), 0
	for _, s := range found {
		wide = max(wide, len(s.ID))
	}
	if len(found) == 0 {
		what := "nothing"
		if kind != "" {
			what = "none of the " + kind
		}
		return fmt.Errorf("%s has %q in its id or title", what, search)
	}
	var out strings.Builder
	for _, s := range found {
		lead := ""
		if kind == "" {
			lead = fmt.Sprintf("%-8s  ", s.Kind)
		}
		lead += fmt.Sprintf("%-*s  ", wide, s.ID)
		title := ansi.Truncate(report.Printable(s.Title.In(opts.Lang)), max(opts.Width-len(lead), 24), "…")
		out.WriteString(strings.TrimRight(lead+title, " ") + "\n")
	}
	_, err = fmt.Fprint(a.stdout, out.String())
	return err
}
