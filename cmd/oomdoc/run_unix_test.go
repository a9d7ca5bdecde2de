//go:build unix

package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/creack/pty"

	"github.com/oomdoc/oomdoc"
)

// program returns a path under which the test binary is oomdoc.
func program(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "oomdoc")
	if err := os.Symlink(self, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// sh is oomdoc run with a shell script.
func sh(t *testing.T, script string) *exec.Cmd {
	return exec.Command(program(t), "run", "--", "sh", "-c", script)
}

func status(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

func TestRunEndings(t *testing.T) {
	tests := []struct {
		name, script   string
		status         int
		stdout, stderr string
	}{
		{"success", "echo a", 0, "a\n", ""},
		{"failure", "echo a; exit 3", 3, "a\n", ""},
		{"SIGTERM", "kill -TERM $$", 143, "", ""},
		{"no newline", "printf a; printf b >&2", 0, "a", "b"},
		{"stdout closed", "exec >&-; echo b >&2; exit 5", 5, "", "b\n"},
		{"both closed", "exec >&- 2>&-; exit 6", 6, "", ""},
		{"a grandchild lives on, silent", "sleep 20 & exit 4", 4, "", ""},
		{"a grandchild in between", "(echo a); (exit 7)", 7, "a\n", ""},
		{"standard input", "cat", 0, "typed\n", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := sh(t, tt.script)
			var stdout, stderr bytes.Buffer
			c.Stdin, c.Stdout, c.Stderr = strings.NewReader("typed\n"), &stdout, &stderr
			if got := status(c.Run()); got != tt.status || stdout.String() != tt.stdout || stderr.String() != tt.stderr {
				t.Errorf("status %d, stdout %q, stderr %q", got, stdout.String(), stderr.String())
			}
		})
	}
	t.Run("SIGKILL", func(t *testing.T) {
		t.Parallel()
		if got := status(sh(t, "kill -KILL $$").Run()); got != 137 {
			t.Errorf("status %d", got)
		}
	})
}

var runMegabytes = flag.Int("run.megabytes", 48, "TestRunPassesBytes: how much the command prints")

// Much output comes through as it is.
//
//	go test ./cmd/oomdoc -run PassesBytes -run.megabytes 1024
func TestRunPassesBytes(t *testing.T) {
	random := filepath.Join(t.TempDir(), "random")
	block := make([]byte, 1<<20)
	for i := range block {
		block[i] = byte(i*i>>8 ^ i)
	}
	if err := os.WriteFile(random, block, 0o600); err != nil {
		t.Fatal(err)
	}
	want, got := sha256.New(), sha256.New()
	for range *runMegabytes {
		want.Write(block)
	}
	c := sh(t, fmt.Sprintf(`i=0; while [ $i -lt %d ]; do cat %q; i=$((i+1)); done`, *runMegabytes, random))
	c.Stdout = got
	if err := c.Run(); err != nil || !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
		t.Errorf("%v, or not the same bytes", err)
	}
}

// The command lives on when nobody reads its output any more.
func TestRunOutlivesItsReader(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lived")
	c := sh(t, `i=0; while [ $i -lt 2000 ]; do echo "a line that nobody reads, and another one, and one more"; i=$((i+1)); done; echo yes > "`+file+`"`)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := c.Wait(); status(err) != 0 {
		t.Error(err)
	}
	if b, err := os.ReadFile(file); string(b) != "yes\n" {
		t.Errorf("%q, %v", b, err)
	}
}

const countsInterrupts = `trap 'echo interrupted' INT; echo ready; i=0; while [ $i -lt 8 ]; do sleep 0.1; i=$((i+1)); done; echo end`

// A signal to the whole process group reaches the command once.
func TestRunForwardsOnce(t *testing.T) {
	c := sh(t, countsInterrupts)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text := until(t, out, "ready\n")
	syscall.Kill(-c.Process.Pid, syscall.SIGINT)
	rest, _ := io.ReadAll(out)
	if err := c.Wait(); status(err) != 0 {
		t.Error(err)
	}
	if text += string(rest); strings.Count(text, "interrupted\n") != 1 || !strings.HasSuffix(text, "end\n") {
		t.Errorf("%q", text)
	}
}

// In a terminal the command has a terminal, of the same size; what is typed reaches it, an interrupt once.
func TestRunTerminal(t *testing.T) {
	c := sh(t, `[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo terminal; stty size; `+countsInterrupts+`; stty size; exit 9`)
	tty, err := pty.StartWithSize(c, &pty.Winsize{Rows: 33, Cols: 101})
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	text := until(t, tty, "ready\r\n")
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 44, Cols: 99}); err != nil {
		t.Fatal(err)
	}
	if _, err := tty.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(tty) // ends with an error, when the terminal has lost its last process
	text += string(rest)
	if got := status(c.Wait()); got != 9 {
		t.Errorf("status %d", got)
	}
	if !strings.HasPrefix(text, "terminal\r\n33 101\r\n") || strings.Count(text, "interrupted\r\n") != 1 || !strings.HasSuffix(text, "44 99\r\n") {
		t.Errorf("%q", text)
	}
}

// until reads up to and with a text.
func until(t *testing.T, r io.Reader, text string) string {
	t.Helper()
	var got []byte
	for b := make([]byte, 1); !bytes.HasSuffix(got, []byte(text)); {
		if n, err := r.Read(b); err != nil {
			t.Fatalf("%q, %v", got, err)
		} else {
			got = append(got, b[:n]...)
		}
	}
	return string(got)
}

// The short diagnosis of any log is text that Kubernetes takes, and its first line is the answer.
func TestShort(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/logs/*/input.log")
	if err != nil || len(paths) < 40 {
		t.Fatalf("%d logs, %v", len(paths), err)
	}
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := oomdoc.Diagnose("output", f, oomdoc.Options{})
		f.Close()
		if err != nil || len(d.Findings) == 0 {
			continue
		}
		for _, lang := range []string{"en", "zh"} {
			s := short(d, lang)
			if len(s) > maxShort || !utf8.ValidString(s) || strings.ContainsAny(s, "\x1b\x00") || strings.Index(s, "\n") < 8 {
				t.Errorf("%s: %d bytes: %q", path, len(s), s)
			}
		}
	}
}
