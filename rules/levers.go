package rules

import (
	"cmp"
	"slices"

	"github.com/oomdoc/oomdoc/knowledge"
)

// How often a lever must be passed on to be worth a word where it does nothing, and where it acts on another
// resource altogether.
const (
	popular    = 2
	everywhere = 5
)

// useless returns the rule by which a remedy does nothing here, whatever the cause: nil where none holds. A lever
// that acts on other resources than the one that ran out does nothing either.
func (s *scope) useless(r *knowledge.Remedy) *knowledge.DeadEnd {
	for i := range r.Useless {
		e := &r.Useless[i]
		if s.holds(e.If) && (e.Unless == "" || !s.holds(e.Unless)) {
			return e
		}
	}
	if s.resource == "" || len(r.Frees) == 0 || slices.Contains(r.Frees, s.resource) || r.Known < everywhere && !s.suggested(r) {
		return nil
	}
	return &knowledge.DeadEnd{Use: away, Why: elsewhere(s.resource, r.Frees[0])}
}

// What ran out, and what a lever acts on, in words.
var (
	ranOut = map[string]knowledge.Text{
		"device": {En: "here the GPU's memory ran out", Zh: "这里用尽的是 GPU 显存"},
		"limit":  {En: "here a limit on this process was reached", Zh: "这里到达的是本进程的上限"},
		"pool":   {En: "here the KV cache is too small", Zh: "这里是 KV cache 太小"},
		"host":   {En: "here the host's RAM ran out", Zh: "这里用尽的是主机内存"},
		"shm":    {En: "here /dev/shm is full", Zh: "这里满的是 /dev/shm"},
		"chip":   {En: "here a kernel needs more on-chip memory than the GPU has", Zh: "这里是 kernel 所需的片上内存超出 GPU 所有"},
		"none":   {En: "here no memory is missing", Zh: "这里并不缺内存"},
	}
	actsOn = map[string]knowledge.Text{
		"device": {En: "It acts on the GPU's memory", Zh: "它作用于 GPU 显存"},
		"limit":  {En: "It moves a limit on the process", Zh: "它改变的是进程的上限"},
		"pool":   {En: "It acts on the KV cache", Zh: "它作用于 KV cache"},
		"host":   {En: "It acts on the host's RAM", Zh: "它作用于主机内存"},
		"shm":    {En: "/dev/shm is host memory", Zh: "/dev/shm 属于主机内存"},
		"chip":   {En: "It acts on on-chip memory", Zh: "它作用于片上内存"},
	}
)

// away marks a dead end whose lever acts on another resource: it is said after those that act on the right one.
const away = "away"

func elsewhere(resource, lever string) knowledge.Text {
	on, out := actsOn[lever], ranOut[resource]
	return knowledge.Text{En: on.En + "; " + out.En + ".", Zh: on.Zh + "；" + out.Zh + "。"}
}

// spelled reports whether a remedy is a word of the engine at hand.
func (s *scope) spelled(r *knowledge.Remedy) bool {
	return len(r.Apply) == 0 || slices.ContainsFunc(r.Apply, func(a knowledge.Apply) bool { return spelledFor(a.Engine, s.engine) })
}

// known says how near a dead end is to the reader: what the log itself suggests first, then what is passed on
// most, then what the cause's own list says.
func known(e *DeadEnd) int {
	switch {
	case e.Suggested:
		return 1 << 20
	case e.away:
		return e.Known - 1<<20
	}
	return e.Known
}

// suggested reports whether the log itself suggests a remedy.
func (s *scope) suggested(r *knowledge.Remedy) bool { return r.Hint != "" && s.holds(r.Hint) }

// deadEnds returns what does not help: the cause's own reasons first, then what follows from the levers.
func (s *scope) deadEnds(says *knowledge.Cause, kb *knowledge.Base) []DeadEnd {
	var out []DeadEnd
	seen := map[string]bool{}
	for i := range says.DeadEnds {
		e := &says.DeadEnds[i]
		r := kb.Remedy(e.Use)
		if r == nil || seen[e.Use] || !r.Myth && !s.spelled(r) || !s.holds(e.If) || e.Unless != "" && s.holds(e.Unless) {
			continue
		}
		seen[e.Use] = true
		out = append(out, DeadEnd{Remedy: r, Title: s.title(r), Why: e.Why, Helps: e.Helps, Sources: e.Sources, Suggested: s.suggested(r)})
	}
	for _, r := range kb.Remedies {
		if seen[r.ID] || r.Look || !s.holds(r.If) || !s.spelled(r) {
			continue
		}
		if suggested := s.suggested(r); suggested || r.Known >= popular {
			if e := s.useless(r); e != nil {
				out = append(out, DeadEnd{Remedy: r, Title: s.title(r), Why: e.Why, Helps: e.Helps, Sources: slices.Concat(e.Sources, r.Sources), Suggested: suggested, away: e.Use == away})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b DeadEnd) int { return cmp.Compare(known(&b), known(&a)) })
	return out
}
