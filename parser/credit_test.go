package parser

import (
	"io"
	"testing"

	"github.com/oomdoc/oomdoc/internal/loggen"
)

// What a text asks for is bounded by its credit, which only the log that goes by fills up again.
func TestCredit(t *testing.T) {
	s := NewSession().Stream("log")
	asks, granted := 4*maxCredit/configWork, 0
	for range asks {
		if s.affords(3, 0) {
			granted++
			s.asker = 3
			s.reader.work += configWork
		}
	}
	if want := maxCredit/configWork + 1; granted != want {
		t.Errorf("%d of %d readings at one place granted, want %d", granted, asks, want)
	}
	if !s.affords(4, 0) {
		t.Error("another text has no credit")
	}
	if s.base = refill * maxCredit; !s.affords(3, 0) {
		t.Error("the credit does not come back")
	}
}

// A log that says the same in every line is read closely for a while, then in samples; after it, what is new
// is read as ever.
func TestDenseLog(t *testing.T) {
	session := NewSession()
	s := session.Stream("log")
	const size = 4 * maxCredit
	const texts = 6 // that a line holds
	feed := func(name string, size int64) {
		b, _ := io.ReadAll(loggen.Reader(name, size, 1))
		s.Feed(b)
	}
	feed("arguments", size)
	if s.reader.work > texts*(maxCredit+size/refill) {
		t.Errorf("%d MiB of command lines are %d MiB of work", size>>20, s.reader.work>>20)
	}
	s.Feed([]byte("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free.\n"))
	log := session.Close()
	if n := len(log.Runs); n == 0 || len(log.Runs[n-1].Incidents) != 1 {
		t.Errorf("the failure behind them is not seen")
	}
}
