package memory

// Effect says what moving a setting does to the failure: +1 raising it helps, −1 lowering it helps,
// 0 it changes nothing; not ok where that is not known.
func (s *State) Effect(setting string) (dir int, ok bool) {
	graphs := setting == "enforce_eager" || setting == "cudagraph_max_size" || setting == "cudagraph_estimated"
	if s.poolSide() && graphs {
		// Graphs shrink the pool only where an estimate of them is taken off the budget.
		switch {
		case s.acc.undated && !s.now.eager:
			return 0, false
		case !s.acc.graphsInside || s.now.eager:
			return 0, true
		case setting == "enforce_eager":
			return 1, true
		}
		return -1, true
	}
	if setting == "enable_prefix_caching" && s.poolSide() {
		switch {
		case s.shape.stateGroups > 0:
			return -1, true // a second page of every state for it
		case s.curved():
			return 0, false
		}
		return 0, true
	}
	if setting == "max_model_len" && !s.acc.v1 && !s.chunked && (s.Failure == ProfileRun || s.Failure == NoPool) {
		return -1, true // V0 profiles with max_model_len tokens
	}
	return effectOf(s.Failure, setting)
}

// poolSide reports whether the failure is a KV cache that is too small.
func (s *State) poolSide() bool {
	return s.Failure == NoPool || s.Failure == PoolBelowRequest || s.Failure == Preemption
}

// headroomSide reports whether the failure came after the KV cache had been sized: memory outside
// the budget ran out.
func (s *State) headroomSide() bool {
	switch s.Failure {
	case PoolAllocation, GraphCapture, SamplerWarmup, ServingStep:
		return true
	}
	return false
}

// direction says whether a change moves a setting the way that helps, or the way that harms; told is
// false where what one of them does is not known and none helps.
func (s *State) direction(c Change) (helps, harms, told bool) {
	told = true
	for n, v := range c {
		dir, ok := s.Effect(n)
		told = told && ok
		moved := 1
		if was := s.current(n); was.ok {
			switch {
			case v == was.v:
				moved = 0
			case v < was.v:
				moved = -1
			}
		} else if dir < 0 {
			moved = -1 // not set so far; setting it is meant to lower it
		}
		helps = helps || dir*moved > 0
		harms = harms || dir*moved < 0
	}
	return helps, harms, told || helps
}
