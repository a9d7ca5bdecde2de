package template

import (
	"strings"
	"testing"
)

// A match that would take too many steps is given up, which is said.
func TestGivesUp(t *testing.T) {
	p := Program{{Op: OpLit, S: "a"}}
	for range 30 { // each a in two ways
		at := int16(len(p))
		p = append(p, Inst{Op: OpSplit, X: at + 1, Y: at + 3}, Inst{Op: OpLit, S: "a"}, Inst{Op: OpJump, X: at + 4}, Inst{Op: OpLit, S: "a"})
	}
	p = append(p, Inst{Op: OpLit, S: "b"}, Inst{Op: OpEnd})
	var m Matcher
	for _, tt := range []struct {
		text  string
		found bool
		gives bool
	}{
		{strings.Repeat("a", 31) + "b", true, false},
		{strings.Repeat("a", 31) + "c", false, true},
		{"b", false, false},
	} {
		var text Text
		text.Add([]byte(tt.text), LineEnd)
		if end, _ := m.Match(p, &text, 0); (end >= 0) != tt.found || m.GaveUp != tt.gives {
			t.Errorf("%s: %d, gave up: %t", tt.text, end, m.GaveUp)
		}
	}
}
