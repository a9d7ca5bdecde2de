package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/child"
	"github.com/oomdoc/oomdoc/internal/shim"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// Exit statuses of a command that could not be started, as shells have them.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// terminationLog is where Kubernetes looks for what a container died of.
const terminationLog = "/dev/termination-log"

func (a *app) runCommand() *cobra.Command {
	var f runFlags
	c := &cobra.Command{
		Use:   "run [--report FILE] [--retry N --apply] -- COMMAND [ARG...]",
		Short: "Run a command, and when it fails say why its memory failed",
		Long: `run starts the command and stays out of its way: output, terminal, signals and exit
status are the command's. When it fails, the diagnosis of what it has printed goes to
standard error, and a short one to ` + terminationLog + ` where that exists, so that
kubectl describe pod shows it, or to --report FILE.

A command that was killed without a word leaves nothing to read; then the counters of
its cgroup tell whether memory was the reason.

With --retry N --apply, a vllm serve that failed to start for a cause that is certain is
started again, up to N times, with the first setting by which it fits by the log's own
figures; each remedy is tried once. It is said loudly, and never done to a server that
was ready once or was told to stop.

Exit status: the command's; 128 and the signal's number when a signal ended it; 127
when it is not there, 126 when it cannot be started.`,
		Example: `  oomdoc run -- vllm serve Qwen/Qwen3-8B
  oomdoc run --report died.txt -- torchrun --nproc-per-node 8 train.py
  oomdoc run --retry 2 --apply -- vllm serve Qwen/Qwen3-8B`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.runCommandLine(args, f) },
	}
	c.Flags().SetInterspersed(false) // what follows the command is its own
	c.Flags().StringVar(&f.report, "report", "", "write the short diagnosis to `file` (default "+terminationLog+" where it exists)")
	c.Flags().IntVar(&f.retry, "retry", 0, "with --apply: start a server that failed again, at most so many `times`")
	c.Flags().BoolVar(&f.apply, "apply", false, "with --retry: with the setting that fits")
	c.MarkFlagsRequiredTogether("retry", "apply")
	return c
}

// runFlags are the options of run.
type runFlags struct {
	report string
	retry  int
	apply  bool
}

// runCommandLine runs a command to its end, and again as often as the flags allow. The status is the last one's.
func (a *app) runCommandLine(args []string, f runFlags) error {
	if f.retry < 0 {
		return fmt.Errorf("--retry %d: must not be negative", f.retry)
	}
	kb, err := a.knowledge()
	if err != nil {
		return err
	}
	a.flags.format = "text"
	opts, err := a.flags.options(a.stderr)
	if err != nil {
		return err
	}
	os.Setenv(shim.Marker, "on")
	tried := map[string]bool{}
	for n := 1; ; n++ {
		ran := a.runOnce(args, opts, oomdoc.Options{Knowledge: kb})
		var r *rules.Remedy
		var next []string
		if n <= f.retry {
			r, next = nextTry(ran, args, tried)
		}
		if r == nil {
			if d := ran.Diagnosis; failed(d) {
				a.warn(writeShort(f.report, d, opts.Lang))
			}
			return nil
		}
		tried[r.ID] = true
		complain(a.stderr, againText(n, f.retry, r, next))
		args = next
	}
}

// runOnce runs a command to its end and says why its memory failed, if it did.
func (a *app) runOnce(args []string, opts report.Options, how oomdoc.Options) child.Result {
	ran, err := child.Run(args, a.stdin, a.stdout, a.stderr, how)
	if err != nil {
		a.status = exitNotExecutable
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			a.status = exitNotFound
		}
		complain(a.stderr, "oomdoc: "+err.Error())
		return ran
	}
	a.status = ran.Status
	d := ran.Diagnosis
	if !failed(d) {
		if ran.Spared {
			a.warn(errors.New("the command was killed, but not for memory: its cgroup counts no OOM kill"))
		}
		return ran
	}
	// The command's status counts whatever becomes of the diagnosis.
	fmt.Fprintln(a.stderr)
	if err := report.WriteText(a.stderr, d, opts); err != nil {
		a.warn(err)
	}
	return ran
}

// failed reports whether memory failed.
func failed(d *rules.Diagnosis) bool {
	return d != nil && len(d.Findings) > 0 && !d.Findings[0].Degraded()
}

func (a *app) warn(err error) {
	if err != nil {
		complain(a.stderr, "oomdoc: "+err.Error())
	}
}
