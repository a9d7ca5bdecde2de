package story

import (
	"slices"

	"github.com/oomdoc/oomdoc/fact"
)

// finish rounds a log off.
func (l *Log) finish() *Log {
	if len(l.Runs) == 0 {
		l.Runs = append(l.Runs, &Run{Facts: fact.Facts{}})
	}
	for _, run := range l.Runs {
		run.explain()
		for _, inc := range run.Incidents {
			inc.complete(run)
		}
	}
	l.Ended = ended(l.Runs)
	l.fold()
	return l
}

// fold makes one incident of those that ended several runs, or several streams, in the same way.
func (l *Log) fold() {
	seen := map[string][]*Incident{} // by message and phase
	var restarts restarts
	for _, run := range l.Runs {
		kept := run.Incidents[:0]
		for _, inc := range run.Incidents {
			key := inc.Messages[0].ID + " " + inc.Phase
			k := slices.IndexFunc(seen[key], func(old *Incident) bool { return inc.sameSettings(old) && !old.elsewhere(&inc.Messages[0]) })
			if k < 0 {
				seen[key] = append(seen[key], inc)
				kept = append(kept, inc)
				restarts.ended(run, inc, inc)
				continue
			}
			old := seen[key][k]
			restarts.ended(run, old, inc)
			old.Repeats++
			old.Messages[0].Repeat += inc.Messages[0].Repeat
			for _, o := range inc.Origins {
				include(&old.Origins, o)
			}
			for _, o := range inc.Failed {
				include(&old.Failed, o)
			}
			for _, index := range inc.Devices {
				include(&old.Devices, index)
			}
			if inc.Last.Source == old.Last.Source {
				old.Last = inc.Last
			}
		}
		run.Incidents = kept
	}
	restarts.tell(l.Runs)
}

// sameSettings reports whether two incidents state no different figures for what was asked for.
func (i *Incident) sameSettings(other *Incident) bool {
	for _, name := range []string{"gpu_memory_utilization", "max_model_len", "tensor_parallel_size", "max_num_seqs"} {
		a, ok := i.Fact(name)
		if b, ok2 := other.Fact(name); ok && ok2 && a.Value != b.Value {
			return false
		}
	}
	return true
}
