package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
)

// assumptions are the defaults that a remedy rests on: those of its sums, and those that its own settings leave.
func (s *scope) assumptions(settings map[string]value, v memory.Verdict) map[string]float64 {
	out := maps.Clone(v.Assumes)
	for name, now := range settings {
		if x, ok := s.planner.Default(s.incident, name); ok && now.Num != x {
			if out == nil {
				out = map[string]float64{}
			}
			out[name] = x
		}
	}
	return out
}

// Relative says a value that rests on a default as what it is against the value in force: "0.03 lower than now: 0.87
// if it is 0.90 now". It is empty where nothing is assumed.
func (r *Remedy) Relative() knowledge.Text {
	var en, zh []string
	for _, name := range slices.Sorted(maps.Keys(r.Assumes)) {
		was := r.Assumes[name]
		info, _ := fact.Lookup(name)
		number := func(x float64) string { return Format(fact.Value{Kind: info.Kind, Num: x}, "en") }
		now, set := r.Change[name]
		if !set || now == was {
			en = append(en, fmt.Sprintf("This assumes that %s is %s, which no line states.", name, number(was)))
			zh = append(zh, fmt.Sprintf("假定 %s 为 %s，日志没有写明。", name, number(was)))
			continue
		}
		by, word, wort := was-now, "lower", "低"
		if by < 0 {
			by, word, wort = -by, "higher", "高"
		}
		step, stepZh := number(by)+" "+word+" than now", "比现在"+wort+" "+number(by)
		if info.Kind != fact.Ratio && now*2 == was {
			step, stepZh = "Half of what is set now", "现在取值的一半"
		}
		en = append(en, fmt.Sprintf("%s: %s if %s is %s now, which no line states.", step, number(now), name, number(was)))
		zh = append(zh, fmt.Sprintf("%s：若 %s 现为 %s 则取 %s，日志没有写明。", stepZh, name, number(was), number(now)))
	}
	return knowledge.Text{En: strings.Join(en, " "), Zh: strings.Join(zh, "")}
}
