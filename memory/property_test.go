package memory

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
)

// world makes up a log of vLLM whose figures hang together, and returns its facts and phase.
func world(r *rand.Rand) (fact.Facts, string) {
	versions := []string{"0.6.2", "0.6.6", "0.8.3", "0.9.1", "0.11.0", "0.17.1", "0.19.0", "0.21.0", "0.27.0"}
	total := math.Round((8+r.Float64()*100)*100) / 100
	u := math.Round((0.5+r.Float64()*0.45)*100) / 100
	slope := float64(r.IntN(800)+20) * 1024
	length := float64(r.IntN(200000) + 600)
	if r.IntN(2) == 0 {
		length = math.Ceil(length/16) * 16
	}
	need := math.Round(slope*math.Ceil(length/16)*16/gib*100) / 100
	weights := math.Round(r.Float64()*total*90) / 100
	f := facts("engine_version", versions[r.IntN(len(versions))], "gpu_memory_utilization", u, "max_model_len", int(length))
	set := func(name string, v float64) { f[name] = facts(name, v)[name] }
	if r.IntN(5) > 0 {
		set("gpu_total", total)
	}
	if r.IntN(3) > 0 {
		set("weights", weights)
	}
	if r.IntN(3) == 0 {
		set("activation_peak", r.Float64()*5)
		set("non_torch", r.Float64())
	}
	if r.IntN(3) == 0 {
		set("startup_free", math.Round(total*r.Float64()*100)/100)
		set("startup_total", total)
	}
	phases := []string{"startup", "model_load", "profile", "kv_alloc", "graph_capture", "warmup", "serving", "unknown"}
	phase := phases[r.IntN(len(phases))]
	switch r.IntN(4) {
	case 0: // a refusal
		have := math.Round(need*r.Float64()*100) / 100
		set("kv_needed", need)
		set("kv_available", have)
		if est := math.Floor(have*gib/slope/16) * 16; est > 0 && r.IntN(3) > 0 {
			f["estimated_max_model_len"] = facts("estimated_max_model_len", est)["estimated_max_model_len"]
		}
		phase = "kv_alloc"
	case 1: // no pool
		set("kv_cache", -math.Round(r.Float64()*500)/100)
		phase = "kv_alloc"
	case 2: // the check at start
		set("startup_total", total)
		set("startup_free", math.Round(total*u*r.Float64()*100)/100)
		set("desired", math.Round(total*u*100)/100)
		phase = "startup"
	default: // the allocator's sentence
		used := total * r.Float64()
		set("gpu_total", total)
		set("gpu_free", math.Round((total-used)*100)/100)
		set("oom_requested", math.Round((total-used)*100+1+r.Float64()*200)/100)
		alloc := used * r.Float64()
		set("torch_allocated", alloc)
		set("torch_reserved_unallocated", (used-alloc)*r.Float64()/2)
		if r.IntN(2) == 0 {
			set("process_in_use", used)
		}
		if r.IntN(2) == 0 {
			set("other_processes", r.Float64()*total)
		}
		if r.IntN(2) == 0 {
			set("private_pool", alloc*r.Float64()/4)
		}
		if r.IntN(2) == 0 {
			set("kv_cache", r.Float64()*total/2)
		}
		if phase == "warmup" {
			f["dummy_requests"] = facts("dummy_requests", 256)["dummy_requests"]
		}
	}
	return f, phase
}

var tried = []string{"gpu_memory_utilization", "max_model_len", "kv_cache_memory_bytes", "max_num_seqs", "max_num_batched_tokens",
	"kv_cache_dtype", "enforce_eager", "cudagraph_max_size", "tensor_parallel_size", "pipeline_parallel_size", "quantization", "cpu_offload"}

// worlds runs a property on many made-up logs, the same ones every time.
func worlds(t *testing.T, property func(t *testing.T, r *rand.Rand, s *State)) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 3))
		f, phase := world(r)
		s := NewState(f, "vllm", phase)
		property(t, r, s)
		if t.Failed() {
			t.Fatalf("seed %d, %s in %s: %v", seed, s.Failure, phase, f)
		}
	}
}

// TestMoreMemory: a larger device never makes a plan worse.
func TestMoreMemory(t *testing.T) {
	worlds(t, func(t *testing.T, r *rand.Rand, s *State) {
		if !s.now.total.ok {
			return
		}
		for _, name := range tried {
			x, _ := s.Fit(name)
			small := s.WhatIf(Change{name: x, "gpu_total": s.now.total.v})
			large := s.WhatIf(Change{name: x, "gpu_total": s.now.total.v + r.Float64()*40*gib})
			if small.Kind == Unknown || large.Kind == Unknown {
				continue
			}
			if worse(large.Kind, small.Kind) || large.Margin < small.Margin-1 && large.Kind == small.Kind && large.Stage == small.Stage {
				t.Errorf("%s=%v: %s %+.3f GiB (%s), with more memory %s %+.3f GiB (%s)", name, x,
					small.Kind, small.Margin/gib, small.Sums, large.Kind, large.Margin/gib, large.Sums)
			}
		}
	})
}

