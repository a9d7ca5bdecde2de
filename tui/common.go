package tui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
	"github.com/oomdoc/oomdoc/tui/feed"
)

// common is what the views share: what is known, what of it is shown, and where one is.
type common struct {
	look
	opts Options
	w, h int

	diagnosis *rules.Diagnosis
	final     bool
	progress  feed.Progress
	live      liveHeader
	logs      []*logstore.Log
	finding   int // the incident that is shown
	stack     []view
	note      string // stands in the help bar until the next key
	help      bool
}

// view is one screen. The top one of a model's stack is drawn and gets the keys.
type view interface {
	key(m *common, k tea.KeyMsg) tea.Cmd
	draw(m *common, w, h int) []string
	hints(m *common) []hint
}

// hint is a key of the help bar.
type hint struct{ keys, what string }

// current is the finding that is shown, nil where there is none.
func (m *common) current() *rules.Finding {
	if m.diagnosis == nil || m.finding >= len(m.diagnosis.Findings) {
		return nil
	}
	return m.diagnosis.Findings[m.finding]
}

func (m *common) top() view { return m.stack[len(m.stack)-1] }

func (m *common) push(v view) { m.stack = append(m.stack, v) }

// pop leaves a view; it reports whether there was one to go back to.
func (m *common) pop() bool {
	if len(m.stack) == 1 {
		return false
	}
	m.stack = m.stack[:len(m.stack)-1]
	return true
}

// open shows a view, once: a second what-if does not stand on the first.
func (m *common) open(v view) {
	for i, old := range m.stack {
		if fmt.Sprintf("%T", old) == fmt.Sprintf("%T", v) {
			m.stack = m.stack[:i]
			break
		}
	}
	m.push(v)
}

// step goes to the next or the previous incident, around the end.
func (m *common) step(next bool) {
	if m.diagnosis == nil || len(m.diagnosis.Findings) == 0 {
		return
	}
	n := len(m.diagnosis.Findings)
	if next {
		m.show((m.finding + 1) % n)
	} else {
		m.show((m.finding + n - 1) % n)
	}
}

// show goes to an incident.
func (m *common) show(i int) {
	m.finding = i
	for _, v := range m.stack {
		if s, ok := v.(interface{ changed(*common) }); ok {
			s.changed(m)
		}
	}
}

// header is the first row of a view: where one is, and how far reading has come.
func (m *common) header(title string, w int) string {
	left := m.theme.heading.Render("oomdoc") + " "
	if title != "" {
		left += m.theme.bold.Render(cells.Printable(title))
	}
	var right []string
	if !m.final && m.progress.Bytes > 0 {
		s := m.word("reading") + " "
		if m.progress.Total > 0 {
			s += fmt.Sprintf("%d%%", min(100, 100*m.progress.Bytes/m.progress.Total))
		} else {
			s += memory.Format(float64(m.progress.Bytes))
		}
		right = append(right, m.theme.warn.Render(s))
	}
	if m.diagnosis != nil && len(m.diagnosis.Findings) > 1 {
		right = append(right, fmt.Sprintf("%s %d/%d", m.word("incident"), m.finding+1, len(m.diagnosis.Findings)))
	}
	return cells.Ends(left, strings.Join(right, " · "), w)
}

// name is what the log is called: the end of its path.
func (m *common) name() string {
	switch len(m.logs) {
	case 0:
		return ""
	case 1:
		return filepath.Base(m.logs[0].Name)
	}
	return fmt.Sprintf("%s +%d", filepath.Base(m.logs[0].Name), len(m.logs)-1)
}

func (m *common) base() *knowledge.Base {
	if m.diagnosis != nil && m.diagnosis.Knowledge != nil {
		return m.diagnosis.Knowledge
	}
	return knowledge.Builtin()
}

// log is that of a source, nil where it is not kept.
func (m *common) log(source int) *logstore.Log {
	if source < 0 || source >= len(m.logs) {
		return nil
	}
	return m.logs[source]
}

// copy puts a text on the clipboard and says which.
func (m *common) copy(text string) tea.Cmd {
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
