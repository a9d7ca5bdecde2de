package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/oomdoc/oomdoc/mask"
)

// masked returns a value as JSON has it, with the secrets taken out of its texts.
func masked(m *mask.Masker, value any) (any, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // sizes in bytes keep every digit
	var plain any
	if err := d.Decode(&plain); err != nil {
		return nil, err
	}
	return maskTexts(m, plain), nil
}

func maskTexts(m *mask.Masker, v any) any {
	switch v := v.(type) {
	case string:
		return m.Text(v)
	case []any:
		for i := range v {
			v[i] = maskTexts(m, v[i])
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) { // the same numbers each time
			v[key] = maskTexts(m, v[key])
		}
	}
	return v
}
