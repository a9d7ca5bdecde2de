//go:build unix

package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestEpilog: one diagnosis beside the logs of a job's ranks, none where memory did not fail; it never fails itself.
func TestEpilog(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("SKIPPED: there is no bash here")
	}
	bin, logs := t.TempDir(), t.TempDir()
	command(t, "..", "go", "build", "-o", filepath.Join(bin, "oomdoc"), "./cmd/oomdoc")
	script := func(name, text string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script("scontrol", "echo \"   StdErr=/dev/null\n   StdOut="+logs+"/train-$4-%t.log\"\n")
	script("runuser", "[ \"$2\" = somebody ] || exit 9\nshift 3\nexec \"$@\"\n")
	golden, err := os.ReadFile("../testdata/logs/seed-002-startup-check/input.log")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"train-7-0.log": string(golden), "train-7-1.log": "all is well\n", "train-8-0.log": "all is well\n"} {
		if err := os.WriteFile(filepath.Join(logs, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for job, want := range map[string]string{"7": "cause startup-free-memory", "8": "", "9": ""} {
		cmd := exec.Command("bash", "slurm/epilog")
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "SLURM_JOB_ID="+job, "SLURM_JOB_USER=somebody")
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("job %s: %v %s", job, err, out)
		}
		text, err := os.ReadFile(filepath.Join(logs, "oomdoc-"+job+".txt"))
		if (err == nil) != (want != "") || !strings.Contains(string(text), want) {
			t.Errorf("job %s: %v %s", job, err, text)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(logs, "*.tmp")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
