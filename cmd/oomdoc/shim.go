package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc/internal/shim"
)

func (a *app) shimCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "shim",
		Short: "Stand in front of a command whose command line cannot be changed",
		Args:  cobra.NoArgs,
	}
	c.AddCommand(&cobra.Command{
		Use:   "install DIR NAME...",
		Short: "Put links with the names of commands into a directory for the front of PATH",
		Long: `install copies this program into DIR and links each NAME to it. With DIR first on PATH,
a start of NAME that lasts (vllm serve, torchrun …) runs as oomdoc run -- NAME would;
anything else, such as NAME --version, runs as if nobody stood in front. When anything
is odd, the command runs alone. OOMDOC_SHIM=off switches it off.

In a pod: an initContainer of the image installs into a volume, and the server's PATH
begins with it.`,
		Example: `  oomdoc shim install /opt/oomdoc vllm`,
		Args:    cobra.MinimumNArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			if runtime.GOOS == "windows" {
				return errors.New("shim: there is none for Windows; use oomdoc run")
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return shim.Install(args[0], self, args[1:])
		},
	})
	return c
}

// standsFor returns the file of this program, and the command that it was started as, "" where it is itself.
func standsFor(arg0 string) (self, name string) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return "", ""
	}
	return self, shim.Name(self, arg0)
}

// standIn runs the command that the program was started as. The status is the command's.
func standIn(self, name string, args []string) int {
	real, err := shim.Find(name, os.Getenv("PATH"), self)
	if err != nil {
		complain(os.Stderr, "oomdoc: "+err.Error())
		return exitNotFound
	}
	if os.Getenv(shim.Marker) == "" && shim.Lasts(name, args) && fitToRun() {
		return run(append([]string{"run", "--", real}, args...), os.Stdin, os.Stdout, os.Stderr)
	}
	err = replaceWith(real, append([]string{name}, args...))
	complain(os.Stderr, "oomdoc: "+real+": "+err.Error())
	return exitNotExecutable
}

// fitToRun reports whether nothing of ours would keep a command from being started.
func fitToRun() bool {
	a := &app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	_, err := a.knowledge()
	if err != nil && !errors.Is(err, errReported) {
		complain(os.Stderr, "oomdoc: "+err.Error())
	}
	return err == nil
}
