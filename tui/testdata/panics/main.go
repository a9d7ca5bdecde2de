// Command panics opens the screen with a source that panics, or with keys that make it panic, so that
// .ci/terminal can see what becomes of the terminal.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui"
	"github.com/oomdoc/oomdoc/tui/feed"
)

type source struct{ inside bool }

func (s source) Run(_ context.Context, send func(tea.Msg)) {
	time.Sleep(200 * time.Millisecond)
	if s.inside {
		send(feed.Diagnosed{Diagnosis: &rules.Diagnosis{Findings: []*rules.Finding{{}}}}) // drawing it fails
		return
	}
	panic("in the source")
}

func main() {
	_, err := tui.Run(context.Background(), source{len(os.Args) > 1}, tui.Terminal{Keys: os.Stdin, Screen: os.Stdout}, tui.Options{Lang: "en"})
	fmt.Println("left:", err != nil)
}
