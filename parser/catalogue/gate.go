package catalogue

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// GateText is a text to look for in raw lines: a line without any of them holds no message.
type GateText struct {
	Text  string
	At    int // where in it the bytes stand that the gate looks at first
	Reach message.Reach
}

const (
	minPiece = 12 // bytes of a gate text, where the wording has that many in a row: shorter ones slow the gate
	maxPiece = 20 // a longer one is more often cut by a wrapped line
)

// Gate chooses the gate's texts. A failure has two, apart from each other, so that a line wrapped inside
// one still shows the other; any other message has one. Harmless look-alikes and what is marked beside need
// none: they only matter next to a failure. The literals of configurations are taken as they are.
//
// Of all pieces of the wordings that one is taken next which serves most of them, for its noise: how often a
// server's log would stop the gate at it.
func Gate(all []*Message, configurations []string) ([]GateText, error) {
	demands, err := demandsOf(all)
	if err != nil {
		return nil, err
	}
	n := newNoise()
	reach := map[string]message.Reach{}
	add := func(text string, r message.Reach) {
		if old, ok := reach[text]; !ok || old == message.ReachFact {
			reach[text] = r
		}
	}
	for _, r := range []message.Reach{message.ReachFailure, message.ReachTraceback, message.ReachFact, message.ReachPeriodic} {
		var own []*demand
		for _, d := range demands {
			if d.reach == r {
				own = append(own, d)
			}
		}
		for _, text := range cover(own, n) {
			add(text, r)
		}
	}
	for _, text := range configurations {
		add(text, message.ReachConfig)
	}
	var out []GateText
	for text, r := range reach {
		at, _ := n.window(text)
		out = append(out, GateText{text, at, r})
	}
	slices.SortFunc(out, func(a, b GateText) int { return cmp.Compare(a.Text, b.Text) })
	return out, nil
}

func demandsOf(all []*Message) ([]*demand, error) {
	var out []*demand
	for _, m := range all {
		class, _ := m.class()
		if class == message.ClassBenign || m.Beside {
			continue
		}
		for _, w := range m.Wordings {
			compiled, err := Compile(w)
			if err != nil {
				return nil, err
			}
			for _, c := range compiled {
				d := &demand{rest: c.runs, pieces: 1, reach: message.ReachFailure}
				switch {
				case m.Periodic:
					d.reach, d.pieces = message.ReachPeriodic, 2
				case m.Traceback:
					d.reach = message.ReachTraceback
				case class == message.ClassFact:
					d.reach = message.ReachFact
				case class == message.ClassFailure || class == message.ClassHint:
					d.pieces = 2
				}
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// demand is a wording that the gate has to see.
type demand struct {
	rest   []string // text that every match of it contains, less what is taken already
	pieces int      // how many texts the gate still looks for
	begun  bool     // it has one
	reach  message.Reach
}

// take meets the demand by a text, if it contains it. What is left of the wording stands before or behind.
func (d *demand) take(text string) {
	for i, r := range d.rest {
		if k := strings.Index(r, text); k >= 0 && d.pieces > 0 {
			d.pieces--
			d.begun = true
			d.rest = append(slices.Delete(slices.Clone(d.rest), i, i+1), r[:k], r[k+len(text):])
			return
		}
	}
}

// worth is what a text would be to the demand: less when it leaves too little for the second one.
func (d *demand) worth(text string) float64 {
	if d.pieces == 0 {
		return 0
	}
	d = &demand{rest: d.rest, pieces: d.pieces}
	d.take(text)
	switch {
	case !d.begun:
		return 0
	case d.pieces > 0 && !slices.ContainsFunc(d.rest, func(r string) bool { return len(r) >= minPiece }):
		return 0.5
	}
	return 1
}

// piece is a text that wordings could be found by.
type piece struct {
	text  string
	of    []*demand
	cost  float64
	value float64 // what it is worth to all of them, for its cost; an upper bound, since others may serve them by now
}

func (p *piece) now() float64 {
	v := 0.0
	for _, d := range p.of {
		v += d.worth(p.text)
	}
	return v / p.cost
}

// queue is a heap of pieces, the one of most value first, of equals the longest.
type queue []*piece

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(*piece)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	p := (*q)[last]
	*q = (*q)[:last]
	return p
}
func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	return cmp.Or(cmp.Compare(b.value, a.value), len(b.text)-len(a.text), cmp.Compare(a.text, b.text)) < 0
}

// cover takes the piece of most value until every demand is met.
func cover(demands []*demand, n *noise) []string {
	var taken []string
	take := func(text string) {
		taken = append(taken, text)
		for _, d := range demands {
			d.take(text)
		}
	}
	q := pieces(demands, n)
	heap.Init(&q)
	for len(q) > 0 && q[0].value > 0 {
		if v := q[0].now(); v < q[0].value {
			q[0].value = v
			heap.Fix(&q, 0)
			continue
		}
		take(q[0].text)
	}
	// What has no piece of the wanted length is found by its longest text.
	for _, d := range demands {
		if !d.begun {
			take(d.rest[0])
		}
	}
	return taken
}

// pieces lists all pieces of the wanted length.
func pieces(demands []*demand, n *noise) queue {
	at := map[string]*piece{}
	var q queue
	for _, d := range demands {
		for _, r := range d.rest {
			for i := range r {
				for size := minPiece; size <= maxPiece && i+size <= len(r); size++ {
					text := r[i : i+size]
					if text != strings.TrimSpace(text) {
						continue
					}
					p := at[text]
					if p == nil {
						p = &piece{text: text, cost: n.cost(text)}
						at[text] = p
						q = append(q, p)
					}
					if len(p.of) == 0 || p.of[len(p.of)-1] != d {
						p.of = append(p.of, d)
					}
				}
			}
		}
	}
	for _, p := range q {
		p.value = p.now()
	}
	return q
}
