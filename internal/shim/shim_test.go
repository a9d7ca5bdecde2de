package shim

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestName(t *testing.T) {
	for _, tt := range []struct{ file, arg0, want string }{
		{"/opt/oomdoc/oomdoc-shim", "/opt/oomdoc/vllm", "vllm"},
		{"/opt/oomdoc/oomdoc-shim", "vllm", "vllm"},
		{"/opt/oomdoc/oomdoc-shim", "oomdoc", ""},
		{"/opt/oomdoc/oomdoc-shim", "./oomdoc-shim", ""},
		{"/usr/bin/oomdoc", "oomdoc", ""},
		{"/usr/bin/oomdoc", "doc", ""}, // somebody's own link
		{"/home/me/doc", "doc", ""},
	} {
		if got := Name(tt.file, tt.arg0); got != tt.want {
			t.Errorf("%s as %s: %q, want %q", tt.file, tt.arg0, got, tt.want)
		}
	}
}

func TestLasts(t *testing.T) {
	for line, want := range map[string]bool{
		"vllm serve org/model":              true,
		"vllm serve org/model --port 80":    true,
		"vllm --version":                    false,
		"vllm serve --help":                 false,
		"vllm serve -h":                     false,
		"vllm chat":                         false,
		"vllm":                              false,
		"torchrun --nproc-per-node 8 x.py":  true,
		"torchrun x.py -- --help":           true,
		"torchrun --help":                   false,
		"accelerate config":                 false,
		"accelerate launch train.py":        true,
		"something-of-ours --config a.yaml": true,
		"something-of-ours --version":       false,
	} {
		words := strings.Fields(line)
		if got := Lasts(words[0], words[1:]); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
}

func program(t *testing.T, path string, mode os.FileMode) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), mode); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInstallAndFind(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: links and modes are not what they are elsewhere")
	}
	base := t.TempDir()
	self := program(t, filepath.Join(base, "image", "oomdoc"), 0o755)
	dir := filepath.Join(base, "shim")
	for range 2 { // an upgrade installs again
		if err := Install(dir, self, []string{"vllm", "torchrun"}); err != nil {
			t.Fatal(err)
		}
	}
	real := program(t, filepath.Join(base, "bin", "vllm"), 0o755)
	program(t, filepath.Join(base, "data", "vllm"), 0o644)
	if err := os.MkdirAll(filepath.Join(base, "folder", "vllm"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := strings.Join([]string{dir, "", ".", filepath.Join(base, "none"), filepath.Join(base, "folder"), filepath.Join(base, "data"), dir, filepath.Join(base, "bin")}, string(filepath.ListSeparator))
	if got, err := Find("vllm", path, filepath.Join(dir, Program)); err != nil || got != real {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := Find("torchrun", path, filepath.Join(dir, Program)); err == nil {
		t.Errorf("found %s", got)
	}
	if files, _ := os.ReadDir(dir); len(files) != 4 {
		t.Errorf("%v lie there", files)
	}
	for _, name := range []string{"oomdoc", "oomdoc-shim", "../vllm", "a/b", "", ".", ".."} {
		if err := Install(dir, self, []string{name}); err == nil {
			t.Errorf("%q was linked", name)
		}
	}
	// What is not ours stays.
	program(t, filepath.Join(dir, "mine"), 0o755)
	if err := Install(dir, self, []string{"mine"}); err == nil {
		t.Error("somebody's program was replaced")
	}
}
