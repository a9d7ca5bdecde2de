package catalogue

import (
	"bytes"

	"github.com/oomdoc/oomdoc/internal/loggen"
	"github.com/oomdoc/oomdoc/parser/internal/gate"
)

// strides are those that the gate on raw lines is made with.
var strides = [...]int{7, 3}

// noise knows what a server's log is full of.
type noise struct {
	log   []byte
	grams map[string]int // how often each gram of the gate's occurs
}

func newNoise() *noise {
	n := &noise{loggen.Server(1<<20, 1), map[string]int{}}
	for _, s := range strides {
		size := gate.Gram(s)
		for i := range len(n.log) - size {
			n.grams[string(n.log[i:i+size])]++
		}
	}
	return n
}

// window returns where in a text the bytes stand that stop the gate least often, and how often they do.
func (n *noise) window(text string) (at, stops int) {
	stride, gram := 1, 1
	for _, s := range strides {
		if len(text) >= gate.Window(s) {
			stride, gram = s, gate.Gram(s)
			break
		}
	}
	if gram == 1 {
		return n.rarest(text)
	}
	stops = -1
	for i := 0; i+gram+stride-1 <= len(text); i++ {
		sum := 0
		for k := range stride {
			sum += n.grams[text[i+k:i+k+gram]]
		}
		if stops < 0 || sum < stops {
			at, stops = i, sum
		}
	}
	return at, stops
}

// rarest is the window of a text that is too short for any other: one byte.
func (n *noise) rarest(text string) (at, stops int) {
	stops = -1
	for i := range len(text) {
		if c := bytes.Count(n.log, []byte{text[i]}); stops < 0 || c < stops {
			at, stops = i, c
		}
	}
	return at, stops
}

// cost weighs a text: its place in the gate's tables, how often it stops the gate for nothing, and how often
// lines of no interest would be read because of it.
func (n *noise) cost(text string) float64 {
	const table, line = 30, 50
	_, stops := n.window(text)
	hits := stops
	for i := 0; i+gate.Gram(1) <= len(text); i++ {
		hits = min(hits, n.grams[text[i:i+gate.Gram(1)]])
	}
	if hits > 0 {
		hits = bytes.Count(n.log, []byte(text))
	}
	return table + float64(stops) + line*float64(hits)
}
