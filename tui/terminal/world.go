// Package terminal is what the screen needs of the world outside: keys without the pastes among them, the
// clipboard, files to save to.
package terminal

import (
	"encoding/base64"
	"fmt"
	"os"

	"github.com/atotto/clipboard"
)

// World is what the screen does outside of itself.
type World struct {
	Copy func(text string)
	Save func(name, text string) error
}

// NewWorld copies through a terminal and the system's clipboard, and saves into the working directory.
func NewWorld(screen *os.File) *World {
	return &World{
		Copy: func(text string) {
			// OSC 52 reaches the clipboard of the machine the person sits at, through ssh too.
			fmt.Fprintf(screen, "\x1b]52;c;%s\x07", base64.StdEncoding.EncodeToString([]byte(text)))
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
