package tui

import (
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/report"
)

// noteMsg is a short message for the help bar.
type noteMsg string

// report is the text report, without colours.
func (m *Model) report() string {
	if m.diagnosis == nil {
		return ""
	}
	var b strings.Builder
	_ = report.WriteText(&b, m.diagnosis, report.Options{Lang: m.lang, Width: 80, Version: m.opts.Version})
	return b.String()
}

// save writes the report as Markdown, secrets masked, under the first name that is free.
func (m *Model) save() tea.Cmd {
	world := m.opts.World
	if world == nil || m.diagnosis == nil {
		return nil
	}
	var b strings.Builder
	_ = report.WriteMarkdown(&b, m.diagnosis, report.Options{Lang: m.lang, Version: m.opts.Version})
	body, saved, failed := b.String(), m.word("saved"), m.word("notSaved")
	return func() tea.Msg {
		var err error
		for i := range 100 {
			name := "oomdoc-report.md"
			if i > 0 {
				name = fmt.Sprintf("oomdoc-report-%d.md", i+1)
			}
			if err = world.Save(name, body); !os.IsExist(err) {
				if err == nil {
					return noteMsg(fmt.Sprintf(saved, name))
				}
				break
			}
		}
		return noteMsg(fmt.Sprintf(failed, err))
	}
}
