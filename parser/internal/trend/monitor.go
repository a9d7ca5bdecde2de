package trend

import (
	"bytes"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// The signs of a KV cache that is too small for its load. vLLM's V1 prints nothing when it preempts, so its
// statistics lines, printed every 5 or 10 seconds, have to tell. A healthy server that is busy shows
// neither: its cache is full now and then, its requests wait for a place in the batch.
const (
	fullUsage  = 95 // percent of the KV cache's blocks, with requests waiting
	tightUsage = 85 // percent; below, the cache is not what requests wait for
	calmUsage  = 90 // percent; below, or with nothing waiting, a full cache is over

	fullSeconds    = 60
	fullLines      = 7 // where lines have no time
	starvedSeconds = 20
	starvedLines   = 3
	preemptLines   = 3
	thrownLines    = 6 // in so many lines, requests were put back three times
	MaxPools       = 64
)

// monitor watches the statistics lines of a run.
type Monitor struct {
	pools    map[string]*pool // by the process and the engine's number
	peak     float64          // highest usage seen, percent
	seen     bool
	recent   *recent
	Crowded  bool      // the latest line is of an engine that is left out
	active   bool      // something has to be followed from line to line
	passed   bool      // lines were passed over since the last one that was read
	suspects [2]uint64 // engines, by number, whose last line in passing was suspicious, and the one before too
}

// pool is what one engine says about its KV cache.
type pool struct {
	full, starved, preempting, calm streak

	running, waiting   float64 // in the last line
	running0, waiting0 float64 // where starved began
	preempted          float64
	line               int
	thrown             [3]int // the latest lines in which fewer ran and more waited than before
	missed             bool   // the last line was not full, or is missing
	drained            bool   // in a line since full began nothing waited
	bad                bool   // a warning stands

	last, interval float64 // time of the last line; the shortest time between two
}

// missing tells how many lines should stand between the last one and the next, which comes at a time.
func (p *pool) missing(at float64) int {
	gap, usual := at-p.last, p.interval
	if p.last > 0 && gap > 0 && (usual == 0 || gap < usual) {
		p.interval = gap
	}
	p.last = at
	if usual == 0 || gap < 0 {
		return 0
	}
	return int(min(gap/usual+0.2, 1e6)) - 1
}

var (
	KVCacheFull = message.Template{
		ID: "kv-cache-full", Class: message.ClassDegraded, Engine: "vllm", Phase: "serving",
		Doc: "Not printed by any engine: the statistics lines show a full KV cache with requests waiting, for a minute or more.",
	}
	RequestsStarved = message.Template{
		ID: "requests-starved", Class: message.ClassDegraded, Engine: "vllm", Phase: "serving",
		Doc: "Not printed by any engine: fewer and fewer requests run and more and more wait while the KV cache is nearly full, and no prompt is taken in, or it happens again and again. That is how preemption looks in engines that do not report it.",
	}
	PreemptionsRising = message.Template{
		ID: "preemptions-rising", Class: message.ClassDegraded, Engine: "vllm", Phase: "serving",
		Doc: "Not printed by any engine: one statistics line after the other counts preemptions.",
	}
)

// statistics takes a statistics line of an engine. It returns the message that follows from it, or that
// what an earlier one was about is over.
func (w *Monitor) Statistics(m *message.Occurrence, engine string) (warn *message.Template, over bool) {
	w.Crowded = false
	usage, ok := m.Facts.Num("kv_usage_percent_peak")
	if !ok {
		return nil, false
	}
	w.peak, w.seen = max(w.peak, usage), true
	w.Remember(m.Time+" Engine "+engine+" ", []byte(m.Text))
	if w.passed { // what was before is no longer the line before
		clear(w.pools)
		w.passed = false
	}
	p := w.pools[engine]
	if p == nil {
		if len(w.pools) >= MaxPools {
			w.Crowded = true
			return nil, false
		}
		if w.pools == nil {
			w.pools = map[string]*pool{}
		}
		p = &pool{}
		w.pools[engine] = p
	}
	warn = p.take(m, usage)
	over = p.bad && warn == nil && p.calm.lasts(fullSeconds, fullLines)
	p.bad = (p.bad || warn != nil) && !over
	w.active = false
	for _, other := range w.pools {
		over = over && !other.bad
		w.active = w.active || other.bad || other.full.lines+other.starved.lines+other.preempting.lines > 0
	}
	return warn, over
}

func (w *Monitor) Remember(lead string, line []byte) {
	if w.recent == nil {
		w.recent = &recent{}
	}
	w.recent.add(lead, line)
}

func (p *pool) take(m *message.Occurrence, usage float64) *message.Template {
	at, timed := TimeOf(m.Time)
	running, _ := m.Facts.Num("running_reqs")
	waiting, _ := m.Facts.Num("waiting_reqs")
	prompt, known := m.Facts.Num("prompt_throughput")
	preempted, _ := m.Facts.Num("preemptions")

	starved := known && prompt == 0 && waiting > 0 && usage >= tightUsage
	if p.starved.lines == 0 || running > p.running || waiting < p.waiting {
		p.starved = streak{}
		p.running0, p.waiting0 = running, waiting
	}
	full := usage >= fullUsage && waiting > 0
	missing := 0
	if timed {
		missing = p.missing(at)
	}
	if missing > 1 || missing == 1 && p.missed { // nobody knows what they said
		p.full, p.missed, p.drained = streak{}, false, false
	} else if missing == 1 && p.full.lines > 0 {
		p.missed = true
	}
	switch {
	case full:
		p.full.step(true, at, timed)
		p.missed = false
	case p.missed || p.drained && waiting == 0: // one line in between does not end it
		p.full, p.missed, p.drained = streak{}, false, false
	case p.full.lines > 0:
		p.missed, p.drained = true, p.drained || waiting == 0
	}
	if p.line++; full && p.line > 1 && running < p.running && waiting > p.waiting {
		p.thrown = [3]int{p.line, p.thrown[0], p.thrown[1]}
	}
	p.starved.step(starved, at, timed)
	p.preempting.step(preempted > 0 && preempted != p.preempted, at, timed)
	p.calm.step(usage < calmUsage || waiting == 0, at, timed)
	p.running, p.waiting, p.preempted = running, waiting, preempted
	switch {
	case p.full.lasts(fullSeconds, fullLines):
		return &KVCacheFull
	case p.preempting.lines >= preemptLines:
		return &PreemptionsRising
	case p.starved.lasts(starvedSeconds, starvedLines) && running < p.running0 && waiting > p.waiting0,
		p.thrown[0] == p.line && p.thrown[2] > 0 && p.line-p.thrown[2] < thrownLines:
		return &RequestsStarved
	}
	return nil
}

// routine decodes a statistics line in place and reports whether nothing follows from it: no higher
// usage than seen before, and no condition that could begin, last or end.
func (w *Monitor) Routine(line []byte) bool {
	usage, ok := NumberAfter(line, "usage: ")
	if !ok {
		usage, ok = NumberAfter(line, "KV cache used: ")
	}
	if !ok || !w.seen || usage > w.peak || w.active {
		return false
	}
	calm, ok := calmLine(line, usage)
	if !ok {
		return false
	}
	if calm && w.suspects[0] == 0 {
		w.passed = true
		return true
	}
	number, _ := NumberAfter(line, "Engine ")
	engine := uint64(1) << (uint64(number) % 64)
	if calm {
		w.suspects[0] &^= engine
		w.suspects[1] &^= engine
		w.passed = true
		return true
	}
	if w.suspects[1]&engine != 0 {
		return false
	}
	w.suspects[1] |= w.suspects[0] & engine
	w.suspects[0] |= engine
	w.passed = true // one or two such lines alone are nothing
	return true
}

// calmLine reports whether no condition can begin with a statistics line, and whether it is whole enough to tell.
func calmLine(line []byte, usage float64) (calm, ok bool) {
	if usage < tightUsage {
		return true, true
	}
	waiting, ok := NumberAfter(line, "Waiting: ")
	if !ok {
		waiting, ok = NumberAfter(line, "Pending: ")
	}
	prompt, known := NumberAfter(line, "prompt throughput: ")
	if !known {
		prompt, known = NumberAfter(line, "prompt tput: ")
	}
	preempted, _ := NumberAfter(line, "Preemptions: ")
	stuck := waiting > 0 && (usage >= fullUsage || known && prompt == 0)
	return !stuck && preempted == 0, ok && known
}

// NumberAfter reads the plain number behind a text. One at the end of the line may be cut.
func NumberAfter(line []byte, text string) (float64, bool) {
	i := bytes.Index(line, []byte(text))
	if i < 0 {
		return 0, false
	}
	v, scale, digits, whole := 0.0, 0.0, 0, false
	for _, c := range line[i+len(text):] {
		if c == '.' && scale == 0 {
			scale = 1
			continue
		}
		if whole = c < '0' || c > '9'; whole {
			break
		}
		v = v*10 + float64(c-'0')
		scale *= 10
		digits++
	}
	if scale > 1 {
		v /= scale
	}
	return v, digits > 0 && whole
}
