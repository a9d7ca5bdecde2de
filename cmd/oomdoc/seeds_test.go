package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// claims is how many claims each of the five documents makes.
var claims = []int{16, 10, 21, 11, 15}

// TestSeeds runs the command of every row of docs/seeds.md and looks for the words that it is to show.
func TestSeeds(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // no site adds to it
	t.Chdir("../..")
	text, err := os.ReadFile("docs/seeds.md")
	if err != nil {
		t.Fatal(err)
	}
	var numbers []string
	output := map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		number := strings.TrimSpace(cells[0])
		if len(cells) < 2 || number == "no." || strings.HasPrefix(number, "---") {
			continue
		}
		if len(cells) != 6 {
			t.Errorf("%s: %d cells", number, len(cells))
			continue
		}
		numbers = append(numbers, number)
		command, shows := strings.Trim(strings.TrimSpace(cells[4]), "`"), strings.TrimSpace(cells[5])
		if _, ran := output[command]; !ran {
			output[command] = runCommand(t, command)
		}
		if shows == "" || !strings.Contains(output[command], strings.Join(strings.Fields(shows), " ")) {
			t.Errorf("%s: %s does not show %q", number, command, shows)
		}
	}
	var want []string
	for doc, n := range claims {
		for i := range n {
			want = append(want, fmt.Sprintf("%d.%d", doc, i+1))
		}
	}
	if got := strings.Join(numbers, " "); got != strings.Join(want, " ") {
		t.Errorf("rows %s\nwant %s", got, want)
	}
}

// runCommand returns what "oomdoc …" prints, white space squeezed.
func runCommand(t *testing.T, command string) string {
	t.Helper()
	args := strings.Fields(command)
	if len(args) < 2 || args[0] != "oomdoc" {
		t.Fatalf("%q is no command of oomdoc", command)
	}
	var out, problems bytes.Buffer
	run(append(args[1:], "--lang", "en", "--width", "100"), os.Stdin, &out, &problems)
	if problems.Len() > 0 {
		t.Errorf("%s: %s", command, problems.String())
	}
	return strings.Join(strings.Fields(out.String()), " ")
}
