package report

import (
	"fmt"
	"strings"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
)

var partNames = map[string]knowledge.Text{
	"weights":                   {En: "weights", Zh: "权重"},
	"weights_and_non_torch":     {En: "weights and non-PyTorch", Zh: "权重与非 PyTorch"},
	"activations_and_non_torch": {En: "activations and non-PyTorch", Zh: "激活与非 PyTorch"},
	"private_pool":              {En: "private pools", Zh: "私有内存池"},
	"process":                   {En: "this process", Zh: "本进程"},
	"activations":               {En: "activations", Zh: "激活"},
	"non_torch":                 {En: "non-PyTorch", Zh: "非 PyTorch"},
	"cudagraph":                 {En: "CUDA graphs", Zh: "CUDA graph"},
	"kv_cache":                  {En: "KV cache", Zh: "KV cache"},
	"live_tensors":              {En: "live tensors", Zh: "存活张量"},
	"cached":                    {En: "cached, not in use", Zh: "已缓存未使用"},
	"other_processes":           {En: "other processes", Zh: "其他进程"},
	"free":                      {En: "free", Zh: "空闲"},
	"unexplained":               {En: "unexplained", Zh: "未说明"},
}

// PartName is a ledger part's name for people.
func PartName(name, lang string) string {
	if t, ok := partNames[name]; ok {
		return t.In(lang)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// context is what a process takes of a device at the least: less is the rounding of what was printed, and nobody's.
const context = 128 << 20

// LedgerLine is a ledger in one line; ~ marks what is derived, ≈ what is estimated.
func LedgerLine(l *memory.Ledger, lang string) string {
	if len(l.Parts) == 0 {
		return ""
	}
	var parts []string
	for _, p := range l.Parts {
		if p.Name == "other_processes" && p.Bytes < context {
			continue
		}
		mark := map[memory.Basis]string{memory.Derived: "~", memory.Estimated: "≈"}[p.Basis]
		parts = append(parts, PartName(p.Name, lang)+" "+mark+memory.Format(p.Bytes))
	}
	s := fmt.Sprintf("GPU %d", l.GPU)
	if l.Total > 0 {
		s += " " + memory.Format(l.Total)
	}
	s += " = " + strings.Join(parts, " + ")
	if l.Short >= 1<<20 {
		s += "; " + label(lang, "missing") + " " + memory.Format(l.Short)
	}
	return s
}
