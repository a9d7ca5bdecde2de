package oomdoc_test

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/loggen"
	"github.com/oomdoc/oomdoc/report"
)

// BenchmarkWhole is all that a run does after its start: from the log's bytes to the report's, over a server's
// log and the worst inputs.
func BenchmarkWhole(b *testing.B) {
	const size = 64 << 20
	for _, name := range append([]string{"server"}, slices.Sorted(maps.Keys(loggen.Worst))...) {
		b.Run(name, func(b *testing.B) {
			log, _ := io.ReadAll(loggen.Reader(name, size, 3))
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				d, err := oomdoc.Diagnose(name, bytes.NewReader(log), oomdoc.Options{})
				if err != nil {
					b.Fatal(err)
				}
				if err := report.WriteJSON(io.Discard, d, report.Options{Lang: "en"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSmall is a short log with one failure.
func BenchmarkSmall(b *testing.B) {
	log := append(loggen.Server(4<<10, 1), "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free.\n"...)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		d, err := oomdoc.Diagnose("small", bytes.NewReader(log), oomdoc.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := report.WriteJSON(io.Discard, d, report.Options{Lang: "en"}); err != nil {
			b.Fatal(err)
		}
	}
}
