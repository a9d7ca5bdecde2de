package tui

import (
	"github.com/oomdoc/oomdoc/tui/feed"
	"github.com/oomdoc/oomdoc/tui/terminal"
)

// Options changes how the screen looks and speaks.
type Options struct {
	Lang    string // "en" or "zh"
	Color   bool
	Dark    bool // the terminal's background is known to be dark
	Version string
	Topics  func() []Topic
	World   *terminal.World // what the screen does outside of itself; nil does nothing, as in tests

	Board *feed.Pasteboard // begin with a place to paste, which feeds this; nil: there is none
}

// Topic is a page about a cause, a remedy, a message or a fact.
type Topic struct {
	ID, Kind, Title string
	Text            func(width int) string
}
