//go:build unix

package child

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// child is a command that runs.
type child struct {
	pid     int
	outputs []*output
	pty     *os.File // its terminal, where ours is one
	keys    *os.File // our terminal, made raw, or given to its process group
	state   *term.State
	signals chan os.Signal
	stopped atomic.Bool // a signal to end was passed on
}

// forwarded are the signals that are the command's to handle. Broken pipes are ours: noticing them keeps
// them from ending us.
var forwarded = []os.Signal{
	syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGWINCH, syscall.SIGPIPE,
}

// start runs a command in a process group of its own, so that a signal from the keyboard, or to our
// group, reaches it once: through us. Where our output is a terminal, so is the command's.
func start(args []string, stdin *os.File, stdout, stderr io.Writer) (*child, error) {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, err
	}
	c := &child{signals: make(chan os.Signal, 16)}
	attr := &os.ProcAttr{Sys: &syscall.SysProcAttr{Setpgid: true}}
	var theirs []*os.File // ends that only the command needs
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	pipe := func(to io.Writer) (*os.File, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		theirs = append(theirs, w)
		c.outputs = append(c.outputs, &output{from: r, to: to})
		return w, nil
	}
	in, out, errs := stdin, (*os.File)(nil), (*os.File)(nil)
	screen := terminalOf(stdout)
	if screen != nil {
		var tty *os.File
		if c.pty, tty, err = pty.Open(); err != nil {
			return nil, fmt.Errorf("a terminal for the command: %w", err)
		}
		theirs = append(theirs, tty)
		pty.InheritSize(screen, c.pty)
		c.outputs = append(c.outputs, &output{from: c.pty, to: stdout})
		out = tty
		attr.Sys = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 1}
		if term.IsTerminal(int(stdin.Fd())) {
			in = tty
		}
		if terminalOf(stderr) != nil {
			errs = tty
		}
	} else if out, err = pipe(stdout); err != nil {
		return nil, err
	}
	if errs == nil {
		if errs, err = pipe(stderr); err != nil {
			return nil, err
		}
	}
	attr.Files = []*os.File{in, out, errs}
	if c.pty == nil && foreground(stdin) {
		c.keys = stdin
		attr.Sys.Foreground, attr.Sys.Ctty = true, 0
	}
	signal.Notify(c.signals, forwarded...)
	p, err := os.StartProcess(path, args, attr)
	if err != nil {
		signal.Stop(c.signals)
		return nil, err
	}
	c.pid = p.Pid
	p.Release()
	if in != stdin { // what is typed is for the command's terminal to read
		if c.state, err = term.MakeRaw(int(stdin.Fd())); err == nil {
			c.keys = stdin
		}
		go io.Copy(c.pty, stdin)
	}
	go c.forward(screen)
	return c, nil
}

func terminalOf(w any) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// foreground reports whether f is a terminal that is ours to read.
func foreground(f *os.File) bool {
	group, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

func (c *child) forward(screen *os.File) {
	for s := range c.signals {
		switch s {
		case syscall.SIGPIPE:
		case syscall.SIGWINCH:
			if c.pty != nil {
				pty.InheritSize(screen, c.pty)
			}
		default:
			if s != syscall.SIGUSR1 && s != syscall.SIGUSR2 {
				c.stopped.Store(true)
			}
			syscall.Kill(c.pid, s.(syscall.Signal))
		}
	}
}

func (c *child) told() bool { return c.stopped.Load() }

// wait waits for the command to end, and takes in orphans meanwhile, as the first process of a
// container has to.
func (c *child) wait() ending {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WUNTRACED, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return ending{status: 1}
		case pid != c.pid:
		case status.Stopped():
			c.pause()
		case status.Signaled():
			return ending{128 + int(status.Signal()), status.Signal() == syscall.SIGKILL}
		case status.Exited():
			return ending{status.ExitStatus(), status.ExitStatus() == 128+int(syscall.SIGKILL)}
		}
	}
}

// pause stops us too when the command was stopped from the keyboard, until the shell lets both go on.
func (c *child) pause() {
	if c.keys == nil || c.state != nil {
		return
	}
	c.hand(unix.Getpgrp())
	syscall.Kill(0, syscall.SIGSTOP)
	if foreground(c.keys) {
		c.hand(c.pid)
	}
	syscall.Kill(-c.pid, syscall.SIGCONT)
}

// hand gives the terminal to a process group.
func (c *child) hand(group int) {
	signal.Ignore(syscall.SIGTTOU) // sent to a background process that does this
	unix.IoctlSetPointerInt(int(c.keys.Fd()), unix.TIOCSPGRP, group)
	signal.Reset(syscall.SIGTTOU)
}

// restore gives our terminal back as it was.
func (c *child) restore() {
	signal.Stop(c.signals)
	switch {
	case c.state != nil:
		term.Restore(int(c.keys.Fd()), c.state)
	case c.keys != nil:
		c.hand(unix.Getpgrp())
	}
}
