package memory

import "math"

// A book collects parts until they are closed against the total.
type book struct {
	Ledger
	slack   float64
	planned bool // of a change
}

func (b *book) add(name string, a amount) {
	if !a.ok || a.v <= 0 {
		return
	}
	line := 0
	if a.basis == Stated {
		line = a.line
	}
	b.Parts = append(b.Parts, Part{Name: name, Bytes: a.v, Basis: a.basis, Line: line})
	b.slack += a.slack
}

func (b *book) sum() float64 {
	t := 0.0
	for _, p := range b.Parts {
		t += p.Bytes
	}
	return t
}

// close makes the parts add up to the total: a rest beyond what rounding explains is a part of its
// own. Where the parts are more than there is, the largest holds that much less of the device: tensors that the
// driver keeps in host memory, or that an engine put to sleep, still count as the process's. Of a plan, though, what
// is too much is the point: there the rest is negative.
func (b *book) close(name string) {
	if b.Total <= 0 {
		return
	}
	rest := b.Total - b.sum()
	if rest < -b.slack-0.01*gib && b.planned {
		b.Parts = append(b.Parts, Part{Name: "unexplained", Bytes: rest, Basis: Derived})
		return
	}
	for rest < -b.slack-0.01*gib && len(b.Parts) > 0 {
		i := 0
		for k := range b.Parts {
			if b.Parts[k].Bytes > b.Parts[i].Bytes {
				i = k
			}
		}
		p := &b.Parts[i]
		take := math.Min(-rest, p.Bytes)
		p.Bytes, p.Basis, p.Line = p.Bytes-take, Derived, 0
		rest += take
	}
	if rest <= b.slack+0.01*gib {
		return
	}
	b.Parts = append(b.Parts, Part{Name: name, Bytes: rest, Basis: Derived})
}

// sentenceLedger accounts for a device by the allocator's sentence, of any generation:
// total = free + other processes + non-torch + live tensors + private pools + cached.
func (s *State) sentenceLedger() (Ledger, bool) {
	total, free, alloc := s.stated("gpu_total"), s.stated("gpu_free"), s.stated("torch_allocated")
	if !total.ok || total.v <= 0 || !hasAny(s.own, "oom_requested") {
		return Ledger{}, false
	}
	b := &book{Ledger: Ledger{Total: total.v}, slack: total.slack}
	if g := s.stated("gpu_index"); g.ok && g.v >= 0 && g.v < 1<<16 {
		b.GPU = int(g.v)
	}
	if q := s.stated("oom_requested"); q.ok && free.ok && q.v > free.v {
		b.Short = q.v - free.v
	}
	if u := s.now.util; u.ok && s.Engine == "vllm" {
		b.Budget = u.v * total.v
	}
	private, cached := s.stated("private_pool"), s.stated("torch_reserved_unallocated")
	if r := s.stated("torch_reserved_total"); !cached.ok && r.ok && alloc.ok && r.v >= alloc.v {
		cached = derived(r.v - alloc.v)
		cached.slack = r.slack + alloc.slack
	}
	live := alloc
	if private.ok && alloc.ok && private.v <= alloc.v {
		live = alloc.plus(-private.v, Derived)
		if private.v == 0 {
			live = alloc
		}
	} else {
		private = amount{}
	}
	own, others := s.processes(total, free, alloc, cached)

	s.addLive(b, live)
	b.add("private_pool", private)
	b.add("cached", cached)
	if own.ok && alloc.ok {
		n := own.v - alloc.v - cached.v
		if n > -own.slack-alloc.slack-0.01*gib {
			b.add("non_torch", amount{v: math.Max(0, n), ok: true, basis: Derived, slack: own.slack})
		}
	} else if own.ok {
		b.add("process", own)
	}
	b.add("other_processes", others)
	b.add("free", free)
	if !free.ok && len(b.Parts) == 0 {
		return Ledger{}, false
	}
	b.close("unexplained")
	return b.Ledger, true
}

