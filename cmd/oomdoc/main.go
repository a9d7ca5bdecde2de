// Command oomdoc reads logs of vLLM and PyTorch and says why memory failed and what helps.
package main

import (
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc/rules"
)

func main() {
	if self, name := standsFor(os.Args[0]); name != "" {
		os.Exit(standIn(self, name, os.Args[1:]))
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit status.
func run(args []string, stdin *os.File, stdout, stderr io.Writer) int {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr}
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	if err := root.Execute(); err != nil {
		if !errors.Is(err, errReported) {
			complain(stderr, "oomdoc: "+err.Error())
		}
		return rules.ExitUsage
	}
	return a.status
}

func (a *app) rootCommand() *cobra.Command {
	f := following{app: a}
	c := &cobra.Command{
		Use:   "oomdoc [FILE...]",
		Short: "Find out why memory failed in a vLLM or PyTorch log, and what helps",
		Long: `oomdoc reads logs of vLLM and PyTorch, and of what runs them, and says why memory
failed: the one cause, the arithmetic behind it, the settings that fix it, and
which popular advice would not help here.

It reads files, several as one log (ranks often log to files of their own), or
standard input; .gz and .zst as they are. In a terminal it opens a screen, with
no log named a place to paste one.

Exit status: 0 nothing found, 1 a cause was diagnosed, 2 usage or input error,
3 memory trouble whose cause the log does not tell, 130 interrupted.`,
		Example: `  oomdoc server.log
  kubectl logs vllm-0 --previous | oomdoc
  oomdoc --format json rank*.log.gz`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		RunE:          f.rootOrFollow,
	}
	c.SetVersionTemplate("oomdoc {{.Version}}\n")
	a.flags.add(c)
	a.flags.addFormat(c)
	offerScreen(c)
	c.Flags().BoolVar(&a.flags.noMask, "no-mask", false, "with --format markdown, issue or github: leave tokens, keys, prompts, hosts, addresses and names as they are")
	f.add(c)
	c.AddCommand(a.explainCommand(), a.listCommand(), a.planCommand(), a.kbCommand(), a.runCommand(), a.mcpCommand(), a.shimCommand())
	return c
}
