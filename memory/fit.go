package memory

import (
	"math"
	"sort"
)

// Fit finds the value of a setting that cures the failure: the one nearest to the value in force
// whose verdict is fits, else the nearest that is borderline, else the best with its verdict short.
// Values are rounded the engine's way: lengths to whole blocks with one block kept back, utilization
// to 0.01, parallel sizes to powers of two. Without the figures it returns 0 and unknown; for a
// setting that does not bear on the failure, the value in force and short. Where nothing failed, it is the most that
// fits: the longest length, the most requests of it, the highest utilization, the largest pool.
func (s *State) Fit(setting string) (float64, Verdict) {
	if s.Failure == NoFailure {
		return s.most(setting)
	}
	if s.Failure == Preemption && setting == "max_num_seqs" {
		return s.settled()
	}
	dir, ok := s.Effect(setting)
	if !ok {
		return 0, Verdict{Kind: Unknown}
	}
	if dir == 0 {
		was := s.current(setting).v
		return was, s.WhatIf(Change{setting: was})
	}
	n, value := s.candidates(setting, dir)
	try := func(i int) Verdict { return s.WhatIf(Change{setting: value(i)}) }
	if n == 0 {
		return 0, Verdict{Kind: Unknown}
	}
	if n > 256 { // long ranges are lengths, where farther is never worse
		i := sort.Search(n, func(i int) bool { return try(i).kind() == Fits })
		if i == n {
			i = sort.Search(n, func(i int) bool { v := try(i); return v.kind() == Borderline && v.Margin >= 0 })
		}
		if i == n {
			i = n - 1
		}
		if v := try(i); v.Kind != Unknown {
			return value(i), v
		}
		return 0, Verdict{Kind: Unknown}
	}
	best, found := Verdict{Kind: Short, Margin: math.Inf(-1)}, -1
	for i := range n {
		v := try(i)
		if v.Kind == Unknown {
			return 0, v
		}
		if found < 0 || worse(best.kind(), v.kind()) || v.kind() == best.kind() && best.Margin < 0 && v.Margin > best.Margin {
			best, found = v, i
		}
		if v.kind() == Fits || s.Failure == StartupCheck && v.kind() == Borderline && v.Margin >= 0 {
			break // lowering further than the check asks for costs KV cache
		}
	}
	return value(found), best
}

// most is the largest value of a setting that fits where nothing failed.
func (s *State) most(setting string) (float64, Verdict) {
	none := Verdict{Kind: Unknown}
	try := func(x float64) Verdict { return s.WhatIf(Change{setting: x}) }
	switch setting {
	case "max_model_len":
		return s.longest()
	case "max_num_seqs": // so many never wait for each other, whatever their length
		if n := math.Floor(s.Cache(nil).Requests); n >= 1 {
			p := s.apply(nil)
			q, _ := s.enough(p)
			return n, Verdict{Kind: Fits, Basis: Derived, Stage: StageServing, Margin: q.margin,
				Sums: size(p.kv.v) + " / (" + needSums(p.need, p.maxLen.v) + ") ≥ " + count(n)}
		}
	case "gpu_memory_utilization":
		if !s.now.free0.ok || !s.now.total.ok {
			return 0, none
		}
		for u := 99.0; u >= 1; u-- {
			if v := try(u / 100); v.kind() == Fits || v.Kind == Unknown || s.now.util.ok && u/100 <= s.now.util.v {
				return u / 100, v
			}
		}
	case "kv_cache_memory_bytes":
		q, ok := s.device(s.apply(Change{setting: 0}))
		if x := floorTo(q.margin-s.now.noise, gib/64); ok && x > 0 {
			return x, try(x)
		}
	}
	return 0, none
}

// settled is the most requests that the pool held when it was full, by those that ran and those that waited: more
// are admitted and preempted again.
func (s *State) settled() (float64, Verdict) {
	running, waiting := s.stated("running_reqs"), s.stated("waiting_reqs")
	if !running.ok || !waiting.ok || running.v < 2 || waiting.v < 1 {
		return 0, Verdict{Kind: Unknown}
	}
	n := math.Floor(running.v * running.v / (running.v + waiting.v))
	if n < 1 || !s.now.maxSeqs.assumed && n >= s.now.maxSeqs.v {
		return 0, Verdict{Kind: Unknown}
	}
	v := s.WhatIf(Change{"max_num_seqs": n})
	v.Sums = count(running.v) + " × " + count(running.v) + " / (" + count(running.v) + " + " + count(waiting.v) + ") ≈ " + count(n)
	return n, v
}

// longest is the longest max_model_len that fits where nothing failed. A longer one may cost pool (V0),
// so what the pool at hand holds is only where the search begins.
func (s *State) longest() (float64, Verdict) {
	blocks := int(math.Min(s.need.longest(s.now.kv.v)/s.need.block, 1<<30))
	value := func(i int) float64 { return float64(blocks-i) * s.need.block }
	holds := func(i int) bool {
		v := s.WhatIf(Change{"max_model_len": value(i)})
		return v.kind() == Fits || v.kind() == Borderline && v.Margin >= s.need.spare() // the model may not accept it
	}
	i := sort.Search(blocks, holds)
	if i == blocks {
		return 0, Verdict{Kind: Unknown}
	}
	return value(i), s.WhatIf(Change{"max_model_len": value(i)})
}

