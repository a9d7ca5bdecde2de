package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra/doc"
)

// TestManPages writes the manual, a page a command, into $MAN_DIR where it is set, as packaging/assets does.
// The date is that of $SOURCE_DATE_EPOCH: a package built twice is the same.
func TestManPages(t *testing.T) {
	dir := os.Getenv("MAN_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	date := time.Unix(0, 0)
	if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		d, err := time.ParseDuration(epoch + "s")
		if err != nil {
			t.Fatal(err)
		}
		date = date.Add(d)
	}
	a := &app{stdin: os.Stdin, stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	root := a.rootCommand()
	root.DisableAutoGenTag = true
	date = date.UTC()
	if err := doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "oomdoc", Manual: "oomdoc", Date: &date}, dir); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < len(root.Commands()) {
		t.Errorf("%d pages for %d commands", len(pages), len(root.Commands()))
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{".SH NAME", ".SH SYNOPSIS"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s has no %s", page, want)
			}
		}
	}
}
