package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/textinput"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// look is how the screen looks and speaks: what is drawn from values alone needs no more.
type look struct {
	theme theme
	lang  string
}

// word is one of the screen's words, or of the report's.
func (k *look) word(key string) string {
	if t, ok := words[key]; ok {
		return t.In(k.lang)
	}
	return report.Word(key, k.lang)
}

// rule is a heading with a line to the end of the row.
func (k *look) rule(title, right string, w int) string {
	title = k.theme.heading.Render(title) + " "
	if right != "" {
		right = " " + right
	}
	n := w - cells.Width(title) - cells.Width(right)
	if n < 2 {
		return cells.Cut(title, w)
	}
	return title + k.theme.dim.Render(strings.Repeat("─", n)+right)
}

// input is a field to type into.
func (k *look) input(prompt string) textinput.Model {
	in := textinput.New()
	in.Prompt = prompt
	in.PromptStyle, in.TextStyle, in.Cursor.Style, in.Cursor.TextStyle = k.theme.accent, k.theme.plain, k.theme.plain, k.theme.plain
	in.CharLimit = 4096
	in.Focus()
	return in
}
