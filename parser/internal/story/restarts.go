package story

import (
	"slices"
	"strconv"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trend"
)

const (
	loopStarts  = 3
	loopSeconds = 15 * 60 // from the first of loopStarts ends to the last
)

var restartLoop = message.Template{
	ID: "restart-loop", Class: message.ClassDegraded,
	Doc: "Not printed: the same failure has ended one start after the other, three or more within a quarter of an hour, or, in a log without times, before any of them served.",
}

// restarts finds loops: one failure that ends one start after the other.
type restarts struct {
	all []*ends
	of  map[endsKey]*ends
}

type endsKey struct {
	failure *Incident
	source  int
}

// ends are the runs of one source that the same failure ended.
type ends struct {
	all     []*Incident
	run     *Run      // the latest
	loop    *Incident // the one that makes a loop of them, nil as long as there is none
	loopRun *Run
}

// ended notes that an incident, one more of failure's kind, happened in a run.
func (r *restarts) ended(run *Run, failure, inc *Incident) {
	if inc.Class != message.ClassFailure {
		return
	}
	key := endsKey{failure, inc.First.Source}
	e := r.of[key]
	if e == nil {
		if r.of == nil {
			r.of = map[endsKey]*ends{}
		}
		e = &ends{all: []*Incident{inc}, run: run}
		r.of[key], r.all = e, append(r.all, e)
		return
	}
	if e.run == run { // it failed twice, and lived
		return
	}
	e.all, e.run = append(e.all, inc), run
	if n := len(e.all); e.loop == nil && n >= loopStarts && quick(e.all[n-loopStarts:]) {
		e.loop, e.loopRun = inc, run
	}
}

// tell adds the loops to the runs.
func (r *restarts) tell(runs []*Run) {
	for _, e := range r.all {
		if e.loop == nil {
			continue
		}
		inc := e.incident()
		for _, run := range runs[slices.Index(runs, e.run)+1:] {
			inc.Over = inc.Over || run.Ready && run.First.Source == e.loop.First.Source
		}
		e.loopRun.Incidents = append(e.loopRun.Incidents, inc)
	}
}

// quick reports whether the ends follow each other so fast that it is a loop.
func quick(ends []*Incident) bool {
	from, ok := trend.TimeOf(ends[0].Time)
	to, ok2 := trend.TimeOf(ends[len(ends)-1].Time)
	if ok && ok2 {
		return to >= from && to-from <= loopSeconds
	}
	for _, inc := range ends {
		if inc.Ready {
			return false
		}
	}
	return true
}

// incident is the condition that the ends make up, said where the log has shown it for the first time.
func (e *ends) incident() *Incident {
	at, n := e.loop, len(e.all)
	of := func(k fact.Kind, v float64) fact.Fact {
		return fact.Fact{Value: fact.Value{Kind: k, Num: v}, Line: at.First.Line, Source: at.First.Source}
	}
	facts := fact.Facts{"restarts": of(fact.Count, float64(n))}
	from, ok := trend.TimeOf(e.all[0].Time)
	if to, ok2 := trend.TimeOf(e.all[n-1].Time); ok && ok2 && to >= from {
		facts["restart_seconds"] = of(fact.Seconds, to-from)
	}
	m := message.Occurrence{
		ID: restartLoop.ID, Class: message.ClassDegraded, At: at.First, LastLine: at.First.Line, Time: at.Time, Repeat: 1, Facts: facts,
		Text: strconv.Itoa(n) + " starts ended with: " + at.Messages[0].Text,
	}
	return &Incident{
		Class: message.ClassDegraded, Messages: []message.Occurrence{m}, Facts: facts, Before: at.Before, Phase: at.Phase, Engine: at.Engine, Origins: at.Origins,
		First: at.First, Last: e.all[n-1].Last, Time: at.Time, Ready: at.Ready, Repeats: 1,
	}
}
