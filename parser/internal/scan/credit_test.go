package scan

import (
	"strings"
	"testing"
)

// What a text asks for is bounded by its credit, which only the log that goes by fills up again.
func TestCredit(t *testing.T) {
	const each = 10_000
	sink := &kept{}
	s := newTest(sink)
	asks, granted := 4*maxCredit/each, 0
	for range asks {
		if s.affords(1, 0) {
			granted++
			s.asker = 1
			sink.work += each
		}
	}
	if want := maxCredit/each + 1; granted != want {
		t.Errorf("%d of %d readings at one place granted, want %d", granted, asks, want)
	}
	if !s.affords(0, 0) {
		t.Error("another text has no credit")
	}
	if s.base = refill * maxCredit; !s.affords(1, 0) {
		t.Error("the credit does not come back")
	}
}

// A log that says the same in every line is read in samples once the credit is gone; after it, what is new is
// read as ever.
func TestDenseLog(t *testing.T) {
	const size, left, each = 1 << 20, 64 << 10, 10_000
	sink := &kept{each: each}
	s := newTest(sink)
	s.affords(0, 0)
	s.credit[1].left = left
	s.Feed([]byte(strings.Repeat("vllm serve m --max-model-len 4096 --port 8000\n", size/46)))
	if most := left + size/refill + 2*each*onConfig; sink.work > most {
		t.Errorf("%d KiB of command lines are %d KiB of work, want at most %d", size>>10, sink.work>>10, most>>10)
	}
	s.Feed([]byte("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"))
	s.Close()
	if !strings.HasPrefix(sink.lines[len(sink.lines)-1], "RuntimeError") {
		t.Errorf("the failure behind them is not read")
	}
}
