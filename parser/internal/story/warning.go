package story

import (
	"math"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// worked are the messages that the session works out, or is told, itself.
var Inferred = []*message.Template{
	&kvCacheFull, &requestsStarved, &preemptionsRising, &memoryRising, &hostMemoryLow, &graphHeadroom, &restartLoop, &memcgKilled, &childKilled,
}

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

// worries are the conditions of a run other than its KV cache's.
type worries struct {
	device   map[string]*climb // by process
	host     map[string]*climb
	outside  bool // graphs come on top of the budget
	headroom bool // was warned of
}

// climb is a figure that rises from reading to reading.
type climb struct {
	base, last float64
	rises      int
	calm       int // readings without a new height
	warned     bool
}

const (
	climbRises = 8
	climbShare = 1.1       // of where it began
	climbLeast = 256 << 20 // bytes
	hostRises  = 3
	hostHigh   = 92 // percent of the host's memory
	hostCalm   = 88
	maxClimbs  = 256
)

// take adds a reading; it returns how often in a row the figure has risen.
func (c *climb) take(v float64) int {
	switch {
	case c.last == 0 || v <= c.last:
		c.calm++
		if v < c.last || c.last == 0 || c.calm > 1 {
			c.base, c.rises = v, 0
		}
	default:
		c.rises++
		c.calm = 0
	}
	c.last = v
	return c.rises
}

func climbOf(m *map[string]*climb, origin string) *climb {
	if *m == nil {
		*m = map[string]*climb{}
	}
	c := (*m)[origin]
	if c == nil {
		c = &climb{}
		if len(*m) < maxClimbs {
			(*m)[origin] = c
		}
	}
	return c
}

// worry looks whether a message that states facts is one too many: whether it is about to fail.
func (b *Builder) worry(st *sourceState, m *message.Occurrence) {
	if _, ok := m.Facts["kv_usage_percent_peak"]; ok {
		b.beat(st)
	}
	warn, over := st.monitor.statistics(m, m.Origin+" "+m.Part.Number)
	if st.monitor.crowded {
		b.LeftOut(m.At, CutPools)
	}
	switch {
	case warn != nil:
		b.warn(st, warn, *m, nil)
	case over:
		b.over(st, "")
	}
	if f, ok := m.Facts["step_memory"]; ok {
		b.deviceMemory(st, m, f)
	}
	if f, ok := m.Facts["host_used_percent"]; ok {
		b.hostMemory(st, m, f)
	}
	b.headroom(st, m)
}

func (b *Builder) deviceMemory(st *sourceState, m *message.Occurrence, f fact.Fact) {
	c := climbOf(&st.worries.device, m.Origin)
	rises := c.take(f.Num)
	switch {
	case rises >= climbRises && f.Num >= c.base*climbShare && f.Num-c.base >= climbLeast:
		first := f
		first.Num = c.base
		c.warned = true
		b.warn(st, &memoryRising, *m, fact.Facts{"step_memory": f, "step_memory_before": first})
		st.run.Facts["step_memory_before"] = first // what fails next is explained by it
	case c.warned && c.calm >= climbRises:
		c.warned = false
		delete(st.run.Facts, "step_memory_before")
		b.over(st, "device")
	}
}

func (b *Builder) hostMemory(st *sourceState, m *message.Occurrence, f fact.Fact) {
	c := climbOf(&st.worries.host, "")
	rises := c.take(f.Num)
	switch {
	case rises >= hostRises && f.Num >= hostHigh || c.warned && f.Num >= hostHigh:
		c.warned = true
		b.warn(st, &hostMemoryLow, *m, fact.Facts{"host_used_percent": f})
	case c.warned && f.Num < hostCalm:
		c.warned = false
		b.over(st, "host")
	}
}

// headroom compares what is left outside the budget with the graphs that are still to be captured, in the
// releases that estimate them and do not count them: total − u × total − what others hold < graphs.
func (b *Builder) headroom(st *sourceState, m *message.Occurrence) {
	switch m.ID {
	case "graph-optin-hint", "graph-disabled":
		st.worries.outside = true
	case "graph-enabled":
		st.worries.outside = false
	}
	if !st.worries.outside || st.worries.headroom {
		return
	}
	facts := st.run.Facts
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
	st.worries.headroom = true
	f := facts["cudagraph_estimated"]
	outside := f
	outside.Num = left
	b.warn(st, &graphHeadroom, *m, fact.Facts{"cudagraph_estimated": f, "outside_budget": outside})
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
func (b *Builder) warn(st *sourceState, d *message.Template, m message.Occurrence, facts fact.Facts) {
	m.ID, m.Class, m.Phase, m.Facts, m.Repeat = d.ID, d.Class, d.Phase, facts, 1
	b.degrade(st, about[d.ID], m)
}

// degrade adds a message to the condition it is about, which goes on or sets in again.
func (b *Builder) degrade(st *sourceState, about string, m message.Occurrence) {
	inc := st.degraded[about]
	if inc != nil && inc.Over {
		inc.Over = false
		inc.Returns++
	}
	st.degraded[about] = b.add(st, inc, m)
}

// over ends a condition.
func (b *Builder) over(st *sourceState, about string) {
	if inc := st.degraded[about]; inc != nil && !inc.Over {
		inc.Over = true
		b.version++
	}
}
