package rules

import (
	"cmp"
	"math"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
)

// What moves a remedy in the ranking, in log-odds.
const (
	fitsAdds       = 3.0  // the sums say that it is enough
	estimateAdds   = 1.5  // the same, by a formula instead of this log's figures
	borderlineAdds = 1.0  // inside the engine's own noise
	costTakes      = 0.2  // a step of CostRank
	trustTakes     = 0.3  // whether this version has the setting is not known
	placeTakes     = 0.35 // a place further down in the cause's list
)

// spellFor decides the engine that remedies are spelled for: the log's, or where it shows none the first of the
// cause that is likeliest.
func (s *scope) spellFor(says *knowledge.Cause) {
	s.engine = cmp.Or(s.incident.Engine, "pytorch")
	if first, _, _ := strings.Cut(says.Engine, ","); s.engine == "pytorch" && first != "any" {
		s.engine = cmp.Or(first, "pytorch")
		s.named = s.engine
	}
}

// tooLittle reports whether the sums say that a remedy is not enough.
func tooLittle(r Remedy) bool { return r.Verdict.Kind == memory.Short }

// passes says that the stage that failed goes through and a later one does not.
var passes = map[memory.Stage]knowledge.Text{
	memory.StageStartup:    {En: "The check at start then fails", Zh: "启动检查随之失败"},
	memory.StagePoolSize:   {En: "It gets past this and leaves too little for the KV cache", Zh: "能过这一步，但留给 KV cache 的不够"},
	memory.StageAllocation: {En: "It gets past this, and the KV cache does not fit on the card", Zh: "能过这一步，但 KV cache 在卡上放不下"},
	memory.StageCapture:    {En: "It gets past this, and the CUDA graphs do not fit", Zh: "能过这一步，但 CUDA graph 放不下"},
}

// tooShort is the dead end of a remedy whose sums come out short.
func (s *scope) tooShort(r Remedy) DeadEnd {
	v := r.Verdict
	why := knowledge.Text{En: "It is not enough here", Zh: "在这里不够"}
	if v.Refused {
		why = knowledge.Text{En: "The engine refuses this value", Zh: "引擎不接受这个值"}
	} else if later, ok := passes[v.Stage]; ok && !s.planner.Failed(s.incident, v.Stage) {
		why = later
	}
	if v.Sums != "" {
		why.En, why.Zh = why.En+": "+v.Sums, why.Zh+"："+v.Sums
	} else {
		why.En, why.Zh = why.En+".", why.Zh+"。"
	}
	return DeadEnd{Remedy: r.Remedy, Title: r.Title, Why: why, Verdict: r.Verdict, Sources: r.Sources}
}

// plan works a recommendation out: its values, what the sums say, how it is spelled. It is not ok
// where the log shows the remedy in force already, or the engine's version has no such thing.
func (s *scope) plan(use *knowledge.Use, r *knowledge.Remedy) (Remedy, bool) {
	out := Remedy{Remedy: r, Title: s.title(r), Use: use, Basis: "general", Verdict: memory.Verdict{Kind: memory.Unknown}}
	settings, verdict := s.settings(use)
	if len(use.Set) > 0 && s.inForce(settings) {
		return out, false
	}
	change := memory.Change{}
	for name, v := range settings {
		if x, ok := planned(name, v); ok {
			change[name] = x
		}
	}
	switch {
	case verdict.Kind != "":
		out.Verdict = verdict
	case len(change) > 0:
		out.Verdict = s.planner.WhatIf(s.incident, change)
	}
	out.Change = shown(change)
	out.Assumes = s.assumptions(settings, out.Verdict)
	if s.wrongWay(r, settings) {
		return out, false
	}
	if len(r.Apply) > 0 {
		a, trusted, ok := s.spelling(r)
		if !ok {
			return out, false
		}
		if !trusted {
			out.Score = -trustTakes
		}
		out.Apply = s.spell(a, settings)
		out.Command = s.command(a, settings)
	}
	for _, o := range use.Outcomes {
		if o.Worked {
			out.Worked++
		} else {
			out.Failed++
		}
	}
	switch {
	case out.Verdict.Kind != memory.Unknown && len(out.Assumes) == 0:
		out.Basis = "computed"
	case out.Recorded():
		out.Basis = "observed"
	}
	out.Score += score(use, &out)
	return out, true
}

