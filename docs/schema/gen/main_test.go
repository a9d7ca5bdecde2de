package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestFresh: what is published is what the types say, and nothing that was published has gone.
func TestFresh(t *testing.T) {
	files, err := generate("../../..", "..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("docs/schema/%s is not what the types say: run go generate ./docs/schema", name)
		}
	}
}

// TestNoFieldVanishes: programs read these fields under these names.
func TestNoFieldVanishes(t *testing.T) {
	published, err := os.ReadFile("../fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	files, err := generate("../../..", t.TempDir()) // without the list that was published
	if err != nil {
		t.Fatal(err)
	}
	now := strings.Fields(string(files["fields.txt"]))
	for _, field := range gone(strings.Fields(string(published)), now) {
		t.Errorf("the field %s was published and is gone; what reads it would break: put it back, or publish a new version", field)
	}
	if len(now) < 150 {
		t.Errorf("%d fields: the list is not made any more", len(now))
	}
}

// gone are the fields that were published and no longer are. One whose type has widened is still there.
func gone(published, now []string) (out []string) {
	types := map[string]string{}
	for _, f := range now {
		name, kind, _ := strings.Cut(f, ":")
		types[name] = kind
	}
	for _, f := range published {
		name, kind, _ := strings.Cut(f, ":")
		has, ok := types[name]
		for word := range strings.SplitSeq(kind, "|") {
			ok = ok && strings.Contains("|"+has+"|", "|"+word+"|")
		}
		if !ok {
			out = append(out, f)
		}
	}
	return out
}

func TestGone(t *testing.T) {
	now := []string{"report.lines:integer", "report.value:number|string"}
	for field, want := range map[string]bool{
		"report.lines:integer": false, "report.value:string": false, "report.lines:string": true, "report.bytes:integer": true,
	} {
		if got := len(gone([]string{field}, now)) > 0; got != want {
			t.Errorf("%s: gone is %v", field, got)
		}
	}
}
