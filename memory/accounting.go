package memory

import (
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory/engine"
	"github.com/oomdoc/oomdoc/parser"
)

// accounting is how the engine of a log does its sums: its profile, and what the rest of this package
// asks it most.
type accounting struct {
	profile      engine.Profile
	v1           bool    // the V1 engine
	othersInside bool    // other processes' memory is charged to this budget
	startupCheck bool    // refuses when free memory at start < utilization × total
	graphsInside bool    // an estimate of CUDA graph memory is taken off the budget
	undated      bool    // whether that is so cannot be told
	estimateInA  bool    // the printed activation peak already holds that estimate
	concurrency  bool    // the printed tokens are concurrency × max_model_len
	utilization  float64 // the default
	swap         float64 // the default host memory per GPU for swapped blocks, bytes
}

// accountingOf returns the sums of the engine whose facts these are. A build without a release is dated by
// what the log shows. The frames tell the entry point and the model runner where no line does; dense says
// that the model is known to be one without experts, windows and states.
func accountingOf(f fact.Facts, frames []parser.Frame, dense bool) accounting {
	p := engine.Profile{Sheet: engine.Get("vllm")}
	p.Release, p.Dated = engine.ParseRelease(f.Text("engine_version"))
	undated := !p.Dated
	if undated {
		p.Release, p.Dated = dated(p.Sheet, f)
	}
	for _, name := range []string{"startup_total", "gpu_total"} {
		if t, ok := f.Num(name); ok && p.CardGiB == 0 && t < 1<<50 {
			p.CardGiB = t / gib
		}
	}
	p.Generation = generationOf(&p, f)
	p.Entry = "server"
	p.Runner = f.Text("model_runner")
	for _, fr := range frames {
		file := strings.ReplaceAll(fr.File, `\`, "/")
		switch {
		case strings.HasSuffix(file, "vllm/entrypoints/llm.py"):
			p.Entry = "llm"
		case strings.Contains(file, "vllm/v1/worker/gpu/") && p.Runner == "":
			p.Runner = "V2"
		case strings.HasSuffix(file, "vllm/v1/worker/gpu_model_runner.py") && p.Runner == "":
			p.Runner = "V1"
		}
	}
	if est, ok := f.Num("cudagraph_estimated"); ok && est > 0 && p.Runner == "" {
		p.Runner = "V1" // the other one estimates nothing
	}
	guessed := p.Runner == "" && !dense
	if p.Runner == "" {
		p.Runner = p.Is("runner")
	}

	a := accounting{profile: p, v1: p.Generation == "v1"}
	n := p.Is("neighbours")
	a.othersInside = n == "charged"
	a.startupCheck = p.Is("startup_check") == "free"
	a.graphsInside = p.Is("graphs") == "subtracted"
	a.undated = a.v1 && (undated && !hasAny(f, "cudagraph_estimated", "weights_and_non_torch") || guessed && p.Runner == "V2")
	if on, stated := f.Num("graphs_in_budget"); stated {
		a.graphsInside, a.undated = on != 0, false
	}
	a.concurrency = p.Is("printed_tokens") == "concurrency"
	a.estimateInA = p.Is("activations") == "with-graphs" || hasAny(f, "weights_and_non_torch")
	a.utilization, _ = p.Number("default.gpu_memory_utilization")
	a.swap, _ = p.Number("default.swap_space")
	return a
}

// generationOf tells V0 from V1 where a release has both: by what only one of them prints.
func generationOf(p *engine.Profile, f fact.Facts) string {
	switch {
	case !p.Release.Before(engine.Release{0, 11}):
	case hasAny(f, "kv_needed", "startup_free", "kv_cache_tokens", "estimated_max_model_len"):
		return "v1"
	case hasAny(f, "num_cpu_blocks", "kv_capacity_tokens"):
		return "v0"
	}
	return p.Is("generation")
}

// dated returns the release that a log without one counts as, and whether anything dates it.
func dated(s *engine.Sheet, f fact.Facts) (engine.Release, bool) {
	for _, d := range s.Dates {
		if hasAny(f, d.Fact) {
			r, _ := engine.ParseRelease(d.Since)
			return r, true
		}
	}
	r, _ := engine.ParseRelease(s.Undated)
	return r, false
}

func hasAny(f fact.Facts, names ...string) bool {
	for _, n := range names {
		if _, ok := f[n]; ok {
			return true
		}
	}
	return false
}
