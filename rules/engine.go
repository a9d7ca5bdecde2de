package rules

import (
	"cmp"
	"math"
	"slices"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
)

// Options changes how a log is diagnosed. The zero value is the usual way, without sums.
type Options struct {
	Planner Planner // nil: every verdict is unknown

	// Reuse stands between Diagnose and the finding of an incident, nil for none, which it may know from
	// a log that was shorter.
	Reuse func(run *parser.Run, inc *parser.Incident, find func() *Finding) *Finding
}

const (
	likely      = 0.5  // from this confidence on a cause is established,
	likeliest   = 0.35 // or from this when "unknown" is so many times less likely:
	clearly     = 3
	maxOthers   = 4 // next best causes that a finding lists
	leastChance = 0.01

	// inferred is the most that is given to a cause that rests on where the traceback or the run stood:
	// pieces of either may be missing, or be another process's, and nothing in the log would tell.
	inferred = 0.79
	// unproved is the most for a cause whose own condition of certainty does not hold.
	unproved = 0.9
)

// Diagnose finds the cause of each incident of a log, and what helps against it.
//
// The findings stand in this order: failures before degraded incidents; what surely is a failure of
// memory before what only a rule takes for one; an established cause before none; the latest run
// before earlier ones, since its failure is the one that still stands; within a run the first, since
// the others tend to follow from it. A hint that no cause explains gives no finding.
//
// Diagnose changes neither log nor knowledge and may run concurrently.
func Diagnose(log *parser.Log, kb *knowledge.Base, opts Options) *Diagnosis {
	if opts.Planner == nil {
		opts.Planner = noPlanner{}
	}
	if opts.Reuse == nil {
		opts.Reuse = func(_ *parser.Run, _ *parser.Incident, find func() *Finding) *Finding { return find() }
	}
	d := &Diagnosis{Log: log, Knowledge: kb}
	var order []rank
	for i, run := range log.Runs {
		d.Facts = run.Facts
		for _, inc := range run.Incidents {
			if f := opts.Reuse(run, inc, func() *Finding { return find(inc, kb, opts.Planner) }); f != nil {
				d.Findings = append(d.Findings, f)
				order = append(order, rank{f, i, len(order)})
			}
		}
	}
	slices.SortFunc(order, rank.compare)
	for i, r := range order {
		d.Findings[i] = r.finding
	}
	if len(order) > 0 { // of several servers at the same time, the one that failed
		run, last := log.Runs[order[0].run], log.Runs[len(log.Runs)-1]
		if last.First.Source == run.First.Source && last.First.Line < run.Last.Line {
			d.Facts = run.Facts
		}
	}
	return d
}

// Degraded reports whether the engine goes on, slowly.
func (f *Finding) Degraded() bool {
	return f.Incident.Class == parser.ClassDegraded || f.Cause != nil && f.Cause.Degraded
}

// rank is a finding's place among the others.
type rank struct {
	finding  *Finding
	run, seq int
}

func (r rank) compare(s rank) int {
	return cmp.Or(
		lessIf(r.finding.Degraded(), s.finding.Degraded()),
		lessIf(r.finding.Incident.Class == parser.ClassHint, s.finding.Incident.Class == parser.ClassHint),
		lessIf(r.finding.Cause == nil, s.finding.Cause == nil),
		cmp.Compare(s.run, r.run),
		cmp.Compare(r.seq, s.seq),
	)
}

