package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/oomdoc/oomdoc/rules"
)

// maxAnnotations is how many errors, and how many warnings, GitHub shows of one step.
const maxAnnotations = 10

// WriteGitHub writes an annotation for each incident, as GitHub's runners read them: errors for failures, warnings for
// what goes on slowly. Anybody may read a public run: secrets are masked unless Options.NoMask is set.
func WriteGitHub(out io.Writer, d *rules.Diagnosis, opts Options) error {
	m := newDocument(d, opts)
	if len(d.Findings) == 0 {
		m.printf("%s\n", label(m.lang, "nothing"))
	}
	shown := map[string]int{}
	for _, f := range d.Findings {
		command, id := "error", UnknownID
		if f.Degraded() {
			command = "warning"
		}
		if f.Cause != nil {
			id = f.Cause.ID
		}
		if shown[command]++; shown[command] > maxAnnotations {
			continue
		}
		m.printf("::%s title=%s::%s\n", command, property("oomdoc: "+id), data(m.clean(Headline(f, m.lang))+m.annotation(f)))
	}
	return m.write(out)
}

// annotation is what stands below the headline: the sums and what to do first.
func (m *document) annotation(f *rules.Finding) string {
	var b strings.Builder
	if s := Explanation(f, m.lang); s != "" {
		b.WriteString("\n" + m.clean(s))
	}
	for i := range f.Remedies[:min(len(f.Remedies), 3)] {
		r := &f.Remedies[i]
		fmt.Fprintf(&b, "\n%d. %s", i+1, m.clean(r.Title.In(m.lang)))
		if len(r.Apply) > 0 {
			b.WriteString(": " + m.clean(r.Apply[0].Text))
		}
	}
	return b.String()
}

// data writes the text of a workflow command: what would end it is spelled out.
func data(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property writes a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(s))
}
