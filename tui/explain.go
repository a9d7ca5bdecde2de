package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/tui/cells"
)

// explainView searches the topics.
type explainView struct {
	topics  []Topic
	matches []int
	at, top int
	prompt  textinput.Model
	asking  bool
}

// newExplain opens the topics with a search for a word; with "" the cause of the current incident
// stands under the cursor.
func newExplain(m *common, word string) *explainView {
	v := &explainView{prompt: m.input("/")}
	if m.opts.Topics != nil {
		v.topics = m.opts.Topics()
	}
	v.prompt.SetValue(word)
	v.search()
	if f := m.current(); f != nil && f.Cause != nil && word == "" {
		for i, n := range v.matches {
			if v.topics[n].ID == f.Cause.ID {
				v.at, v.top = i, max(0, i-3)
				break
			}
		}
	}
	return v
}

// search finds the topics that have every word; those that have them in their id come first.
func (v *explainView) search() {
	words := strings.Fields(strings.ToLower(v.prompt.Value()))
	has := func(s string) bool {
		for _, w := range words {
			if !strings.Contains(s, w) {
				return false
			}
		}
		return true
	}
	var ids, rest []int
	for i, t := range v.topics {
		id := strings.ToLower(t.ID + " " + strings.ReplaceAll(t.ID, "-", " ") + " " + t.Kind)
		if has(id) {
			ids = append(ids, i)
		} else if has(id + " " + strings.ToLower(t.Title)) {
			rest = append(rest, i)
		}
	}
	v.matches, v.at, v.top = append(ids, rest...), 0, 0
}

func (v *explainView) typing() bool { return v.asking }

func (v *explainView) key(m *common, k tea.KeyMsg) tea.Cmd {
	switch s := k.String(); {
	case s == "enter":
		v.asking = false
		if v.at < len(v.matches) {
			m.push(&topicView{topic: v.topics[v.matches[v.at]]})
		}
	case v.asking && s == "esc":
		v.asking = false
		v.prompt.SetValue("")
		v.search()
	case v.asking && s != "up" && s != "down" && s != "pgup" && s != "pgdown":
		before := v.prompt.Value()
		v.prompt, _ = v.prompt.Update(k)
		if v.prompt.Value() != before {
			v.search()
		}
	case s == "/":
		v.asking = true
	default:
		v.at, _ = scroll(v.at, len(v.matches), m.h-4, k)
	}
	return nil
}

func (v *explainView) hints(*common) []hint {
	if v.asking {
		return []hint{{"Enter", "open"}, {"↑↓", "move"}, {"Esc", "back"}}
	}
	return []hint{{"q", "back"}, {"/", "search"}, {"j/k", "move"}, {"Enter", "open"}}
}

func (v *explainView) draw(m *common, w, h int) []string {
	out := []string{cells.Ends(m.theme.heading.Render("oomdoc")+" "+m.theme.bold.Render(m.word("explain")), fmt.Sprintf("%d/%d", len(v.matches), len(v.topics)), w)}
	if v.asking || v.prompt.Value() != "" {
		out = append(out, cells.Cut(v.prompt.View(), w))
	} else {
		out = append(out, "")
	}
	if len(v.matches) == 0 {
		return append(out, m.theme.dim.Render(m.word("noMatch")))
	}
	room := h - len(out)
	v.top = cells.Window(v.top, v.at, v.at+1, len(v.matches), room)
	for i := v.top; i < min(len(v.matches), v.top+room); i++ {
		t := v.topics[v.matches[i]]
		mark, style := "  ", m.theme.plain
		if i == v.at {
			mark, style = m.theme.accent.Render("▸ "), m.theme.bold
		}
		row := mark + style.Render(cells.Fill(t.ID, min(34, w/2))) + " "
		if w >= 70 {
			row += m.theme.dim.Render(cells.Fill(t.Kind, 9)) + " "
		}
		out = append(out, row+cells.Cut(t.Title, w-cells.Width(row)))
	}
	return out
}

// topicView is one page.
type topicView struct {
	page
	topic Topic
	width int
	text  []string
}

func (v *topicView) key(_ *common, k tea.KeyMsg) tea.Cmd {
	v.page.key(k)
	return nil
}

func (v *topicView) hints(*common) []hint { return []hint{{"q", "back"}, {"j/k", "scroll"}} }

func (v *topicView) draw(m *common, w, h int) []string {
	if v.width != w {
		v.width = w
		v.text = strings.Split(strings.TrimRight(v.topic.Text(min(w, 100)), "\n"), "\n")
	}
	rows := append([]string{}, v.text...)
	return append([]string{m.header(m.word("explain")+" · "+v.topic.ID, w), ""}, v.show(rows, h-2)...)
}
