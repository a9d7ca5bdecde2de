package mcp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Roots are the directories under which files may be read.
type Roots struct{ list []root }

type root struct {
	dir *os.Root
	at  string // absolute, without symbolic links
}

// OpenRoots opens the directories, relative ones from the working directory.
func OpenRoots(dirs []string) (*Roots, error) {
	var r Roots
	for _, dir := range dirs {
		at, err := filepath.Abs(dir)
		if err == nil {
			at, err = filepath.EvalSymlinks(at)
		}
		if err != nil {
			return nil, fmt.Errorf("the root %s: %w", dir, reason(err))
		}
		open, err := os.OpenRoot(at)
		if err != nil {
			return nil, fmt.Errorf("the root %s: %w", dir, reason(err))
		}
		r.list = append(r.list, root{open, at})
	}
	return &r, nil
}

// Close closes the directories.
func (r *Roots) Close() {
	for _, d := range r.list {
		d.dir.Close()
	}
}

// Open opens a regular file under a root. A relative path is looked for under each in turn. Symbolic links are
// followed as long as they end under a root; the directory is asked once more while opening, so that a link that
// changes meanwhile does not lead out either.
func (r *Roots) Open(path string) (*os.File, error) {
	if strings.TrimSpace(path) == "" {
		return nil, errors.New("the path is empty; name a log file")
	}
	missing, outside := false, false
	for _, base := range r.list {
		full := path
		if !filepath.IsAbs(path) {
			full = filepath.Join(base.at, path)
		}
		real, err := filepath.EvalSymlinks(full)
		if err != nil {
			missing = missing || r.holds(filepath.Clean(full))
			continue
		}
		for _, d := range r.list {
			if name, ok := d.inside(real); ok {
				return d.open(name, path)
			}
		}
		outside = true
	}
	if missing && !outside {
		return nil, fmt.Errorf("%s: no such file under %s", path, r)
	}
	return nil, fmt.Errorf("%s lies outside of what may be read; only files under %s are (started with --root DIR for others)", path, r)
}

// holds reports whether a path, which need not exist, lies under a root.
func (r *Roots) holds(path string) bool {
	for _, d := range r.list {
		if _, ok := d.inside(path); ok {
			return true
		}
	}
	return false
}

// inside returns the path from the root.
func (d root) inside(path string) (string, bool) {
	name, err := filepath.Rel(d.at, path)
	return name, err == nil && filepath.IsLocal(name)
}

func (d root) open(name, called string) (*os.File, error) {
	info, err := d.dir.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called, reason(err))
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory; name a log in it%s", called, d.examples(name))
	}
	if !info.Mode().IsRegular() { // a pipe or a device could be waited for without end
		return nil, fmt.Errorf("%s is no regular file", called)
	}
	f, err := d.dir.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", called, reason(err))
	}
	return f, nil
}

// examples names some files of a directory.
func (d root) examples(name string) string {
	list, err := fs.ReadDir(d.dir.FS(), filepath.ToSlash(name))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range list {
		if e.Type().IsRegular() && len(names) < 10 {
			names = append(names, e.Name())
		}
	}
	if len(names) == 0 {
		return ""
	}
	return ", such as " + strings.Join(names, ", ")
}

// String lists the directories.
func (r *Roots) String() string {
	var dirs []string
	for _, d := range r.list {
		dirs = append(dirs, d.at)
	}
	return strings.Join(dirs, ", ")
}

// reason takes the path off an error whose text names it already.
func reason(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}
