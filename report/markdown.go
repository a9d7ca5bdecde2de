package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/mask"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// The bounds of what is shared: an issue holds 64 KiB.
const (
	maxSharedMessages = 12
	maxSharedFrames   = 30 // the innermost
	maxSharedText     = 1500
	maxSharedFindings = 4
	maxSharedRuns     = 12
	maxSharedLedgers  = 8
	maxSharedOrigins  = 4
)

// document is Markdown in the making. Texts with words of the log go through clean, then through prose,
// code or fence.
type document struct {
	strings.Builder
	d      *rules.Diagnosis
	lang   string
	masker *mask.Masker // nil: nothing is masked
}

func newDocument(d *rules.Diagnosis, opts Options) *document {
	m := &document{d: d, lang: opts.Lang}
	if !opts.NoMask {
		m.masker = mask.New()
	}
	return m
}

// clean makes a text printable and takes its secrets out.
func (m *document) clean(s string) string {
	s = Printable(s)
	if m.masker != nil {
		s = m.masker.Text(s)
	}
	return s
}

func (m *document) prose(s string) string { return prose(m.clean(s)) }
func (m *document) code(s string) string  { return code(m.clean(s)) }

func (m *document) printf(format string, args ...any) { fmt.Fprintf(m, format, args...) }

// WriteMarkdown writes a report for an issue tracker or a wiki: the answer, the arithmetic, what helps
// and what does not, the evidence, the settings. Secrets are masked unless Options.NoMask is set.
func WriteMarkdown(out io.Writer, d *rules.Diagnosis, opts Options) error {
	m := newDocument(d, opts)
	for i, f := range d.Findings {
		switch {
		case i == 0:
			m.printf("### %s\n\n", m.prose(Headline(f, m.lang)))
			m.finding(f)
		case i == 1:
			m.printf("#### %s\n\n", shared(m.lang, "further"))
			fallthrough
		case i < maxSharedFindings:
			m.printf("- %s (%s)\n", m.prose(Headline(f, m.lang)), m.about(f))
		case i == maxSharedFindings:
			m.printf("- %s\n", fmt.Sprintf(shared(m.lang, "more"), len(d.Findings)-i))
		}
	}
	if len(d.Findings) == 0 {
		m.printf("### %s\n\n", label(m.lang, "nothing"))
		m.settings(nil)
	}
	m.end(opts)
	return m.write(out)
}

