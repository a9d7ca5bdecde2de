package story

import (
	"strconv"

	"github.com/oomdoc/oomdoc/parser/internal/message"
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
	CutPools     = "more than " + strconv.Itoa(MaxPools) + " engines: the statistics of the later ones were not followed"
	CutPhases    = "more than " + strconv.Itoa(MaxPhases) + " changes of phase in a run: the later ones were left out"
)

// leftOut notes that a bound left something out. There are as many entries as kinds, for each source.
func (b *Builder) LeftOut(at message.Pos, what string) {
	for i := range b.log.Cuts {
		if c := &b.log.Cuts[i]; c.Source == at.Source && c.What == what {
			c.N++
			return
		}
	}
	b.log.Cuts = append(b.log.Cuts, Cut{at.Source, at.Line, what, 1})
}
