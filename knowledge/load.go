package knowledge

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io/fs"
	"path"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

//go:generate go run ./internal/gen

// Positions says where in the YAML files the values of a base stand.
type Positions struct {
	entries map[string]map[string]Position
}

// Of returns the place of a field of a cause or remedy: Of("kv-preemption", "signs[2].if"). Where
// the field is not written down it is the place of the entry itself, and the zero Position where
// that is unknown too.
func (p *Positions) Of(id, field string) Position {
	if p == nil {
		return Position{}
	}
	if at, ok := p.entries[id][field]; ok {
		return at
	}
	return p.entries[id][""]
}

// Load reads the causes in causes/*.yaml and the remedies in remedies/*.yaml. A file holds one entry
// or a list of them. The error joins everything that is wrong, each an Error with its place where it has
// one; the base holds what could be read all the same. Whether the entries make sense is Check's business and
// that of package rules.
func Load(fsys fs.FS) (*Base, *Positions, error) {
	l := loader{base: &Base{}, pos: &Positions{map[string]map[string]Position{}}, sum: sha256.New()}
	loadDir(&l, fsys, "causes", &l.base.Causes, func(c *Cause) string { return c.ID })
	loadDir(&l, fsys, "remedies", &l.base.Remedies, func(r *Remedy) string { return r.ID })
	if len(l.errs) == 0 && len(l.pos.entries) == 0 {
		l.errs = append(l.errs, errors.New("neither causes/*.yaml nor remedies/*.yaml holds an entry"))
	}
	l.base.Version = hex.EncodeToString(l.sum.Sum(nil))[:12]
	return l.base, l.pos, errors.Join(l.errs...)
}

type loader struct {
	base *Base
	pos  *Positions
	sum  hash.Hash // of all that was read
	errs []error
}

// loadDir appends the entries of one directory to list, in the order of the file names.
func loadDir[T any](l *loader, fsys fs.FS, dir string, list *[]*T, id func(*T) string) {
	names, err := fs.Glob(fsys, path.Join(dir, "*.yaml"))
	if err != nil {
		l.errs = append(l.errs, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			l.errs = append(l.errs, err)
			continue
		}
		fmt.Fprintf(l.sum, "%s %d\n%s", name, len(text), text)
		var doc yaml.Node
		if err := yaml.Unmarshal(text, &doc); err != nil {
			l.errs = append(l.errs, syntaxError(name, err))
			continue
		}
		for _, n := range entries(&doc) {
			entry := new(T)
			d := decoder{file: name, places: map[string]Position{}}
			d.value(n, reflect.ValueOf(entry).Elem(), "")
			switch key := id(entry); {
			case key == "":
				d.errorf(n, "an entry without an id")
			case l.pos.entries[key] != nil:
				d.errorf(n, "the id %s is taken at %s", key, l.pos.Of(key, ""))
			default:
				l.pos.entries[key] = d.places
				*list = append(*list, entry)
			}
			l.errs = append(l.errs, d.errs...)
		}
	}
}

// entries returns the entries of a document: itself, or the elements of its list.
func entries(doc *yaml.Node) []*yaml.Node {
	if len(doc.Content) == 0 {
		return nil // an empty file, or comments only
	}
	if root := doc.Content[0]; root.Kind == yaml.SequenceNode {
		return root.Content
	}
	return doc.Content
}

// syntaxError puts a YAML syntax error into the form of all others. The library says "yaml: line 3: …",
// without a column.
func syntaxError(file string, err error) error {
	msg := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if rest, ok := strings.CutPrefix(msg, "line "); ok {
		if _, err := fmt.Sscanf(rest, "%d:", &line); err == nil {
			_, msg, _ = strings.Cut(rest, ": ")
		}
	}
	return &Error{Position{file, line, 1}, msg}
}
