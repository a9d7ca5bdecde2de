package parser

import (
	"strconv"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
)

// Cut says that a bound left something out: what, where for the first time, and how often.
type Cut struct {
	Source, Line int
	What         string // one of the texts below
	N            int
}

// What the bounds leave out. Each stands for its bound: none bites without a word.
var (
	cutLongLine  = "a line longer than " + strconv.Itoa(maxLine>>10) + " KiB was read in pieces"
	cutRepeats   = "the log says the same over and over: repetitions were not read"
	cutRuns      = "more than " + strconv.Itoa(maxRuns) + " runs: the later ones were taken for one"
	cutIncidents = "more than " + strconv.Itoa(maxIncidents) + " incidents in a run: the later ones were left out"
	cutMessages  = "more than " + strconv.Itoa(maxMessages) + " kinds of messages in an incident: the later ones were left out"
	cutOrigins   = "more than " + strconv.Itoa(maxOrigins) + " processes in an incident: the later ones are not named"
	cutTraces    = "more than " + strconv.Itoa(maxTraces) + " tracebacks at a time: the earlier ones were forgotten"
	cutFrames    = "more than " + strconv.Itoa(maxFrames) + " frames in a traceback: the later ones were left out"
	cutListed    = "more than " + strconv.Itoa(maxListed) + " processes on a device: the later ones were left out"
	cutHeld      = "more than " + strconv.Itoa(maxHeld) + " messages in a text that may be a prompt: the later ones were left out"
	cutPassage   = "a text of more than " + strconv.Itoa(maxPassage) + " lines that may be a prompt was taken for the process's own words"
	cutConfigs   = "configurations within configurations: the later ones were not read"
	cutSteps     = "a wording that matches in very many ways was given up"
	cutText      = "the text of a message was cut at " + strconv.Itoa(maxText>>10) + " KiB"
	cutPools     = "more than " + strconv.Itoa(maxPools) + " engines: the statistics of the later ones were not followed"
	cutPhases    = "more than " + strconv.Itoa(maxPhases) + " changes of phase in a run: the later ones were left out"
)

// CutTexts returns all that a Cut may say, for translations.
func CutTexts() []string {
	return []string{
		cutLongLine, cutRepeats, cutRuns, cutIncidents, cutMessages, cutOrigins, cutTraces, cutFrames, cutListed,
		cutHeld, cutPassage, frame.CutLayers, frame.CutNested, settings.CutSettings, cutConfigs, cutSteps, cutText, cutPools, cutPhases,
	}
}

// cut notes that a bound left something out. There are as many entries as kinds, for each source.
func (l *Log) cut(at Pos, what string) {
	for i := range l.Cuts {
		if c := &l.Cuts[i]; c.Source == at.Source && c.What == what {
			c.N++
			return
		}
	}
	l.Cuts = append(l.Cuts, Cut{at.Source, at.Line, what, 1})
}
