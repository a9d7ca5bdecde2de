package packaging

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// releases makes a directory that looks like the releases of a repository, with one, v1.2.3.
func releases(t *testing.T, spoil bool) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "download", "v1.2.3")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "oomdoc")
	command(t, "..", "go", "build", "-o", program, "./cmd/oomdoc")
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	name := "oomdoc_1.2.3_linux_amd64.tar.gz"
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	z, _ := gzip.NewWriterLevel(io.MultiWriter(f, sum), gzip.BestSpeed)
	w := tar.NewWriter(z)
	if err := w.WriteHeader(&tar.Header{Name: "oomdoc", Mode: 0o755, Size: int64(len(text))}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("%x  %s\n", sum.Sum(nil), name)
	if spoil {
		line = strings.Repeat("0", 64) + "  " + name + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	return "file://" + filepath.Dir(filepath.Dir(dir))
}

// TestAction runs the action's script as a runner does: inputs in the environment, files for what it gives back.
func TestAction(t *testing.T) {
	for _, tool := range []string{"bash", "curl", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: there is no %s here", tool)
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: the fake runner is Linux")
	}
	good, bad := releases(t, false), releases(t, true)
	logs, err := filepath.Abs("../testdata/logs")
	if err != nil {
		t.Fatal(err)
	}
	fails := filepath.Join(logs, "seed-002-startup-check", "*.log")
	for _, tt := range []struct {
		name    string
		inputs  []string
		status  int
		outputs string // what stands in the file of outputs
		prints  string
		summary bool
	}{
		{"a log", []string{"LOG=" + fails}, 1, "cause=startup-free-memory\nheadline=vLLM 0.9.1 did not start: less is free", "::error title=oomdoc%3A startup-free-memory::", true},
		{"never", []string{"LOG=" + fails, "FAIL_ON=never"}, 0, "cause=startup-free-memory", "::error", true},
		{"中文", []string{"LOG=" + fails, "LANG=zh"}, 1, "headline=vLLM 0.9.1", "显存", true},
		{"healthy", []string{"LOG=" + filepath.Join(logs, "healthy-v1", "*.log")}, 0, "cause=\nheadline=\n", "No memory failure found", true},
		{"a command that succeeds", []string{"RUN=echo all is well"}, 0, "cause=\n", "all is well", true},
		{"a command that fails", []string{"RUN=cat " + fails + "; exit 7"}, 7, "cause=startup-free-memory", "::error", true},
		{"a command that fails otherwise", []string{"RUN=echo no; false | true; exit 3"}, 1, "cause=\n", "no", true},
		{"a command that says nothing", []string{"RUN=exit 3"}, 3, "", "", false},
		{"no such log", []string{"LOG=/none/*.log"}, 2, "", "no file is called /none/*.log", false},
		{"neither", nil, 2, "", "give log or run", false},
		{"both", []string{"LOG=x", "RUN=y"}, 2, "", "not both", false},
		{"fail-on", []string{"LOG=x", "FAIL_ON=always"}, 2, "", "must be diagnosed or never", false},
		{"no such release", []string{"LOG=" + fails, "VERSION=v9.9.9"}, 2, "", "cannot be had", false},
		{"another archive", []string{"LOG=" + fails, "RELEASES=" + bad}, 2, "", "is not what checksums.txt says", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			file := func(name string) string { return filepath.Join(dir, name) }
			env := append(os.Environ(),
				"RUNNER_OS=Linux", "RUNNER_ARCH=X64", "RUNNER_TEMP="+dir, "GITHUB_ACTIONS=true", "CI=true",
				"GITHUB_OUTPUT="+file("output"), "GITHUB_PATH="+file("path"), "GITHUB_STEP_SUMMARY="+file("summary"),
				"OOMDOC_VERSION=v1.2.3", "OOMDOC_LOG=", "OOMDOC_RUN=", "OOMDOC_FAIL_ON=diagnosed", "OOMDOC_LANG=en", "OOMDOC_RELEASES="+good)
			for _, input := range tt.inputs {
				env = append(env, "OOMDOC_"+input)
			}
			script, err := filepath.Abs("action")
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("bash", script)
			cmd.Dir, cmd.Env = dir, env
			out, err := cmd.CombinedOutput()
			status := 0
			if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
				status = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			outputs, _ := os.ReadFile(file("output"))
			if status != tt.status || !strings.Contains(string(out), tt.prints) || !strings.Contains(string(outputs), tt.outputs) {
				t.Errorf("status %d, want %d; printed %s; outputs %s", status, tt.status, out, outputs)
			}
			if _, err := os.Stat(file("summary")); (err == nil) != tt.summary {
				t.Errorf("a summary: %v", err == nil)
			}
		})
	}
}

// TestActionInputs: action.yml hands over what the script reads, and gives back what it writes.
func TestActionInputs(t *testing.T) {
	var a struct {
		Inputs  map[string]struct{ Description string }
		Outputs map[string]struct{ Value string }
		Runs    struct {
			Steps []struct {
				Run string
				Env map[string]string
			}
		}
	}
	readYAML(t, "../action.yml", &a)
	step := a.Runs.Steps[0]
	var handed []string
	for name, value := range step.Env {
		input := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, "OOMDOC_"), "_", "-"))
		if value != "${{ inputs."+input+" }}" || a.Inputs[input].Description == "" {
			t.Errorf("%s is %s", name, value)
		}
		handed = append(handed, input)
	}
	if len(handed) != len(a.Inputs) {
		t.Errorf("%v of %d inputs are handed over", handed, len(a.Inputs))
	}
	if step.Run != `"$GITHUB_ACTION_PATH/packaging/action"` {
		t.Errorf("runs %s", step.Run)
	}
	script, err := os.ReadFile("action")
	if err != nil {
		t.Fatal(err)
	}
	for name := range a.Outputs {
		if !slices.ContainsFunc(strings.Split(string(script), "\n"), func(l string) bool { return strings.Contains(l, `echo "`+name+"=") }) {
			t.Errorf("the script gives no %s", name)
		}
	}
}
