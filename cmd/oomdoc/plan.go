package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/input"
	"github.com/oomdoc/oomdoc/internal/plan"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
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
	state, about, err := a.planState(f, logs, opts)
	if err != nil {
		return err
	}
	var p *plan.Plan
	if f.solve != "" {
		p, err = plan.Solve(state, f.solve)
	} else {
		p, err = plan.Apply(state, f.set)
	}
	if err != nil {
		return err
	}
	p.About = about
	a.status = map[memory.Kind]int{memory.Short: rules.ExitDiagnosed, memory.Unknown: rules.ExitUnknown}[p.Verdict.Kind]
	if a.flags.format == "json" {
		return p.WriteJSON(a.stdout)
	}
	return p.WriteText(a.stdout, opts)
}

// planState reads the figures that the plan starts from. about is what failed; "" where nothing did.
func (a *app) planState(f planFlags, logs []string, opts report.Options) (s *memory.State, about string, err error) {
	if f.facts != "" {
		s, err := a.readFacts(f.facts)
		return s, "", err
	}
	kb, err := a.knowledge()
	if err != nil {
		return nil, "", err
	}
	if len(logs) == 0 {
		logs = []string{"-"}
	}
	session := oomdoc.NewSession(oomdoc.Options{Knowledge: kb})
	for _, name := range logs {
		if err := a.readInto(context.Background(), session, name); err != nil {
			return nil, "", err
		}
	}
	d := session.Close()
	if len(d.Findings) > 0 {
		about = report.Headline(d.Findings[0], opts.Lang)
	}
	s, err = plan.StateOf(d)
	return s, about, err
}

// readFacts reads a file of facts.
func (a *app) readFacts(file string) (*memory.State, error) {
	in, label, err := input.Open(file, a.stdin)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, 1<<20))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", label, input.Reason(err))
	}
	s, err := plan.ParseFacts(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", label, err)
	}
	return s, nil
}
