// Command gen writes the JSON Schemas of docs/schema and the list of their fields. Run it through go generate.
package main

import (
	"log"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/internal/jsonschema"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/report"
)

func main() {
	log.SetFlags(0)
	files, err := generate("../..", ".")
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

type object = jsonschema.Object

// generate returns the files of docs/schema, which is dir, for the module at root.
func generate(root, dir string) (map[string][]byte, error) {
	var packages []string
	for _, p := range []string{"report", "live", "memory"} {
		packages = append(packages, filepath.Join(root, p))
	}
	source, err := jsonschema.ReadSource(packages...)
	if err != nil {
		return nil, err
	}
	schemas := map[string]object{
		"report": described(source, reflect.TypeFor[report.JSON](), report.Schema, "What oomdoc --format json prints. Fields may be added under the same version; none changes its meaning or goes away."),
		"event":  described(source, reflect.TypeFor[live.EventJSON](), live.Schema, "One line of oomdoc --follow --format ndjson."),
		"facts":  factsSchema(),
	}
	out := map[string][]byte{}
	var fields []string
	for name, s := range schemas {
		if out[name+".schema.json"], err = jsonschema.Marshal(s); err != nil {
			return nil, err
		}
		fields = append(fields, list(s, s, name)...)
	}
	published, err := os.ReadFile(filepath.Join(dir, "fields.txt"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	fields = append(fields, strings.Fields(string(published))...) // what has vanished stays, and a test tells
	slices.Sort(fields)
	out["fields.txt"] = []byte(strings.Join(slices.Compact(fields), "\n") + "\n")
	return out, nil
}

// described is the schema of a type and of what it holds.
func described(source *jsonschema.Source, t reflect.Type, id, text string) object {
	g := jsonschema.Generator{
		Tag: "json", Source: source, Any: object{"type": []string{"number", "string", "boolean"}}, Text: object{"type": "string"},
	}
	root := g.Schema(t)
	properties := g.Definitions[t.Name()].(object)["properties"].(object)
	properties["schema"] = object{"const": id}
	return object{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": id, "description": text,
		"allOf": []object{root}, "definitions": g.Definitions,
	}
}

// factsSchema follows from the table of facts.
func factsSchema() object {
	properties := object{
		"engine": object{"type": "string"}, "phase": object{"type": "string"},
	}
	for _, f := range fact.Table {
		kinds := []string{"string"} // a number with its unit, too
		switch {
		case f.Kind == fact.Bool:
			kinds = append(kinds, "boolean")
		case f.Kind.Numeric():
			kinds = append(kinds, "number")
		}
		value := object{"type": kinds}
		properties[f.Name] = object{
			"description": f.Doc + " In " + f.Kind.String() + ".",
			"anyOf": []object{value, {
				"type": "object", "required": []string{"value"},
				"properties": object{"value": value, "unit": object{"type": "string"}},
			}},
		}
	}
	return object{
		"$schema": "http://json-schema.org/draft-07/schema#", "title": "oomdoc.facts/v1",
		"description": "What is known of a run: plan --facts reads it, and a line oomdoc.facts/v1 {…} of a log states it. Numbers are in the base unit.",
		"type":        "object", "properties": properties, "additionalProperties": false,
	}
}

// list names every field below a schema with its type, such as report.incidents[].cause.id:string.
func list(root, s object, path string) []string {
	if all, ok := s["allOf"].([]object); ok {
		s = all[0]
	}
	if ref, ok := s["$ref"].(string); ok {
		s = root["definitions"].(object)[strings.TrimPrefix(ref, "#/definitions/")].(object)
	}
	var out []string
	switch kind := s["type"]; kind {
	case "array":
		return list(root, s["items"].(object), path+"[]")
	case "object":
		properties, _ := s["properties"].(object)
		for name, p := range properties {
			out = append(out, list(root, p.(object), path+"."+name)...)
		}
		if each, ok := s["additionalProperties"].(object); ok {
			out = append(out, list(root, each, path+".*")...)
		}
	case nil:
		out = append(out, path)
	default:
		words, _ := kind.([]string)
		if one, ok := kind.(string); ok {
			words = []string{one}
		}
		out = append(out, path+":"+strings.Join(words, "|"))
	}
	return out
}
