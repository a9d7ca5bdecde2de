package story

import (
	"maps"
	"slices"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trace"
)

// end notes how a process ended.
func (t *thread) end(how string, m *message.Occurrence) {
	memory := t.open != nil && how == message.EndException && m.At.Line <= t.open.Last.Line && m.LastLine >= t.open.First.Line
	if m.Cut { // its beginning, where the log ends
		return
	}
	for i := range t.run.Ends {
		if e := &t.run.Ends[i]; e.Origin == m.Origin && e.How == how && e.Text == m.Text {
			return // printed again
		}
	}
	if len(t.run.Ends) < maxEnds {
		t.run.Ends = append(t.run.Ends, End{Origin: m.Origin, How: how, At: m.At, Text: m.Text, Time: m.Time, Memory: memory})
	}
}

// TracebackCut is traceCut's ID.
const TracebackCut = "traceback-cut"

// traceCut is what a log shows that ends before the exception that would say why.
var traceCut = message.Template{
	ID: TracebackCut, Class: message.ClassHint,
	Doc: "Not printed as such: the log ends within a traceback, and the line that says why is missing.",
}

// cutTrace makes a hint of a traceback within which the log ends, where nothing else tells how the run ended: the
// stage and the stack are known, and the exception is not.
func (t *thread) cutTrace(lines int) {
	if len(t.run.Incidents) > 0 || len(t.run.Ends) > 0 || !heuristic.On(heuristic.CutTraceback) {
		return
	}
	for _, origin := range slices.Sorted(maps.Keys(t.traces)) {
		tb := t.traces[origin]
		if len(tb.frames) == 0 || lines-tb.last > t.reach(tracedReach) || t.phase == "" && trace.Phase(tb.frames) == "" {
			continue
		}
		last := tb.frames[len(tb.frames)-1]
		t.fail(message.Occurrence{
			ID: traceCut.ID, Class: traceCut.Class, Text: "File \"" + last.File + "\", in " + last.Func, Origin: origin, Unit: t.run.Unit, Time: t.time, Repeat: 1,
			At: message.Pos{Source: t.run.First.Source, Line: last.Line}, LastLine: last.Line, Logged: tb.logged,
		}).Sure = true
		return
	}
}

// survive takes the word that what failed just before did not end the process.
func (t *thread) survive(m *message.Occurrence) {
	inc := t.open
	if inc == nil || !heuristic.On(heuristic.Survived) || m.At.Line > inc.Last.Line+t.reach(clauseReach) || inc.Class == message.ClassDegraded {
		return
	}
	t.open = nil
	if inc.Class == message.ClassHint {
		inc.Class = message.ClassBenign
		return
	}
	inc.Class, inc.Over = message.ClassDegraded, true
	word := *m
	word.ID, word.Class = failureSurvived.ID, failureSurvived.Class
	inc.Messages = append(inc.Messages, word)
}

// failureSurvived is what a failure becomes that its process survives.
var failureSurvived = message.Template{
	ID: "failure-survived", Class: message.ClassDegraded,
	Doc: "Not printed as such: a request for memory failed, and the program says that it goes on without it.",
}

// final leaves of the ends those after which the run did nothing more.
func (r *Run) final() []End {
	return slices.DeleteFunc(slices.Clone(r.Ends), func(e End) bool {
		went := e.At.Source == r.progress.Source && r.progress.Line > e.At.Line
		return went && e.How != message.EndFinished
	})
}

// explained reports whether a process's end tells why it got SIGKILL: a launcher, or its own engine, kills what is
// left of a service that has ended, and nobody's memory is to blame for a job that was done.
func (r *Run) explained() bool {
	return len(r.final()) > 0 && heuristic.On(heuristic.ExplainedKill)
}

// explain drops the kills that an end of the run explains, and marks those that nothing does.
func (r *Run) explain() {
	r.Incidents = slices.DeleteFunc(r.Incidents, func(i *Incident) bool {
		if i.Class == message.ClassBenign {
			return true
		}
		if i.Class != message.ClassHint || slices.ContainsFunc(i.Messages, func(m message.Occurrence) bool { return m.Class == message.ClassHint && !m.Kill }) {
			return false
		}
		if !slices.ContainsFunc(i.Messages, func(m message.Occurrence) bool { return m.Kill }) {
			return false
		}
		if r.explained() {
			return true
		}
		i.Killed = true
		m := &i.Messages[0]
		r.Ends = append(r.Ends, End{Origin: m.Origin, How: Unexplained, At: m.At, Text: m.Text, Time: m.Time})
		return false
	})
}

// ended gathers how the processes of a log ended, the first that ended its service first.
func ended(runs []*Run) []End {
	var out []End
	for _, r := range runs {
		ends := r.final()
		slices.SortStableFunc(ends, func(a, b End) int { return a.At.Line - b.At.Line })
		for _, e := range ends {
			for _, i := range r.Incidents {
				e.Memory = e.Memory || i.Class != message.ClassDegraded && e.How != message.EndFinished && e.At.Source == i.First.Source && e.At.Line >= i.First.Line
			}
			out = append(out, e)
		}
	}
	return out
}
