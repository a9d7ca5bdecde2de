package report

import (
	"testing"

	"github.com/oomdoc/oomdoc/parser"
)

// What a bound left out is said in both languages.
func TestCutsAreTranslated(t *testing.T) {
	for _, what := range parser.CutTexts() {
		c := parser.Cut{What: what, N: 3}
		if cutWords(c, "en") != what+" (3×)" || cutWords(c, "zh") == cutWords(c, "en") {
			t.Errorf("%q, %q", cutWords(c, "en"), cutWords(c, "zh"))
		}
	}
}
