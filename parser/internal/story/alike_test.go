package story

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

func TestAlike(t *testing.T) {
	for _, c := range []struct {
		gib  []float64
		want int
	}{
		{nil, 0},
		{[]float64{7.5}, 1},
		{[]float64{1.19, 22.1, 1.19, 1.19}, 3},
		{[]float64{1.19, 1.20, 1.19, 9.3}, 3}, // two decimals hide a page
		{[]float64{1.0, 1.1, 1.2, 1.3}, 1},
		{[]float64{4.0, 4.0, 8.0, 8.0, 8.0}, 3},
	} {
		listed := make([]fact.Fact, len(c.gib))
		for i, g := range c.gib {
			listed[i].Num = g * (1 << 30)
		}
		if got := alike(listed); got != c.want {
			t.Errorf("%v: %d alike, want %d", c.gib, got, c.want)
		}
	}
}
