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
)

// Exit statuses of a command that could not be started, as shells have them.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// terminationLog is where Kubernetes looks for what a container died of.
const terminationLog = "/dev/termination-log"

func (a *app) runCommand() *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "run [--report FILE] -- COMMAND [ARG...]",
		Short: "Run a command, and when it fails say why its memory failed",
		Long: `run starts the command and stays out of its way: output, terminal, signals and exit
status are the command's. When it fails, the diagnosis of what it has printed goes to
standard error, and a short one to ` + terminationLog + ` where that exists, so that
kubectl describe pod shows it, or to --report FILE.

A command that was killed without a word leaves nothing to read; then the counters of
its cgroup tell whether memory was the reason.

Exit status: the command's; 128 and the signal's number when a signal ended it; 127
when it is not there, 126 when it cannot be started.`,
		Example: `  oomdoc run -- vllm serve Qwen/Qwen3-8B
  oomdoc run --report died.txt -- torchrun --nproc-per-node 8 train.py`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.runChild(args, file) },
	}
	c.Flags().SetInterspersed(false) // what follows the command is its own
	c.Flags().StringVar(&file, "report", "", "write the short diagnosis to `file` (default "+terminationLog+" where it exists)")
	return c
}

// runChild runs a command to its end. The status is the command's.
func (a *app) runChild(args []string, file string) error {
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
	ran, err := child.Run(args, a.stdin, a.stdout, a.stderr, oomdoc.Options{Knowledge: kb})
	if err != nil {
		a.status = exitNotExecutable
		if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
			a.status = exitNotFound
		}
		complain(a.stderr, "oomdoc: "+err.Error())
		return nil
	}
	a.status = ran.Status
	d := ran.Diagnosis
	if d == nil {
		return nil
	}
	if len(d.Findings) == 0 || d.Findings[0].Degraded() {
		if ran.Spared {
			a.warn(errors.New("the command was killed, but not for memory: its cgroup counts no OOM kill"))
		}
		return nil
	}
	// The command's status counts whatever becomes of the diagnosis.
	fmt.Fprintln(a.stderr)
	if err := report.WriteText(a.stderr, d, opts); err != nil {
		a.warn(err)
	}
	a.warn(writeShort(file, d, opts.Lang))
	return nil
}

func (a *app) warn(err error) {
	if err != nil {
		complain(a.stderr, "oomdoc: "+err.Error())
	}
}
