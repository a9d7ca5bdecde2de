package memory

import (
	"sort"

	"github.com/oomdoc/oomdoc/parser"
)

// Planner judges changes to the settings of an incident's run. Its zero value is ready.
type Planner struct{}

// WhatIf says what becomes of the failure when settings change.
func (Planner) WhatIf(inc *parser.Incident, c Change) Verdict { return FromIncident(inc).WhatIf(c) }

// Fit finds the value of a setting that cures the failure.
func (Planner) Fit(inc *parser.Incident, setting string) (float64, Verdict) {
	return FromIncident(inc).Fit(setting)
}

// Default returns the engine's default of a setting that no line states.
func (Planner) Default(inc *parser.Incident, setting string) (float64, bool) {
	a := FromIncident(inc).current(setting)
	_, stated := inc.Fact(setting)
	return a.v, a.ok && (a.assumed || !stated && setting == "max_num_seqs") // the sampler's warm-up tells it, in other words
}

// Release is the engine's release by what the log shows, where no line states one; "" where nothing dates it.
func (Planner) Release(inc *parser.Incident) string {
	s := FromIncident(inc)
	if s.Engine != "vllm" || !s.acc.profile.Dated {
		return ""
	}
	return s.acc.profile.Release.String()
}

// Failed reports whether it was the condition of this stage that did not hold.
func (Planner) Failed(inc *parser.Incident, stage Stage) bool {
	return stages[FromIncident(inc).Failure] == stage
}

// Ledgers says where the memory of each device went.
func (Planner) Ledgers(inc *parser.Incident) []Ledger { return IncidentLedgers(inc) }

// maxLedgers bounds the devices that one incident is accounted for.
const maxLedgers = 64

// IncidentLedgers says where the memory of each device of an incident went: a ledger for every
// device whose allocator's sentence the incident has, else the engine's own account.
func IncidentLedgers(inc *parser.Incident) []Ledger {
	var list []Ledger
	seen := map[int]bool{}
	for i := range inc.Messages {
		own := inc.Messages[i].Facts
		if !hasAny(own, "gpu_total") || !hasAny(own, "oom_requested") || len(list) == maxLedgers {
			continue
		}
		gpu, _ := own.Num("gpu_index")
		if seen[int(gpu)] {
			continue
		}
		seen[int(gpu)] = true
		one := *inc
		// The clauses of a sentence are messages of their own; on a lone device they all count.
		if len(list) > 0 {
			one.Facts = own
		}
		list = append(list, FromIncident(&one).Ledgers()...)
	}
	if len(list) == 0 {
		list = FromIncident(inc).Ledgers()
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].GPU < list[j].GPU })
	return list
}

// Ledgers says where the device's memory went: by the allocator's sentence where there is one, else
// by the engine's account. None where the log states neither a total nor a share of it.
func (s *State) Ledgers() []Ledger {
	if l, ok := s.sentenceLedger(); ok {
		return []Ledger{l}
	}
	if s.Engine != "vllm" {
		return nil
	}
	p := s.apply(nil)
	return s.planLedger(p, s.missing(p))
}
