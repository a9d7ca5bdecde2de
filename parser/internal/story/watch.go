package story

import (
	"math"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trend"
)

// about tells degraded conditions apart that may hold at the same time. Those that are not listed are
// about the KV cache.
var about = map[string]string{
	"device-memory-rising": "device", "host-memory-low": "host", "host-memory-pressure": "host", "graph-headroom": "graphs",
}

var (
	memoryRising = message.Template{
		ID: "device-memory-rising", Class: message.ClassDegraded,
		Doc: "Not printed: the memory in use, as the steps of a training print it, has risen at eight steps in a row, by a tenth or more.",
	}
	hostMemoryLow = message.Template{
		ID: "host-memory-low", Class: message.ClassDegraded,
		Doc: "Not printed: the host's memory in use, as the log prints it now and then, has risen to 92 % and more, reading by reading.",
	}
	graphHeadroom = message.Template{
		ID: "graph-headroom", Class: message.ClassDegraded, Engine: "vllm", Phase: "graph_capture",
		Doc: "Not printed: the engine's estimate of CUDA graph memory, which this release does not take out of the budget, is larger than what is left outside of it.",
	}
)

// trends are the messages that follow from figures over several lines.
var trends = []*message.Template{&trend.KVCacheFull, &trend.RequestsStarved, &trend.PreemptionsRising, &memoryRising, &hostMemoryLow, &graphHeadroom}

// worries are the conditions of a run other than its KV cache's.
type worries struct {
	device   map[string]*trend.Climb // by process
	host     map[string]*trend.Climb
	outside  bool // graphs come on top of the budget
	headroom bool // was warned of
}

// watch looks whether a message that states facts is one too many: whether something is about to fail.
func (t *thread) watch(m *message.Occurrence) {
	if _, ok := m.Facts["kv_usage_percent_peak"]; ok {
		t.beat(m.At)
	}
	warn, over := t.monitor.Statistics(m, m.Origin+" "+m.Part.Number)
	if t.monitor.Crowded {
		t.LeftOut(m.At, CutPools)
	}
	switch {
	case warn != nil:
		t.warn(warn, *m, nil)
	case over:
		t.over("")
	}
	if f, ok := m.Facts["step_memory"]; ok {
		t.run.progress = m.At
		t.deviceMemory(m, f)
	}
	if f, ok := m.Facts["host_used_percent"]; ok {
		t.hostMemory(m, f)
	}
	t.headroom(m)
}

// beat counts a statistics line. It can change whose an open failure is, see [Incident.complete].
func (t *thread) beat(at message.Pos) {
	t.run.pulse++
	t.run.progress = at
	if t.open != nil && t.run.pulse-t.open.pulse == alive {
		t.version++
		t.run.Version = t.version
	}
}

// pass takes a line that the engine prints every few seconds, where nothing follows from it.
func (t *thread) pass(at message.Pos, line []byte) bool {
	if t.phase != "serving" || !t.run.Ready || !t.monitor.Routine(line) {
		return false
	}
	t.monitor.Remember("", line)
	t.moved = true
	t.beat(at)
	return true
}

func (t *thread) deviceMemory(m *message.Occurrence, f fact.Fact) {
	c := trend.ClimbOf(&t.worries.device, m.Origin)
	rises := c.Take(f.Num)
	switch {
	case rises >= trend.ClimbRises && f.Num >= c.Base*trend.ClimbShare && f.Num-c.Base >= trend.ClimbLeast:
		first := f
		first.Num = c.Base
		c.Warned = true
		t.warn(&memoryRising, *m, fact.Facts{"step_memory": f, "step_memory_before": first})
		t.run.Facts["step_memory_before"] = first // what fails next is explained by it
	case c.Warned && c.Calm >= trend.ClimbRises:
		c.Warned = false
		delete(t.run.Facts, "step_memory_before")
		t.over("device")
	}
}

func (t *thread) hostMemory(m *message.Occurrence, f fact.Fact) {
	c := trend.ClimbOf(&t.worries.host, "")
	rises := c.Take(f.Num)
	switch {
	case rises >= trend.HostRises && f.Num >= trend.HostHigh || c.Warned && f.Num >= trend.HostHigh:
		c.Warned = true
		t.warn(&hostMemoryLow, *m, fact.Facts{"host_used_percent": f})
	case c.Warned && f.Num < trend.HostCalm:
		c.Warned = false
		t.over("host")
	}
}

// headroom compares what is left outside the budget with the graphs that are still to be captured, in the
// releases that estimate them and do not count them: total − u × total − what others hold < graphs.
func (t *thread) headroom(m *message.Occurrence) {
	switch m.ID {
	case "graph-optin-hint", "graph-disabled":
		t.worries.outside = true
	case "graph-enabled":
		t.worries.outside = false
	}
	if !t.worries.outside || t.worries.headroom {
		return
	}
	facts := t.run.Facts
	graphs, ok := facts.Num("cudagraph_estimated")
	_, captured := facts.Num("cudagraph")
	budget, budgeted := budgetOf(facts)
	if _, sized := facts.Num("kv_cache"); !ok || captured || !budgeted || !sized {
		return
	}
	left := math.Inf(1)
	if total, ok := totalOf(facts); ok {
		left = total - budget
	}
	if free, ok := facts.Num("startup_free"); ok { // what others hold is not free
		left = min(left, free-budget)
	}
	if left >= graphs {
		return
	}
	t.worries.headroom = true
	f := facts["cudagraph_estimated"]
	outside := f
	outside.Num = left
	t.warn(&graphHeadroom, *m, fact.Facts{"cudagraph_estimated": f, "outside_budget": outside})
}

func totalOf(facts fact.Facts) (float64, bool) {
	if v, ok := facts.Num("startup_total"); ok {
		return v, true
	}
	return facts.Num("gpu_total")
}

// budgetOf is gpu_memory_utilization × total.
func budgetOf(facts fact.Facts) (float64, bool) {
	if v, ok := facts.Num("desired"); ok {
		return v, true
	}
	total, ok := totalOf(facts)
	share, ok2 := facts.Num("gpu_memory_utilization")
	return share * total, ok && ok2
}

// warn adds a message that follows from another one.
func (t *thread) warn(d *message.Template, m message.Occurrence, facts fact.Facts) {
	m.ID, m.Class, m.Phase, m.Facts, m.Repeat = d.ID, d.Class, d.Phase, facts, 1
	t.degrade(m)
}

// degrade adds a message to the condition it is about, which goes on or sets in again.
func (t *thread) degrade(m message.Occurrence) {
	what := about[m.ID]
	inc := t.degraded[what]
	if inc != nil && inc.Over {
		inc.Over = false
		inc.Returns++
	}
	t.degraded[what] = t.add(inc, m)
}

// over ends a condition.
func (t *thread) over(what string) {
	if inc := t.degraded[what]; inc != nil && !inc.Over {
		inc.Over = true
		t.version++
	}
}
