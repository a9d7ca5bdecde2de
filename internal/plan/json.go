package plan

import (
	"encoding/json"
	"io"
	"math"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/report"
)

// Document is a plan for programs, schema oomdoc.plan/v1.
type Document struct {
	Schema  string              `json:"schema"`
	Set     map[string]any      `json:"set"`             // the settings changed, or solved for
	Solve   string              `json:"solve,omitempty"` // the setting that was solved for
	Verdict memory.Kind         `json:"verdict"`
	Basis   memory.Basis        `json:"basis,omitempty"`
	Margin  int64               `json:"margin"` // bytes left over; negative: missing
	Sums    string              `json:"sums,omitempty"`
	Stage   memory.Stage        `json:"stage,omitempty"`   // the stage whose condition decides
	Later   []report.LaterJSON  `json:"later,omitempty"`   // the conditions of the other stages
	Assumes map[string]float64  `json:"assumes,omitempty"` // defaults that no figure states
	Cache   cachePair           `json:"kv_cache"`
	Before  []report.LedgerJSON `json:"before"`
	After   []report.LedgerJSON `json:"after"`
}

// cachePair is what the KV cache holds before and after; what cannot be told is absent.
type cachePair struct {
	Before cacheFigures `json:"before"`
	After  cacheFigures `json:"after"`
}

type cacheFigures struct {
	Tokens   int64   `json:"tokens,omitempty"`
	Requests float64 `json:"requests,omitempty"` // of max_model_len at a time
}

func cacheJSON(c memory.Cache) cacheFigures {
	return cacheFigures{int64(c.Tokens), math.Round(c.Requests*100) / 100}
}

// WriteJSON prints the plan for programs.
func (p *Plan) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(p.Document())
}

// Document is the plan for programs.
func (p *Plan) Document() Document {
	v := p.Verdict
	j := Document{Schema: "oomdoc.plan/v1", Set: map[string]any{}, Solve: p.solved, Verdict: v.Kind, Basis: v.Basis, Sums: v.Sums}
	if !math.IsInf(v.Margin, 0) && !math.IsNaN(v.Margin) {
		j.Margin = int64(v.Margin)
	}
	for _, c := range p.changes {
		j.Set[c.name] = plainValue(c.value)
	}
	for _, q := range v.Later {
		j.Later = append(j.Later, report.LaterJSON{Stage: q.Stage, Verdict: q.Kind, Sums: q.Sums})
	}
	j.Stage, j.Assumes = v.Stage, v.Assumes
	j.Cache = cachePair{cacheJSON(p.cache[0]), cacheJSON(p.cache[1])}
	j.Before, j.After = ledgersJSON(p.before), ledgersJSON(v.Ledgers)
	return j
}

func ledgersJSON(list []memory.Ledger) []report.LedgerJSON {
	out := []report.LedgerJSON{}
	for i := range list {
		out = append(out, report.NewLedgerJSON(&list[i]))
	}
	return out
}
