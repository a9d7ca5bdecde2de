package packaging

import (
	"archive/zip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// findPython returns a Python that the package supports.
func findPython(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"python3", "python"} {
		out, err := exec.Command(name, "-c", "import sys; print(sys.version_info >= (3, 9))").Output()
		if err == nil && strings.TrimSpace(string(out)) == "True" {
			return name
		}
	}
	t.Skip("SKIPPED: there is no Python from 3.9 on here")
	return ""
}

// unpack lays a wheel out as pip --target does.
func unpack(t *testing.T, wheel string) (dir string) {
	t.Helper()
	z, err := zip.OpenReader(wheel)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir = t.TempDir()
	for _, f := range z.File {
		name := f.Name
		if _, script, ok := strings.Cut(name, ".data/scripts/"); ok {
			name = "bin/" + script
			if f.Mode().Perm() != 0o755 {
				t.Errorf("%s has mode %v", f.Name, f.Mode())
			}
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		r.Close()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, f.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPython builds the wheel of this machine, twice, and runs the package's own tests against what is in it.
func TestPython(t *testing.T) {
	python := findPython(t)
	platform := runtime.GOOS + "_" + runtime.GOARCH
	program := filepath.Join(t.TempDir(), "oomdoc")
	command(t, "..", "go", "build", "-o", program, "./cmd/oomdoc")
	var wheels []string
	for range 2 {
		out := t.TempDir()
		wheels = append(wheels, command(t, "..", python, "python/build_wheels.py", "--out", out, "--platform", platform, "--binary", program, "--version", "1.2.3"))
	}
	one, err := os.ReadFile(wheels[0])
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(wheels[1])
	if err != nil {
		t.Fatal(err)
	}
	if string(one) != string(other) {
		t.Error("two wheels of one program differ")
	}
	if name := filepath.Base(wheels[0]); !strings.HasPrefix(name, "oomdoc-1.2.3-py3-none-") {
		t.Errorf("the wheel is called %s", name)
	}
	dir := unpack(t, wheels[0])
	logs, err := filepath.Abs("../testdata/logs")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "test_oomdoc.py")
	cmd.Dir = "../python/tests"
	cmd.Env = append(os.Environ(), "PYTHONPATH="+dir, "OOMDOC_LOGS="+logs, "PYTHONDONTWRITEBYTECODE=1")
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "\nOK") {
		t.Errorf("%v\n%s", err, out)
	}
}
