package parser

import (
	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/record"
	"github.com/oomdoc/oomdoc/parser/internal/scan"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
	"github.com/oomdoc/oomdoc/parser/internal/story"
)

// CutTexts returns all that a Cut may say, for translations.
func CutTexts() []string {
	return []string{
		scan.CutLongLine, scan.CutRepeats, story.CutRuns, story.CutIncidents, story.CutMessages, story.CutOrigins, story.CutTraces, story.CutFrames, story.CutListed,
		record.CutHeld, record.CutSpan, frame.CutLayers, frame.CutNested, settings.CutSettings, record.CutConfigs, record.CutSteps, record.CutText, story.CutPools, story.CutPhases,
	}
}
