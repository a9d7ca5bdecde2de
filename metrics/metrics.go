package metrics

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// maxSources is how many sources have a name of their own; the others share one.
const maxSources = 1000

// otherSources is the name that they share.
const otherSources = "…other"

// Collector gathers what is told from one look to the next. It may be used from several goroutines.
type Collector struct {
	// When says when a source was written last: what stands in it did not happen later. nil is now.
	When func(source string) time.Time

	version, knowledge string

	mu        sync.Mutex
	sources   map[string]bool
	incidents map[int]incident        // those of the latest diagnosis, by their numbers
	past      map[labels]float64      // how many there were that it no longer holds
	last      map[sourceCause]float64 // when, in seconds since 1970
	active    map[sourceCause]bool    // warnings: false where it was cleared
	starts    map[[2]string]float64   // by source and engine
	started   map[int]int             // the line of the latest start of a source, by its index
	read      map[string]*reading
	rotations float64
	latest    *rules.Diagnosis
	stats     *live.Stats
	looks     histogram
}

type labels struct{ source, engine, cause, phase, severity string }

type sourceCause struct{ source, cause string }

type incident struct {
	labels
	repeats int
}

// reading is how much of a source was read.
type reading struct{ bytes, lines, lost float64 }

// New returns a collector that has seen nothing.
func New(version, knowledge string) *Collector {
	return &Collector{
		version: version, knowledge: knowledge, sources: map[string]bool{}, incidents: map[int]incident{}, past: map[labels]float64{},
		last: map[sourceCause]float64{}, active: map[sourceCause]bool{}, starts: map[[2]string]float64{}, started: map[int]int{}, read: map[string]*reading{},
	}
}

// Read counts bytes and lines that were read of a source, and bytes that were gone before they could be.
func (c *Collector) Read(source string, bytes int64, lines int, lost int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := c.name(source, "")
	r := c.read[name]
	if r == nil {
		r = &reading{}
		c.read[name] = r
	}
	r.bytes += float64(bytes)
	r.lines += float64(lines)
	r.lost += float64(lost)
}

// Rotated counts a file that was followed into its next generation.
func (c *Collector) Rotated() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rotations++
}

// Took counts a look and what it took.
func (c *Collector) Took(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks.observe(d.Seconds())
}

// name is a source's label: the unit that the lines name, else the file's base name.
func (c *Collector) name(source, unit string) string {
	name := unit
	if name == "" {
		name = filepath.Base(source)
	}
	if !c.sources[name] {
		if len(c.sources) >= maxSources {
			return otherSources
		}
		c.sources[name] = true
	}
	return name
}

// Look takes the diagnosis as it stands, and the state of the latest run, nil where there is none.
func (c *Collector) Look(d *rules.Diagnosis, stats *live.Stats) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.stats = d, stats
	for _, run := range d.Log.Runs {
		if at := run.First; at.Line > c.started[at.Source] {
			c.started[at.Source] = at.Line
			c.starts[[2]string{c.name(sourceOf(d, at), run.Unit), run.Engine}]++
		}
	}
	there := map[int]bool{}
	for sc := range c.active {
		c.active[sc] = false
	}
	for _, f := range d.Findings {
		there[f.Incident.Number] = true
		c.finding(d, f)
	}
	for number, i := range c.incidents {
		if !there[number] { // the session has let it go; the counter keeps it
			c.past[i.labels] += float64(i.repeats)
			delete(c.incidents, number)
		}
	}
}

func (c *Collector) finding(d *rules.Diagnosis, f *rules.Finding) {
	inc, source := f.Incident, sourceOf(d, f.Incident.First)
	i := incident{labels{c.name(source, inc.Unit), inc.Engine, report.UnknownID, inc.Phase, "failure"}, max(1, inc.Repeats)}
	if f.Cause != nil {
		i.cause = f.Cause.ID
	}
	sc := sourceCause{i.source, i.cause}
	if f.Degraded() {
		i.severity = "degraded"
		c.active[sc] = c.active[sc] || !inc.Over
	}
	if known, ok := c.incidents[inc.Number]; !ok || i.repeats > known.repeats {
		at := time.Now()
		if c.When != nil {
			at = c.When(source)
		}
		c.last[sc] = max(c.last[sc], float64(at.Unix()))
	}
	c.incidents[inc.Number] = i
}

func sourceOf(d *rules.Diagnosis, at parser.Pos) string {
	if at.Source < len(d.Log.Sources) {
		return d.Log.Sources[at.Source].Name
	}
	return ""
}

// WriteTo writes all metrics, in the same order each time.
func (c *Collector) WriteTo(w io.Writer) (int64, error) {
	c.mu.Lock()
	var b strings.Builder
	for _, f := range c.families() {
		f.write(&b)
	}
	c.looks.write(&b, "oomdoc_look_duration_seconds", "What a look at what was read took.")
	c.mu.Unlock()
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}

