// Package schema describes the YAML of a knowledge base as a JSON Schema, so that editors complete and
// check it. The schema follows from the Go types of package knowledge and their comments.
package schema

import (
	"reflect"

	"github.com/oomdoc/oomdoc/internal/jsonschema"
	"github.com/oomdoc/oomdoc/knowledge"
)

type object = jsonschema.Object

// scalar is a plain value: YAML reads 0.10 and true unquoted as a number and a truth, and the loader takes
// them for text where text is wanted.
var scalar = object{"type": []string{"string", "number", "boolean"}}

// Generate returns the schema. dir is that of package knowledge, whose comments are the descriptions.
func Generate(dir string) ([]byte, error) {
	source, err := jsonschema.ReadSource(dir)
	if err != nil {
		return nil, err
	}
	g := jsonschema.Generator{Tag: "yaml", Source: source, Closed: true, Any: scalar, Text: scalar}
	var entries []any
	for _, t := range []reflect.Type{reflect.TypeFor[knowledge.Cause](), reflect.TypeFor[knowledge.Remedy]()} {
		ref := g.Schema(t)
		addition(g.Definitions[t.Name()].(object))
		entries = append(entries, ref, object{"type": "array", "items": ref})
	}
	return jsonschema.Marshal(object{
		"$schema":     "http://json-schema.org/draft-07/schema#", // the newest that YAML editors agree on
		"title":       "oomdoc knowledge base",
		"description": "A file in causes/ or remedies/: one entry, or a list of them.",
		"anyOf":       entries,
		"definitions": g.Definitions,
	})
}

// addition lets an entry that says "extends: true" give only what it adds.
func addition(d object) {
	d["if"] = object{"properties": object{"extends": object{"const": true}}, "required": []string{"extends"}}
	d["then"] = object{"required": []string{"id"}}
	d["else"] = object{"required": d["required"]}
	delete(d, "required")
}
