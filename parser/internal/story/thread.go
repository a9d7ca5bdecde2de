package story

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trend"
)

// thread is where the story of one run stands.
type thread struct {
	*notes
	unit       *unit
	run        *Run
	processes  map[string]bool       // that spoke in it, and whether one told of a stage of its own
	own        map[string]fact.Facts // what each process said last of itself
	begun      map[string]bool       // start messages it has seen, by id and process
	progressed bool                  // it has gone on since its start messages
	closed     bool                  // another run has followed it
	phase      string
	time       string

	traces    map[string]*traceback
	sentences map[string]*sentence // by process
	latest    *sentence
	open      *Incident            // the latest failure or hint
	moved     bool                 // the run went on since the open incident
	echoes    []message.Occurrence // consequences seen before their cause
	degraded  map[string]*Incident // conditions in which the run went on, by what they are about
	unset     map[string]int       // line at which a process said that vLLM's configuration is not set
	monitor   trend.Monitor
	worries   worries
}

func newThread(n *notes, u *unit, at message.Pos) *thread {
	t := &thread{
		notes: n, unit: u, run: &Run{Unit: u.name, Facts: fact.Facts{}, First: at, Last: at, progress: at},
		processes: map[string]bool{}, own: map[string]fact.Facts{}, begun: map[string]bool{}, traces: map[string]*traceback{}, sentences: map[string]*sentence{},
		degraded: map[string]*Incident{}, unset: map[string]int{},
	}
	n.log.Runs = append(n.log.Runs, t.run)
	return t
}

// restarts reports whether a start message begins another run than the thread's: it failed, it serves, or it
// has gone on since the same message.
func (t *thread) restarts(d *message.Template, m *message.Occurrence) bool {
	key := startKey(d, m)
	if !d.Starts { // a fresh load
		return t.open == nil && slices.Contains(sized, t.phase) && m.Origin == "" && (t.run.Engine == "vllm" || t.run.Engine == "sglang")
	}
	return t.open != nil || t.run.Ready || len(t.echoes) > 0 && t.progressed || t.begun[key] && t.progressed
}

// sized are the phases of an engine whose pool has its size: it loads no model any more.
var sized = []string{"graph_capture", "warmup", "serving"}

func startKey(d *message.Template, m *message.Occurrence) string {
	process, _, _ := strings.Cut(m.Origin, " ")
	return d.ID + " " + process
}

// learnEngine learns whose log it is: from messages that only one engine prints, from the names of vLLM's
// processes, else from the shape of its own time stamps, which have no year.
func (t *thread) learnEngine(d *message.Template, m *message.Occurrence) {
	unknown := t.run.Engine == "" || t.run.Engine == "pytorch"
	switch {
	case d.Engine != "" && unknown:
		t.run.Engine = d.Engine
	case unknown && ofVLLM(m.Origin):
		t.run.Engine = "vllm"
	case t.run.Engine == "" && len(m.Time) == len("10-08 20:33:48") && m.Time[2] == '-' && m.Time[5] == ' ':
		t.run.Engine = "vllm"
	}
}

