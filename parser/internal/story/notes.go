package story

import (
	"strconv"

	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/trend"
)

// The bounds of what a session remembers.
const (
	MaxRuns      = 512
	MaxIncidents = 128 // of one run
	MaxMessages  = 48  // of one incident
	MaxOrigins   = 256 // of one incident
	MaxTraces    = 128 // processes whose tracebacks are kept at a time
	MaxFrames    = 200 // of one traceback
	MaxListed    = 256 // processes the allocator lists
	MaxPhases    = 64  // changes of phase in one run
	MaxUnits     = 256 // containers, pods and units of one source
	maxEnds      = 64  // of one run
	maxQuoted    = 100 // all are counted
)

// Cut says that a bound left something out: what, where for the first time, and how often.
type Cut struct {
	Source, Line int
	What         string // one of the texts below
	N            int
}

// What the bounds leave out. Each stands for its bound: none bites without a word.
var (
	CutRuns      = "more than " + strconv.Itoa(MaxRuns) + " runs: the later ones were taken for one"
	CutIncidents = "more than " + strconv.Itoa(MaxIncidents) + " incidents in a run: the later ones were left out"
	CutMessages  = "more than " + strconv.Itoa(MaxMessages) + " kinds of messages in an incident: the later ones were left out"
	CutOrigins   = "more than " + strconv.Itoa(MaxOrigins) + " processes in an incident: the later ones are not named"
	CutTraces    = "more than " + strconv.Itoa(MaxTraces) + " tracebacks at a time: the earlier ones were forgotten"
	CutFrames    = "more than " + strconv.Itoa(MaxFrames) + " frames in a traceback: the later ones were left out"
	CutListed    = "more than " + strconv.Itoa(MaxListed) + " processes on a device: the later ones were left out"
	CutPools     = "more than " + strconv.Itoa(trend.MaxPools) + " engines: the statistics of the later ones were not followed"
	CutPhases    = "more than " + strconv.Itoa(MaxPhases) + " changes of phase in a run: the later ones were left out"
	CutUnits     = "more than " + strconv.Itoa(MaxUnits) + " containers or units in a stream: the later ones were taken for one"
)

// notes is what is written down while the story is told.
type notes struct {
	log     *Log
	version uint64 // counts what was said
	opened  int    // incidents
}

// LeftOut notes that a bound left something out. There are as many entries as kinds, for each source.
func (n *notes) LeftOut(at message.Pos, what string) {
	for i := range n.log.Cuts {
		if c := &n.log.Cuts[i]; c.Source == at.Source && c.What == what {
			c.N++
			return
		}
	}
	n.log.Cuts = append(n.log.Cuts, Cut{at.Source, at.Line, what, 1})
}
