// Package memory does the sums: where each GPU's memory went (the ledger), and what becomes of it
// when settings change (the planner). Pure functions over the facts of a log; no input or output.
package memory

// Basis says where a figure comes from.
type Basis string

// The bases, from firm to soft.
const (
	Stated    Basis = "stated"    // the log prints it
	Derived   Basis = "derived"   // arithmetic on what the log prints
	Estimated Basis = "estimated" // a formula
)

// Part is a share of a GPU's memory.
type Part struct {
	Name  string // one of PartNames
	Bytes float64
	Basis Basis
	Line  int // line of the log it comes from, 0 when derived or estimated
}

// PartNames are the names of parts, in the order in which a ledger lists them. Some versions print two
// of them in one figure. "process" is all that this process holds, where its tensors are not told;
// "unexplained" is negative in a plan that takes more than the device has.
var PartNames = []string{
	"weights_and_non_torch", "weights", "activations", "non_torch", "activations_and_non_torch", "kv_cache", "cudagraph",
	"live_tensors", "private_pool", "cached", "process", "other_processes", "free", "unexplained",
}

// Ledger says where the memory of one GPU went. The parts add up to Total.
type Ledger struct {
	GPU    int
	Total  float64 // bytes; 0 when the log does not state it
	Budget float64 // what the engine may use, bytes; 0 when there is no budget
	Short  float64 // what is missing for the request that failed, bytes
	Parts  []Part
}

// Kind is the outcome of a plan.
type Kind string

// The outcomes.
const (
	Fits       Kind = "fits"
	Borderline Kind = "borderline" // inside the noise of the engine's own measurement
	Short      Kind = "short"
	Unknown    Kind = "unknown" // the log lacks the numbers
)

// Verdict is what becomes of a failure when settings change.
type Verdict struct {
	Kind    Kind
	Basis   Basis
	Margin  float64 // bytes left over; negative: bytes missing
	Sums    string  // the arithmetic in figures, the same in every language: "5.39 GiB / 128 KiB = 44,160 tokens"
	Ledgers []Ledger

	Stage   Stage              // the stage whose condition decides
	Later   []Step             // the conditions of the stages that follow what failed, and of earlier ones that the change brings nearer
	Assumes map[string]float64 // defaults that the sums rest on and no line states
	Refused bool               // the engine does not start with such a value, whatever the memory

	held bool // it fits if what is assumed is so
}

// kind is the outcome if what is assumed is so.
func (v Verdict) kind() Kind {
	if v.held {
		return Fits
	}
	return v.Kind
}

// Change is a set of settings and their new values, by fact name; bytes, counts, tokens and ratios
// in their base unit, booleans as 0 or 1.
type Change map[string]float64

// Stage is a part of an engine's life. Each has a condition of its own; a failure is the first that does not hold.
type Stage string

// The stages, in order.
const (
	StageStartup    Stage = "startup_check"
	StageLoad       Stage = "load"
	StageProfile    Stage = "profile"
	StagePoolSize   Stage = "pool_size"
	StageAllocation Stage = "pool_allocation"
	StageCapture    Stage = "graph_capture"
	StageWarmup     Stage = "warmup"
	StageServing    Stage = "serving"
)

// Step is what becomes of a stage's condition.
type Step struct {
	Stage  Stage
	Kind   Kind
	Margin float64 // bytes
	Basis  Basis
	Sums   string
}
