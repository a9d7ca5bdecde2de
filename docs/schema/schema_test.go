package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/docs/schema"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// resolved reads a schema with a validator that is not ours.
func resolved(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema.Files[name], &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func document(t *testing.T, text []byte) any {
	t.Helper()
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestEveryCase: what is printed about every golden case is what the schemas say, in both languages.
func TestEveryCase(t *testing.T) {
	reports, events := resolved(t, "report"), resolved(t, "event")
	cases, err := filepath.Glob("../../testdata/logs/*/*.log")
	if err != nil || len(cases) < 45 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	told := 0
	for _, path := range cases {
		for _, lang := range []string{"en", "zh"} {
			d, err := diagnose(path)
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := report.WriteJSON(&out, d, report.Options{Lang: lang, Version: "v1"}); err != nil {
				t.Fatal(err)
			}
			if err := reports.Validate(document(t, out.Bytes())); err != nil {
				t.Errorf("%s, report: %v", path, err)
			}
			for _, f := range d.Findings {
				out.Reset()
				e := live.Event{Kind: live.Incident, At: time.Unix(0, 0), Source: path, Line: 1, Number: 1, Finding: f, Diagnosis: d}
				if err := live.NDJSON(&out, e, lang); err != nil {
					t.Fatal(err)
				}
				if err := events.Validate(document(t, out.Bytes())); err != nil {
					t.Errorf("%s, event: %v", path, err)
				}
				told++
			}
		}
	}
	if told == 0 {
		t.Error("no case has an incident")
	}
}

func diagnose(path string) (*rules.Diagnosis, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return oomdoc.Diagnose(filepath.Base(path), f, oomdoc.Options{})
}

// TestRefuses: the schemas say no where something is missing or of another type.
func TestRefuses(t *testing.T) {
	var out bytes.Buffer
	d, err := diagnose("../../testdata/logs/seed-002-startup-check/input.log")
	if err != nil {
		t.Fatal(err)
	}
	if err := report.WriteJSON(&out, d, report.Options{Lang: "en"}); err != nil {
		t.Fatal(err)
	}
	whole := out.String()
	for _, tt := range []struct{ old, new string }{
		{`"oomdoc.report/v1"`, `"oomdoc.report/v2"`},
		{`"severity": "failure"`, `"severity": 1`},
		{`"severity": "failure"`, `"severeness": "failure"`},
		{`"verdict": "fits"`, `"verdict": "perhaps"`},
		{`"rank": 1`, `"rank": "first"`},
	} {
		text := strings.Replace(whole, tt.old, tt.new, 1)
		if text == whole {
			t.Fatalf("the report has no %s", tt.old)
		}
		if err := resolved(t, "report").Validate(document(t, []byte(text))); err == nil {
			t.Errorf("%s is taken", tt.new)
		}
	}
}

func TestFacts(t *testing.T) {
	for text, want := range map[string]bool{
		`{"engine_version": "0.10.2", "max_model_len": 65536, "kv_needed": "8 GiB", "kv_available": {"value": 5819679899, "unit": "bytes"}}`: true,
		`{"engine": "vllm", "enforce_eager": true}`: true,
		`{"kv_neded": 1}`:                     false,
		`{"enforce_eager": 1}`:                false,
		`{"kv_available": {"unit": "bytes"}}`: false,
	} {
		if err := resolved(t, "facts").Validate(document(t, []byte(text))); (err == nil) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}
