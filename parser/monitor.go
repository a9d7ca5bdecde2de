package parser

// The condition of a full KV cache. vLLM's V1 prints nothing when it preempts, so its statistics have to
// tell: usage at the brim with requests waiting, not once but for a while.
const (
	fullUsage = 95 // percent of the KV cache's blocks
	fullLines = 3  // statistics lines, printed every 5 or 10 seconds
)

// monitor watches the statistics lines of a run.
type monitor struct {
	full int // statistics lines in a row that show a full cache
}

// kvCacheFull is the message that the session adds when the statistics show a full KV cache.
var kvCacheFull = definition{
	id: "kv-cache-full", class: ClassDegraded, engine: "vllm", phase: "serving",
	doc: "Not printed by any engine: the statistics lines show a full KV cache with requests waiting, three times in a row or more.",
}

// statistics takes a statistics line and tells whether the cache has been full for long enough.
func (w *monitor) statistics(m *Message) bool {
	usage, ok := m.Facts.Num("kv_usage_percent_peak")
	if !ok {
		return false
	}
	waiting, _ := m.Facts.Num("waiting_reqs")
	if usage < fullUsage || waiting == 0 {
		w.full = 0
		return false
	}
	w.full++
	return w.full >= fullLines
}
