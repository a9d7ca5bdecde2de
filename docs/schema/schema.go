// Package schema holds the JSON Schemas of what oomdoc prints and reads. They follow from the Go types;
// fields.txt lists every field that was ever published, and none of them goes away under the same version.
package schema

//go:generate go run ./gen

import _ "embed"

// Files are the schemas by name.
var Files = map[string][]byte{"report": report, "event": event, "facts": facts}

var (
	//go:embed report.schema.json
	report []byte // of --format json

	//go:embed event.schema.json
	event []byte // of --follow --format ndjson

	//go:embed facts.schema.json
	facts []byte // of plan --facts, and of a line "oomdoc.facts/v1 {…}" in a log
)
