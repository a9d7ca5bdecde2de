package knowledge_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/oomdoc/oomdoc/knowledge/internal/schema"
)

func TestSchemaIsFresh(t *testing.T) {
	want, err := schema.Generate(".")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../docs/schema/knowledge.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/schema/knowledge.schema.json is not what the types say: run go generate ./knowledge")
	}
}

// The schema accepts what the loader accepts, and says what is wrong with the rest.
func TestSchemaFitsTheFiles(t *testing.T) {
	v := loadSchema(t)
	files, err := filepath.Glob("*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if wrong := v.yaml(t, string(text)); wrong != "" {
			t.Errorf("%s: %s", f, wrong)
		}
	}
	for text, want := range map[string]string{
		"{id: a, extends: true, when: ready}":            "",
		"[{id: a, extends: true, base: 2}]":              "",
		"{id: a, extends: true, wen: ready}":             "wen: no such property",
		"{id: a, when: ready}":                           "engine is missing",
		"{id: a, extends: true, title: {en: A}}":         "title: zh is missing",
		"{id: a, extends: true, base: much}":             "base: want number",
		"{id: a, extends: true, signs: {if: ready}}":     "signs: want array",
		"[{id: a, extends: true, apply: [{clli: --a}]}]": "apply: clli: no such property",
	} {
		if got := v.yaml(t, text); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// validator checks documents against as much of JSON Schema as ours uses.
type validator struct{ root map[string]any }

func loadSchema(t *testing.T) validator {
	t.Helper()
	text, err := os.ReadFile("../docs/schema/knowledge.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var v validator
	if err := json.Unmarshal(text, &v.root); err != nil {
		t.Fatal(err)
	}
	return v
}

func (v validator) yaml(t *testing.T, text string) string {
	t.Helper()
	var doc any
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc == nil {
		return ""
	}
	return v.check(v.root, doc)
}

// check returns what is wrong with a value, "" for nothing.
func (v validator) check(s map[string]any, x any) string {
	if ref, ok := s["$ref"].(string); ok {
		return v.check(v.root["definitions"].(map[string]any)[strings.TrimPrefix(ref, "#/definitions/")].(map[string]any), x)
	}
	if all, ok := s["allOf"].([]any); ok {
		return v.check(all[0].(map[string]any), x)
	}
	if choices, ok := s["anyOf"].([]any); ok {
		var wrong []string
		for _, c := range choices {
			w := v.check(c.(map[string]any), x)
			if w == "" {
				return ""
			}
			wrong = append(wrong, w)
		}
		return strings.Join(wrong, "; or ")
	}
	if want := s["type"]; want != nil && !hasType(want, x) {
		return fmt.Sprintf("want %v", want)
	}
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			if w := v.check(s["items"].(map[string]any), e); w != "" {
				return w
			}
		}
	case map[string]any:
		return v.object(s, x)
	}
	return ""
}

func (v validator) object(s, x map[string]any) string {
	properties, _ := s["properties"].(map[string]any)
	for key, e := range x {
		p, ok := properties[key].(map[string]any)
		if !ok {
			if p, ok = s["additionalProperties"].(map[string]any); !ok {
				return key + ": no such property"
			}
		}
		if w := v.check(p, e); w != "" {
			return key + ": " + w
		}
	}
	required, _ := s["required"].([]any)
	if s["if"] != nil {
		branch := "else"
		if x["extends"] == true {
			branch = "then"
		}
		required = s[branch].(map[string]any)["required"].([]any)
	}
	for _, key := range required {
		if _, ok := x[key.(string)]; !ok {
			return fmt.Sprint(key, " is missing")
		}
	}
	return ""
}

func hasType(want, x any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(w any) bool { return hasType(w, x) })
	}
	switch x.(type) {
	case map[string]any:
		return want == "object"
	case []any:
		return want == "array"
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case int:
		return want == "integer" || want == "number"
	case float64:
		return want == "number"
	}
	return false
}