// lessIf sorts false before true.
func lessIf(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// find returns the diagnosis of one incident, nil when it is a hint that no cause explains.
func find(inc *parser.Incident, kb *knowledge.Base, p Planner) *Finding {
	s := newScope(inc, p)
	f := &Finding{Incident: inc}
	candidates, unknown := s.candidates(kb)
	if len(candidates) > 0 && established(candidates[0].Confidence, unknown) {
		f.Cause, f.Confidence = candidates[0].Cause, candidates[0].Confidence
		if !s.shown(f.Cause) || inc.Messages[0].Cut || s.doubtful() {
			f.Confidence = min(f.Confidence, inferred)
		}
		if f.Cause.Sure != "" && !s.holds(f.Cause.Sure) {
			f.Confidence = min(f.Confidence, unproved)
		}
		candidates = candidates[1:]
	} else if inc.Class == parser.ClassHint && !inc.Killed && !inc.Sure {
		return nil
	}
	if f.Cause != nil && f.Cause.NotMemory {
		return nil
	}
	for _, c := range candidates {
		if c.Confidence >= leastChance && len(f.Others) < maxOthers {
			f.Others = append(f.Others, c)
		}
	}
	f.Ledgers = p.Ledgers(inc)
	f.Values = s.values()
	if f.Cause == nil {
		f.Unknown = s.unknown(kb)
	}
	if says := f.Says(); says != nil {
		for _, sign := range says.Signs {
			if sign.Adds > 0 && sign.Shows != (knowledge.Text{}) && s.holds(sign.If) {
				f.Signs = append(f.Signs, sign.Shows)
			}
		}
	}
	s.advise(f, unknown, kb)
	return f
}

// unknown returns what is said of the incident where no cause is established, nil where nothing is.
func (s *scope) unknown(kb *knowledge.Base) *knowledge.Cause {
	for _, c := range kb.Causes {
		if c.Unknown && s.holds(c.When) {
			return c
		}
	}
	return nil
}

// established reports whether the likeliest cause is more than a guess: likelier than all else, or one
// of two that share what speaks against "unknown", as attention and activations do.
func established(best, unknown float64) bool {
	return best >= likely || best >= likeliest && best >= clearly*unknown
}

// candidates returns the causes that may explain the incident, likeliest first, and how likely none of
// them does. Each competes with its log-odds, the base and every sign that is true; "unknown" competes
// with 0.
func (s *scope) candidates(kb *knowledge.Base) ([]Candidate, float64) {
	var out []Candidate
	total := 1.0
	if s.doubtful() {
		total = math.Exp(doubt)
	}
	none := total
	for _, c := range kb.Causes {
		if c.Unknown || !s.fitsIncident(c) || c.When == "" || !s.holds(c.When) {
			continue
		}
		odds := c.Base
		for _, sign := range c.Signs {
			if s.holds(sign.If) {
				odds += sign.Adds
			}
		}
		weight := math.Exp(min(odds, 50)) // beyond that certain is certain
		total += weight
		out = append(out, Candidate{c, weight})
	}
	for i := range out {
		out[i].Confidence /= total
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return out, none / total
}

// doubt is what stands against every cause, in log-odds, where nothing says that it was memory that failed.
const doubt = 1

// doubtful reports whether the log ends in a traceback whose exception is missing.
func (s *scope) doubtful() bool { return s.incident.Messages[0].ID == parser.TracebackCut }

// shown reports whether the cause may explain the incident by the messages and figures alone.
func (s *scope) shown(c *knowledge.Cause) bool {
	bare, own := *s.incident, *s.incident
	bare.Frames, bare.Phase = nil, ""
	if newScope(&bare, s.planner).holds(c.When) {
		return true
	}
	own.Frames, own.Messages = nil, own.Messages[:1]
	return own.Messages[0].Phase == own.Phase && newScope(&own, s.planner).holds(c.When)
}

// fitsIncident reports whether the cause is one of the incident's engine and severity. The engine of
// a cause is "any", or one or several names with commas between them; pytorch also stands for a log
// that shows no engine.
func (s *scope) fitsIncident(c *knowledge.Cause) bool {
	if s.incident.Class == parser.ClassDegraded && !c.Degraded {
		return false
	}
	return engineFits(c.Engine, s.incident.Engine)
}

// inTexts are the textual properties that texts may name.
var inTexts = []string{"listed_pids", "own_code", "own_place"}

// values returns what texts may name: everything the incident and its run state, and the figures
// that follow.
func (s *scope) values() map[string]Value {
	out := make(map[string]Value, len(s.incident.Facts)+len(s.incident.Before)+len(Derived))
	for _, facts := range []fact.Facts{s.incident.Before, s.incident.Facts} {
		for name, f := range facts {
			out[name] = Value{f.Value, f.Line}
		}
	}
	for _, d := range Derived {
		if v := s.name(d.Name); v.known() {
			out[d.Name] = Value{v.Value, v.line}
		}
	}
	for _, p := range properties {
		if v := s.name(p.name); (p.kind == fact.Bool || slices.Contains(inTexts, p.name)) && v.known() {
			out[p.name] = Value{v.Value, v.line}
		}
	}
	return out
}