// candidates are the values of a setting to try, nearest to the one in force first.
func (s *State) candidates(setting string, dir int) (int, func(int) float64) {
	was := s.current(setting)
	none := func(int) float64 { return 0 }
	switch setting {
	case "gpu_memory_utilization":
		if !was.ok {
			return 0, none
		}
		if dir > 0 {
			first := math.Floor(was.v*100+1e-9) + 1
			return max(0, int(99-first)+1), func(i int) float64 { return hundredth((first + float64(i)) / 100) }
		}
		first := math.Ceil(was.v*100-1e-9) - 1
		return max(0, int(first)), func(i int) float64 { return hundredth((first - float64(i)) / 100) }
	case "max_model_len":
		if !was.ok || !s.need.ok && s.need.anchor == 0 {
			return 0, none
		}
		blocks := math.Ceil(was.v/s.need.block-1e-9) - 1
		if blocks > 1<<30 {
			return 0, none
		}
		return max(0, int(blocks)), func(i int) float64 { return (blocks - float64(i)) * s.need.block }
	case "kv_cache_memory_bytes":
		return s.poolSizes(dir)
	case "max_num_seqs", "max_num_batched_tokens", "cudagraph_max_size", "batch_size":
		return s.halvings(was, setting)
	case "sequence_length":
		if !was.ok || was.v < 2 {
			return 0, none
		}
		step := 128.0
		if was.v <= 1024 {
			step = 16
		}
		steps := math.Ceil(was.v/step-1e-9) - 1
		return int(math.Min(255, steps)), func(i int) float64 { return (steps - float64(i)) * step }
	case "tensor_parallel_size", "pipeline_parallel_size", "world_size":
		return s.doublings(was, setting)
	case "quantization":
		bits := []float64{8, 4}
		for len(bits) > 0 && bits[0] >= s.bits() {
			bits = bits[1:]
		}
		return len(bits), func(i int) float64 { return bits[i] }
	case "kv_cache_dtype":
		if was.v <= 1 {
			return 0, none
		}
		return 1, func(int) float64 { return 1 }
	case "dtype":
		if was.v <= 2 {
			return 0, none
		}
		return 1, func(int) float64 { return 2 }
	case "optimizer":
		sizes := []float64{2, 0}
		return len(sizes), func(i int) float64 { return sizes[i] }
	case "enforce_eager", "gradient_checkpointing":
		if was.v != 0 {
			return 0, none
		}
		return 1, func(int) float64 { return 1 }
	case "cudagraph_estimated":
		return 1, none
	case "cpu_offload":
		if dir < 0 {
			return 0, none
		}
		return 256, func(i int) float64 { return was.v + float64(i+1)*gib }
	}
	return 0, none
}

// poolSizes are pool sizes in steps of 1/64 GiB: upwards from one full request, or downwards from
// the size in force.
func (s *State) poolSizes(dir int) (int, func(int) float64) {
	const step = gib / 64
	if dir > 0 {
		if !s.need.ok || !s.now.maxLen.ok || s.Failure == Preemption {
			return 0, nil
		}
		first := ceilTo(s.need.at(s.now.maxLen.v)+s.need.spare()+s.need.slack, step)
		return 1, func(int) float64 { return first }
	}
	if !s.now.kv.ok || s.now.kv.v <= 0 {
		return 0, nil
	}
	first := floorTo(s.now.kv.v, step) // 0.25 GiB a step keeps the list short on a large pool
	stride := ceilTo(s.now.kv.v/256, step)
	n := int(first / stride)
	return min(256, n), func(i int) float64 { return first - float64(i)*stride }
}

// halvings are the powers of two below the value in force.
func (s *State) halvings(was amount, setting string) (int, func(int) float64) {
	least := 1.0
	if setting == "max_num_batched_tokens" {
		least = 256
	}
	var list []float64
	if was.ok && was.v > least && was.v < 1<<40 {
		p := math.Exp2(math.Ceil(math.Log2(was.v)) - 1)
		for ; p >= least; p /= 2 {
			list = append(list, p)
		}
	}
	return len(list), func(i int) float64 { return list[i] }
}

// doublings are parallel sizes above the one in force that divide the model's heads.
func (s *State) doublings(was amount, setting string) (int, func(int) float64) {
	var list []float64
	for p := math.Exp2(math.Floor(math.Log2(math.Max(1, was.v))) + 1); p <= 64; p *= 2 {
		if setting == "tensor_parallel_size" && (p > 16 || s.known && math.Mod(s.shape.heads, p) != 0) {
			break
		}
		list = append(list, p)
	}
	return len(list), func(i int) float64 { return list[i] }
}
