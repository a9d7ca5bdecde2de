package story

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trace"
)

// complete fills in what follows from the rest of the run.
func (i *Incident) complete(run *Run) {
	for name, f := range run.Facts {
		if name == "expandable_segments" && f.Source == i.First.Source && f.Line > i.First.Line {
			continue // what the error advises; behind it, it is what was done about it
		}
		if i.Class == message.ClassDegraded { // a condition that lasts: its peak counts
			i.Before[name] = f
		} else if _, ok := i.Before[name]; !ok && !slices.Contains(momentary, name) {
			i.Before[name] = f
		}
	}
	i.dropOtherMoments()
	home, tells := i.home()
	outlived := !slices.Contains(engineStarts, i.Phase) && i.bare() && run.pulse-i.pulse >= alive
	i.Engine = run.Engine
	switch {
	case home == "" && i.anybodys() && (tells || outlived): // another program's, whatever runs beside it in this log
		i.Engine, i.Ready = "pytorch", false
		if tells || i.Phase == "serving" {
			i.Phase = ""
		}
		if run.Engine != "" && run.Engine != "pytorch" {
			delete(i.Before, "engine_version")
			delete(i.Before, "command")
			delete(i.Before, "arguments")
			delete(i.Before, "constructor")
		}
	case i.Engine == "" || i.Engine == "pytorch":
		i.Engine = cmp.Or(home, "pytorch")
	}
	i.Phase = i.phase(run)
	i.derive()
}

// alive is how many statistics lines behind a failure prove that the engine goes on: one more may be on its
// way when an engine dies.
const alive = 2

// engineStarts are the phases before an engine serves.
var engineStarts = message.Phases[:slices.Index(message.Phases, "serving")]

// anybodys reports whether the failure's own message is one that many programs print.
func (i *Incident) anybodys() bool {
	return i.Class != message.ClassDegraded && (i.Messages[0].Engine == "" || i.Messages[0].Engine == "pytorch")
}

// bare reports whether no message of the failure has a mark of the engine's: its logger's, its process's, or
// that it is one of its own.
func (i *Incident) bare() bool {
	return !slices.ContainsFunc(i.Messages, func(m message.Occurrence) bool {
		return m.Logged || m.Engine != "" && m.Engine != "pytorch" || m.Origin != "" && !strings.HasPrefix(m.Origin, "rank")
	})
}

// mourned reports whether an engine says behind the failure that it died of one.
func (i *Incident) mourned() bool {
	return slices.ContainsFunc(i.Messages, func(m message.Occurrence) bool {
		return m.Class == message.ClassEcho && m.Engine != "" && m.Engine != "pytorch"
	})
}

