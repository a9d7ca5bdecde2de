package rules

import "github.com/oomdoc/oomdoc/knowledge"

// rival is from how likely a second cause is on that it is worth a question.
const rival = 0.15

// ask finds the question to put where the two likeliest causes would have different things done: nil where one is
// alone, where both begin with the same step, or where nothing written tells them apart.
func (s *scope) ask(f *Finding, all []advice, kb *knowledge.Base) *Ask {
	first, second := f.Cause, (*knowledge.Cause)(nil)
	for _, o := range f.Others {
		if o.Confidence < rival {
			continue
		}
		if first == nil {
			first = o.Cause
		} else if second == nil {
			second = o.Cause
		}
	}
	if first == nil || second == nil || sameStep(all, first, second) {
		return nil
	}
	n, of := toldApart(first, second), second
	if n == nil {
		n, of = toldApart(second, first), first
	}
	if n == nil {
		return nil
	}
	a := &Ask{Parts: [2]*knowledge.Cause{first, second}, Of: of, Tell: n.How, Look: kb.Remedy(n.Look)}
	if a.Look != nil {
		if how, _, ok := s.spelling(a.Look); ok {
			a.How = s.spell(how, nil)
		}
	}
	return a
}

func toldApart(c, from *knowledge.Cause) *knowledge.Neighbour {
	for i := range c.ConfusedWith {
		if c.ConfusedWith[i].ID == from.ID {
			return &c.ConfusedWith[i]
		}
	}
	return nil
}

// sameStep reports whether both causes begin with the same remedy.
func sameStep(all []advice, a, b *knowledge.Cause) bool {
	var first [2]string
	for _, x := range all {
		if len(x.remedies) == 0 {
			continue
		}
		switch x.says {
		case a:
			first[0] = x.remedies[0].ID
		case b:
			first[1] = x.remedies[0].ID
		}
	}
	return first[0] != "" && first[0] == first[1]
}
