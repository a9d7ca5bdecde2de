package parser

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/oomdoc/oomdoc/internal/loggen"
	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/record"
)

// BenchmarkGate is the gate alone, over a server's log.
func BenchmarkGate(b *testing.B) {
	log := loggen.Server(16<<20, 5)
	raw := record.Gate()
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	var hits []gate.Hit
	n := 0
	for b.Loop() {
		n = 0
		for at := 0; at < len(log); at += (1 << 20) {
			hits = raw.AppendHits(hits[:0], log[at:min(len(log), at+(1<<20))])
			n += len(hits)
		}
	}
	b.ReportMetric(float64(n), "hits")
}

// BenchmarkRead is all of the parser, over a server's log and over the worst inputs.
func BenchmarkRead(b *testing.B) {
	const size = 4 << 20
	names := []string{"server"}
	for name := range loggen.Worst {
		names = append(names, name)
	}
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			log, _ := io.ReadAll(loggen.Reader(name, size, 3))
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(name, bytes.NewReader(log)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkIndex(b *testing.B) {
	for _, strides := range [][]int{{7, 3}, {1}} {
		b.Run(fmt.Sprint(strides), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				raw := make([]gate.Text, len(message.GateTexts))
				for i, g := range message.GateTexts {
					raw[i] = gate.Text{S: g.Text, At: g.At}
				}
				gate.New(raw, strides...)
			}
		})
	}
}
