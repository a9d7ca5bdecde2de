package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

const (
	maxShown    = 6 // remedies and dead ends shown in the text report
	maxEvidence = 6
	minWidth    = 40
)

// writer lays text out in columns and remembers the first error.
type writer struct {
	w     io.Writer
	err   error
	opts  Options
	width int
}

func (w *writer) print(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.w, s)
	}
}

func (w *writer) style(code, s string) string { return Styled(w.opts.Color, code, s) }

// para prints s wrapped, its first line behind first and the others behind rest.
func (w *writer) para(first, rest, style, s string) {
	room := max(w.width-ansi.StringWidth(rest), 20)
	for i, line := range strings.Split(ansi.Wrap(s, room, ""), "\n") {
		lead := rest
		if i == 0 {
			lead = first
		}
		w.print(lead + w.style(style, strings.TrimRight(line, " ")) + "\n")
	}
}

// WriteText writes the report for people. Its first line is the answer.
func WriteText(out io.Writer, d *rules.Diagnosis, opts Options) error {
	w := &writer{w: out, opts: opts, width: max(opts.Width, minWidth)}
	if len(d.Findings) == 0 {
		w.nothing(d)
	}
	for i, f := range d.Findings {
		if i == 3 {
			w.print("\n" + fmt.Sprintf(label(opts.Lang, "more"), len(d.Findings)-i) + "\n")
			break
		}
		if i > 0 {
			w.print("\n")
		}
		w.finding(d, f, i == 0)
	}
	if n := d.Log.Quotations; n > 0 {
		q := d.Log.Quoted[0]
		w.para("", "  ", Dim, fmt.Sprintf(plural(n, w.opts.Lang), n)+w.place(d, q.At)+label(w.opts.Lang, "colon")+quotedWhy(q.Why, w.opts.Lang))
	}
	for _, c := range d.Log.Cuts {
		w.para("", "  ", Dim, w.place(d, parser.Pos{Source: c.Source, Line: c.Line})+": "+cutWords(c, opts.Lang))
	}
	if w.err != nil {
		return fmt.Errorf("writing the report: %w", w.err)
	}
	return nil
}

func (w *writer) nothing(d *rules.Diagnosis) {
	lines := 0
	for _, s := range d.Log.Sources {
		lines += s.Lines
	}
	w.print(label(w.opts.Lang, "nothing") + " · " + fmt.Sprintf(label(w.opts.Lang, "read"), memory.Grouped(lines)) + "\n")
}

func (w *writer) finding(d *rules.Diagnosis, f *rules.Finding, full bool) {
	lang := w.opts.Lang
	style := red
	if f.Degraded() {
		style = amber
	}
	w.para("", "", style, Headline(f, lang))
	w.para("", "  ", Dim, w.about(d, f))
	w.print("\n")
	if s := Explanation(f, lang); s != "" {
		w.para("  ", "  ", "", s)
		w.print("\n")
	}
	if !full {
		w.evidence(d, f)
		return
	}
	w.ledgers(f)
	w.remedies(f)
	w.deadEnds(f)
	w.evidence(d, f)
	if Next(f, lang) != "" {
		w.print("\n" + w.style(Bold, label(lang, "next")) + "\n")
		w.para("  ", "  ", "", Next(f, lang))
	}
	w.others(f)
}

// about is the line under the answer: cause, certainty, process, line.
func (w *writer) about(d *rules.Diagnosis, f *rules.Finding) string {
	lang, inc := w.opts.Lang, f.Incident
	var parts []string
	if f.Cause != nil {
		parts = append(parts, label(lang, "cause")+" "+f.Cause.ID, Certainty(f.Confidence, lang))
	}
	if f.Degraded() {
		parts = append(parts, label(lang, "degraded"))
	}
	switch n := len(inc.Origins); {
	case n == 1:
		parts = append(parts, Printable(inc.Origins[0]))
	case n > 1:
		parts = append(parts, fmt.Sprintf(label(lang, "ranks"), n))
	}
	if inc.Repeats > 1 {
		parts = append(parts, fmt.Sprintf(label(lang, "runs"), inc.Repeats))
	}
	parts = append(parts, w.place(d, inc.First))
	return strings.Join(parts, " · ")
}

// place names a line, with its file where there are several.
func (w *writer) place(d *rules.Diagnosis, p parser.Pos) string {
	lang := w.opts.Lang
	s := label(lang, "line") + " " + strconv.Itoa(p.Line) + label(lang, "lineAfter")
	if len(d.Log.Sources) > 1 {
		s = Printable(d.Log.Sources[p.Source].Name) + " " + s
	}
	return s
}

