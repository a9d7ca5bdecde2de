package oomdoc_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// knot is the largest number of files of a package that may all depend on each other.
const knot = 6

// TestNoKnotsOfFiles holds each package to files that can be understood one after the other. A file depends
// on another where it uses a name that the other declares; a method counts to the file that declares it,
// a field to that of its struct.
func TestNoKnotsOfFiles(t *testing.T) {
	exports := map[string]string{}
	for _, line := range goList(t, "-deps", "-export", "-f", "{{.ImportPath}} {{.Export}}", "./...") {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	for _, line := range goList(t, "-f", `{{.ImportPath}} {{.Dir}} {{join .GoFiles " "}}`, "./...") {
		words := strings.Fields(line)
		var files []*ast.File
		for _, name := range words[2:] {
			file, err := parser.ParseFile(fset, filepath.Join(words[1], name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		info := types.Info{Uses: map[*ast.Ident]types.Object{}}
		pkg, err := (&types.Config{Importer: imports}).Check(words[0], fset, files, &info)
		if err != nil {
			t.Fatal(err)
		}
		from, _ := room(words[0])
		for _, files := range components(dependencies(fset, pkg, info.Uses)) {
			if len(files) > knot {
				t.Errorf("%s: %d files depend on each other, at most %d may: %s", from, len(files), knot, strings.Join(files, " "))
			}
		}
	}
}

// dependencies gives for each file of a package the files whose names it uses.
func dependencies(fset *token.FileSet, pkg *types.Package, uses map[*ast.Ident]types.Object) map[string][]string {
	name := func(pos token.Pos) string { return filepath.Base(fset.Position(pos).Filename) }
	on := map[string][]string{}
	for ident, used := range uses {
		if used.Pkg() != pkg {
			continue
		}
		from, to := name(ident.Pos()), name(used.Pos())
		if from != to && !slices.Contains(on[from], to) {
			on[from] = append(on[from], to)
		}
	}
	return on
}

// components gives the sets of files that all depend on each other (Tarjan's strongly connected components).
func components(on map[string][]string) [][]string {
	var (
		found [][]string
		stack []string
		index = map[string]int{}
		low   = map[string]int{}
		visit func(string)
	)
	visit = func(file string) {
		index[file] = len(index) + 1
		low[file] = index[file]
		stack = append(stack, file)
		for _, next := range on[file] {
			if index[next] == 0 {
				visit(next)
				low[file] = min(low[file], low[next])
			} else if slices.Contains(stack, next) {
				low[file] = min(low[file], index[next])
			}
		}
		if low[file] == index[file] {
			at := slices.Index(stack, file)
			found = append(found, slices.Sorted(slices.Values(stack[at:])))
			stack = stack[:at]
		}
	}
	for file := range on {
		if index[file] == 0 {
			visit(file)
		}
	}
	return found
}
