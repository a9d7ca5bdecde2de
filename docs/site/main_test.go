package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/internal/explain"
	"github.com/oomdoc/oomdoc/knowledge"
)

var links = regexp.MustCompile(`(?:href|src)="([^"]+)"`)

// anchors are the places that a page names.
var anchors = regexp.MustCompile(`id="([^"]+)"`)

// TestSite: every subject has its page in both languages, and every link within the site leads to a page and a place.
func TestSite(t *testing.T) {
	dir := t.TempDir()
	if err := build("../..", dir); err != nil {
		t.Fatal(err)
	}
	for _, s := range explain.Subjects(knowledge.Builtin()) {
		for _, lang := range languages {
			text, err := os.ReadFile(filepath.Join(dir, lang, s.Kind, s.ID+".html"))
			if err != nil || len(text) < 500 {
				t.Errorf("%s %s: %d bytes, %v", lang, s.ID, len(text), err)
			}
		}
	}
	pages, linked := map[string]string{}, 0
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		pages[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range pages {
		if filepath.Ext(path) != ".html" {
			continue
		}
		for _, m := range links.FindAllStringSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			linked++
			target := path
			if to != "" {
				target = filepath.Join(filepath.Dir(path), filepath.FromSlash(to))
			}
			there, ok := pages[target]
			if !ok {
				t.Errorf("%s links to %s, which is not there", path, m[1])
			} else if anchor != "" && !strings.Contains(strings.Join(anchors.FindAllString(there, -1), " "), `id="`+anchor+`"`) {
				t.Errorf("%s links to %s: there is no such place", path, m[1])
			}
		}
	}
	if linked < 5000 {
		t.Errorf("%d links", linked)
	}
	browse(t, dir)
}

// browse opens pages in a browser without a screen, where there is one: no script fails, the search finds.
func browse(t *testing.T, dir string) {
	var chromium string
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil && chromium == "" {
			chromium = path
		}
	}
	if chromium == "" {
		t.Log("SKIPPED in a browser: there is no Chromium here")
		return
	}
	open := func(page string, args ...string) string {
		t.Helper()
		all := append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1000,900", "--user-data-dir=" + t.TempDir()}, args...)
		out, err := exec.Command(chromium, append(all, "file://"+filepath.ToSlash(dir)+"/"+page)...).Output()
		if err != nil {
			t.Fatalf("%s: %v", page, err)
		}
		return string(out)
	}
	for page, want := range map[string]string{
		"en/index.html": "kv-cache-below-max-len", "en/index.html#max-model-len": "facts/max_model_len.html", "zh/index.html#显存": "causes/",
		"en/causes/kv-preemption.html": "kv-preemption", "guides/README.html": "<table>",
	} {
		dom := open(page, "--dump-dom")
		if !strings.Contains(dom, want) || strings.Contains(dom, "data-error") {
			t.Errorf("%s: no %s, or an error: %.300s", page, want, dom)
		}
	}
	if out := os.Getenv("SCREENSHOTS"); out != "" {
		for _, page := range []string{"en/index.html", "zh/causes/kv-preemption.html", "guides/README.html"} {
			open(page, "--screenshot="+filepath.Join(out, strings.ReplaceAll(strings.TrimSuffix(page, ".html"), "/", "-")+".png"))
		}
	}
}
