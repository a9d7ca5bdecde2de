// Package schema describes the YAML of a knowledge base as a JSON Schema, so that editors complete and
// check it. The schema follows from the Go types of package knowledge and their comments.
package schema

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"

	"github.com/oomdoc/oomdoc/knowledge"
)

type object = map[string]any

// Generate returns the schema. source is the text of types.go, whose comments are the descriptions.
func Generate(source []byte) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "types.go", source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	g := generator{comments: comments(file), definitions: object{}}
	var entries []any
	for _, t := range []reflect.Type{reflect.TypeFor[knowledge.Cause](), reflect.TypeFor[knowledge.Remedy]()} {
		ref := g.schema(t)
		g.addition(t.Name())
		entries = append(entries, ref, object{"type": "array", "items": ref})
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err = enc.Encode(object{
		"$schema":     "http://json-schema.org/draft-07/schema#", // the newest that YAML editors agree on
		"title":       "oomdoc knowledge base",
		"description": "A file in causes/ or remedies/: one entry, or a list of them.",
		"anyOf":       entries,
		"definitions": g.definitions,
	})
	return out.Bytes(), err
}

type generator struct {
	comments    map[string]string // of "Type" and "Type.Field"
	definitions object
}

// schema returns the schema of a type; structs become definitions, which it refers to.
func (g *generator) schema(t reflect.Type) object {
	switch t.Kind() {
	case reflect.Struct:
		if _, done := g.definitions[t.Name()]; !done {
			g.definitions[t.Name()] = g.structure(t)
		}
		return object{"$ref": "#/definitions/" + t.Name()}
	case reflect.Slice:
		return object{"type": "array", "items": g.schema(t.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": scalar(t.Elem().Kind())}
	}
	return scalar(t.Kind())
}

// scalar is the schema of a plain value. YAML reads 0.10 and true unquoted as a number and a truth, and
// the loader takes them for text where text is wanted.
func scalar(k reflect.Kind) object {
	switch k {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer"}
	case reflect.Float64:
		return object{"type": "number"}
	}
	return object{"type": []string{"string", "number", "boolean"}}
}

func (g *generator) structure(t reflect.Type) object {
	properties, required := object{}, []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		s := g.schema(f.Type)
		if text := g.comments[t.Name()+"."+f.Name]; text != "" {
			if ref, ok := s["$ref"]; ok { // beside $ref nothing else counts
				s = object{"allOf": []object{{"$ref": ref}}}
			}
			s["description"] = text
		}
		properties[name] = s
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	return object{
		"type": "object", "description": g.comments[t.Name()],
		"properties": properties, "required": required, "additionalProperties": false,
	}
}

// addition lets an entry that says "extends: true" give only what it adds.
func (g *generator) addition(name string) {
	d := g.definitions[name].(object)
	d["if"] = object{"properties": object{"extends": object{"const": true}}, "required": []string{"extends"}}
	d["then"] = object{"required": []string{"id"}}
	d["else"] = object{"required": d["required"]}
	delete(d, "required")
}

// comments returns what the source says about its types and their fields.
func comments(file *ast.File) map[string]string {
	out := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		d, ok := n.(*ast.GenDecl)
		if !ok || d.Tok != token.TYPE {
			return true
		}
		for _, s := range d.Specs {
			t := s.(*ast.TypeSpec)
			out[t.Name.Name] = sentence(d.Doc)
			if body, ok := t.Type.(*ast.StructType); ok {
				for _, f := range body.Fields.List {
					for _, name := range f.Names {
						out[t.Name.Name+"."+name.Name] = sentence(f.Comment)
					}
				}
			}
		}
		return true
	})
	return out
}

func sentence(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
