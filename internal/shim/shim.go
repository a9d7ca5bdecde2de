// Package shim puts the program in front of a command where its command line cannot be changed: in a directory that
// stands first on PATH lies a link with the command's name, which leads to the program. Started under that name
// it looks for the command behind its own directory, and stands in front of it where that is a start that lasts.
// It fails open: whatever is odd, the command is run as if nobody stood there.
package shim

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Program is the name under which the program lies beside its links. It has this name nowhere else: somebody's link
// with a name of his own is no shim.
const Program = "oomdoc-shim"

// Marker is the variable that tells a shim that somebody stands in front already: oomdoc run sets it for what it runs.
const Marker = "OOMDOC_SHIM"

// own are the names under which the program in the directory is itself.
var own = []string{Program, "oomdoc"}

// Name returns the command that the program at file, started as arg0, stands in for, "" where it is itself.
func Name(file, arg0 string) string {
	name := filepath.Base(arg0)
	if filepath.Base(file) != Program || slices.Contains(own, name) {
		return ""
	}
	return name
}

// servers says with which first word a command starts something that lasts; other commands do with any words.
var servers = map[string][]string{
	"vllm": {"serve", "run-batch", "bench"}, "sglang": {"serve"}, "trtllm-serve": {"serve"},
	"accelerate": {"launch"}, "ray": {"start"}, "text-generation-launcher": nil, "torchrun": nil, "deepspeed": nil,
}

// asks are words that make a command answer and end.
var asks = []string{"--help", "-h", "--version", "-V"}

// Lasts reports whether a command line starts something that may run out of memory, rather than asking something.
func Lasts(name string, args []string) bool {
	if len(args) == 0 {
		return false
	}
	before := args
	if i := slices.Index(args, "--"); i >= 0 {
		before = args[:i]
	}
	if slices.ContainsFunc(before, func(a string) bool { return slices.Contains(asks, a) }) {
		return false
	}
	first, known := servers[name]
	return !known || first == nil || slices.Contains(first, args[0])
}

// Find returns the first executable of a name on a path whose file is not the program itself.
func Find(name, path, self string) (string, error) {
	this, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // as exec.LookPath: what lies in the working directory is not what was meant
		}
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		if err != nil || info.IsDir() || info.Mode()&0o111 == 0 || os.SameFile(info, this) {
			continue
		}
		return file, nil
	}
	return "", fmt.Errorf("%s: not found on PATH behind the shim", name)
}

// Install copies the program at self into dir and links its own name and those of the commands to it. What is there
// already and is no such link stays, and is an error.
func Install(dir, self string, names []string) error {
	for _, name := range names {
		if name != filepath.Base(name) || slices.Contains(own, name) || strings.HasPrefix(name, ".") {
			return fmt.Errorf("%q is no name of a command", name)
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(dir, Program), self); err != nil {
		return err
	}
	for _, name := range append([]string{"oomdoc"}, names...) {
		link := filepath.Join(dir, name)
		if to, err := os.Readlink(link); err == nil && to == Program {
			continue
		}
		if err := os.Symlink(Program, link); err != nil {
			return fmt.Errorf("%w; the directory of a shim holds nothing else", err)
		}
	}
	return nil
}

// copyFile copies a program; whoever starts it meanwhile gets the old one or the new one.
func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), "."+Program+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(0o755), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}
