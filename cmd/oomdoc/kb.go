package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/expect"
	"github.com/oomdoc/oomdoc/internal/input"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/rules"
)

func (a *app) kbCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "kb",
		Short: "Check a knowledge base",
		Long: `A knowledge base is a directory with causes/*.yaml and remedies/*.yaml. It is laid
over the built-in one: an entry replaces the built-in entry of its id, or adds to it
where it says "extends: true". Without a directory the built-in one is checked.`,
	}
	c.AddCommand(
		&cobra.Command{
			Use:   "lint [DIR]",
			Short: "Find names, types, conditions, languages and sources that are wrong or missing",
			Args:  cobra.MaximumNArgs(1),
			RunE:  func(_ *cobra.Command, args []string) error { return a.kbLint(args) },
		},
		&cobra.Command{
			Use:   "test [DIR]",
			Short: "Run the examples and near misses of the causes, and the *.test files in DIR",
			Args:  cobra.MaximumNArgs(1),
			RunE:  func(_ *cobra.Command, args []string) error { return a.kbTest(args) },
		},
	)
	return c
}

// checked is a knowledge base under check: all that is in force, and the part that is checked.
type checked struct {
	dir       string // "" for the built-in one
	all, part *knowledge.Base
}

// loadChecked reads and lints the knowledge base named on the command line. Its problems have been
// printed where it is not ok.
func (a *app) loadChecked(args []string) (c checked, ok bool, err error) {
	base, err := a.knowledge()
	if err != nil {
		return c, false, err
	}
	var problems []string
	if len(args) == 0 {
		c = checked{all: base, part: base}
		for _, p := range rules.Lint(base, nil) {
			problems = append(problems, p.String())
		}
	} else {
		c.dir = args[0]
		if c.all, c.part, problems, err = overlay(base, c.dir); err != nil {
			return c, false, err
		}
	}
	a.printProblems(problems)
	return c, len(problems) == 0, nil
}

func (a *app) kbLint(args []string) error {
	c, ok, err := a.loadChecked(args)
	if err != nil {
		return err
	}
	if !ok {
		return errReported
	}
	fmt.Fprintf(a.stdout, "%s, %s: nothing wrong\n", counted(len(c.part.Causes), "cause"), counted(len(c.part.Remedies), "remedy"))
	return nil
}

func (a *app) kbTest(args []string) error {
	c, ok, err := a.loadChecked(args)
	if err != nil {
		return err
	}
	if !ok {
		return errReported
	}
	examples, problems := testExamples(c.all, c.part.Causes)
	scripts, more, err := testScripts(c.all, c.dir)
	if err != nil {
		return err
	}
	if problems = append(problems, more...); len(problems) > 0 {
		a.printProblems(problems)
		return errReported
	}
	fmt.Fprintf(a.stdout, "%s, %s: all hold\n", counted(examples, "example"), counted(scripts, "test file"))
	return nil
}

// testExamples holds the examples and near misses of causes against the whole knowledge base: an example
// must give its cause first, or nothing where the cause is no memory failure; a near miss must not.
func testExamples(kb *knowledge.Base, causes []*knowledge.Cause) (examples int, problems []string) {
	for _, c := range causes {
		for _, e := range []struct {
			name, log string
			matches   bool
		}{{"example", c.Example, true}, {"near_miss", c.NearMiss, false}} {
			if e.log == "" {
				continue
			}
			examples++
			first, want := firstCause(kb, e.log, c.Degraded), c.ID
			if c.NotMemory {
				want = noCause
			}
			if (first == want) != e.matches {
				problems = append(problems, fmt.Sprintf("%s %s: gives %s", c.ID, e.name, first))
			}
		}
	}
	return examples, problems
}

const noCause = "nothing"

// firstCause is the id of the cause that a log is diagnosed with, a word for none or an unknown one. Of a
// log with a degraded condition the failures, which stand first, may be left out.
func firstCause(kb *knowledge.Base, log string, degraded bool) string {
	d, err := oomdoc.Diagnose("example", strings.NewReader(log), oomdoc.Options{Knowledge: kb})
	for degraded && len(d.Findings) > 0 && !d.Findings[0].Degraded() {
		d.Findings = d.Findings[1:]
	}
	switch {
	case err != nil:
		return err.Error()
	case len(d.Findings) == 0:
		return noCause
	case d.Findings[0].Says() == nil:
		return "an unknown cause"
	}
	return d.Findings[0].Says().ID
}

// testScripts runs the *.test files under dir; their logs are relative to them.
func testScripts(kb *knowledge.Base, dir string) (scripts int, problems []string, err error) {
	if dir == "" {
		return 0, nil, nil
	}
	var files []string
	err = filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && strings.HasSuffix(path, ".test") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	slices.Sort(files)
	for _, file := range files {
		failures, err := testScript(kb, file)
		if err != nil {
			problems = append(problems, err.Error())
		}
		problems = append(problems, failures...)
	}
	return len(files), problems, nil
}

func testScript(kb *knowledge.Base, file string) (problems []string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	script, err := expect.Parse(file, string(text))
	if err != nil {
		return nil, err
	}
	session := oomdoc.NewSession(oomdoc.Options{Knowledge: kb})
	for _, name := range script.Logs() {
		log, err := os.Open(filepath.Join(filepath.Dir(file), name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		err = session.Stream(name).ReadAll(log)
		log.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, name, input.Reason(err))
		}
	}
	for _, f := range script.Check(session.Close()) {
		if !f.Open {
			problems = append(problems, f.Error())
		}
	}
	return problems, nil
}

// counted is a number with its noun: "1 cause", "3 remedies".
func counted(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
