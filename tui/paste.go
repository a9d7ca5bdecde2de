package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/tui/cells"
	"github.com/oomdoc/oomdoc/tui/feed"
)

// pasteView is a place to paste a log, or to type a line of one.
type pasteView struct {
	prompt textinput.Model
	bytes  int64
}

func newPasteView(m *common) *pasteView {
	return &pasteView{prompt: m.input("> ")}
}

func (v *pasteView) typing() bool { return true }

func (v *pasteView) key(m *common, k tea.KeyMsg) tea.Cmd {
	switch s := k.String(); {
	case s == "ctrl+r":
		return m.restart()
	case k.Paste: // where the terminal's pastes come as keys
		return m.typed(string(k.Runes))
	case s == "enter":
		if line := v.prompt.Value(); strings.TrimSpace(line) != "" {
			v.prompt.SetValue("")
			return m.typed(line + "\n")
		}
		if m.diagnosis != nil {
			m.pop()
		}
	case s == "esc":
		if v.prompt.Value() == "" {
			return tea.Quit
		}
		v.prompt.SetValue("")
	case s == "q" && v.prompt.Value() == "":
		return tea.Quit
	case s == "?" && v.prompt.Value() == "":
		m.help = true
	default:
		v.prompt, _ = v.prompt.Update(k)
	}
	return nil
}

// typed gives text to the source, as if it had been pasted.
func (m *common) typed(text string) tea.Cmd {
	board := m.opts.Board
	if board == nil {
		return nil
	}
	return func() tea.Msg {
		board.Feed([]byte(text), true)
		return nil
	}
}

// restart asks the source to begin anew.
func (m *common) restart() tea.Cmd {
	board := m.opts.Board
	if board == nil {
		return nil
	}
	return func() tea.Msg {
		board.Restart()
		return nil
	}
}

func (v *pasteView) receive(m *common, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case feed.Pasted:
		v.bytes = msg.Bytes
	case feed.Diagnosed:
		if msg.Diagnosis != nil && m.top() == view(v) && (len(msg.Diagnosis.Findings) > 0 || msg.Final) {
			m.pop()
		}
	}
	return nil
}

func (v *pasteView) hints(*common) []hint {
	return []hint{{"Enter", "diagnose"}, {"Ctrl-R", "over"}, {"Ctrl-C", "quit"}}
}

func (v *pasteView) draw(m *common, w, h int) []string {
	out := []string{m.header("", w), ""}
	for _, key := range []string{"paste", "pasteMore", "pasteOr"} {
		rows := cells.Wrap(m.word(key), min(w, 90), 4)
		if key != "paste" {
			for i := range rows {
				rows[i] = m.theme.dim.Render(rows[i])
			}
		}
		out = append(append(out, rows...), "")
	}
	v.prompt.Width = max(4, w-4)
	if v.bytes > 0 {
		out = append(out, m.theme.good.Render(m.word("pasting")+" "+memory.Format(float64(v.bytes))))
	}
	return append(out, cells.Cut(v.prompt.View(), w))
}
