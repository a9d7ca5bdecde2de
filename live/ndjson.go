package live

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/oomdoc/oomdoc/report"
)

// Schema is the version of the objects that NDJSON writes.
const Schema = "oomdoc.event/v1"

// EventJSON is an event for programs.
type EventJSON struct {
	Schema   string               `json:"schema"`
	Event    Kind                 `json:"event"`
	At       string               `json:"at"` // RFC 3339, UTC
	Source   string               `json:"source,omitempty"`
	Line     int                  `json:"line,omitempty"`
	Time     string               `json:"time,omitempty"` // as the log prints it
	Run      int                  `json:"run,omitempty"`
	Engine   string               `json:"engine,omitempty"`
	Phase    string               `json:"phase,omitempty"`
	Text     string               `json:"text,omitempty"`
	Number   int                  `json:"number,omitempty"`
	Update   bool                 `json:"update,omitempty"`
	Incident *report.IncidentJSON `json:"incident,omitempty"`
	Cause    string               `json:"cause,omitempty"` // of what was cleared
}

// NewEventJSON is an event as programs get it.
func NewEventJSON(e Event, lang string) *EventJSON {
	j := &EventJSON{
		Schema: Schema, Event: e.Kind, At: e.At.UTC().Format(time.RFC3339Nano), Source: report.Printable(e.Source), Line: e.Line,
		Time: report.Printable(e.Time), Run: e.Run, Engine: e.Engine, Phase: e.Phase, Text: report.Printable(e.Text), Number: e.Number, Update: e.Update,
	}
	switch {
	case e.Kind == Cleared:
		j.Cause = e.cause()
	case e.Finding != nil:
		inc := report.NewIncidentJSON(e.Finding, lang)
		j.Incident = &inc
	}
	return j
}

// cause is the id of the cause of the event's finding.
func (e *Event) cause() string {
	if e.Finding == nil || e.Finding.Cause == nil {
		return report.UnknownID
	}
	return e.Finding.Cause.ID
}

// NDJSON writes an event as one line of JSON.
func NDJSON(w io.Writer, e Event, lang string) error {
	b, err := json.Marshal(NewEventJSON(e, lang))
	if err != nil {
		return fmt.Errorf("an event: %w", err)
	}
	_, err = w.Write(append(b, '\n')) // in one piece, so that readers see whole lines
	return err
}
