package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/oomdoc/oomdoc/rules"
)

// WriteIssue writes what vLLM's bug-report form asks for, under the form's own headings: versions and
// arguments; what happened, with the memory's ledger, the decisive lines and what was tried. Secrets
// are masked unless Options.NoMask is set.
func WriteIssue(out io.Writer, d *rules.Diagnosis, opts Options) error {
	m := newDocument(d, opts)
	var f *rules.Finding
	headline := label(m.lang, "nothing")
	if len(d.Findings) > 0 {
		f = d.Findings[0]
		headline = Headline(f, m.lang)
	}
	m.printf("%s%s\n", comment("[Bug]: "+m.clean(headline)), comment(shared(m.lang, "lookItOver")))

	m.printf("### %s\n\n<details>\n<summary>The output of <code>python collect_env.py</code></summary>\n\n", shared(m.lang, "environment"))
	m.printf("%s\n</details>\n\n", fence("text", []string{shared(m.lang, "collectEnv")}))
	m.settings(f)

	m.printf("### %s\n\n%s\n\n", shared(m.lang, "bug"), m.prose(headline))
	if f != nil {
		m.printf("%s\n\n", m.about(f))
		if s := Explanation(f, m.lang); s != "" {
			m.printf("%s\n\n", m.prose(s))
		}
		m.evidence(f)
		m.ledgers(f)
		m.computed(f)
	}
	m.tried()
	m.end(opts)
	return m.write(out)
}

// computed says of each setting that was worked out whether it would be enough.
func (m *document) computed(f *rules.Finding) {
	some := false
	for i := range f.Remedies {
		r := &f.Remedies[i]
		v := Verdict(r, m.lang)
		if v == "" || len(r.Apply) == 0 {
			continue
		}
		if !some {
			m.printf("#### %s\n\n", shared(m.lang, "computed"))
			some = true
		}
		m.printf("- %s — %s\n", m.code(r.Apply[0].Text), m.prose(v))
	}
	if some {
		m.printf("\n")
	}
}

// tried is a table of the log's runs: what was changed from one to the next, and how each ended.
func (m *document) tried() {
	runs := m.d.Log.Runs
	if len(runs) < 2 {
		return
	}
	m.printf("#### %s\n\n| %s | %s | %s |\n| --- | --- | --- |\n", shared(m.lang, "runs"), shared(m.lang, "run"), shared(m.lang, "changed"), shared(m.lang, "ended"))
	first := max(0, len(runs)-maxSharedRuns)
	for i := first; i < len(runs); i++ {
		changed := "–"
		if i > 0 {
			if list := m.difference(runs[i-1].Facts, runs[i].Facts); len(list) > 0 {
				changed = cell(m.clean(cutText(strings.Join(list, ", "))))
			}
		}
		m.printf("| %s | %s | %s |\n", m.place(runs[i].First), changed, m.ending(i))
	}
	if first > 0 {
		m.printf("\n%s\n", fmt.Sprintf(shared(m.lang, "more"), first))
	}
	m.printf("\n")
}

// ending says how a run ended.
func (m *document) ending(i int) string {
	run := m.d.Log.Runs[i]
	for _, f := range m.d.Findings {
		for _, inc := range run.Incidents {
			if inc != f.Incident {
				continue
			}
			if f.Cause == nil {
				return label(m.lang, "unknown")
			}
			return code(f.Cause.ID)
		}
	}
	for _, f := range m.d.Findings { // runs that ended alike were folded into the first
		if f.Incident.Repeats > 1 && f.Incident.First.Line < run.First.Line && !run.Ready {
			return shared(m.lang, "likewise")
		}
	}
	if run.Ready {
		return shared(m.lang, "served")
	}
	return shared(m.lang, "silent")
}
