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

// A log that says the same in every line is read in samples once the credit is gone; after it, what is new is
// read as ever.
func TestDenseLog(t *testing.T) {
	session := NewSession()
	s := session.Stream("log")
	s.affords(0, 0)
	const size, left, texts = 1 << 20, 64 << 10, 6 // as many texts hold the lines
	for i := range s.credit {
		s.credit[i].left = left
	}
	log, _ := io.ReadAll(loggen.Reader("arguments", size, 1))
	s.Feed(log)
	if most := texts * (left + size/refill + 2*configWork*onConfig); s.reader.work > most {
		t.Errorf("%d KiB of command lines are %d KiB of work, want at most %d", size>>10, s.reader.work>>10, most>>10)
	}
	s.Feed([]byte("RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free.\n"))
	whole := session.Close()
	if n := len(whole.Runs); n == 0 || len(whole.Runs[n-1].Incidents) != 1 {
		t.Errorf("the failure behind them is not seen")
	}
}
