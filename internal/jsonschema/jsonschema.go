// Package jsonschema describes Go types as JSON Schemas, so that what is published follows from what is
// written. Comments of the types and their fields become descriptions, the constants of a named text its
// values.
package jsonschema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Object is a JSON object.
type Object = map[string]any

// Generator collects the schemas of the types that it is asked for.
type Generator struct {
	Tag    string  // the struct tag that names the fields: json, yaml
	Source *Source // whose comments are taken
	Closed bool    // no other properties are allowed
	Any    Object  // the schema of an interface value
	Text   Object  // the schema of a plain text

	Definitions Object // of the structs met so far, by their names
}

// Schema returns the schema of a type; named structs become definitions, to which it refers.
func (g *Generator) Schema(t reflect.Type) Object {
	switch t.Kind() {
	case reflect.Pointer:
		return g.Schema(t.Elem())
	case reflect.Struct:
		if t.Name() == "" {
			return g.structure(t)
		}
		if g.Definitions == nil {
			g.Definitions = Object{}
		}
		if _, done := g.Definitions[t.Name()]; !done {
			g.Definitions[t.Name()] = nil // a type may hold itself
			g.Definitions[t.Name()] = g.structure(t)
		}
		return Object{"$ref": "#/definitions/" + t.Name()}
	case reflect.Slice:
		return Object{"type": "array", "items": g.Schema(t.Elem())}
	case reflect.Map:
		return Object{"type": "object", "additionalProperties": g.Schema(t.Elem())}
	case reflect.Bool:
		return Object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return Object{"type": "integer"}
	case reflect.Float64:
		return Object{"type": "number"}
	case reflect.Interface:
		return clone(g.Any)
	}
	if values := g.Source.Values(t); len(values) > 0 {
		return Object{"type": "string", "enum": values}
	}
	return clone(g.Text)
}

func clone(s Object) Object {
	out := Object{}
	for k, v := range s {
		out[k] = v
	}
	return out
}

func (g *Generator) structure(t reflect.Type) Object {
	properties, required := Object{}, []string{}
	g.fields(t, properties, &required)
	s := Object{"type": "object", "properties": properties, "required": required}
	if text := g.Source.Comment(t, ""); text != "" {
		s["description"] = text
	}
	if g.Closed {
		s["additionalProperties"] = false
	}
	return s
}

func (g *Generator) fields(t reflect.Type, properties Object, required *[]string) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get(g.Tag), ",")
		if f.Anonymous && name == "" {
			g.fields(f.Type, properties, required)
			continue
		}
		if name == "-" || !f.IsExported() {
			continue
		}
		s := g.Schema(f.Type)
		if text := g.Source.Comment(t, f.Name); text != "" {
			if ref, ok := s["$ref"]; ok { // beside $ref nothing else counts in draft 7
				s = Object{"allOf": []Object{{"$ref": ref}}}
			}
			s["description"] = text
		}
		properties[name] = s
		if !slices.Contains(strings.Split(options, ","), "omitempty") {
			*required = append(*required, name)
		}
	}
}

// Marshal writes a schema as a file.
func Marshal(s Object) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(s)
	return out.Bytes(), err
}
