package tui

// Options changes how the screen looks and speaks.
type Options struct {
	Lang    string // "en" or "zh"
	Color   bool
	Dark    bool // the terminal's background is known to be dark
	Version string
	Topics  func() []Topic
	World   *World // what the screen does outside of itself; nil does nothing, as in tests

	Board *Pasteboard // begin with a place to paste, which feeds this; nil: there is none
}

// Topic is a page about a cause, a remedy, a message or a fact.
type Topic struct {
	ID, Kind, Title string
	Text            func(width int) string
}