// ofVLLM reports whether a process has a name that only vLLM gives: its V1 engine and its workers, of both
// generations.
func ofVLLM(origin string) bool {
	for _, name := range []string{"EngineCore", "VllmWorker", "RayWorkerWrapper", "RayWorkerVllm"} {
		if strings.HasPrefix(origin, name) {
			return true
		}
	}
	ranks, ok := strings.CutPrefix(origin, "Worker_") // Worker_DP1_TP0_EP4
	group := strings.TrimLeft(ranks, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return ok && len(ranks)-len(group) >= 2 && group != "" && group[0] >= '0' && group[0] <= '9'
}

// enter notes that the run is in a phase from here on.
func (t *thread) enter(phase string, m *message.Occurrence) {
	t.progressed = true
	t.run.progress = m.At
	if t.phase == phase {
		return
	}
	t.phase = phase
	if len(t.run.Phases) < MaxPhases {
		t.run.Phases = append(t.run.Phases, PhaseChange{phase, m.At, m.Time})
	} else {
		t.LeftOut(m.At, CutPhases)
	}
}

// isDefault reports whether a message tells of the configuration that vLLM makes up where none is set:
// a part that asks too early gets one with every default, and its making is logged like the engine's own.
func (t *thread) isDefault(id string, m *message.Occurrence) bool {
	switch id {
	case "config-unset":
		if len(t.unset) < MaxTraces {
			t.unset[m.Origin] = m.At.Line
		}
	case "chunked-prefill-size":
		asked, ok := t.unset[m.Origin]
		delete(t.unset, m.Origin)
		return ok && m.At.Line-asked <= t.reach(clauseReach)
	}
	return false
}

// sameStep is in how many lines several ranks say the same.
const sameStep = 400

// learn keeps the latest value of each fact. Of a fact that several ranks state one after the other
// the first counts, or the one that the engine goes by; each rank's own is kept for its own failure. Statistics
// are kept as they were when the KV cache was fullest, for the first time.
func (t *thread) learn(origin string, facts fact.Facts) {
	usage, statistics := facts["kv_usage_percent_peak"]
	if old, ok := t.run.Facts["kv_usage_percent_peak"]; statistics && ok && old.Num >= usage.Num {
		return
	}
	if origin != "" && len(facts) > 0 && !statistics {
		mine := t.own[origin]
		if mine == nil && len(t.own) < MaxOrigins {
			mine = fact.Facts{}
			t.own[origin] = mine
		}
		for name, f := range facts {
			if mine != nil {
				mine[name] = f
			}
		}
	}
	for name, f := range facts {
		old, known := t.run.Facts[name]
		if ranks[name] && (!known || f.Num > old.Num) {
			t.run.Facts[name] = f
			continue
		}
		if known && largestCounts[name] && old.Num > f.Num {
			continue
		}
		sameTime := known && f.Line-old.Line < sameStep && f.Source == old.Source && !statistics
		if sameTime && (eachRank[name] || old.Origin != f.Origin) {
			continue
		}
		t.run.Facts[name] = f
	}
	t.bindRanks(facts)
}

// bindRanks takes the sizes of the parallel groups from the ranks that were seen, where these fill the world.
func (t *thread) bindRanks(facts fact.Facts) {
	world, ok := facts.Num("world_size")
	seen, ranked := facts["tensor_rank"]
	if !ok || !ranked || !heuristic.On(heuristic.Ranks) {
		return
	}
	tensor, _ := t.run.Facts.Num("tensor_rank")
	pipeline, _ := t.run.Facts.Num("pipeline_rank")
	if (tensor+1)*(pipeline+1) != world {
		return
	}
	for name, n := range map[string]float64{"tensor_parallel_size": tensor + 1, "pipeline_parallel_size": pipeline + 1} {
		if _, said := t.run.Facts[name]; !said {
			f := seen
			f.Num = n
			t.run.Facts[name] = f
		}
	}
}

// configure takes settings. A setting that says "auto" tells less than what was said before.
func (t *thread) configure(engine string, facts fact.Facts) {
	if t.run.Engine == "" {
		t.run.Engine = engine
	}
	for name, f := range facts {
		if old, ok := t.run.Facts[name]; ok && f.Text == "auto" && old.Text != "" {
			continue
		}
		t.run.Facts[name] = f
	}
}

// largestCounts holds the facts of which the largest counts in a run: of several victims of the kernel,
// and of a model and its smaller draft.
var largestCounts = map[string]bool{"host_killed_rss": true, "weights": true}

// ranks holds the facts of which the largest bounds a group.
var ranks = map[string]bool{"tensor_rank": true, "pipeline_rank": true}

// eachRank holds the facts that one process states for each of its ranks, line after line, about one in a
// hundred apart: the first counts, as in the log that people quote.
var eachRank = map[string]bool{"kv_cache_tokens": true, "max_concurrency": true}