// TestParts: the parts of every ledger add up to its total, within the rounding of what is printed.
func TestParts(t *testing.T) {
	worlds(t, func(t *testing.T, r *rand.Rand, s *State) {
		check := func(what string, list []Ledger) {
			for _, l := range list {
				sum, slack := 0.0, 0.01*gib
				for _, p := range l.Parts {
					sum += p.Bytes
					if !slices.Contains(PartNames, p.Name) {
						t.Errorf("%s: no part is named %s", what, p.Name)
					}
					slack += 0.01 * gib
					if p.Name != "unexplained" && p.Bytes < 0 {
						t.Errorf("%s: %s is negative", what, p.Name)
					}
				}
				if l.Total > 0 && math.Abs(sum-l.Total) > slack {
					t.Errorf("%s: parts are %.3f of %.3f GiB: %v", what, sum/gib, l.Total/gib, l.Parts)
				}
			}
		}
		check("log", s.Ledgers())
		for _, name := range tried {
			_, v := s.Fit(name)
			check(name, v.Ledgers)
		}
	})
}

// TestFitIsNearest: what Fit finds, WhatIf accepts, and one step nearer to the value in force it does
// not.
func TestFitIsNearest(t *testing.T) {
	found := map[string]int{}
	worlds(t, func(t *testing.T, r *rand.Rand, s *State) {
		for _, name := range tried {
			x, v := s.Fit(name)
			if v.kind() != Fits {
				continue
			}
			found[name]++
			if again := s.WhatIf(Change{name: x}); again.kind() != Fits {
				t.Errorf("Fit(%s) = %v, which is %s", name, x, again.Kind)
			}
			var nearer float64
			now := s.current(name).v
			switch name {
			case "gpu_memory_utilization":
				nearer = hundredth(x + math.Copysign(0.01, now-x))
			case "max_model_len":
				nearer = x + s.need.block
			case "tensor_parallel_size", "pipeline_parallel_size":
				nearer = x / 2
			case "max_num_seqs", "max_num_batched_tokens", "cudagraph_max_size":
				nearer = x * 2
			case "cpu_offload":
				nearer = x - gib
			default:
				continue
			}
			if (nearer-now)*(x-now) <= 0 || math.Abs(nearer-now) < 1e-9 {
				continue // that is the value in force
			}
			if near := s.WhatIf(Change{name: nearer}); near.kind() == Fits && s.Failure != StartupCheck && s.Failure != NoFailure {
				t.Errorf("Fit(%s) = %v, but %v fits too: %s", name, x, nearer, near.Sums)
			}
		}
	})
	for _, name := range tried {
		if found[name] < 5 {
			t.Errorf("%s was found %d times: the made-up logs do not exercise it", name, found[name])
		}
	}
}

// TestHostile: no figures, however wild, make the sums panic or answer with no number.
func TestHostile(t *testing.T) {
	wild := []float64{0, -1, 1, 1e-300, 1e300, math.MaxFloat64, math.Inf(1), math.Inf(-1), math.NaN(), 1 << 62, -1 << 62, 17179869184 * gib}
	phases := append([]string{""}, parser.Phases...)
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 9))
		f := fact.Facts{}
		for _, info := range fact.Table {
			if r.IntN(3) == 0 {
				f[info.Name] = fact.Fact{Value: fact.Value{Kind: info.Kind, Num: wild[r.IntN(len(wild))], Text: "0.11.0"}, Line: 1, Slack: wild[r.IntN(4)]}
			}
		}
		engines := []string{"vllm", "pytorch", "sglang", ""}
		s := NewState(f, engines[r.IntN(4)], phases[r.IntN(len(phases))])
		s.Ledgers()
		s.Recognise()
		s.Predict(Change{"gpu_memory_utilization": wild[r.IntN(len(wild))]})
		for _, name := range append(tried, "batch_size", "sequence_length", "world_size", "optimizer", "dtype") {
			x, v := s.Fit(name)
			if math.IsNaN(x) || math.IsInf(x, 0) || v.Kind == "" || (v.Kind == Fits && (math.IsNaN(v.Margin) || math.IsInf(v.Margin, 0))) {
				t.Fatalf("seed %d: Fit(%s) = %v, %+v", seed, name, x, v)
			}
			s.WhatIf(Change{name: wild[r.IntN(len(wild))]})
		}
	}
}
