package explain

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// page lays out a page of explain: a title line, then headed sections of wrapped text.
type page struct {
	out  strings.Builder
	opts report.Options
	kb   *knowledge.Base
}

func newPage(opts report.Options, kb *knowledge.Base) *page {
	opts.Width = max(opts.Width, 40)
	return &page{opts: opts, kb: kb}
}

func (p *page) print(s string) { p.out.WriteString(s) }

func (p *page) style(code, s string) string { return report.Styled(p.opts.Color, code, s) }

// in returns a text of the knowledge base in the page's language, for reading without a log: a figure
// stands as its <name>, a section that depends on figures without its brackets.
func (p *page) in(t knowledge.Text) string { return withoutLog(t.In(p.opts.Lang)) }

// head begins the page: the id, what kind of thing it is, and its title.
func (p *page) head(id, title string, what ...string) {
	id, kind := report.Printable(id), report.Printable(strings.Join(what, " · "))
	gap := max(2, p.opts.Width-ansi.StringWidth(id)-ansi.StringWidth(kind))
	p.print(p.style(report.Bold, id) + strings.Repeat(" ", gap) + p.style(report.Dim, kind) + "\n\n")
	if title != "" {
		p.para("  ", "  ", title)
	}
}

// section begins a section with a heading.
func (p *page) section(key string) { p.print("\n" + p.style(report.Bold, p.word(key)) + "\n") }

// para writes wrapped text, its first line behind first and the others behind rest.
func (p *page) para(first, rest, s string) {
	s = report.PrintableLines(strings.TrimSpace(s))
	if s == "" {
		return
	}
	room := max(p.opts.Width-max(ansi.StringWidth(first), ansi.StringWidth(rest)), 20)
	for i, line := range strings.Split(ansi.Wrap(s, room, ""), "\n") {
		lead := rest
		if i == 0 {
			lead = first
		}
		p.print(strings.TrimRight(lead+strings.Trim(line, " "), " ") + "\n")
	}
}

// text is a section of one text, left out where there is none.
func (p *page) text(key, s string) {
	if strings.TrimSpace(s) != "" {
		p.section(key)
		p.para("  ", "  ", s)
	}
}

// list is a section of short lines, left out where there are none.
func (p *page) list(key string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.section(key)
	for _, s := range lines {
		p.para("  ", "      ", s)
	}
}

// links is a section of addresses, not wrapped: they are there to be followed.
func (p *page) links(key string, list []string) {
	if len(list) == 0 {
		return
	}
	p.section(key)
	for _, s := range list {
		p.print("  " + report.Printable(s) + "\n")
	}
}

// logRows is how many rows a line of a log may take on a page.
const logRows = 5

// verbatim writes lines of a log, long ones wrapped.
func (p *page) verbatim(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		room := p.opts.Width - len("  | ")
		line = ansi.Truncate(report.Printable(line), logRows*room, "…")
		for _, row := range strings.Split(ansi.Wrap(line, room, ""), "\n") {
			p.print("  | " + row + "\n")
		}
	}
}

func (p *page) engine(name string) string {
	if name == "" || name == "any" {
		return p.word("any")
	}
	return name
}

// named is an id with its title, for lists of references.
func (p *page) named(id string) string {
	title := ""
	if c := p.kb.Cause(id); c != nil {
		title = c.Title.In(p.opts.Lang)
	} else if r := p.kb.Remedy(id); r != nil {
		title = r.Title.In(p.opts.Lang)
	}
	if title == "" {
		return id
	}
	return id + " – " + title
}

// withoutLog turns a text with {figures} and [sections] into one that can be read without a log.
func withoutLog(s string) string {
	var out strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "{[")
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], map[byte]byte{'{': '}', '[': ']'}[s[i]])
		if end < 0 {
			break
		}
		out.WriteString(s[:i])
		inner := s[i+1 : i+end]
		bare := inner
		if s[i] == '[' {
			bare = rules.Unguarded(inner)
		}
		switch {
		case bare != inner:
			out.WriteString(withoutLog(bare))
		case s[i] == '[' && strings.ContainsRune(inner, '{'):
			out.WriteString(withoutLog(inner))
		case s[i] == '{' && isFigure(inner):
			name, _, _ := strings.Cut(inner, ":")
			out.WriteString("<" + name + ">")
		default:
			out.WriteByte(s[i])
			end = 0
		}
		s = s[i+end+1:]
	}
	return out.String() + s
}

// isFigure reports whether {inner} stands for a fact or a derived figure.
func isFigure(inner string) bool {
	name, _, _ := strings.Cut(inner, ":")
	if _, ok := fact.Lookup(name); ok {
		return true
	}
	for i := range rules.Derived {
		if rules.Derived[i].Name == name {
			return true
		}
	}
	return false
}
