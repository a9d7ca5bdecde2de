package story

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// source is an input: the containers, pods and units that speak in it.
type source struct {
	units map[string]*unit
	order []*unit
	last  *unit // that spoke last
}

// unit is a container, a pod or a unit of systemd, or what of an input names none. Its threads are the runs of the
// servers in it: one after the other, or side by side.
type unit struct {
	name    string
	in      *source
	threads []*thread
	last    *thread            // that spoke last
	failed  *thread            // that failed last
	of      map[string]*thread // by process
}

func newSource() *source { return &source{units: map[string]*unit{}} }

// unit returns the unit that a line names. A line that names none goes on with the unit that spoke last; what stood
// in front of the first name was that unit's.
func (s *source) unit(name string, n *notes, at message.Pos) *unit {
	if name == "" && s.last != nil {
		return s.last
	}
	if u := s.units[name]; u != nil {
		return u
	}
	if len(s.order) >= MaxUnits {
		n.LeftOut(at, CutUnits)
		return s.last
	}
	u := &unit{name: name, in: s, of: map[string]*thread{}}
	if len(s.order) == 1 && s.order[0].name == "" && !announces(name) {
		u = s.order[0]
		delete(s.units, "")
		u.name = name
		for _, t := range u.threads {
			t.run.Unit = name
		}
	} else {
		s.order = append(s.order, u)
	}
	s.units[name] = u
	return u
}

// crowd is how many lines of others stand between two of a unit's, at most: collectors print what each says in turn.
const crowd = 16

// reach is how far apart, in lines of the stream, may be what stands so many lines of the thread's own apart.
func (t *thread) reach(lines int) int { return lines * min(len(t.unit.in.order), crowd) }

// announcers are the units that speak of others' processes: what they say belongs to whom they name.
var announcers = []string{"kernel", "systemd", "systemd-oomd", "containerd", "dockerd", "kubelet", "earlyoom", "k3s", "crio", "cri-o", "slurmstepd", "slurmd", "supervisord"}

func announces(unit string) bool {
	name, _, _ := strings.Cut(unit, "[")
	for _, a := range announcers {
		if name == a {
			return true
		}
	}
	return false
}

// named returns the thread that an announcement is about: of the process with the pid, else the only unit's there
// is; nil where neither is known.
func (s *source) named(pid int) *thread {
	var only *unit
	for _, u := range s.order {
		if announces(u.name) {
			continue
		}
		for origin, t := range u.of {
			if _, p := splitProcess(origin); p == pid && pid > 0 {
				return t
			}
		}
		if only != nil {
			return nil
		}
		only = u
	}
	if only == nil {
		return nil
	}
	return only.last
}

// thread returns the thread of a process of the unit; nil where there is none yet. An engine has one core, one
// server and one worker of a rank: a second one that tells of a stage of its own is another engine's, else it is a
// child of the first, which bears its name.
func (u *unit) thread(origin string, stage stage) *thread {
	name, pid := splitProcess(origin)
	if pid == 0 {
		return u.last
	}
	if !heuristic.On(heuristic.Threads) {
		return u.last
	}
	core := stage != noStage && singular(name)
	full := func(t *thread) bool { return stage == starting && t.run.Ready } // it has all its processes
	if t := u.of[origin]; t != nil && !t.closed {
		if t.processes[origin] || !full(t) && (!core || !t.hasOther(name, pid)) {
			t.processes[origin] = t.processes[origin] || core
			return t
		}
		delete(t.processes, origin)
	}
	var best *thread
	below := 0
	for i := len(u.threads) - 1; i >= 0; i-- {
		t := u.threads[i]
		if t.closed || full(t) || core && t.hasOther(name, pid) {
			continue
		}
		if p := t.nearest(pid); best == nil || p > below+forked || p > 0 && p >= below-forked { // children come in the order of their parents
			best, below = t, p
		}
	}
	if best != nil && len(u.of) < MaxOrigins {
		u.of[origin] = best
		best.processes[origin] = core
	}
	return best
}

// stage says whether a message tells of a stage of an engine's life, and whether of one before it serves.
type stage uint8

const (
	noStage stage = iota
	starting
	serving
)

// forked is how far apart the pids of two processes may be that are started at the same time.
const forked = 64

// add puts a new thread into the unit.
func (u *unit) add(t *thread, origin string) {
	u.threads = append(u.threads, t)
	u.last = t
	u.join(t, origin)
}

// join makes a process with a pid one of a thread's.
func (u *unit) join(t *thread, origin string) {
	if name, pid := splitProcess(origin); pid > 0 {
		u.of[origin] = t
		t.processes[origin] = singular(name)
	}
}

// hasOther reports whether a process of the same name and another pid has told of stages in the thread.
func (t *thread) hasOther(name string, pid int) bool {
	for origin, core := range t.processes {
		if n, p := splitProcess(origin); core && n == name && p != pid {
			return true
		}
	}
	return false
}

// nearest returns the largest pid of the thread below one, 0 where none is.
func (t *thread) nearest(pid int) (below int) {
	for origin := range t.processes {
		if _, p := splitProcess(origin); p < pid {
			below = max(below, p)
		}
	}
	return below
}

// consequence returns the thread that a consequence, or a hint, is about: its process's, unless nothing failed there
// and something did in another a few lines before, as where a server names its dead core.
func (u *unit) consequence(t *thread, m *message.Occurrence) *thread {
	if t.open != nil || !heuristic.On(heuristic.NearbyFailure) || u.failed == nil || u.failed.open == nil || m.At.Line-u.failed.open.Last.Line > t.reach(clauseReach) {
		return t
	}
	return u.failed
}

// splitProcess takes "EngineCore_DP0 pid=18799" apart; the pid is 0 where none is named.
func splitProcess(origin string) (name string, pid int) {
	name, rest, ok := strings.Cut(origin, "pid=")
	if !ok {
		return origin, 0
	}
	rest, _, _ = strings.Cut(rest, ",")
	pid, _ = strconv.Atoi(rest)
	return strings.TrimSpace(name), pid
}

// singular reports whether an engine has one process of a name: its core, its server, a worker with its rank. Others,
// such as Ray's workers, all have the same name.
func singular(name string) bool {
	for _, s := range []string{"EngineCore", "APIServer", "ApiServer", "Worker_", "DPCoordinator", "VllmWorker rank="} {
		if strings.HasPrefix(name, s) {
			return true
		}
	}
	return false
}
