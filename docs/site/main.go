// Command site writes the documentation as pages for a browser: one for each cause, remedy, message and fact, in English and
// Chinese, and the guides of docs/. It needs no server and no network; the search runs in the page.
//
//	go run ./docs/site build/site
package main

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/russross/blackfriday/v2"

	"github.com/oomdoc/oomdoc/internal/explain"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
)

//go:embed page.html style.css search.js
var files embed.FS

var layout = template.Must(template.ParseFS(files, "page.html"))

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: site DIR")
	}
	if err := build(".", os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// languages are those that the knowledge base speaks.
var languages = []string{"en", "zh"}

// page is what the layout fills in.
type page struct {
	Lang, Title, Kind string
	Up                string // the way to the site's root
	Other             string // the same page in the other language, "" where there is none
	Body              template.HTML
}

// entry is a line of the search.
type entry struct {
	ID    string `json:"i"`
	Kind  string `json:"k"`
	Title string `json:"t"`
}

// build writes the site into dir from the repository at root.
func build(root, dir string) error {
	kb := knowledge.Builtin()
	for _, lang := range languages {
		s := site{dir: dir, lang: lang, kb: kb, there: map[string]string{}}
		if err := s.subjects(); err != nil {
			return err
		}
	}
	if err := guides(root, dir); err != nil {
		return err
	}
	for _, name := range []string{"style.css", "search.js"} {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

// site is the part of the site in one language.
type site struct {
	dir, lang string
	kb        *knowledge.Base
	there     map[string]string // pages by the id that they are about
}

func (s *site) subjects() error {
	all := explain.Subjects(s.kb)
	for _, x := range all {
		if _, known := s.there[x.ID]; !known {
			s.there[x.ID] = x.Kind + "/" + x.ID + ".html"
		}
	}
	var index []entry
	for _, x := range all {
		index = append(index, entry{x.ID, x.Kind, x.Title.In(s.lang)})
		text := x.Page(report.Options{Lang: s.lang, Width: 96}, s.kb)
		_, text, _ = strings.Cut(text, "\n") // the first line is the page's heading
		p := page{Lang: s.lang, Title: x.ID, Kind: x.KindWord(s.lang), Up: "../../", Body: s.body(x, text)}
		for _, l := range languages {
			if l != s.lang {
				p.Other = "../../" + l + "/" + x.Kind + "/" + x.ID + ".html"
			}
		}
		if err := s.write(x.Kind+"/"+x.ID+".html", p); err != nil {
			return err
		}
	}
	names, err := json.Marshal(index)
	if err != nil {
		return err
	}
	if err := write(filepath.Join(s.dir, s.lang, "index.js"), append([]byte("const entries = "), append(names, ";\n"...)...)); err != nil {
		return err
	}
	p := page{Lang: s.lang, Title: "oomdoc", Up: "../", Body: template.HTML(home[s.lang])}
	for _, l := range languages {
		if l != s.lang {
			p.Other = "../" + l + "/index.html"
		}
	}
	return s.write("index.html", p)
}

// home is the page with the search.
var home = map[string]string{
	"en": `<p>Causes, remedies, messages and facts of oomdoc, and <a href="../guides/README.html">how to use it</a>.</p><input id="q" type="search" autofocus placeholder="kv cache, exit 137, --max-model-len …"><p id="count"></p><ol id="found"></ol><script src="index.js"></script><script src="../search.js"></script>`,
	"zh": `<p>oomdoc 的原因、补救办法、日志消息与指标，以及<a href="../guides/README.html">使用说明（英文）</a>。</p><input id="q" type="search" autofocus placeholder="KV 缓存、显存、--max-model-len …"><p id="count"></p><ol id="found"></ol><script src="index.js"></script><script src="../search.js"></script>`,
}

var (
	word    = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_-]{3,}`)
	address = regexp.MustCompile(`https?://[^\s<>"]+[^\s<>".,;:)]`)
)

// body is a page's text with the ids and addresses in it as links.
func (s *site) body(x explain.Subject, text string) template.HTML {
	var b strings.Builder
	b.WriteString("<pre>")
	at := 0
	link := func(start, end int, to string) {
		b.WriteString(html.EscapeString(text[at:start]))
		fmt.Fprintf(&b, `<a href="%s">%s</a>`, html.EscapeString(to), html.EscapeString(text[start:end]))
		at = end
	}
	for at < len(text) {
		a, w := address.FindStringIndex(text[at:]), word.FindStringIndex(text[at:])
		switch {
		case a != nil && a[0] <= w[0]:
			link(at+a[0], at+a[1], text[at+a[0]:at+a[1]])
		case w != nil:
			id := text[at+w[0] : at+w[1]]
			// A word is a link where it can only be the name: words of prose have no hyphen and no underscore.
			if to := s.there[id]; to != "" && id != x.ID && strings.ContainsAny(id, "-_") {
				link(at+w[0], at+w[1], "../"+to)
			} else {
				b.WriteString(html.EscapeString(text[at : at+w[1]]))
				at += w[1]
			}
		default:
			b.WriteString(html.EscapeString(text[at:]))
			at = len(text)
		}
	}
	b.WriteString("</pre>")
	return template.HTML(b.String())
}

func (s *site) write(name string, p page) error {
	return writePage(filepath.Join(s.dir, s.lang, filepath.FromSlash(name)), p)
}

func writePage(name string, p page) error {
	var b bytes.Buffer
	if err := layout.Execute(&b, p); err != nil {
		return err
	}
	return write(name, b.Bytes())
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

// mark finds the targets of links in rendered Markdown.
var mark = regexp.MustCompile(`(href|src)="([^"]+)"`)

// source is where files of the repository are shown that are no pages.
const source = "https://github.com/oomdoc/oomdoc/blob/main/"

// guides renders the Markdown of the repository. Links between them stay in the site; others lead to the sources.
func guides(root, dir string) error {
	paths, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return err
	}
	pages := map[string]string{} // by the path in the repository
	for _, path := range append(paths, filepath.Join(root, "README.md"), filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "SECURITY.md")) {
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		pages[filepath.ToSlash(rel)] = strings.TrimSuffix(filepath.Base(path), ".md") + ".html"
	}
	for rel, name := range pages {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(rel)))
		if err != nil {
			return err
		}
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		body := blackfriday.Run(text, blackfriday.WithExtensions(blackfriday.CommonExtensions|blackfriday.AutoHeadingIDs))
		var failed error
		body = mark.ReplaceAllFunc(body, func(m []byte) []byte {
			parts := mark.FindSubmatch(m)
			to, err := target(root, dir, rel, string(parts[2]), pages)
			failed = firstError(failed, err)
			return fmt.Appendf(nil, `%s="%s"`, parts[1], to)
		})
		if failed != nil {
			return failed
		}
		p := page{Lang: "en", Title: title, Up: "../", Body: template.HTML(body)}
		if err := writePage(filepath.Join(dir, "guides", name), p); err != nil {
			return err
		}
	}
	return nil
}

func firstError(a, b error) error {
	if a != nil {
		return a
	}
	return b
}

// target is where a link of a guide leads in the site. Pictures are copied.
func target(root, dir, from, to string, pages map[string]string) (string, error) {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") || strings.HasPrefix(to, "mailto:") {
		return to, nil
	}
	file, anchor, _ := strings.Cut(to, "#")
	if anchor != "" {
		anchor = "#" + anchor
	}
	path := filepath.ToSlash(filepath.Join(filepath.Dir(from), file))
	if name := pages[path]; name != "" {
		return name + anchor, nil
	}
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	switch {
	case err == nil && strings.HasSuffix(path, ".svg"):
		name := filepath.Base(path)
		return name, write(filepath.Join(dir, "guides", name), text)
	case err != nil:
		if _, err := fs.Stat(os.DirFS(root), path); err != nil {
			return "", fmt.Errorf("%s links to %s, which is not there", from, to)
		}
	}
	return source + path + anchor, nil
}