func (m *document) write(out io.Writer) error {
	if _, err := io.WriteString(out, m.String()); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// finding writes all that is said of the incident to read first.
func (m *document) finding(f *rules.Finding) {
	m.printf("%s\n\n", m.about(f))
	if s := Explanation(f, m.lang); s != "" {
		m.printf("%s\n\n", m.prose(s))
	}
	m.ledgers(f)
	m.remedies(f)
	m.deadEnds(f)
	if Next(f, m.lang) != "" {
		m.printf("#### %s\n\n%s\n\n", label(m.lang, "next"), m.prose(Next(f, m.lang)))
	}
	m.printf("#### %s\n\n", shared(m.lang, "seen"))
	m.evidence(f)
	m.settings(f)
}

// about says the cause, how sure it is, whose log it is, and where.
func (m *document) about(f *rules.Finding) string {
	var parts []string
	if f.Cause != nil {
		parts = append(parts, label(m.lang, "cause")+" "+code(f.Cause.ID), Certainty(f.Confidence, m.lang))
	}
	engine := f.Incident.Engine
	if v, ok := f.Incident.Fact("engine_version"); ok {
		engine += " " + v.Text
	}
	parts = append(parts, m.code(engine), shared(m.lang, "phase")+" "+code(f.Incident.Phase))
	switch origins := f.Incident.Origins; {
	case len(origins) > maxSharedOrigins:
		parts = append(parts, fmt.Sprintf(label(m.lang, "ranks"), len(origins)))
	default:
		for _, o := range origins {
			parts = append(parts, m.code(o))
		}
	}
	if n := f.Incident.Repeats; n > 1 {
		parts = append(parts, fmt.Sprintf(label(m.lang, "runs"), n))
	}
	return strings.Join(append(parts, m.place(f.Incident.First)), " · ")
}

func (m *document) place(p parser.Pos) string {
	s := label(m.lang, "line") + " " + strconv.Itoa(p.Line) + label(m.lang, "lineAfter")
	if len(m.d.Log.Sources) > 1 {
		s = m.code(m.d.Log.Sources[p.Source].Name) + " " + s
	}
	return s
}

// ledgers is a table with a column for each GPU.
func (m *document) ledgers(f *rules.Finding) {
	ledgers := f.Ledgers[:min(len(f.Ledgers), maxSharedLedgers)]
	has := map[string]bool{}
	for _, l := range ledgers {
		for _, p := range l.Parts {
			has[p.Name] = true
		}
	}
	if len(has) == 0 {
		return
	}
	m.printf("#### %s\n\n| %s |", shared(m.lang, "memory"), shared(m.lang, "part"))
	for _, l := range ledgers {
		m.printf(" GPU %d |", l.GPU)
	}
	m.printf("\n| --- |%s\n", strings.Repeat(" ---: |", len(ledgers)))
	row := func(name string, amount func(l *memory.Ledger) string) {
		cells, some := "", false
		for i := range ledgers {
			a := amount(&ledgers[i])
			some = some || a != ""
			cells += " " + a + " |"
		}
		if some {
			m.printf("| %s |%s\n", name, cells)
		}
	}
	for _, name := range memory.PartNames {
		row(PartName(name, m.lang), func(l *memory.Ledger) string {
			for _, p := range l.Parts {
				if p.Name == name {
					return strings.ReplaceAll(Amount(p), "~", `\~`)
				}
			}
			return ""
		})
	}
	size := func(bytes float64) string {
		if bytes < 1<<20 {
			return ""
		}
		return "**" + memory.Format(bytes) + "**"
	}
	row(shared(m.lang, "total"), func(l *memory.Ledger) string { return size(l.Total) })
	row(shared(m.lang, "budget"), func(l *memory.Ledger) string { return size(l.Budget) })
	row(shared(m.lang, "missing"), func(l *memory.Ledger) string { return size(l.Short) })
	m.printf("\n%s\n\n", strings.ReplaceAll(shared(m.lang, "bases"), "~", `\~`))
}

func (m *document) remedies(f *rules.Finding) {
	if len(f.Remedies) == 0 {
		return
	}
	m.printf("#### %s\n\n", shared(m.lang, "do"))
	for i := range f.Remedies {
		if i == maxShown {
			m.printf("\n%s\n", fmt.Sprintf(shared(m.lang, "more"), len(f.Remedies)-i))
			break
		}
		m.printf("%d. %s\n", i+1, m.remedy(f, &f.Remedies[i]))
	}
	m.printf("\n")
	if c := f.Remedies[0].Command; c != "" {
		m.printf("%s:\n\n%s\n", shared(m.lang, "corrected"), fence("sh", []string{m.clean(c)}))
	}
}

func (m *document) remedy(f *rules.Finding, r *rules.Remedy) string {
	head := "**" + m.prose(r.Title.In(m.lang)) + "**"
	if len(r.Apply) > 0 {
		head += ": " + m.code(r.Apply[0].Text)
	}
	if v := Verdict(r, m.lang); v != "" {
		head += " — " + m.prose(v)
	}
	parts := []string{head}
	if s := Why(f, r, m.lang); s != "" {
		parts = append(parts, m.prose(s))
	}
	if c := f.Fill(r.Cost.In(m.lang), m.lang); c != "" {
		parts = append(parts, label(m.lang, "cost")+": "+m.prose(c))
	}
	if s := Record(r, m.lang); s != "" {
		parts = append(parts, m.prose(s))
	}
	return strings.Join(parts, "  \n   ")
}

func (m *document) deadEnds(f *rules.Finding) {
	if len(f.DeadEnds) == 0 {
		return
	}
	m.printf("#### %s\n\n", shared(m.lang, "dont"))
	for i := range f.DeadEnds {
		if i == maxShown {
			m.printf("- %s\n", fmt.Sprintf(shared(m.lang, "more"), len(f.DeadEnds)-i))
			break
		}
		e := &f.DeadEnds[i]
		m.printf("- **%s**: %s\n", m.prose(e.Title.In(m.lang)), m.prose(f.Fill(e.Why.In(m.lang), m.lang)))
	}
	m.printf("\n")
}

// evidence is the traceback and the messages, each with its line, in one block.
func (m *document) evidence(f *rules.Finding) {
	frames := f.Incident.Frames
	left := max(0, len(frames)-maxSharedFrames)
	var lines []string
	if len(frames) > 0 {
		lines = append(lines, shared(m.lang, "trace")+":")
		if left > 0 {
			lines = append(lines, fmt.Sprintf(shared(m.lang, "more"), left))
		}
	}
	for _, fr := range frames[left:] {
		lines = append(lines, fmt.Sprintf("%6d  %s", fr.Line, m.clean(cutText(fr.File+" in "+fr.Func))))
	}
	shown := 0
	for _, msg := range f.Incident.Messages {
		if msg.Class == parser.ClassFact || msg.Class == parser.ClassBenign {
			continue
		}
		if shown++; shown > maxSharedMessages {
			continue
		}
		text := m.clean(cutText(msg.Text))
		if msg.Repeat > 1 {
			text += fmt.Sprintf(" (%d×)", msg.Repeat)
		}
		lines = append(lines, fmt.Sprintf("%6d  %s", msg.At.Line, text))
	}
	if shown > maxSharedMessages {
		lines = append(lines, fmt.Sprintf(shared(m.lang, "more"), shown-maxSharedMessages))
	}
	m.printf("%s\n", fence("text", lines))
}

func cutText(s string) string {
	if len(s) <= maxSharedText {
		return s
	}
	return strings.ToValidUTF8(s[:maxSharedText], "") + "…"
}

// end says what was read, what was cut, and what was masked.
func (m *document) end(opts Options) {
	lines := 0
	for _, s := range m.d.Log.Sources {
		lines += s.Lines
	}
	parts := []string{fmt.Sprintf(label(m.lang, "read"), memory.Grouped(lines))}
	for _, c := range m.d.Log.Cuts {
		parts = append(parts, fmt.Sprintf("%s: %s: %s", label(m.lang, "cut"), m.place(parser.Pos{Source: c.Source, Line: c.Line}), m.prose(cutWords(c, m.lang))))
	}
	text := strings.TrimRight(m.String(), "\n")
	m.Reset()
	m.printf("%s\n\n---\n\noomdoc %s · %s\n", text, prose(Printable(opts.Version)), strings.Join(append(parts, maskedLine(m.masker, m.lang)), " · "))
}
