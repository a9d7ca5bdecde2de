package story

import (
	"math"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// apart is how many lines stand between two failures that have nothing to do with each other.
const apart = 2000

// fail opens an incident with a failure, or takes the failure to the open one.
func (t *thread) fail(m message.Occurrence) *Incident {
	before := t.open
	if before != nil && (far(before, &m) || t.moved && m.Class == message.ClassFailure && before.Class == message.ClassFailure || before.elsewhere(&m)) {
		before = nil
	}
	t.open = t.add(before, m)
	t.unit.failed = t
	t.moved = false
	if before == nil {
		for _, e := range t.echoes {
			if m.At.Line-e.At.Line < apart/10 {
				t.attach(t.open, e)
			}
		}
		t.echoes = nil
	}
	return t.open
}

// echo takes a consequence to the failure it follows from, or keeps it for the one that may come; of several alike
// the latest.
func (t *thread) echo(m message.Occurrence) {
	if t.open != nil && !far(t.open, &m) {
		t.attach(t.open, m)
		return
	}
	for i := range t.echoes {
		if t.echoes[i].ID == m.ID {
			m.Repeat += t.echoes[i].Repeat
			t.echoes[i] = m
			return
		}
	}
	if len(t.echoes) < MaxMessages {
		t.echoes = append(t.echoes, m)
	}
}

// far reports whether a message is too far from an incident to belong to it.
func far(inc *Incident, m *message.Occurrence) bool {
	return m.At.Line-inc.Last.Line > apart && !inc.Has(m.ID)
}

// add puts a message into an incident, a new one when inc is nil.
func (t *thread) add(inc *Incident, m message.Occurrence) *Incident {
	if inc == nil {
		if len(t.run.Incidents) >= MaxIncidents {
			t.LeftOut(m.At, CutIncidents)
			return t.run.Incidents[len(t.run.Incidents)-1]
		}
		t.opened++
		inc = &Incident{
			Number: t.opened, Class: m.Class, Facts: fact.Facts{}, Before: fact.Facts{}, Phase: t.phase, Unit: t.run.Unit, First: m.At, Last: m.At, Time: m.Time, Ready: t.run.Ready, Repeats: 1,
		}
		for _, facts := range []fact.Facts{t.run.Facts, t.own[m.Origin]} {
			for name, f := range facts {
				inc.Before[name] = f
			}
		}
		t.run.Incidents = append(t.run.Incidents, inc)
	}
	t.attach(inc, m)
	return inc
}

// include puts v into a set of at most MaxOrigins and reports whether it is in there.
func include[T comparable](set *[]T, v T) bool {
	if slices.Contains(*set, v) {
		return true
	}
	if len(*set) >= MaxOrigins {
		return false
	}
	*set = append(*set, v)
	return true
}

// attach adds a message to an incident. The decisive message stands first: the first failure, or the
// first hint as long as there is no failure.
func (t *thread) attach(inc *Incident, m message.Occurrence) {
	if m.At.Line > inc.Last.Line || m.At.Source != inc.Last.Source {
		inc.Last = m.At
	}
	inc.pulse = t.run.pulse
	if m.Origin != "" && !include(&inc.Origins, m.Origin) {
		t.LeftOut(m.At, CutOrigins)
	}
	if m.Origin != "" && m.Class == message.ClassFailure {
		include(&inc.Failed, m.Origin)
	}
	inc.onDevice(m.Facts)
	if len(inc.Frames) == 0 && m.Class != message.ClassDegraded {
		inc.Frames, inc.cut = t.traceOf(&m)
	}
	for i := range inc.Messages {
		if old := &inc.Messages[i]; old.ID == m.ID {
			old.Repeat += m.Repeat
			for name, f := range m.Facts {
				lasts := m.Class == message.ClassDegraded // the latest state of a condition that lasts
				if lasts || largestCounts[name] && f.Num > inc.Facts[name].Num {
					inc.Facts[name] = f
				}
			}
			return
		}
	}
	if m.Class == message.ClassFailure && inc.Class != message.ClassFailure { // it decides
		inc.Class = message.ClassFailure
		old := inc.Facts
		inc.Facts = fact.Facts{}
		inc.state(m.Facts)
		if !inc.contradicts(&message.Occurrence{Class: message.ClassFailure, Facts: old}) {
			inc.state(old)
		}
		inc.First, inc.Time = m.At, m.Time
		inc.Messages = append([]message.Occurrence{m}, inc.Messages...)
		if f, cut := t.traceOf(&m); f != nil {
			inc.Frames, inc.cut = f, cut
		}
		return
	}
	if !inc.contradicts(&m) {
		inc.state(m.Facts)
	}
	if len(inc.Messages) < MaxMessages {
		inc.Messages = append(inc.Messages, m)
	} else {
		t.LeftOut(m.At, CutMessages)
	}
}

// onDevice notes the device that figures are of.
func (i *Incident) onDevice(facts fact.Facts) {
	if index, ok := facts.Num("gpu_index"); ok {
		include(&i.Devices, int(index))
	}
}

// elsewhere reports whether a message is of another make of accelerator than the incident. HIP calls itself CUDA
// in places.
func (i *Incident) elsewhere(m *message.Occurrence) bool {
	family := func(facts fact.Facts) string { return strings.Replace(facts.Text("backend"), "HIP", "CUDA", 1) }
	mine, its := family(i.Facts), family(m.Facts)
	return mine != "" && its != "" && mine != its
}

// contradicts reports whether a failure states another value of what the incident states: its figures
// are of another moment, device or process, and do not complete the incident's.
func (i *Incident) contradicts(m *message.Occurrence) bool {
	return (m.Class == message.ClassFailure || m.Class == message.ClassHint) && differ(i.Facts, m.Facts)
}

// differ reports whether two statements give one figure different values.
func differ(a, b fact.Facts) bool {
	for name, f := range b {
		if old, ok := a[name]; ok && f.Kind.Numeric() && math.Abs(f.Num-old.Num) > f.Slack+old.Slack {
			return true
		}
	}
	return false
}

// took reports whether an incident's figures are those of a message, as where vLLM says that the model did not
// load and quotes the allocator's sentence behind it.
func (i *Incident) took(m *message.Occurrence) bool {
	for name, f := range m.Facts {
		if f.Kind.Numeric() && i.Facts[name] == f {
			return true
		}
	}
	return false
}

// state adds facts that the incident does not state yet.
func (i *Incident) state(facts fact.Facts) {
	for name, f := range facts {
		if _, ok := i.Facts[name]; !ok {
			i.Facts[name] = f
		}
	}
}
