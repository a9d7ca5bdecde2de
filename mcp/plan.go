package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/internal/plan"
	"github.com/oomdoc/oomdoc/mask"
	"github.com/oomdoc/oomdoc/mcp/wire"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

func (c Config) plan(ctx context.Context, raw json.RawMessage) (wire.Answer, error) {
	var p struct {
		Path  string                     `json:"path"`
		Text  string                     `json:"text"`
		Set   map[string]json.RawMessage `json:"set"`
		Solve string                     `json:"solve"`
		Lang  string                     `json:"lang"`
	}
	if err := arguments(raw, &p); err != nil {
		return wire.Answer{}, err
	}
	lang, err := c.language(p.Lang)
	if err != nil {
		return wire.Answer{}, err
	}
	if (len(p.Set) == 0) == (p.Solve == "") {
		return wire.Answer{}, errors.New(`give either settings to change, such as {"max_model_len": 32768}, or one to solve for`)
	}
	var set []string
	for _, name := range slices.Sorted(maps.Keys(p.Set)) {
		word, err := plainWord(p.Set[name])
		if err != nil {
			return wire.Answer{}, fmt.Errorf("set.%s: %w", name, err)
		}
		set = append(set, name+"="+word)
	}
	in := logInput{text: p.Text}
	if p.Path != "" {
		in.paths = []string{p.Path}
	}
	d, err := c.diagnosis(ctx, in)
	if err != nil {
		return wire.Answer{}, err
	}
	text, value, err := c.workOut(d, set, p.Solve, lang)
	if err != nil {
		return wire.Answer{}, err
	}
	m := mask.New()
	shown := m.Text(text)
	structured, err := masked(m, value)
	return wire.Answer{Text: shown, Structured: structured}, err
}

// planned is a plan with what to type.
type planned struct {
	plan.Document
	Flags   string `json:"flags,omitempty"`
	Command string `json:"command,omitempty"` // the log's own, corrected
}

// workOut plans on the state of a log.
func (c Config) workOut(d *rules.Diagnosis, set []string, solve, lang string) (string, *planned, error) {
	state, err := plan.StateOf(d)
	if err != nil {
		return "", nil, err
	}
	var p *plan.Plan
	if solve != "" {
		p, err = plan.Solve(state, solve)
	} else {
		p, err = plan.Apply(state, set)
	}
	if err != nil {
		return "", nil, errors.New(strings.TrimPrefix(err.Error(), "--"))
	}
	var text strings.Builder
	out := &planned{Document: p.Document()}
	if len(d.Findings) > 0 {
		text.WriteString(report.Headline(d.Findings[0], lang) + "\n\n") // not through the plan: it is not to be wrapped
		out.Flags, out.Command = rules.Flags(d.Findings[0].Incident, c.Knowledge, p.Settings())
	}
	if err := p.WriteText(&text, report.Options{Lang: lang, Width: planColumns}); err != nil {
		return "", nil, err
	}
	if shown := cmp.Or(out.Command, out.Flags); shown != "" {
		text.WriteString("\n" + shown + "\n")
	}
	return text.String(), out, nil
}

// planColumns is the width of the bars of a plan.
const planColumns = 100

// plainWord is a number, a word or a truth as it is written on a command line.
func plainWord(raw json.RawMessage) (string, error) {
	var v any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return "", err
	}
	switch v.(type) {
	case string, bool, json.Number:
		return fmt.Sprint(v), nil
	}
	return "", errors.New("a value is a number, a text or a truth")
}
