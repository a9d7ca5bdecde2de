package tui

import (
	"fmt"
	"strings"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// verdict is the answer in a sentence, and under it the cause, how sure it is, and whose it is.
func (k *look) verdict(f *rules.Finding, w, h int) []string {
	style, mark := k.theme.bad, "✗ "
	switch {
	case f.Incident.Over:
		style, mark = k.theme.good, "✓ "
	case f.Degraded():
		style, mark = k.theme.warn, "! "
	}
	var out []string
	for i, row := range cells.Wrap(cells.Printable(report.Headline(f, k.lang)), w-2, 2+h/30) {
		lead := "  "
		if i == 0 {
			lead = mark
		}
		out = append(out, style.Render(lead+row))
	}
	out = append(out, "  "+k.theme.dim.Render(cells.Cut(k.about(f), w-2)))
	if room := h / 12; room > 2 {
		for _, row := range cells.Wrap(cells.Printable(report.Explanation(f, k.lang)), min(w-2, 110), room) {
			out = append(out, "  "+row)
		}
	}
	return out
}

func (k *look) about(f *rules.Finding) string {
	inc := f.Incident
	id := report.UnknownID
	var parts []string
	if f.Cause != nil {
		id = f.Cause.ID
		parts = append(parts, report.Certainty(f.Confidence, k.lang))
	}
	if inc.Engine != "" {
		parts = append(parts, strings.TrimSpace(inc.Engine+" "+inc.Before.Text("engine_version")))
	}
	switch {
	case f.Incident.Over:
		parts = append(parts, k.word("over"))
	case f.Degraded():
		parts = append(parts, k.word("degraded"))
	}
	if n := len(inc.Origins); n == 1 {
		parts = append(parts, inc.Origins[0])
	} else if n > 1 {
		parts = append(parts, fmt.Sprintf(k.word("ranks"), n))
	}
	if inc.Repeats > 1 {
		parts = append(parts, fmt.Sprintf(k.word("runs"), inc.Repeats))
	}
	if inc.Time != "" {
		parts = append(parts, inc.Time)
	}
	return cells.Printable(strings.Join(append([]string{id}, parts...), " · "))
}

// verdictWord says in a symbol and a word whether a remedy is enough; nothing where that is not known.
func (k *look) verdictWord(v memory.Kind) string {
	switch v {
	case memory.Fits:
		return k.theme.good.Render("✓ " + k.word("fits"))
	case memory.Borderline:
		return k.theme.warn.Render("~ " + k.word("borderline"))
	case memory.Short:
		return k.theme.bad.Render("✗ " + k.word("short"))
	}
	return ""
}
