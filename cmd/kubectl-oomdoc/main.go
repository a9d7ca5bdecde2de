// Command kubectl-oomdoc diagnoses the containers of pods: kubectl oomdoc finds it on PATH. It speaks to no cluster
// itself but calls kubectl, so that contexts, logins and permissions are those of whoever asks.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	status, err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "kubectl-oomdoc: "+report.PrintableLines(err.Error()))
		status = rules.ExitUsage
	}
	os.Exit(status)
}

// options are what was asked for.
type options struct {
	selector, namespace, container, lang string
	all                                  bool     // namespaces
	tail                                 int      // lines of each log; -1 is all of it
	pods                                 []string // none: those that the selector names, or all
	kubectl                              []string // options that are kubectl's own
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) (status int, err error) {
	var o options
	c := &cobra.Command{
		Use:   "kubectl oomdoc [POD...] [-- KUBECTL-OPTION...]",
		Short: "Find out why memory failed in the containers of pods",
		Long: `Reads the logs of the containers of pods, those of the ones that died before too, and says why
memory failed: a table of the containers, then the diagnoses, alike ones together. What
Kubernetes says of a container's end and its limits counts as what the log says.

Everything after -- goes to kubectl: -- --context prod.

Exit status: 0 nothing found, 1 a cause was diagnosed, 2 usage or kubectl failed, 3 memory
trouble whose cause the logs do not tell.`,
		Example: `  kubectl oomdoc vllm-0
  kubectl oomdoc -n inference -l app=vllm
  kubectl oomdoc -A -l app=vllm -- --context prod`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			o.pods = args
			if at := c.ArgsLenAtDash(); at >= 0 {
				o.pods, o.kubectl = args[:at], args[at:]
			}
			if err := o.check(); err != nil {
				return err
			}
			status, err = o.diagnose(ctx, stdout, stderr)
			return err
		},
	}
	c.SetArgs(args)
	c.SetOut(stdout)
	c.SetErr(stderr)
	f := c.Flags()
	f.StringVarP(&o.selector, "selector", "l", "", "pods by their labels")
	f.StringVarP(&o.namespace, "namespace", "n", "", "namespace (default that of the context)")
	f.BoolVarP(&o.all, "all-namespaces", "A", false, "pods of all namespaces")
	f.StringVarP(&o.container, "container", "c", "", "only containers of this name")
	f.IntVar(&o.tail, "tail", -1, "read only so many lines of each log; the figures of the start are lost then")
	f.StringVar(&o.lang, "lang", "en", "language of the report: en or zh")
	if err := c.Execute(); err != nil {
		return 0, err
	}
	return status, nil
}

func (o *options) check() error {
	switch {
	case o.lang != "en" && o.lang != "zh":
		return fmt.Errorf("--lang %s: must be en or zh", o.lang)
	case len(o.pods) > 0 && o.selector != "":
		return errors.New("give names of pods or a selector, not both")
	case len(o.pods) > 0 && o.all:
		return errors.New("names of pods go with one namespace, not with --all-namespaces")
	}
	for _, pod := range o.pods {
		if strings.HasPrefix(pod, "-") {
			return fmt.Errorf("%q is no name of a pod", pod)
		}
	}
	return nil
}

// diagnose reads the logs and prints what they say. The status is that of oomdoc.
func (o *options) diagnose(ctx context.Context, stdout, stderr io.Writer) (int, error) {
	containers, err := o.containers(ctx)
	if err != nil {
		return 0, err
	}
	if len(containers) == 0 {
		return 0, errors.New("there are no such pods")
	}
	o.read(ctx, containers)
	if ctx.Err() != nil {
		return 130, nil
	}
	width := 80
	if f, ok := stdout.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil {
			width = min(columns, 100)
		}
	}
	failed := false
	for _, c := range containers {
		for _, err := range c.trouble {
			failed = true
			fmt.Fprintf(stderr, "kubectl-oomdoc: %s: %s\n", c, report.PrintableLines(err.Error()))
		}
	}
	if err := write(stdout, containers, report.Options{Lang: o.lang, Width: width, Version: version()}); err != nil {
		return 0, err
	}
	status := rules.ExitNothing
	for _, c := range containers {
		switch c.status() {
		case rules.ExitDiagnosed:
			status = rules.ExitDiagnosed
		case rules.ExitUnknown:
			if status == rules.ExitNothing {
				status = rules.ExitUnknown
			}
		}
	}
	if failed && status == rules.ExitNothing {
		status = rules.ExitUsage
	}
	return status, nil
}

// version is the module's version, as the build recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
