package story

import (
	"strconv"
	"strings"
)

// Process names a process, as far as its lines do.
type Process struct {
	Name      string // EngineCore_DP0, VllmWorker, APIServer, …
	PID       int    // 0: not named
	Rank      int    // -1: not named
	Namespace string
	Pod       string
	Container string
}

// Process is the one that the incident's decisive message is from.
func (i *Incident) Process() Process {
	p := Process{Rank: -1}
	if pod, container, ok := strings.Cut(i.Unit, "/"); ok {
		p.Pod, p.Container = pod, container
	} else {
		p.Container = i.Unit
	}
	origin := i.Messages[0].Origin
	if origin == "" && len(i.Failed) > 0 {
		origin = i.Failed[0]
	}
	if origin == i.Unit {
		return p
	}
	p.Name, p.PID = splitProcess(origin)
	if n, ok := rankIn(p.Name); ok {
		p.Rank = n
	}
	p.Name, _, _ = strings.Cut(p.Name, " rank=")
	return p
}

// rankIn reads "rank5", "VllmWorker rank=1", "Worker_TP3", "DP0 TP1": the rank within the tensor parallel group, else the
// only one there is.
func rankIn(name string) (rank int, ok bool) {
	for _, mark := range []string{"rank=", "rank", "TP", "PP", "DP"} {
		at := strings.LastIndex(name, mark)
		if at < 0 {
			continue
		}
		digits := name[at+len(mark):]
		if end := strings.IndexFunc(digits, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
			digits = digits[:end]
		}
		if n, err := strconv.Atoi(digits); err == nil {
			return n, true
		}
	}
	return 0, false
}

// Stages of an engine's life, and of a training's, by phase.
var stages = map[string]string{
	"startup": "startup_check", "model_load": "load", "checkpoint_load": "load", "profile": "profile", "kv_alloc": "pool_allocation",
	"graph_capture": "graph_capture", "warmup": "warmup", "serving": "serving",
	"forward": "forward", "backward": "backward", "optimizer_step": "step", "evaluation": "evaluation",
}

// Stage is the part of the life that the incident fell into; "" where its phase is none.
func (i *Incident) Stage() string {
	if _, allocating := i.Facts["oom_requested"]; i.Phase == "kv_alloc" && !allocating {
		return "pool_size" // it is checked before anything is allocated
	}
	return stages[i.Phase]
}
