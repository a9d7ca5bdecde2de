package child

import (
	"io"
	"os"
	"os/exec"
	"os/signal"
)

// child is a command that runs. It gets interrupts from the console, as we do.
type child struct {
	cmd     *exec.Cmd
	outputs []*output
	signals chan os.Signal
}

func start(args []string, stdin *os.File, stdout, stderr io.Writer) (*child, error) {
	c := &child{cmd: exec.Command(args[0], args[1:]...), signals: make(chan os.Signal, 1)}
	c.cmd.Stdin = stdin
	for _, o := range []struct {
		theirs *io.Writer
		to     io.Writer
	}{{&c.cmd.Stdout, stdout}, {&c.cmd.Stderr, stderr}} {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		defer w.Close()
		*o.theirs = w
		c.outputs = append(c.outputs, &output{from: r, to: o.to})
	}
	signal.Notify(c.signals, os.Interrupt)
	return c, c.cmd.Start()
}

func (c *child) wait() ending {
	c.cmd.Wait() // the state tells
	return ending{status: c.cmd.ProcessState.ExitCode()}
}

func (c *child) restore() { signal.Stop(c.signals) }

func (c *child) told() bool { return len(c.signals) > 0 }
