package record

import (
	"bytes"
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// BenchmarkMatch is the framing and matching of one message after the other: every example of the catalogue.
func BenchmarkMatch(b *testing.B) {
	var lines [][]byte
	messages := 0
	for i := range message.All {
		for _, example := range message.All[i].Examples {
			messages++
			lines = append(lines, bytes.Split([]byte(example), []byte("\n"))...)
			lines = append(lines, nil)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		r := New(&tape{}, 0)
		for no, l := range lines {
			r.Line(no+1, l)
		}
		r.End(true, false)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*messages), "ns/message")
}
