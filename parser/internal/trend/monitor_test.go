package trend

import "testing"

// A number at the end of a line may be the first digits of one that a terminal has broken.
func TestNumberAfter(t *testing.T) {
	for _, c := range []struct {
		line  string
		value float64
		ok    bool
	}{
		{"GPU KV cache usage: 98.5%, Prefix", 98.5, true},
		{"GPU KV cache usage: 9", 0, false},
		{"GPU KV cache usage: 98.", 0, false},
		{"GPU KV cache usage: %", 0, false},
		{"Waiting: 12 reqs", 0, false},
	} {
		value, ok := NumberAfter([]byte(c.line), "usage: ")
		if ok != c.ok || ok && value != c.value {
			t.Errorf("%q is %v, %v", c.line, value, ok)
		}
	}
}

// A statistics line that the cache's use alone is read from is no reason to be calm where the rest of it is missing.
func TestHalfALineIsNotRoutine(t *testing.T) {
	w := Monitor{seen: true, peak: 99}
	const whole = "Avg prompt throughput: 0.0 tokens/s, Running: 40 reqs, Waiting: 22 reqs, GPU KV cache usage: 97.5%, Prefix cache hit rate: 1.0%"
	if calm, ok := calmLine([]byte(whole), 97.5); calm || !ok {
		t.Error("requests wait while nothing is read, and it is calm")
	}
	if w.Routine([]byte(whole[len("Avg prompt throughput: 0.0 "):])) {
		t.Error("half of it is routine")
	}
}
