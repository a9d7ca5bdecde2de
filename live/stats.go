package live

import (
	"strconv"
	"time"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
)

// Stats is the state of the latest run of a stream, for a look at a glance.
type Stats struct {
	Source  string
	Lines   int // of the whole stream
	Bytes   int64
	Engine  string
	Version string
	Model   string
	Ready   bool
	Since   time.Time // when the run began, by this machine's clock
	Stages  []Stage
	Ledgers []memory.Ledger // where its memory went, as far as it has said

	first, last string // the first time that a line of it prints, and the latest one

	// From the statistics lines, the latest last, of the engines of one server together.
	Usage              []float64 // of the fullest KV cache, percent
	Running, Waiting   []float64 // requests
	Prompt, Generation []float64 // tokens per second
	Preempted          []float64 // requests since the line before
}

// Stage is a phase of the start.
type Stage struct {
	Phase   string
	Begun   float64 // seconds from the first one, by the log's own times
	Seconds float64 // that it took; 0 of the latest one, which goes on
	Timed   bool    // Begun and Seconds are known
	Memory  float64 // bytes it took for good, 0 where the log does not say
}

// stageMemory names what a phase takes.
var stageMemory = map[string]string{"model_load": "weights", "profile": "activation_peak", "kv_alloc": "kv_cache", "graph_capture": "cudagraph"}

// statsOf gathers the state of a run.
func statsOf(log *parser.Log, run *parser.Run) Stats {
	s := Stats{Engine: run.Engine, Version: run.Facts.Text("engine_version"), Model: run.Facts.Text("model"), Ready: run.Ready}
	if run.First.Source < len(log.Sources) {
		src := log.Sources[run.First.Source]
		s.Source, s.Lines, s.Bytes = src.Name, src.Lines, src.Bytes
	}
	phase := ""
	for i, p := range run.Phases {
		if p.Time != "" {
			s.last = p.Time
		}
		if i == 0 {
			s.first = p.Time
		}
		stage := Stage{Phase: p.Phase}
		stage.Begun, stage.Timed = between(run.Phases[0].Time, p.Time)
		if stage.Timed && i+1 < len(run.Phases) {
			stage.Seconds, stage.Timed = between(p.Time, run.Phases[i+1].Time)
		}
		stage.Memory, _ = run.Facts.Num(stageMemory[p.Phase])
		s.Stages = append(s.Stages, stage)
		phase = p.Phase
	}
	s.Ledgers = memory.NewState(run.Facts, run.Engine, phase).Ledgers()
	return s
}

// between returns the seconds between two times of a log; ok is false where one is not known or where they
// are not in order.
func between(from, to string) (seconds float64, ok bool) {
	a, ok := parser.TimeOf(from)
	b, ok2 := parser.TimeOf(to)
	if d := b - a; ok && ok2 && d >= 0 && d < 366*86400 {
		return d, true
	}
	return 0, false
}

// start remembers when a run began. A log's own times know neither zone nor, often, year: what counts is how
// much of them has passed when a line comes in.
type start struct {
	run parser.Pos
	at  time.Time
}

// since returns when the run of s began, given that its latest line came in now.
func (b *start) since(run parser.Pos, s *Stats, now time.Time) time.Time {
	passed, _ := between(s.first, s.last)
	at := now.Add(-time.Duration(passed * float64(time.Second)))
	if b.at.IsZero() || b.run != run || at.Before(b.at) {
		*b = start{run, at}
	}
	return b.at
}

// read takes the statistics lines; those of several engines are summed up, a round of them at a time.
func (s *Stats) read(samples []parser.Sample) {
	s.Usage, s.Running, s.Waiting, s.Prompt, s.Generation, s.Preempted = nil, nil, nil, nil, nil, nil
	seen := map[int]bool{}
	var sum parser.Sample
	flush := func() {
		if len(seen) == 0 {
			return
		}
		s.Usage = append(s.Usage, sum.Usage)
		s.Running, s.Waiting = append(s.Running, sum.Running), append(s.Waiting, sum.Waiting)
		s.Prompt, s.Generation = append(s.Prompt, sum.Prompt), append(s.Generation, sum.Generation)
		s.Preempted = append(s.Preempted, sum.Preempted)
		clear(seen)
		sum = parser.Sample{}
	}
	for _, x := range samples {
		if x.Time != "" {
			s.last = x.Time
		}
		if seen[x.Engine] {
			flush()
		}
		seen[x.Engine] = true
		sum.Usage = max(sum.Usage, x.Usage) // the fullest one is in trouble first
		sum.Running += x.Running
		sum.Waiting += x.Waiting
		sum.Prompt += x.Prompt
		sum.Generation += x.Generation
		sum.Preempted += x.Preempted
	}
	flush()
}

// bars are the heights of a sparkline.
const bars = "▁▂▃▄▅▆▇█"

// Sparkline draws the latest n values between 0 and the highest of them, or top where that is higher.
func Sparkline(values []float64, n int, top float64) string {
	values = values[max(0, len(values)-n):]
	for _, v := range values {
		top = max(top, v)
	}
	steps := []rune(bars)
	var out []rune
	for _, v := range values {
		k := 0
		if top > 0 {
			k = min(len(steps)-1, int(v/top*float64(len(steps))))
		}
		out = append(out, steps[k])
	}
	return string(out)
}

// Short prints a count in few digits: 950, 1.2k, 34k.
func Short(v float64) string {
	switch {
	case v >= 1e4:
		return strconv.FormatFloat(v/1e3, 'f', 0, 64) + "k"
	case v >= 1e3:
		return strconv.FormatFloat(v/1e3, 'f', 1, 64) + "k"
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}
