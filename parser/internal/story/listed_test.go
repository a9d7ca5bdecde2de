package story

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

func gib(n float64) fact.Fact {
	return fact.Fact{Value: fact.Value{Kind: fact.Bytes, Num: n * (1 << 30)}}
}

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
		all := make([]listed, len(c.gib))
		for i, g := range c.gib {
			all[i].holds = gib(g)
		}
		if got := alike(all); got != c.want {
			t.Errorf("%v: %d alike, want %d", c.gib, got, c.want)
		}
	}
}

// Which of the listed processes is this one, what the others hold, and how many were started with it.
func TestListed(t *testing.T) {
	for name, c := range map[string]struct {
		allocated, cached float64 // GiB
		own               float64 // as the sentence tells it, 0 where it does not
		origin            string
		listed            []listed
		pid, beside       int
		others, largest   float64
	}{
		"workers of one test run": {
			allocated: 6.5, cached: 0.1, listed: []listed{{4107, gib(0.3)}, {4110, gib(2)}, {4104, gib(6.8)}},
			pid: 4104, beside: 2, others: 2.3, largest: 2,
		},
		"a larger one beside it is not it": {
			allocated: 3, cached: 0, listed: []listed{{900, gib(3.2)}, {70000, gib(8.5)}},
			pid: 900, others: 8.5, largest: 8.5,
		},
		"two that could be it": {
			allocated: 3, cached: 0, listed: []listed{{900, gib(3.2)}, {70000, gib(4.1)}},
			others: 7.3, largest: 4.1,
		},
		"all of one launcher, whichever it is": {
			allocated: 3, cached: 0, listed: []listed{{900, gib(3.2)}, {903, gib(3.3)}, {906, gib(3.2)}},
			beside: 2, others: 9.7, largest: 3.3,
		},
		"its pid in the lines": {
			allocated: 3, own: 3.4, origin: "Worker pid=512", listed: []listed{{513, gib(3.4)}, {9000, gib(1)}},
			beside: 1, others: 4.4, largest: 3.4,
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := Incident{listed: c.listed, Facts: fact.Facts{"torch_allocated": gib(c.allocated), "torch_reserved_unallocated": gib(c.cached)}}
			if c.own > 0 {
				i.Facts["process_in_use"] = gib(c.own)
			}
			if c.origin != "" {
				i.Failed = []string{c.origin}
			}
			i.derive()
			for name, want := range map[string]float64{
				"own_pid": float64(c.pid), "sibling_processes": float64(c.beside),
				"other_processes": gib(c.others).Num, "largest_other": gib(c.largest).Num,
			} {
				if got := i.Facts[name].Num; got < want-1 || got > want+1 {
					t.Errorf("%s is %v, want %v", name, got, want)
				}
			}
		})
	}
}