func (w *writer) remedies(f *rules.Finding) {
	if len(f.Remedies) == 0 {
		return
	}
	lang := w.opts.Lang
	w.print(w.style(Bold, label(lang, "do")) + "\n")
	for i := range f.Remedies {
		if i == maxShown {
			w.print("     " + fmt.Sprintf(label(lang, "more"), len(f.Remedies)-i) + "\n")
			break
		}
		w.remedy(f, &f.Remedies[i], i+1)
	}
	if c := f.Remedies[0].Command; c != "" {
		w.print("\n" + w.style(Bold, label(lang, "command")) + "\n")
		w.print("  " + Printable(c) + "\n") // not wrapped: it is there to be copied
	}
	w.print("\n")
}

// remedy prints one remedy: what to type, what it does and whether it is enough, what it costs.
func (w *writer) remedy(f *rules.Finding, r *rules.Remedy, rank int) {
	lang := w.opts.Lang
	head, about := r.Title.In(lang), ""
	if len(r.Apply) > 0 {
		head, about = Printable(r.Apply[0].Text), head
		if r.Apply[0].Open { // nothing to copy: the words first
			head, about = about, head
		}
	}
	w.para(fmt.Sprintf("  %d  ", rank), "     ", green, head)
	if v := Verdict(r, lang); v != "" {
		about = join(about, " — ", v)
	}
	if s := join(about, label(lang, "stop"), Why(f, r, lang)); s != "" {
		w.para("     ", "     ", "", s)
	}
	cost := ""
	if c := f.Fill(r.Cost.In(lang), lang); c != "" {
		cost = label(lang, "cost") + ": " + c
	}
	if s := join(cost, " · ", Record(r, lang)); s != "" {
		w.para("     ", "     ", Dim, s)
	}
}

// join puts between between two texts when neither is empty.
func join(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return strings.TrimSuffix(a, ".") + between + b
}

func (w *writer) deadEnds(f *rules.Finding) {
	if len(f.DeadEnds) == 0 {
		return
	}
	lang := w.opts.Lang
	w.print(w.style(Bold, label(lang, "dont")) + "\n")
	for i := range f.DeadEnds {
		if i == maxShown {
			w.print("     " + fmt.Sprintf(label(lang, "more"), len(f.DeadEnds)-i) + "\n")
			break
		}
		e := &f.DeadEnds[i]
		why := Printable(f.Fill(e.Why.In(lang), lang))
		w.para("  x  ", "     ", Dim, e.Title.In(lang)+": "+why)
	}
	w.print("\n")
}

func (w *writer) evidence(d *rules.Diagnosis, f *rules.Finding) {
	w.print(w.style(Bold, label(w.opts.Lang, "seen")) + "\n")
	shown := 0
	for _, m := range f.Incident.Messages {
		if m.Class == parser.ClassFact || m.Class == parser.ClassBenign {
			continue
		}
		if shown++; shown > maxEvidence {
			break
		}
		place := strconv.Itoa(m.At.Line)
		if len(d.Log.Sources) > 1 {
			place = Printable(d.Log.Sources[m.At.Source].Name) + ":" + place
		}
		text := Printable(m.Text)
		if m.Repeat > 1 {
			text += fmt.Sprintf(" (%d×)", m.Repeat)
		}
		lead := fmt.Sprintf("%6s  ", place)
		w.para(lead, strings.Repeat(" ", 8), "", ansi.Truncate(text, 4*w.width, "…"))
	}
}

func (w *writer) others(f *rules.Finding) {
	var parts []string
	for _, o := range f.Others {
		if o.Confidence >= 0.1 {
			parts = append(parts, fmt.Sprintf("%s (%s, %.0f%%)", o.Cause.ID, o.Cause.Title.In(w.opts.Lang), 100*o.Confidence))
		}
	}
	if len(parts) > 0 {
		w.print("\n")
		w.para("", "  ", Dim, label(w.opts.Lang, "also")+": "+strings.Join(parts, "; "))
	}
}

// ledgers prints where the memory went, one line a GPU.
func (w *writer) ledgers(f *rules.Finding) {
	for i := range f.Ledgers {
		if s := LedgerLine(&f.Ledgers[i], w.opts.Lang); s != "" {
			w.para("  ", "    ", Dim, s)
		}
	}
	if len(f.Ledgers) > 0 {
		w.print("\n")
	}
}
