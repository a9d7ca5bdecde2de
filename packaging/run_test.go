//go:build linux

package packaging

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// server is a script in a server's place. It says whether it is watched, and fails as its arguments say.
const server = `#!/bin/sh
echo "args: $*"
case $1 in
serve)
	echo 'ERROR 10-08 20:33:48 [core.py:708] ValueError: Free memory on device (6.92/8.0 GiB) on startup is less than desired GPU memory utilization (0.9, 7.2 GiB). Decrease it.'
	(sleep 0.1; :) & # an orphan, once this has ended
	exit 7 ;;
term)
	trap 'echo stopped; exit 9' TERM
	kill -TERM $PPID # who stands in front passes it on
	while :; do sleep 0.05; done ;;
esac
`

// TestStandingInFront: oomdoc run and the shim, as any process and as the first of a container.
func TestStandingInFront(t *testing.T) {
	bin := t.TempDir()
	program := filepath.Join(bin, "oomdoc")
	command(t, "..", "go", "build", "-o", program, "./cmd/oomdoc")
	real := t.TempDir()
	if err := os.WriteFile(filepath.Join(real, "vllm"), []byte(server), 0o755); err != nil {
		t.Fatal(err)
	}
	shim := filepath.Join(t.TempDir(), "shim")
	command(t, ".", program, "shim", "install", shim, "vllm", "torchrun")
	broken := t.TempDir()
	if err := os.MkdirAll(filepath.Join(broken, "oomdoc", "knowledge", "causes"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(broken, "oomdoc", "knowledge", "causes", "x.yaml"), []byte("id: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	ways := map[string][]string{"a process": nil}
	first := []string{"unshare", "--user", "--map-root-user", "--pid", "--fork", "--mount-proc"}
	if err := exec.Command(first[0], append(first[1:], "true")...).Run(); err != nil {
		t.Logf("SKIPPED as PID 1: unshare: %v", err)
	} else {
		ways["PID 1"] = first
	}
	path := "PATH=" + shim + ":" + real + ":/usr/bin:/bin"
	for way, before := range ways {
		for _, tt := range []struct {
			name      string
			env       []string
			line      string
			status    int
			diagnosed bool
			prints    string
		}{
			{"run", nil, program + " run -- vllm serve m", 7, true, "args: serve m"},
			{"shim", nil, "vllm serve m", 7, true, "args: serve m"},
			{"shim, by its own path", nil, shim + "/vllm serve m", 7, true, "args: serve m"},
			{"a question", nil, "vllm --version", 0, false, "args: --version"},
			{"switched off", []string{"OOMDOC_SHIM=off"}, "vllm serve m", 7, false, "args: serve m"},
			{"the program itself", nil, "oomdoc list causes --search preempt", 0, false, "kv-preemption"},
			{"the program in front", nil, "oomdoc run -- vllm serve m", 7, true, "args: serve m"},
			{"a knowledge base that is broken", []string{"XDG_CONFIG_HOME=" + broken}, "vllm serve m", 7, false, "args: serve m"},
			{"stopped", nil, "oomdoc run -- vllm term", 9, false, "stopped"},
			{"nothing behind the shim", nil, "torchrun x.py", 127, false, "not found on PATH behind the shim"},
		} {
			t.Run(way+", "+tt.name, func(t *testing.T) {
				words := append(append([]string{}, before...), "sh", "-c", "exec "+tt.line)
				cmd := exec.Command(words[0], words[1:]...)
				cmd.Env = append(append([]string{"HOME=" + real, "LANG=C.UTF-8", path}, tt.env...), "TERM=dumb")
				out, err := cmd.CombinedOutput()
				status := 0
				if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
					status = exit.ExitCode()
				} else if err != nil {
					t.Fatal(err)
				}
				told := strings.Count(string(out), "cause startup-free-memory")
				if status != tt.status || (told == 1) != tt.diagnosed || told > 1 || !strings.Contains(string(out), tt.prints) {
					t.Errorf("status %d, want %d; told %d times\n%s", status, tt.status, told, out)
				}
			})
		}
	}
}
