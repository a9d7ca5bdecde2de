package report

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/memory"
)

const gib = 1 << 30

func ledger(total, budget float64, parts ...memory.Part) *memory.Ledger {
	return &memory.Ledger{Total: total * gib, Budget: budget * gib, Parts: parts}
}

func part(name string, size float64) memory.Part {
	return memory.Part{Name: name, Bytes: size * gib, Basis: memory.Derived}
}

func TestBar(t *testing.T) {
	for _, tt := range []struct {
		name  string
		l     *memory.Ledger
		width int
		want  string
	}{
		{"as long as their shares", ledger(24, 0, part("weights", 12), part("kv_cache", 6), part("free", 6)), 24, "████████████░░░░░░······"},
		{"a small part is seen", ledger(100, 0, part("weights", 90), part("non_torch", 0.1), part("free", 9.9)), 20, "██████████████████▒·"},
		{"what the log leaves open stays blank", ledger(20, 0, part("weights", 10)), 10, "█████"},
		{"beyond the device", ledger(10, 0, part("weights", 15), part("unexplained", -5)), 16, "██████████┃█████"},
		{"the total is not known", ledger(0, 0, part("weights", 3), part("kv_cache", 1)), 8, "██████░░"},
		{"more parts than cells", ledger(8, 0, part("weights", 2), part("kv_cache", 2), part("non_torch", 4)), 2, "█░"},
		{"nothing is known", ledger(8, 0), 8, ""},
	} {
		if got := Bar(tt.l, 0, tt.width, false); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.name, got, tt.want)
		}
		if got := ansi.Strip(Bar(tt.l, 0, tt.width, true)); got != tt.want {
			t.Errorf("%s, in colour:\n got %q\nwant %q", tt.name, got, tt.want)
		}
	}
}

// Bars that are compared have one scale.
func TestSpan(t *testing.T) {
	small, large := ledger(24, 0, part("weights", 24)), ledger(48, 0, part("weights", 24))
	span := Span(small, large)
	if got, want := Bar(large, span, 40, false), strings.Repeat("█", 20); got != want {
		t.Errorf("the larger device: %q, want %q", got, want)
	}
	if got, want := Bar(small, span, 41, false), strings.Repeat("█", 20)+"┃"; got != want {
		t.Errorf("the smaller device: %q, want %q", got, want)
	}
	half := ledger(24, 0, part("weights", 12))
	if got, want := Bar(half, span, 41, false), strings.Repeat("█", 10)+strings.Repeat(" ", 10)+"┃"; got != want {
		t.Errorf("half of the smaller device: %q, want %q", got, want)
	}
}

func TestBudgetMark(t *testing.T) {
	for _, tt := range []struct {
		l    *memory.Ledger
		want string
	}{
		{ledger(20, 18, part("weights", 1)), strings.Repeat(" ", 19) + "budget 18.00 GiB ^"},
		{ledger(20, 2, part("weights", 1)), "    ^ budget 2.00 GiB"},
		{ledger(20, 0, part("weights", 1)), ""},
	} {
		if got := BudgetMark(tt.l, 0, 40, "en"); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// Parts that can stand in one ledger differ without colour, and every part has a look and a name.
func TestEveryPartIsDrawn(t *testing.T) {
	for _, name := range memory.PartNames {
		if _, ok := partLooks[name]; !ok {
			t.Errorf("%s has no look", name)
		}
		if _, ok := partNames[name]; !ok {
			t.Errorf("%s has no name", name)
		}
	}
	together := []string{"weights", "activations", "non_torch", "kv_cache", "cudagraph", "other_processes", "free", "unexplained"}
	seen := map[string]string{}
	for _, name := range together {
		if other := seen[PartSymbol(name)]; other != "" {
			t.Errorf("%s and %s look the same", name, other)
		}
		seen[PartSymbol(name)] = name
	}
}
