package parser

import (
	"fmt"
	"strings"
	"testing"
)

// What a bound leaves out is said, with the place where it began.
func TestCuts(t *testing.T) {
	oom := "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.00 GiB is free."
	start := "INFO 10-08 20:33:48 [api_server.py:1896] vLLM API server version 0.11.0\nINFO 10-08 20:33:49 [gpu_model_runner.py:2338] Starting to load model a/b...\n"
	repeat := func(n int, line func(i int) string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(line(i))
		}
		return b.String()
	}
	for _, tt := range []struct{ what, text string }{
		{cutLongLine, "x\n" + strings.Repeat("y", 3*maxLine) + "\n"},
		{cutRuns, repeat(maxRuns+3, func(i int) string {
			return start + fmt.Sprintf("ERROR 10-08 20:33:50 [core.py:708] %s %d\n", oom, i)
		})},
		{cutFrames, "Traceback (most recent call last):\n" + repeat(maxFrames+5, func(i int) string {
			return fmt.Sprintf("  File \"/a/b.py\", line %d, in f%d\n", i, i)
		}) + oom + "\n"},
		{cutOrigins, repeat(maxOrigins+5, func(i int) string { return fmt.Sprintf("[rank%d]: %s\n", i, oom) })},
		{cutListed, oom + repeat(maxListed+5, func(i int) string { return fmt.Sprintf(" Process %d has %d.00 MiB memory in use.", i+1, i+10) }) + "\n"},
	} {
		log := readChunked([]byte(tt.text), 0)
		found := false
		for _, c := range log.Cuts {
			found = found || c.What == tt.what && c.Line > 0 && c.N > 0
		}
		if !found {
			t.Errorf("nothing says %q: %+v", tt.what, log.Cuts)
		}
	}
	if log := readChunked([]byte(start+oom+"\n"), 0); log.Cuts != nil {
		t.Errorf("cuts of an ordinary log: %v", log.Cuts)
	}
}
