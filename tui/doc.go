// Package tui is the diagnosis as a screen.
//
// The model is driven by messages alone: keys, sizes, and what a [feed.Source] sends about the log. Update
// and View do no input or output except reading lines of a log at their offsets; what else touches
// the world (the clipboard, files) is a command. So a screen can be tested by sending messages, and a
// follower can drive it as a reader of files does: it sends the messages of package feed as
// often as it likes.
//
// Guarantees: nothing of a log reaches the terminal but printable text; no row is wider than the
// terminal, counted in cells, and no screen is higher; the terminal is asked nothing; it is drawn at
// most 30 times a second.
package tui
