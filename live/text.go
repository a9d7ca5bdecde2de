package live

import (
	"fmt"
	"io"
	"strings"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

var words = map[string]knowledge.Text{
	"run":     {En: "run %d began", Zh: "第 %d 次运行开始"},
	"phase":   {En: "phase %s", Zh: "阶段 %s"},
	"cleared": {En: "over: %s", Zh: "已恢复：%s"},
	"again":   {En: "%d times by now", Zh: "至今已 %d 次"},
}

func word(lang, key string) string { return words[key].In(lang) }

// Text writes an event for people: a line, and behind that of an incident or a warning the diagnosis.
func Text(w io.Writer, e Event, opts report.Options) error {
	var b strings.Builder
	b.WriteString(e.At.Format("15:04:05"))
	if e.Source != "" {
		b.WriteString("  " + report.Printable(e.Source))
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
	}
	b.WriteString("  ")
	switch e.Kind {
	case RunStarted:
		fmt.Fprintf(&b, word(opts.Lang, "run"), e.Run)
		if e.Engine != "" {
			b.WriteString(" (" + e.Engine + ")")
		}
	case Phase:
		fmt.Fprintf(&b, word(opts.Lang, "phase"), e.Phase)
	case Cleared:
		title := e.Finding.Incident.Messages[0].ID
		if e.Finding.Cause != nil {
			title = e.Finding.Cause.Title.In(opts.Lang)
		}
		fmt.Fprintf(&b, word(opts.Lang, "cleared"), title)
	case Notice:
		b.WriteString(report.Printable(e.Text))
	case Incident, Warning:
		b.WriteString(string(e.Kind))
		if n := e.Finding.Incident.Repeats; n > 1 {
			fmt.Fprintf(&b, ", "+word(opts.Lang, "again"), n)
		}
		b.WriteString("\n\n")
		one := *e.Diagnosis
		one.Findings = []*rules.Finding{e.Finding}
		if err := report.WriteText(&b, &one, opts); err != nil {
			return err
		}
	}
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}
