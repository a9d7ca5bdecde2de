package parser

import (
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

func TestCatalogueIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Catalogue() {
		if seen[m.ID] {
			t.Errorf("two messages are called %s", m.ID)
		}
		seen[m.ID] = true
		if m.Doc == "" {
			t.Errorf("%s has no doc", m.ID)
		}
	}
	for i := range message.All { // what the session works out itself has none
		if len(message.All[i].Examples) == 0 {
			t.Errorf("%s has no example", message.All[i].ID)
		}
	}
}
