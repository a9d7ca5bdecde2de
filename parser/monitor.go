package parser

import "bytes"

// The condition of a full KV cache. vLLM's V1 prints nothing when it preempts, so its statistics have to
// tell: usage at the brim with requests waiting, not once but for a while.
const (
	fullUsage = 95 // percent of the KV cache's blocks
	fullLines = 3  // statistics lines, printed every 5 or 10 seconds
)

// monitor watches the statistics lines of a run.
type monitor struct {
	full int     // statistics lines in a row that show a full cache
	peak float64 // highest usage seen, percent
	seen bool
}

// kvCacheFull is the message that the session adds when the statistics show a full KV cache.
var kvCacheFull = definition{
	id: "kv-cache-full", class: ClassDegraded, engine: "vllm", phase: "serving",
	doc: "Not printed by any engine: the statistics lines show a full KV cache with requests waiting, three times in a row or more.",
}

// worked are the messages that the session works out, or is told, itself.
var worked = []*definition{&kvCacheFull, &memcgKilled, &childKilled}

// statistics takes a statistics line and tells whether the cache has been full for long enough.
func (w *monitor) statistics(m *Message) bool {
	usage, ok := m.Facts.Num("kv_usage_percent_peak")
	if !ok {
		return false
	}
	w.peak, w.seen = max(w.peak, usage), true
	waiting, _ := m.Facts.Num("waiting_reqs")
	if usage < fullUsage || waiting == 0 {
		w.full = 0
		return false
	}
	w.full++
	return w.full >= fullLines
}

// routine decodes a statistics line in place and reports whether nothing follows from it: no higher
// usage than seen before, and no full cache.
func (w *monitor) routine(line []byte) bool {
	usage, ok := numberAfter(line, "usage: ")
	if !ok {
		usage, ok = numberAfter(line, "KV cache used: ")
	}
	if !ok || !w.seen || usage > w.peak {
		return false
	}
	if usage < fullUsage {
		w.full = 0
		return true
	}
	waiting, ok := numberAfter(line, "Waiting: ")
	if !ok {
		waiting, ok = numberAfter(line, "Pending: ")
	}
	switch {
	case !ok || waiting > 0 && w.full+1 >= fullLines:
		return false
	case waiting > 0:
		w.full++
	default:
		w.full = 0
	}
	return true
}

// numberAfter reads the plain number behind a text.
func numberAfter(line []byte, text string) (float64, bool) {
	i := bytes.Index(line, []byte(text))
	if i < 0 {
		return 0, false
	}
	v, scale, digits := 0.0, 0.0, 0
	for _, c := range line[i+len(text):] {
		if c == '.' && scale == 0 {
			scale = 1
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		v = v*10 + float64(c-'0')
		scale *= 10
		digits++
	}
	if scale > 1 {
		v /= scale
	}
	return v, digits > 0
}

// periodic takes a line that the engine prints every few seconds, and reports whether it need not be read.
func (b *builder) periodic(source int, line []byte) bool {
	st := b.sources[source]
	if st.run == nil || st.phase != "serving" || !st.run.Ready || !st.monitor.routine(line) {
		return false
	}
	st.moved = true
	return true
}
