package rules

import (
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
)

// Diagnosis is what oomdoc has to say about a log.
type Diagnosis struct {
	Log       *parser.Log
	Findings  []*Finding // the one to read first stands first; failures before degraded ones
	Facts     fact.Facts // of the latest run
	Knowledge *knowledge.Base
}

// Finding is the diagnosis of one incident.
type Finding struct {
	Incident   *parser.Incident
	Cause      *knowledge.Cause // nil: memory trouble whose cause cannot be told
	Unknown    *knowledge.Cause // what is said where no cause is established
	Confidence float64          // 0 to 1
	Others     []Candidate      // the next best causes
	Signs      []knowledge.Text // what spoke for the cause
	Ledgers    []memory.Ledger
	Remedies   []Remedy
	DeadEnds   []DeadEnd
	Ask        *Ask             // what would tell the first two causes apart; nil where one decides
	Values     map[string]Value // what {name} in texts stands for: facts and derived figures
}

// Says returns whose texts and lists speak: the cause's, else those for where none is established; nil where nobody
// has any.
func (f *Finding) Says() *knowledge.Cause {
	if f.Cause != nil {
		return f.Cause
	}
	return f.Unknown
}

// Value is a figure that texts may name.
type Value struct {
	fact.Value
	Line int
}

// Candidate is a cause that was considered.
type Candidate struct {
	Cause      *knowledge.Cause
	Confidence float64
}

// Remedy is a ranked recommendation.
type Remedy struct {
	*knowledge.Remedy
	Title   knowledge.Text // with the engine's own name of the setting
	Use     *knowledge.Use
	Score   float64
	Verdict memory.Verdict
	Basis   string             // computed, observed, general
	Change  map[string]float64 // settings and their values
	Assumes map[string]float64 // defaults that the values and sums rest on and no line states
	Apply   []Spelling         // for the entry point of the log first
	Command string             // the log's own command line, corrected; "" when the log has none
	Worked  int                // reported cases
	Failed  int

	Suggested bool // the log itself suggests it
}

// Ask is the observation that would tell the first two causes apart.
type Ask struct {
	Parts [2]*knowledge.Cause
	Of    *knowledge.Cause // the one of them that Tell speaks of
	Tell  knowledge.Text   // what one sees there
	Look  *knowledge.Remedy
	How   []Spelling // the step that shows it, for the place at hand; empty where it is Look's words
}

// record is how many reported cases make a record: of one or two nothing follows.
const record = 3

// Recorded reports whether there are reported cases enough to speak of.
func (r *Remedy) Recorded() bool { return r.Worked+r.Failed >= record }

// Spelling is a remedy written for one entry point.
type Spelling struct {
	Entry string // cli, python, compose, k8s, code, trainer, env, shell
	Text  string
	Open  bool // a value in it cannot be computed: it says N
}

// DeadEnd is advice that does not help here.
type DeadEnd struct {
	*knowledge.Remedy
	Title   knowledge.Text // with the engine's own name of the setting
	Why     knowledge.Text
	Helps   knowledge.Text
	Verdict memory.Verdict
	Sources []string

	Suggested bool // the log itself suggests it
	away      bool // its lever acts on another resource
}

// Exit statuses of the program, by what was found.
const (
	ExitNothing   = 0
	ExitDiagnosed = 1
	ExitUsage     = 2
	ExitUnknown   = 3
)

// ExitStatus is the program's exit status for the diagnosis.
func (d *Diagnosis) ExitStatus() int {
	switch {
	case len(d.Findings) == 0:
		return ExitNothing
	case d.Findings[0].Cause == nil:
		return ExitUnknown
	}
	return ExitDiagnosed
}