// processes returns what this process and the others hold. In a container the driver lists this
// process under a foreign number: where what is listed cannot stand beside what PyTorch reserves,
// it includes this process. A use of 0, or of 16 EiB, is what a driver prints that does not know.
func (s *State) processes(total, free, alloc, cached amount) (own, others amount) {
	own, others = s.stated("process_in_use"), s.stated("other_processes")
	if own.ok && (own.v <= 0 || own.v > total.v*1.01+own.slack) {
		own = amount{}
	}
	if others.ok && others.v > total.v*1.01 {
		others = amount{}
	}
	reserved := alloc.v + cached.v
	if !own.ok && others.ok && free.ok && alloc.ok && reserved > 0 {
		used := total.v - free.v
		if others.v+reserved > used+0.05*gib {
			switch {
			case others.v >= reserved-0.02*gib && others.v <= reserved+4*gib:
				return others, amount{}
			default:
				return amount{}, amount{}
			}
		}
	}
	if own.ok && !others.ok && free.ok {
		if o := total.v - free.v - own.v; o > own.slack+free.slack+total.slack {
			others = derived(o)
		}
	}
	return own, others
}

// addLive splits live tensors into what the engine said of them before.
func (s *State) addLive(b *book, live amount) {
	w, kv := s.now.weights, s.now.kv
	after := s.Failure == GraphCapture || s.Failure == SamplerWarmup || s.Failure == ServingStep
	if s.Engine != "vllm" || !live.ok || !w.ok || w.v > live.v || s.Failure == WeightsLoad {
		b.add("live_tensors", live)
		return
	}
	rest := live.v - w.v
	b.add("weights", w)
	if after && kv.ok && kv.v > 0 && kv.v <= rest+0.05*gib {
		b.add("kv_cache", kv)
		rest -= kv.v
	}
	if rest > 0.01*gib {
		b.add("live_tensors", derived(rest))
	}
}

// planLedger accounts for a device by the engine's equation; short is what the condition that failed lacks.
func (s *State) planLedger(p plan, short float64) []Ledger {
	if !p.total.ok && !p.weights.ok && !p.kv.ok {
		return nil
	}
	b := &book{planned: p.changed}
	if g := s.stated("gpu_index"); g.ok && g.v >= 0 && g.v < 1<<16 {
		b.GPU = int(g.v)
	}
	if p.total.ok {
		b.Total, b.slack = p.total.v, p.total.slack
	}
	if p.util.ok && p.total.ok {
		b.Budget = p.util.v * p.total.v
	}
	b.Short = short
	weights := p.weights
	if !weights.ok && p.wn.ok {
		b.add("weights_and_non_torch", p.wn)
	}
	b.add("weights", weights)
	b.add("activations", p.act)
	b.add("non_torch", p.nonTor)
	graphs := p.graphs
	if graphs.ok && p.outside.ok {
		graphs = amount{v: graphs.v + p.outside.v, ok: true, basis: softer(Derived, p.outside.basis), slack: graphs.slack}
		if est, act := s.stated("cudagraph_estimated"), s.stated("cudagraph"); act.ok && act.v == graphs.v {
			graphs = act
		} else if est.ok && est.v == graphs.v {
			graphs = est
		}
	}
	// What the budget leaves for the profiled figures that this version does not print.
	if b.Budget > 0 && weights.ok && p.kv.ok && !(p.act.ok && p.nonTor.ok) {
		s.splitLump(b, p)
	}
	b.add("kv_cache", p.kv)
	b.add("cudagraph", graphs)
	if !p.weights.ok && !p.wn.ok && !p.kv.ok && p.free0.ok {
		b.add("other_processes", p.others)
		b.add("free", p.free0)
		b.close("unexplained")
		return []Ledger{b.Ledger}
	}
	if o := p.others; o.ok && !s.acc.othersInside {
		b.add("other_processes", o)
	}
	if b.Total > 0 {
		complete := weights.ok && p.kv.ok && b.Budget > 0 || p.wn.ok && p.act.ok
		rest := "unexplained"
		if complete {
			rest = "free"
		}
		b.close(rest)
	}
	return []Ledger{b.Ledger}
}

// splitLump adds what weights and KV cache leave of the budget: activations and non-torch memory.
func (s *State) splitLump(b *book, p plan) {
	kv := p.kv.v
	lump := b.Budget - p.weights.v - kv - p.graphs.v - p.act.v - p.nonTor.v
	if lump <= 0.01*gib {
		return
	}
	name := "activations_and_non_torch"
	switch {
	case p.act.ok:
		name = "non_torch"
	case p.nonTor.ok:
		name = "activations"
	}
	basis := Derived
	if p.util.basis == Estimated {
		basis = Estimated
	}
	b.add(name, amount{v: lump, ok: true, basis: basis, slack: p.weights.slack + p.kv.slack})
}