func (c *Collector) families() []*family {
	build := &family{name: "oomdoc_build_info", kind: "gauge", help: "The program and its knowledge base."}
	build.add(1, "version", c.version, "knowledge", c.knowledge)

	total := &family{name: "oomdoc_incidents_total", kind: "counter", help: "Failures of memory, and states in which it goes on slowly."}
	for l, n := range c.past {
		total.add(n, "source", l.source, "engine", l.engine, "cause", l.cause, "phase", l.phase, "severity", l.severity)
	}
	for _, i := range c.incidents {
		total.add(float64(i.repeats), "source", i.source, "engine", i.engine, "cause", i.cause, "phase", i.phase, "severity", i.severity)
	}
	last := &family{name: "oomdoc_last_incident_timestamp_seconds", kind: "gauge", help: "When the latest incident was written, since 1970. Alert on this one."}
	for sc, at := range c.last {
		last.add(at, "source", sc.source, "cause", sc.cause)
	}
	active := &family{name: "oomdoc_warnings_active", kind: "gauge", help: "1 while a warning stands, 0 after it was cleared."}
	for sc, on := range c.active {
		active.add(map[bool]float64{true: 1}[on], "source", sc.source, "cause", sc.cause)
	}
	starts := &family{name: "oomdoc_starts_total", kind: "counter", help: "Starts of an engine or a training."}
	for key, n := range c.starts {
		starts.add(n, "source", key[0], "engine", key[1])
	}
	return append([]*family{build, total, last, active, starts}, append(c.runs(), c.reads()...)...)
}

// runs are the metrics of the latest run of each source.
func (c *Collector) runs() []*family {
	info := &family{name: "oomdoc_run_info", kind: "gauge", help: "The latest run of a source."}
	ledger := &family{name: "oomdoc_ledger_bytes", kind: "gauge", help: "Where the memory of a device went, as far as the log says."}
	missing := &family{name: "oomdoc_missing_bytes", kind: "gauge", help: "What was missing at the latest incident."}
	usage := &family{name: "oomdoc_kv_cache_usage_ratio", kind: "gauge", help: "The KV cache in use, of the latest statistics line."}
	requests := &family{name: "oomdoc_requests", kind: "gauge", help: "Requests, of the latest statistics line."}
	out := []*family{info, ledger, missing, usage, requests}
	if c.latest == nil {
		return out
	}
	d := c.latest
	latest := map[string]*parser.Run{}
	for _, run := range d.Log.Runs {
		if run.First.Line > 0 {
			latest[c.name(sourceOf(d, run.First), run.Unit)] = run
		}
	}
	failed := map[string]bool{}
	for _, f := range d.Findings {
		name := c.name(sourceOf(d, f.Incident.First), f.Incident.Unit)
		if failed[name] || f.Degraded() {
			continue // the first of a source is the one to read first
		}
		failed[name] = true
		ledgers(ledger, name, f.Ledgers)
		for _, l := range f.Ledgers {
			if l.Short > 0 && f.Cause != nil {
				missing.add(float64(int64(l.Short)), "source", name, "cause", f.Cause.ID)
			}
		}
	}
	for name, run := range latest {
		phase := ""
		if n := len(run.Phases); n > 0 {
			phase = run.Phases[n-1].Phase
		}
		info.add(1, "source", name, "engine", run.Engine, "engine_version", run.Facts.Text("engine_version"), "model", run.Facts.Text("model"), "phase", phase)
		if !failed[name] {
			ledgers(ledger, name, memory.NewState(run.Facts, run.Engine, phase).Ledgers())
		}
	}
	if s := c.stats; s != nil && len(s.Usage) > 0 {
		name, n := c.name(s.Source, ""), len(s.Usage)-1
		usage.add(s.Usage[n]/100, "source", name)
		requests.add(s.Running[n], "source", name, "state", "running")
		requests.add(s.Waiting[n], "source", name, "state", "waiting")
	}
	return out
}

func ledgers(f *family, source string, list []memory.Ledger) {
	for _, l := range list {
		for _, p := range l.Parts {
			f.add(float64(int64(p.Bytes)), "source", source, "device", strconv.Itoa(l.GPU), "part", p.Name)
		}
	}
}

// reads are the metrics of the reading itself.
func (c *Collector) reads() []*family {
	bytes := &family{name: "oomdoc_read_bytes_total", kind: "counter", help: "Bytes read of a source."}
	lines := &family{name: "oomdoc_read_lines_total", kind: "counter", help: "Lines read of a source."}
	lost := &family{name: "oomdoc_lost_bytes_total", kind: "counter", help: "Bytes that were gone before they could be read, at least."}
	rotations := &family{name: "oomdoc_rotations_total", kind: "counter", help: "Files that were followed into their next generation."}
	for name, r := range c.read {
		bytes.add(r.bytes, "source", name)
		lines.add(r.lines, "source", name)
		lost.add(r.lost, "source", name)
	}
	rotations.add(c.rotations)
	return []*family{bytes, lines, lost, rotations}
}
