//go:build linux

// Command latency measures the screen in a pseudo-terminal of its own:
//
//	go run ./tui/testdata/latency oomdoc server.log
//
// the time from the start of the process to its first full screen, the time from a key in the log view to
// the last byte of what it draws, over the whole length of the log, and the most memory the process took.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

type terminal struct {
	file *os.File
	data chan []byte
}

// start runs a command on a new pseudo-terminal.
func start(args []string) (*terminal, *exec.Cmd) {
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	check(err)
	fd := int(master.Fd())
	check(unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	check(err)
	check(unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120}))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	check(err)
	c := exec.Command(args[0], args[1:]...)
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	c.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "CI=") }), "TERM=xterm-256color")
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	check(c.Start())
	slave.Close()
	t := &terminal{master, make(chan []byte, 1000)}
	go func() {
		for {
			p := make([]byte, 64<<10)
			k, err := master.Read(p)
			if err != nil {
				close(t.data)
				return
			}
			t.data <- p[:k]
		}
	}()
	return t, c
}

// until reads until the terminal has shown a text, and returns how long that took.
func (t *terminal) until(text string, begun time.Time) time.Duration {
	var all []byte
	for {
		select {
		case p, ok := <-t.data:
			all = append(all, p...)
			if !ok || bytes.Contains(all, []byte(text)) {
				return time.Since(begun)
			}
		case <-time.After(60 * time.Second):
			fmt.Printf("nothing shows %q\n", text)
			os.Exit(1)
		}
	}
}

// key presses a key and returns how long the last byte of its picture took.
func (t *terminal) key(k string) time.Duration {
	begun := time.Now()
	_, err := t.file.WriteString(k)
	check(err)
	last := time.Duration(0)
	for {
		select {
		case _, ok := <-t.data:
			if !ok {
				return last
			}
			last = time.Since(begun)
		case <-time.After(80 * time.Millisecond): // the next picture would have come
			return last
		}
	}
}

func main() {
	const runs = 9
	var first []time.Duration
	for range runs {
		begun := time.Now()
		t, c := start(os.Args[1:])
		first = append(first, t.until("▸", begun))
		t.key("q")
		c.Wait()
	}
	report("first full screen", first)

	t, c := start(os.Args[1:])
	t.until("▸", time.Now())
	time.Sleep(300 * time.Millisecond)
	t.key("l")
	walk := map[string][]time.Duration{}
	for _, step := range []struct {
		name, key string
		times     int
	}{{"g", "g", 1}, {"page down", "\x1b[6~", 40}, {"line down", "j", 20}, {"G", "G", 1}, {"page up", "\x1b[5~", 40}, {"line up", "k", 20}, {"g again", "g", 1}, {"G again", "G", 1}} {
		for range step.times {
			walk[step.name] = append(walk[step.name], t.key(step.key))
		}
		report(step.name, walk[step.name])
	}
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.Process.Pid))
	for _, line := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(line, "VmHWM") || strings.HasPrefix(line, "VmRSS") {
			fmt.Println(line)
		}
	}
	t.key("q")
	t.key("q")
	c.Wait()
}

func report(what string, d []time.Duration) {
	slices.Sort(d)
	fmt.Printf("%-18s least %6.1f ms  median %6.1f ms  most %6.1f ms  (%d)\n", what, ms(d[0]), ms(d[len(d)/2]), ms(d[len(d)-1]), len(d))
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
