package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/internal/explain"
	"github.com/oomdoc/oomdoc/mcp/wire"
	"github.com/oomdoc/oomdoc/report"
)

func (c Config) explain(_ context.Context, raw json.RawMessage) (wire.Answer, error) {
	var p struct {
		ID   string `json:"id"`
		Lang string `json:"lang"`
	}
	if err := arguments(raw, &p); err != nil {
		return wire.Answer{}, err
	}
	lang, err := c.language(p.Lang)
	if err != nil {
		return wire.Answer{}, err
	}
	page, err := c.page(p.ID, lang)
	return wire.Answer{Text: page, Structured: map[string]string{"id": p.ID, "page": page}}, err
}

// page is all that is known of an id.
func (c Config) page(id, lang string) (string, error) {
	var pages []string
	for _, s := range explain.Lookup(c.Knowledge, id) {
		pages = append(pages, s.Page(report.Options{Lang: lang, Width: pageColumns}, c.Knowledge))
	}
	if len(pages) == 0 {
		return "", explain.Unknown(c.Knowledge, id)
	}
	return strings.Join(pages, "\n\n"), nil
}

// pageColumns is the width of a page.
const pageColumns = 100

// entry is something that has a page.
type entry struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"` // one of explain.Kinds
	Title string `json:"title"`
}

// maxFound bounds a list of ids.
const maxFound = 50

func (c Config) search(_ context.Context, raw json.RawMessage) (wire.Answer, error) {
	var p struct {
		Query string `json:"query"`
		Kind  string `json:"kind"`
	}
	if err := arguments(raw, &p); err != nil {
		return wire.Answer{}, err
	}
	if p.Kind != "" && !slices.Contains(explain.Kinds, p.Kind) {
		return wire.Answer{}, fmt.Errorf("kind %q: must be one of %s", p.Kind, strings.Join(explain.Kinds, ", "))
	}
	var found []entry
	for _, s := range explain.Search(c.Knowledge, p.Kind, p.Query) {
		found = append(found, entry{s.ID, s.Kind, s.Title.In(c.Lang)})
	}
	if len(found) == 0 {
		return wire.Answer{}, fmt.Errorf("nothing has all of the words %q in its id or title; try fewer", p.Query)
	}
	left := max(0, len(found)-maxFound)
	found = found[:len(found)-left]
	var text strings.Builder
	for _, e := range found {
		fmt.Fprintf(&text, "%s  %s  %s\n", e.Kind, e.ID, e.Title)
	}
	if left > 0 {
		fmt.Fprintf(&text, "and %d more: add a word\n", left)
	}
	return wire.Answer{Text: text.String(), Structured: map[string]any{"found": found, "left_out": left}}, nil
}
