package tui

import (
	"encoding/base64"
	"fmt"
	"os"
	"strings"

	"github.com/atotto/clipboard"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/report"
)

// World is what the screen does outside of itself.
type World struct {
	Copy func(text string)
	Save func(name, text string) error
}

// NewWorld copies through a terminal and the system's clipboard, and saves into the working directory.
func NewWorld(terminal *os.File) *World {
	return &World{
		Copy: func(text string) {
			// OSC 52 reaches the clipboard of the machine the person sits at, through ssh too.
			fmt.Fprintf(terminal, "\x1b]52;c;%s\x07", base64.StdEncoding.EncodeToString([]byte(text)))
			if !clipboard.Unsupported {
				_ = clipboard.WriteAll(text) // a second way; the first may have done
			}
		},
		Save: func(name, text string) error { // never over a file that is there
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
			if err != nil {
				return err
			}
			if _, err := f.WriteString(text); err != nil {
				f.Close()
				return err
			}
			return f.Close()
		},
	}
}

// copy puts a text on the clipboard and says which.
func (m *Model) copy(text string) tea.Cmd {
	if strings.TrimSpace(text) == "" {
		m.note = m.word("noCopy")
		return nil
	}
	first, rest, many := strings.Cut(strings.TrimSpace(text), "\n")
	if many && rest != "" {
		first += " …"
	}
	m.note = fmt.Sprintf(m.word("copied"), fmt.Sprint(len([]rune(text))), first)
	world := m.opts.World
	if world == nil {
		return nil
	}
	return func() tea.Msg {
		world.Copy(text)
		return nil
	}
}

// report is the text report, without colours.
func (m *Model) report() string {
	if m.diagnosis == nil {
		return ""
	}
	var b strings.Builder
	_ = report.WriteText(&b, m.diagnosis, report.Options{Lang: m.opts.Lang, Width: 80, Version: m.opts.Version})
	return b.String()
}

// save writes the report as Markdown, secrets masked, under the first name that is free.
func (m *Model) save() tea.Cmd {
	world := m.opts.World
	if world == nil || m.diagnosis == nil {
		return nil
	}
	var b strings.Builder
	_ = report.WriteMarkdown(&b, m.diagnosis, report.Options{Lang: m.opts.Lang, Version: m.opts.Version})
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
