package scan

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// kept is a sink that keeps the lines it is given, each of which costs as much work.
type kept struct {
	lines      []string
	work, each int
}

func (k *kept) Line(_ int, raw []byte) {
	k.work += k.each
	if len(k.lines) < 10_000 {
		k.lines = append(k.lines, string(raw))
	}
}
func (k *kept) Gap()                  {}
func (k *kept) Pass(int, []byte) bool { return false }
func (k *kept) Work() int             { return k.work }
func (k *kept) End(bool, bool)        {}
func (k *kept) Traced() bool          { return true }
func (k *kept) Voices() int           { return 1 }
func (k *kept) LeftOut(int, string)   {}

// newTest is a stream with a gate of two texts, a failure's and an argument's.
func newTest(sink Sink) *Stream {
	texts := []message.GateText{{Text: "CUDA out of memory", Reach: message.ReachFailure}, {Text: "--max-model-len", Reach: message.ReachConfig}}
	return New(gate.New([]gate.Text{{S: texts[0].Text}, {S: texts[1].Text}}, 7, 3), texts, sink)
}

// A stream keeps what a region can reach back to and little more, however it is fed.
func TestStreamKeepsLittle(t *testing.T) {
	for _, tt := range []struct {
		name        string
		line, piece int
		most        int
	}{
		{"short lines", 90, 64 << 10, 192 << 10},
		{"long lines", 2000, 64 << 10, 1 << 20},
		{"a line without end", 8 << 20, 64 << 10, 1 << 20},
		{"a byte at a time", 90, 1, 160 << 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newTest(&kept{})
			log := bytes.Repeat([]byte(strings.Repeat("x", tt.line-1)+"\n"), max(1, (8<<20)/tt.line))
			if tt.piece == 1 {
				log = log[:1<<20]
			}
			for len(log) > 0 {
				n := min(tt.piece, len(log))
				s.Feed(log[:n])
				log = log[n:]
				if got := cap(s.splitter.buf); got > tt.most {
					t.Fatalf("%d bytes are kept", got)
				}
			}
		})
	}
}

// What a failure needs of the lines before it is there, as far back as a region reaches, however it was fed.
func TestStreamReachesBack(t *testing.T) {
	for _, piece := range []int{100, 5000, 64 << 10} {
		var log bytes.Buffer
		for i := range 3000 {
			fmt.Fprintf(&log, "some other line, number %d, of a program that goes on and on\n", i)
		}
		log.WriteString("Traceback (most recent call last):\n  File \"/app/first.py\", line 1, in begin\n    go()\n")
		for i := range (backFailed - 10) / 2 {
			fmt.Fprintf(&log, "  File \"/app/deep.py\", line %d, in step_%d\n    step_%d()\n", i+1, i, i+1)
		}
		log.WriteString("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.10 GiB is free.\n")
		got := &kept{}
		stream := newTest(got)
		for p := log.Bytes(); len(p) > 0; {
			n := min(piece, len(p))
			stream.Feed(p[:n])
			p = p[n:]
		}
		stream.Close()
		if n := len(got.lines); n != backFailed+1 || !strings.Contains(strings.Join(got.lines[:20], " "), "in begin") || !strings.HasPrefix(got.lines[n-1], "torch.OutOf") {
			t.Errorf("in pieces of %d: %d lines were read, %q first", piece, n, got.lines[0])
		}
	}
}
