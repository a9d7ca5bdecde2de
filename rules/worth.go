package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/oomdoc/oomdoc/knowledge"
)

// heard is the least that a cause must be likely for its advice to count.
const heard = 0.1

// advice is what one cause would have done, and how likely it is.
type advice struct {
	says     *knowledge.Cause
	chance   float64
	remedies []Remedy
	dead     []DeadEnd
}

// advise fills in the remedies and the dead ends over all causes that remain. What a remedy is worth is the sum,
// over the causes, of how likely the cause is times how far it helps there; a cause of which it is a dead end adds
// nothing. So a certain cause decides alone, and of two likely ones what helps in both comes first.
func (s *scope) advise(f *Finding, unknown float64, kb *knowledge.Base) {
	says := f.Says()
	if says == nil {
		return
	}
	s.spellFor(says)
	chance := f.Confidence
	if f.Cause == nil {
		chance = max(unknown, heard)
	}
	all := []advice{s.adviceOf(says, chance, kb)}
	for _, o := range f.Others {
		if o.Confidence >= heard && engineFits(o.Cause.Engine, s.engine) {
			all = append(all, s.adviceOf(o.Cause, o.Confidence, kb))
		}
	}
	var total float64
	worth, chanceDead := map[string]float64{}, map[string]float64{}
	for _, a := range all {
		total += a.chance
	}
	for _, a := range all {
		for _, r := range a.remedies {
			worth[r.ID] += a.chance / total * r.Score
		}
		for _, e := range a.dead {
			chanceDead[e.ID] += a.chance / total
		}
	}
	offered := map[string]bool{}
	for _, a := range all {
		for _, r := range a.remedies {
			if !offered[r.ID] && chanceDead[r.ID] < 0.5 {
				offered[r.ID] = true
				r.Score = worth[r.ID]
				f.Remedies = append(f.Remedies, r)
			}
		}
	}
	slices.SortStableFunc(f.Remedies, func(a, b Remedy) int {
		return cmp.Or(lessIf(lastResort(a), lastResort(b)), cmp.Compare(b.Score, a.Score))
	})
	for _, e := range all[0].dead {
		if !offered[e.ID] {
			f.DeadEnds = append(f.DeadEnds, e)
		}
	}
	f.Ask = s.ask(f, all, kb)
}

// lastResort reports whether a remedy is another machine or another model: whoever could have that would not ask.
func lastResort(r Remedy) bool { return r.CostRank >= 5 }

// adviceOf is what one cause has to say, its remedies best first with scores between 0 and 1.
func (s *scope) adviceOf(says *knowledge.Cause, chance float64, kb *knowledge.Base) advice {
	scope := newScope(s.incident, s.planner)
	scope.engine, scope.named, scope.resource = s.engine, s.named, says.Resource
	out := advice{says: says, chance: chance, dead: scope.deadEnds(says, kb)}
	dead := map[string]bool{}
	for _, e := range out.dead {
		dead[e.ID] = true
	}
	offered := map[string]bool{}
	for i := range says.Remedies {
		use := &says.Remedies[i]
		r := kb.Remedy(use.Use)
		if r == nil || offered[use.Use] || dead[use.Use] || !scope.holds(use.If) {
			continue
		}
		end := scope.useless(r)
		if end == nil && !scope.holds(r.If) {
			end = &knowledge.DeadEnd{Why: r.Else}
		}
		if end != nil {
			dead[use.Use] = true
			out.dead = append(out.dead, DeadEnd{Remedy: r, Title: scope.title(r), Why: end.Why, Helps: end.Helps, Sources: slices.Concat(end.Sources, r.Sources), Suggested: scope.suggested(r)})
			continue
		}
		remedy, ok := scope.plan(use, r)
		if !ok {
			continue
		}
		if tooLittle(remedy) {
			dead[use.Use] = true
			out.dead = append(out.dead, s.tooShort(remedy))
			continue
		}
		offered[use.Use] = true
		remedy.Suggested = scope.suggested(r)
		remedy.Score -= placeTakes * float64(len(out.remedies))
		out.remedies = append(out.remedies, remedy)
	}
	for i := range out.remedies {
		out.remedies[i].Score = 1 / (1 + math.Exp(-out.remedies[i].Score))
	}
	slices.SortStableFunc(out.remedies, func(a, b Remedy) int { return cmp.Compare(b.Score, a.Score) })
	return out
}
