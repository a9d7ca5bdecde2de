package jsonschema

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// Source is what the files of some packages say about their types.
type Source struct {
	comments map[string]string   // of "package.Type" and "package.Type.Field"
	values   map[string][]string // of "package.Type": its text constants
}

// ReadSource reads the Go files of directories, tests left out. A package is known by its directory's name.
func ReadSource(dirs ...string) (*Source, error) {
	s := &Source{map[string]string{}, map[string][]string{}}
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			s.read(file)
		}
	}
	return s, nil
}

func (s *Source) read(file *ast.File) {
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.typ(file.Name.Name+"."+spec.Name.Name, g, spec)
			case *ast.ValueSpec:
				s.constants(file.Name.Name, g, spec)
			}
		}
	}
}

func (s *Source) typ(name string, g *ast.GenDecl, spec *ast.TypeSpec) {
	s.comments[name] = sentence(g.Doc)
	if body, ok := spec.Type.(*ast.StructType); ok {
		for _, f := range body.Fields.List {
			for _, field := range f.Names {
				s.comments[name+"."+field.Name] = sentence(f.Comment)
			}
		}
	}
}

func (s *Source) constants(pkg string, g *ast.GenDecl, spec *ast.ValueSpec) {
	typ, ok := spec.Type.(*ast.Ident)
	if !ok || g.Tok != token.CONST {
		return
	}
	for _, v := range spec.Values {
		if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if word, err := strconv.Unquote(lit.Value); err == nil {
				s.values[pkg+"."+typ.Name] = append(s.values[pkg+"."+typ.Name], word)
			}
		}
	}
}

func sentence(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }

// Comment returns what is said of a type, or of its field; "" for types without a name.
func (s *Source) Comment(t reflect.Type, field string) string {
	if t.Name() == "" {
		return ""
	}
	return s.comments[strings.TrimSuffix(t.String()+"."+field, ".")]
}

// Values returns the constants of a named text.
func (s *Source) Values(t reflect.Type) []string { return s.values[t.String()] }
