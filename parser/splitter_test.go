package parser

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

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
			s := NewSession().Stream("x")
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
		s := NewSession()
		stream := s.Stream("x")
		for p := log.Bytes(); len(p) > 0; {
			n := min(piece, len(p))
			stream.Feed(p[:n])
			p = p[n:]
		}
		runs := s.Close().Runs
		incidents := runs[len(runs)-1].Incidents
		if len(incidents) != 1 || len(incidents[0].Frames) == 0 || incidents[0].Frames[0].Func != "begin" {
			t.Errorf("in pieces of %d: %d incidents, the first frame is missing", piece, len(incidents))
		}
	}
}