// score is the log-odds of a remedy before its place in the list counts. The record of reported
// cases is the mean of a beta posterior whose prior, one success and one failure, says "unknown".
func score(use *knowledge.Use, r *Remedy) float64 {
	x := use.Prefer - costTakes*float64(r.CostRank)
	if r.Recorded() {
		x += math.Log(float64(1+r.Worked) / float64(1+r.Failed))
	}
	switch {
	case r.Verdict.Kind == memory.Fits && r.Verdict.Basis == memory.Estimated:
		x += estimateAdds
	case r.Verdict.Kind == memory.Fits:
		x += fitsAdds
	case r.Verdict.Kind == memory.Borderline:
		x += borderlineAdds
	}
	return x
}

// settings evaluates the values of a use. The verdict is that of fit() where one setting alone was
// found by it, or where it says that no value is enough; else it is empty.
func (s *scope) settings(use *knowledge.Use) (map[string]value, memory.Verdict) {
	out := make(map[string]value, len(use.Set))
	var verdict memory.Verdict
	for name, expr := range use.Set {
		s.fits = nil
		if v := s.value(expr); v.known() {
			if f, ok := fact.Lookup(name); ok && f.Kind != fact.Text {
				v.Kind, v.Text = f.Kind, ""
			}
			out[name] = v
		}
		for of, v := range s.fits {
			if of == name && v.Kind == memory.Short {
				delete(out, name) // no value is enough, whatever else the expression offers
			}
			if short := v.Kind == memory.Short && !out[name].known(); short || len(use.Set) == 1 && expr == "fit("+name+")" {
				verdict = v
			}
		}
	}
	return out, verdict
}

// SettingWords are the words for data types and methods as memory.Change has them: bytes per element of a
// data type, bits per weight of a quantization, bytes of an optimizer's state per parameter.
var SettingWords = map[string]map[string]float64{
	"dtype":          {"half": 2, "float16": 2, "bfloat16": 2, "float": 4, "float32": 4},
	"kv_cache_dtype": {"fp8": 1, "fp8_e4m3": 1, "fp8_e5m2": 1, "int8": 1, "float16": 2, "bfloat16": 2},
	"optimizer":      {"adam": 8, "adamw": 8, "adamw_8bit": 2, "sgd": 0},
	"quantization":   {"fp8": 8, "int8": 8, "awq": 4, "gptq": 4, "bitsandbytes": 4, "mxfp4": 4},
}

// planned is a setting's value as the planner takes it.
func planned(name string, v value) (float64, bool) {
	if v.Kind == fact.Text {
		x, ok := SettingWords[name][v.Text]
		return x, ok
	}
	return v.Num, v.Kind.Numeric() || v.Kind == fact.Bool
}

// shown leaves out the settings that are words: the planner knows a data type by its width, which a
// reader would take for the setting's value.
func shown(c memory.Change) map[string]float64 {
	out := map[string]float64{}
	for name, v := range c {
		if f, _ := fact.Lookup(name); f.Kind != fact.Text {
			out[name] = v
		}
	}
	return out
}

// inForce reports whether the log states every one of the settings with the value it would get.
func (s *scope) inForce(settings map[string]value) bool {
	for name, v := range settings {
		now := s.name(name)
		if !now.known() || !compare(cEq, now, v).isTrue() && (v.Text == "" || !strings.HasPrefix(now.Text, v.Text)) {
			return false // fp8_e4m3 is fp8 as well
		}
	}
	return len(settings) > 0
}

// wrongWay reports whether a remedy that lowers or raises a setting would not: the value lies strictly beyond the one in
// force, or there is none.
func (s *scope) wrongWay(r *knowledge.Remedy, settings map[string]value) bool {
	for name, v := range settings {
		was := s.now(name)
		if r.Moves == "" || !v.Kind.Numeric() || !was.known() || len(settings) > 1 {
			continue
		}
		if r.Moves == "down" && v.Num >= was.Num || r.Moves == "up" && v.Num <= was.Num {
			return true
		}
	}
	return false
}
