package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/rules"
)

// ParseFacts reads a JSON object of facts. Beside their names it may hold the words engine and phase.
func ParseFacts(text []byte) (*memory.State, error) {
	facts, words, err := parseFacts(text)
	if err != nil {
		return nil, err
	}
	return memory.NewState(facts, words["engine"], words["phase"]), nil
}

// parseFacts reads {"name": value, …}: a number in the base unit, a text with a unit, true or false, or
// {"value": …, "unit": …} as the JSON report has it.
func parseFacts(text []byte) (facts fact.Facts, words map[string]string, err error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, nil, fmt.Errorf("no JSON object of facts: %w", err)
	}
	facts, words = fact.Facts{}, map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if name == "engine" || name == "phase" {
			var w string
			if err := json.Unmarshal(all[name], &w); err != nil {
				return nil, nil, fmt.Errorf("%s is a word", name)
			}
			words[name] = w
			continue
		}
		info, ok := fact.Lookup(name)
		if !ok {
			return nil, nil, fmt.Errorf("no fact is called %q%s", name, meant(name))
		}
		value, slack, err := jsonValue(info, all[name])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		facts[name] = fact.Fact{Value: value, Slack: slack}
	}
	if len(facts) == 0 {
		return nil, nil, fmt.Errorf("it holds no facts")
	}
	return facts, words, nil
}

func meant(name string) string {
	var all []string
	for _, f := range fact.Table {
		all = append(all, f.Name)
	}
	if near := rules.Near(name, all); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return ""
}

func jsonValue(info fact.Info, raw json.RawMessage) (fact.Value, float64, error) {
	var object struct {
		Value json.RawMessage `json:"value"`
		Unit  string          `json:"unit"`
	}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && raw[0] == '{' {
		if err := json.Unmarshal(raw, &object); err != nil || object.Value == nil {
			return fact.Value{}, 0, fmt.Errorf(`want {"value": …, "unit": …}`)
		}
		raw = bytes.TrimSpace(object.Value)
	}
	var text string
	switch {
	case len(raw) > 0 && raw[0] == '"':
		if err := json.Unmarshal(raw, &text); err != nil {
			return fact.Value{}, 0, err
		}
	default:
		text = string(raw)
	}
	// The report's own units are the base units.
	if object.Unit != "" && object.Unit != info.Kind.String() && !(info.Kind == fact.Version && object.Unit == "text") {
		text += " " + object.Unit
	}
	return parseValue(info, text)
}
