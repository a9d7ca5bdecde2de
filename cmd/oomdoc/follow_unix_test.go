//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/oomdoc/oomdoc/live"
)

// follows runs oomdoc -f until its output ends with a text, and ends it by a signal.
func follows(t *testing.T, end string, by syscall.Signal, args ...string) (stdout, stderr string) {
	t.Helper()
	c := exec.Command(program(t), append([]string{"-f"}, args...)...)
	var errs strings.Builder
	c.Stderr = &errs
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stdout = until(t, out, end)
	if err := c.Process.Signal(by); err != nil {
		t.Fatal(err)
	}
	if got := status(c.Wait()); got != 128+int(by) {
		t.Errorf("status %d", got)
	}
	return stdout, errs.String()
}

// Where following begins, and where it goes on after an end and a rotation.
func TestFollowBegins(t *testing.T) {
	t.Chdir(t.TempDir())
	add := func(file, text string) {
		t.Helper()
		f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = f.WriteString(text)
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	prints := func(want string, args ...string) {
		t.Helper()
		if got, _ := follows(t, want, syscall.SIGTERM, append(args, "--print", "a.log")...); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
	add("a.log", "1\n2\n3\n")
	prints("1\n2\n3\n")
	prints("1\n2\n3\n", "--since-start", "--poll")
	prints("3\n", "-n", "1")
	prints("2\n3\n", "--lines", "2")
	prints("1\n2\n3\n", "--checkpoint", "seen")
	add("a.log", "4\n")
	if err := os.Rename("a.log", "a.log.1"); err != nil {
		t.Fatal(err)
	}
	add("a.log", "5\n")
	prints("4\n5\n", "--checkpoint", "seen")
	add("a.log", "6\n")
	prints("6\n", "--checkpoint", "seen")
}

// The events that docs/json.md tells of, from files.
func TestFollowEvents(t *testing.T) {
	dir := t.TempDir()
	log, err := os.ReadFile("../../testdata/logs/live-kv-full-one-engine/input.log")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "server.log")
	if err := os.WriteFile(path, log, 0o644); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(dir, "none.log")
	out, _ := follows(t, "\"cause\":\"kv-preemption\"}\n", syscall.SIGINT, "--format", "ndjson", none, path)
	var kinds []string
	for line := range strings.Lines(out) {
		var e live.EventJSON
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Schema != live.Schema {
			t.Fatalf("%v: %s", err, line)
		}
		if e.Source != map[bool]string{true: none, false: path}[e.Event == live.Notice] {
			t.Errorf("source %q of %s", e.Source, line)
		}
		if len(kinds) == 0 || kinds[len(kinds)-1] != string(e.Event) {
			kinds = append(kinds, string(e.Event))
		}
	}
	if got := strings.Join(kinds, " "); got != "notice run phase warning cleared" {
		t.Errorf("events: %s", got)
	}
}
