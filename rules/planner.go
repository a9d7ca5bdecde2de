package rules

import (
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
)

// Planner does the sums about an incident. Package memory has the real one.
type Planner interface {
	// WhatIf says what becomes of the failure when settings change.
	WhatIf(*parser.Incident, memory.Change) memory.Verdict
	// Fit finds the value of a setting, alone changed, with which the failure is gone.
	Fit(inc *parser.Incident, setting string) (float64, memory.Verdict)
	// Default returns the engine's default of a setting that no line states; not ok where one does, or none is known.
	Default(inc *parser.Incident, setting string) (float64, bool)
	// Release is the engine's release by what the log shows, where no line states one; "" where nothing dates it.
	Release(*parser.Incident) string
	// Failed reports whether it was the condition of this stage that did not hold.
	Failed(*parser.Incident, memory.Stage) bool
	// Ledgers says where the memory of each device went.
	Ledgers(*parser.Incident) []memory.Ledger
}

// noPlanner knows nothing.
type noPlanner struct{}

func (noPlanner) WhatIf(*parser.Incident, memory.Change) memory.Verdict {
	return memory.Verdict{Kind: memory.Unknown}
}

func (noPlanner) Fit(*parser.Incident, string) (float64, memory.Verdict) {
	return 0, memory.Verdict{Kind: memory.Unknown}
}

func (noPlanner) Default(*parser.Incident, string) (float64, bool) { return 0, false }

func (noPlanner) Release(*parser.Incident) string { return "" }

func (noPlanner) Failed(*parser.Incident, memory.Stage) bool { return false }

func (noPlanner) Ledgers(*parser.Incident) []memory.Ledger { return nil }
