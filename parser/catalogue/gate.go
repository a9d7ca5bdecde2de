package catalogue

import (
	"cmp"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/parser"
)

// GateText is a text to look for in raw lines: a line without any of them holds no message.
type GateText struct {
	Text     string
	Class    parser.Class // the strongest of its messages
	Periodic bool         // all its messages are printed every few seconds
}

const (
	minPiece = 12 // bytes of a gate text, where the wording has that many in a row: shorter ones slow the gate
	maxPiece = 20 // more only costs time
)

// wanted is a wording that the gate has to see.
type wanted struct {
	message *Message
	runs    []string // text that every match of it contains, longest first
	pieces  int      // how many of them the gate looks for
}

// Gate chooses the gate's texts. A failure has two, apart from each other, so that a line wrapped inside
// one still shows the other; any other message has one. Wordings share texts where they can. Harmless
// look-alikes and what is marked beside need none: they only matter next to a failure.
func Gate(all []*Message) ([]GateText, error) {
	var list []wanted
	for _, m := range all {
		class, _ := m.class()
		if class == parser.ClassBenign || m.Beside {
			continue
		}
		for _, w := range m.Wordings {
			compiled, err := Compile(w)
			if err != nil {
				return nil, err
			}
			for _, c := range compiled {
				want := wanted{m, c.runs, 1}
				if class == parser.ClassFailure || class == parser.ClassHint {
					want.pieces = 2
				}
				list = append(list, want)
			}
		}
	}
	// Those with the least choice first, so that the others can share.
	slices.SortStableFunc(list, func(a, b wanted) int {
		return cmp.Or(cmp.Compare(length(a.runs), length(b.runs)), cmp.Compare(a.message.ID, b.message.ID))
	})
	var out []GateText
	at := map[string]int{}
	for _, w := range list {
		class, _ := w.message.class()
		for _, text := range w.choose(out) {
			k, ok := at[text]
			if !ok {
				k = len(out)
				at[text] = k
				out = append(out, GateText{text, class, w.message.Periodic})
			}
			out[k].Class = stronger(out[k].Class, class)
			out[k].Periodic = out[k].Periodic && w.message.Periodic
		}
	}
	slices.SortFunc(out, func(a, b GateText) int { return cmp.Compare(a.Text, b.Text) })
	return out, nil
}

func length(runs []string) int {
	n := 0
	for _, r := range runs {
		n += len(r)
	}
	return n
}

// stronger is the class with the larger region: failures before all others.
func stronger(a, b parser.Class) parser.Class {
	if a == parser.ClassFact {
		return b
	}
	return a
}

// choose picks the pieces of a wording: those that others look for already, then new ones.
func (w *wanted) choose(chosen []GateText) []string {
	var pieces []string
	rest := slices.Clone(w.runs)
	for _, g := range chosen {
		for i, r := range rest {
			if k := strings.Index(r, g.Text); k >= 0 && len(pieces) < w.pieces {
				pieces = append(pieces, g.Text)
				rest[i] = r[:k]
				rest = append(rest, r[k+len(g.Text):])
			}
		}
	}
	for len(pieces) < w.pieces {
		slices.SortStableFunc(rest, func(a, b string) int { return len(b) - len(a) })
		r := strings.TrimSpace(rest[0])
		if len(r) < minPiece && len(pieces) > 0 || r == "" {
			break
		}
		piece := r
		if w.pieces > len(pieces)+1 && len(r) >= 2*minPiece { // leave something for the second
			piece = r[:len(r)/2]
		}
		piece = strings.TrimSpace(piece[:min(len(piece), maxPiece)])
		pieces = append(pieces, piece)
		k := strings.Index(rest[0], piece)
		rest[0] = rest[0][k+len(piece):]
	}
	return pieces
}
