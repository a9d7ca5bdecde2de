package message

import (
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/gate"
)

// A text too short for a lane of the gate costs a pass of its own over the log, a tenth of the whole time.
func TestGateTextsAreLong(t *testing.T) {
	for _, g := range GateTexts {
		if len(g.Text)-int(g.At) < gate.Window(3) && g.Text != "LLM(" {
			t.Errorf("%q: a wording needs a word of %d bytes that no blank divides", g.Text, gate.Window(3))
		}
	}
}
