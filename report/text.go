package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

const (
	maxShown    = 6 // remedies shown in the text report
	maxReasons  = 5 // dead ends
	maxTogether = 3 // of one reason that are named
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
	w.ended(d)
	w.healthy(d)
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
	w.where(f)
	w.ledgers(f)
	w.remedies(f)
	w.deadEnds(f)
	w.evidence(d, f)
	w.next(f)
	w.others(f)
	if f.Degraded() {
		w.ended(d)
	}
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
	head, about := Step(f, r, lang)
	w.para(fmt.Sprintf("  %d  ", rank), "     ", green, head)
	if v := Verdict(r, lang); v != "" {
		about = join(about, " — ", v)
	}
	if r.Suggested {
		about = join(about, label(lang, "stop"), label(lang, "suggested"))
	}
	if s := join(about, label(lang, "stop"), Why(f, r, lang)); s != "" {
		w.para("     ", "     ", "", s)
	}
	cost := ""
	if c := f.Fill(r.Cost.In(lang), lang); c != "" && r.CostRank > 0 {
		cost = label(lang, "cost") + ": " + c
	}
	if s := join(cost, " · ", Record(r, lang)); s != "" {
		w.para("     ", "     ", Dim, s)
	}
}

// Step is what to do and the words about it: the spelling that can be pasted, behind it the title; where there is
// none, the title, and behind it the step in words.
func Step(f *rules.Finding, r *rules.Remedy, lang string) (head, about string) {
	head = r.Title.In(lang)
	if len(r.Apply) > 0 && !r.Apply[0].Open {
		return Printable(r.Apply[0].Text), head
	}
	if about = Printable(f.Fill(r.Say.In(lang), lang)); about == "" && len(r.Apply) > 0 {
		about = Printable(r.Apply[0].Text)
	}
	return head, about
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
	shown := 0
	for i, g := range reasons(f, lang) {
		if i == maxReasons {
			break
		}
		shown += len(g.titles)
		w.para("  x  ", "     ", Dim, together(g.titles)+": "+g.why)
	}
	if rest := len(f.DeadEnds) - shown; rest > 0 {
		w.print("     " + fmt.Sprintf(label(lang, "more"), rest) + "\n")
	}
	w.print("\n")
}

// reason is why some pieces of advice are dead ends.
type reason struct {
	titles []string
	why    string
}

// together lists the titles of one reason, a few of them by name.
func together(titles []string) string {
	if len(titles) > maxTogether {
		return strings.Join(titles[:maxTogether], "; ") + "; …"
	}
	return strings.Join(titles, "; ")
}

// reasons puts dead ends of the same reason together, the first of them in its place.
func reasons(f *rules.Finding, lang string) []reason {
	var out []reason
	for i := range f.DeadEnds {
		e := &f.DeadEnds[i]
		why, title := Printable(f.Fill(e.Why.In(lang), lang)), e.Title.In(lang)+suggested(e, lang)
		if why == "" {
			continue // nothing of it is known here
		}
		if j := slices.IndexFunc(out, func(r reason) bool { return r.why == why }); j >= 0 {
			out[j].titles = append(out[j].titles, title)
		} else {
			out = append(out, reason{[]string{title}, why})
		}
	}
	return out
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
		w.para(lead, strings.Repeat(" ", 8), "", ansi.Truncate(text, 3*w.width, "…"))
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
		l := f.Ledgers[i]
		if lack, ok := Lack(f); ok && len(f.Ledgers) == 1 {
			l.Short = lack // as the sentence above has it
		}
		if s := LedgerLine(&l, w.opts.Lang); s != "" {
			w.para("  ", "    ", Dim, s)
		}
	}
	if len(f.Ledgers) > 0 {
		w.print("\n")
	}
}
