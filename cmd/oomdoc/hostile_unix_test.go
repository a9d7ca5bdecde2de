//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"

	"github.com/oomdoc/oomdoc/internal/attack"
	"github.com/oomdoc/oomdoc/parser"
)

// onTerminal runs the program with a terminal for its output, standard error too, and returns what the terminal got.
func onTerminal(t *testing.T, stdin *os.File, args ...string) string {
	t.Helper()
	screen, tty, err := pty.Open()
	if err != nil {
		t.Skip("no terminals here:", err)
	}
	defer screen.Close()
	got := make(chan string)
	go func() {
		b, _ := io.ReadAll(screen) // ends with an error, when the terminal has lost its last process
		got <- string(b)
	}()
	run(args, stdin, tty, tty)
	tty.Close()
	return strings.ReplaceAll(<-got, "\r\n", "\n")
}

// A terminal gets printable text and the program's own colours, also where a log's lines are copied to it.
func TestTerminalGetsPrintableText(t *testing.T) {
	all := failure(strings.Join(attack.Texts, " "))
	dir := t.TempDir()
	log := filepath.Join(dir, "log"+attack.Name(attack.Texts[0]))
	if err := os.WriteFile(log, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"--format", "text", log}, {"--format", "json", log}, {"--format", "issue", log}, {"plan", log, "--set", "max_model_len=8192"}, {"plan", log, "--solve", "max_model_len"},
		{"list"}, {"explain", "kv-cache-below-max-len"}, {"explain", "kv-too-small-v1"}, {"list", "--search", attack.Texts[0]}, {log + "x"}, {"kb", "lint", dir},
		{"-f", "--print", "-"}, {"-f", "--format", "text", "-"}, {"-f", "--format", "json", "-"},
	} {
		stdin, err := os.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		out := onTerminal(t, stdin, args...)
		stdin.Close()
		if bad := attack.Foreign(ownColours.ReplaceAllString(out, "")); bad != "" {
			t.Errorf("%q prints %q", args, bad)
		}
		if len(out) < 20 {
			t.Errorf("%q prints only %q", args, out)
		}
	}
	stdin, err := os.Open(log)
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if out := onTerminal(t, stdin, "-f", "--print", "--raw", "-"); !strings.Contains(out, attack.Texts[0]) {
		t.Errorf("--raw prints %q", out)
	}
}

// What oomdoc run says itself is printable, and so is the report that it leaves behind; the command's output is its own.
func TestRunSaysPrintableText(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	for _, text := range attack.Texts {
		dir := t.TempDir()
		log, left := filepath.Join(dir, "log"), filepath.Join(dir, "report")
		if err := os.WriteFile(log, []byte(failure(text)), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		run([]string{"run", "--report", left, "--", "sh", "-c", `cat "$0"; exit 1`, log}, null, &out, &errs)
		if !strings.Contains(out.String(), text) {
			t.Errorf("%q has not passed", text)
		}
		short, err := os.ReadFile(left)
		if err != nil {
			t.Error(err)
		}
		for _, said := range []string{errs.String(), string(short)} {
			if bad := attack.Foreign(ownColours.ReplaceAllString(said, "")); bad != "" || len(said) < 20 {
				t.Errorf("%q makes run say %q", text, bad+said[:min(len(said), 20)])
			}
		}
	}
}

// The catalogue that ships has an example for each message, and its pages show them all.
func TestPagesArePrintable(t *testing.T) {
	for i, m := range parser.Catalogue() {
		said := m.Doc + strings.Join(m.Wordings, "") + strings.ReplaceAll(strings.Join(m.Examples, ""), "\t", "")
		if i%16 == 0 { // a page takes its time
			var out, errs bytes.Buffer
			run([]string{"explain", m.ID}, nil, &out, &errs)
			said = out.String() + errs.String()
		}
		if bad := attack.Foreign(said); bad != "" {
			t.Errorf("%s says %q", m.ID, bad)
		}
	}
}
