package tui

import (
	"io"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// theme holds the styles of the screen. The colours are the terminal's own sixteen, so that its
// scheme decides what they look like. Where the background is not known to be dark they are the eight
// that can be read on both, and magenta stands for yellow.
type theme struct {
	plain, bold, dim, heading, accent lipgloss.Style
	bad, good, warn                   lipgloss.Style
	selected                          lipgloss.Style // the row the cursor is on
	decisive                          lipgloss.Style // the line of the log that decides
	found                             lipgloss.Style // what a search found
	parts                             map[string]lipgloss.Style
}

func newTheme(color, dark bool) theme {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetHasDarkBackground(dark) // given, so that the terminal is not asked
	r.SetColorProfile(termenv.Ascii)
	if color {
		r.SetColorProfile(termenv.ANSI)
	}
	fg := func(onDark, onAny string) lipgloss.Style {
		if dark {
			return r.NewStyle().Foreground(lipgloss.Color(onDark))
		}
		return r.NewStyle().Foreground(lipgloss.Color(onAny))
	}
	red, green, yellow := fg("9", "1"), fg("10", "2"), fg("11", "5")
	blue, magenta, cyan, grey := fg("12", "4"), fg("13", "5"), fg("14", "6"), r.NewStyle().Faint(true)
	t := theme{
		plain: r.NewStyle(), bold: r.NewStyle().Bold(true), dim: grey,
		heading: cyan.Bold(true), accent: cyan,
		bad: red.Bold(true), good: green, warn: yellow,
		selected: r.NewStyle().Bold(true), decisive: red.Bold(true), found: r.NewStyle().Reverse(true),
	}
	t.parts = map[string]lipgloss.Style{
		"weights": blue, "weights_and_non_torch": blue, "live_tensors": blue, "process": blue,
		"activations": magenta, "activations_and_non_torch": magenta, "non_torch": cyan, "kv_cache": green,
		"cudagraph": yellow, "private_pool": yellow, "cached": yellow, "other_processes": red, "free": grey, "unexplained": red,
	}
	return t
}

func (t *theme) part(name string) lipgloss.Style {
	if s, ok := t.parts[name]; ok {
		return s
	}
	return t.plain
}
