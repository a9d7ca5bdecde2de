package plan

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/rules"
)

// lookupSetting finds a setting that the planner knows, by its fact name or its flag.
func lookupSetting(word string) (fact.Info, error) {
	name := strings.ReplaceAll(strings.TrimLeft(word, "-"), "-", "_")
	all := memory.Settings()
	if info, ok := fact.Lookup(name); ok && slices.Contains(all, name) {
		return info, nil
	}
	if near := rules.Near(name, all); len(near) > 0 {
		return fact.Info{}, fmt.Errorf("no setting is called %q; did you mean %s?", word, near[0])
	}
	return fact.Info{}, fmt.Errorf("no setting is called %q; there are %s", word, strings.Join(all, ", "))
}

// parseSetting reads name=value.
func parseSetting(text string) (name string, v fact.Value, err error) {
	word, value, ok := strings.Cut(text, "=")
	if !ok {
		return "", v, fmt.Errorf("--set %s: write it as name=value", text)
	}
	info, err := lookupSetting(strings.TrimSpace(word))
	if err != nil {
		return "", v, err
	}
	v, _, err = parseValue(info, value)
	if err == nil {
		err = plausible(info, v)
	}
	if err != nil {
		return "", v, fmt.Errorf("--set %s: %w", text, err)
	}
	return info.Name, v, nil
}

// plausible refuses what no engine takes.
func plausible(info fact.Info, v fact.Value) error {
	switch {
	case info.Name == "gpu_memory_utilization" && (v.Num <= 0 || v.Num > 1):
		return fmt.Errorf("%s lies between 0 and 1", info.Name)
	case info.Kind.Numeric() && v.Num < 0:
		return fmt.Errorf("%s is not negative", info.Name)
	case (info.Kind == fact.Count || info.Kind == fact.Tokens) && (v.Num < 1 || v.Num != math.Trunc(v.Num)):
		return fmt.Errorf("%s is a whole number from 1", info.Name)
	}
	return nil
}

// settingValue is a value as the planner takes it.
func settingValue(name string, v fact.Value) (float64, error) {
	if v.Kind != fact.Text {
		return v.Num, nil
	}
	words := rules.SettingWords[name]
	if x, ok := words[v.Text]; ok {
		return x, nil
	}
	if len(words) == 0 {
		return 0, fmt.Errorf("what %s=%s would change is not known", name, v.Text)
	}
	return 0, fmt.Errorf("%s=%s: must be one of %s", name, v.Text, strings.Join(slices.Sorted(maps.Keys(words)), ", "))
}

// The units of sizes, and of lengths and counts.
var (
	sizeUnits = map[string]float64{
		"b": 1, "bytes": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
		"kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12,
	}
	lengthUnits = map[string]float64{"k": 1000, "K": 1024, "tokens": 1}
)

// parseValue reads a value of a fact's kind in the units that people write. slack is half of the last
// digit where it is a size with decimals.
func parseValue(info fact.Info, text string) (v fact.Value, slack float64, err error) {
	text = strings.TrimSpace(text)
	v.Kind = info.Kind
	switch info.Kind {
	case fact.Text, fact.Version:
		v.Text = text
		if text == "" {
			err = fmt.Errorf("a value is missing")
		}
		return v, 0, err
	case fact.Bool:
		on, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			return v, 0, fmt.Errorf("%s is true or false", info.Name)
		}
		if on {
			v.Num = 1
		}
		return v, 0, nil
	}
	digits := strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%")
	unit := text[len(digits):]
	digits = strings.ReplaceAll(strings.TrimSpace(digits), ",", "")
	v.Num, err = strconv.ParseFloat(digits, 64)
	if err != nil || math.IsInf(v.Num, 0) || math.IsNaN(v.Num) {
		return v, 0, fmt.Errorf("%q is no number", text)
	}
	scale := 1.0
	if unit != "" {
		ok := false
		switch info.Kind {
		case fact.Bytes:
			scale, ok = sizeUnits[strings.ToLower(unit)]
		case fact.Tokens, fact.Count:
			scale, ok = lengthUnits[unit]
		case fact.Ratio:
			scale, ok = 0.01, unit == "%"
		case fact.Seconds:
			ok = unit == "s"
		}
		if !ok {
			return v, 0, fmt.Errorf("%q is no unit of %s", unit, info.Kind)
		}
	}
	v.Num *= scale
	if _, decimals, ok := strings.Cut(digits, "."); ok && info.Kind == fact.Bytes {
		slack = scale * 0.5 * math.Pow10(-len(decimals))
	}
	return v, slack, nil
}