// home returns the engine whose code the traceback runs through, and whether there is enough of it to tell: the
// frames that a cut one lacks are the engine's where the engine died of it.
func (i *Incident) home() (engine string, tells bool) {
	for _, f := range i.Frames {
		for _, h := range engineHomes {
			if engine == "" && trace.InFile(h.dir, strings.ReplaceAll(f.File, `\`, "/")) {
				engine = h.engine
			}
		}
	}
	return engine, len(i.Frames) >= 2 && !(i.cut && i.mourned())
}

// engineHomes are the directories that an engine's frames are in.
var engineHomes = []struct{ dir, engine string }{
	{"vllm/", "vllm"}, {"vllm_ascend/", "vllm"}, {"sglang/", "sglang"}, {"text_generation_server/", "tgi"}, {"bin/text-generation-server", "tgi"}, {"tensorrt_llm/", "trtllm"},
}

// inModel reports whether a frame is of a model of vLLM.
func inModel(f trace.Frame) bool {
	return trace.InFile("vllm/model_executor/models/", strings.ReplaceAll(f.File, `\`, "/"))
}

// inDevice reports whether a frame is of a device's context, "with torch.device(...)": vLLM makes its
// weights in one, and little else. It is all that a traceback cut to its last lines shows.
func inDevice(f trace.Frame) bool {
	return f.Func == "__torch_function__" && trace.InFile("torch/utils/_device.py", strings.ReplaceAll(f.File, `\`, "/"))
}

// phase: what the message itself says, else its traceback, else where the run was.
func (i *Incident) phase(run *Run) string {
	for k := range i.Messages {
		if m := &i.Messages[k]; m.Phase != "" && m.Class != message.ClassEcho {
			return m.Phase
		}
	}
	if p := trace.Phase(i.Frames); p != "" {
		return p
	}
	was := cmp.Or(i.Phase, i.heads(run))
	for k := range i.Messages {
		if m := &i.Messages[k]; m.Phase != "" { // an echo's: the method that the executor called
			was = m.Phase
			break
		}
	}
	switch {
	case was == "" && i.Ready:
		return "serving"
	case was == "" && run.Engine == "vllm" && slices.ContainsFunc(i.Frames, inDevice):
		return "model_load"
	case was == "kv_alloc" && slices.ContainsFunc(i.Frames, inModel):
		return "graph_capture" // which comes next, V0's initialize_cache included; making the cache runs no model
	case was != "":
		return was
	}
	return "unknown"
}

// heads returns the phase that a run came to whose failure was told before it, as the title of a report does: without
// a traceback and in no logger's line. It is "" where another failure or a restart may be what the log goes on with.
func (i *Incident) heads(run *Run) string {
	m := &i.Messages[0]
	if len(i.Frames) > 0 || i.Ready || len(run.Incidents) != 1 || m.Logged || m.Time != "" || m.Origin != "" || len(run.Phases) == 0 || len(run.Ends) > 0 {
		return ""
	}
	if first := run.Phases[0].At; first.Source != m.At.Source || first.Line <= m.At.Line {
		return ""
	}
	furthest := 0 // several ranks tell of theirs in any order
	for _, p := range run.Phases {
		furthest = max(furthest, slices.Index(message.Phases, p.Phase))
	}
	return message.Phases[furthest]
}

// derive drops what means "unknown" and works out the memory of other processes: what the
// allocator lists for other pids, else total − free − own.
func (i *Incident) derive() {
	if f, ok := i.Facts["process_in_use"]; ok && f.Num == 0 {
		delete(i.Facts, "process_in_use")
	}
	i.findSelf()
	if _, ok := i.Facts["other_processes"]; ok {
		return
	}
	if len(i.listed) > 0 {
		i.tellListed()
		return
	}
	own, ok := i.Facts["process_in_use"]
	total, ok2 := i.Facts["gpu_total"]
	free, ok3 := i.Facts["gpu_free"]
	if ok && ok2 && ok3 {
		own.Num = math.Max(0, total.Num-free.Num-own.Num)
		own.Slack += total.Slack + free.Slack
		i.Facts["other_processes"] = own
	}
}

// reserved is what PyTorch's allocator held, in either generation of its sentence.
func (i *Incident) reserved() (float64, bool) {
	if v, ok := i.Facts.Num("torch_reserved_total"); ok {
		return v, true
	}
	a, ok := i.Facts.Num("torch_allocated")
	g, ok2 := i.Facts.Num("torch_reserved_unallocated")
	return a + g, ok && ok2
}

// momentary are the figures of an allocator's sentence: of one moment, one device and one process.
var momentary = []string{
	"oom_requested", "gpu_total", "gpu_free", "process_in_use", "torch_allocated", "torch_reserved_unallocated", "torch_reserved_total",
	"private_pool", "allowed", "other_processes", "mps_other", "host_requested",
}

// dropOtherMoments keeps the sentence of one failure from being completed with the figures of another,
// which the run has stated before or later.
func (i *Incident) dropOtherMoments() {
	if !slices.ContainsFunc(momentary, func(name string) bool { _, ok := i.Facts[name]; return ok }) {
		return
	}
	for _, name := range momentary {
		delete(i.Before, name)
	}
}
