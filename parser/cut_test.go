package parser

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/record"
	"github.com/oomdoc/oomdoc/parser/internal/scan"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
	"github.com/oomdoc/oomdoc/parser/internal/speaker"
	"github.com/oomdoc/oomdoc/parser/internal/story"
	"github.com/oomdoc/oomdoc/parser/internal/trend"
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
		{scan.CutLongLine, "x\n" + strings.Repeat("y", 3*scan.MaxLine) + "\n"},
		{story.CutRuns, repeat(story.MaxRuns+3, func(i int) string {
			return start + fmt.Sprintf("ERROR 10-08 20:33:50 [core.py:708] %s %d\n", oom, i)
		})},
		{story.CutFrames, "Traceback (most recent call last):\n" + repeat(story.MaxFrames+5, func(i int) string {
			return fmt.Sprintf("  File \"/a/b.py\", line %d, in f%d\n", i, i)
		}) + oom + "\n"},
		{story.CutOrigins, repeat(story.MaxOrigins+5, func(i int) string { return fmt.Sprintf("[rank%d]: %s\n", i, oom) })},
		{story.CutListed, oom + repeat(story.MaxListed+5, func(i int) string { return fmt.Sprintf(" Process %d has %d.00 MiB memory in use.", i+1, i+10) }) + "\n"},
		{story.CutPhases, start + repeat(story.MaxPhases, func(i int) string {
			return "INFO 10-08 20:33:49 [gpu_model_runner.py:2338] Starting to load model a/b...\nINFO 10-08 20:33:50 [gpu_worker.py:298] Available KV cache memory: 5.39 GiB\n"
		})},
		{story.CutTraces, repeat(story.MaxTraces+3, func(i int) string {
			return fmt.Sprintf("[rank%d]: Traceback (most recent call last):\n[rank%d]:   File \"/a/b.py\", line 3, in f\n", i, i)
		}) + oom + "\n"},
		{record.CutHeld, "INFO 10-08 20:33:48 [logger.py:41] Received request cmpl-7: prompt: 'a\n" + repeat(256+3, func(int) string { return oom + "\n" })},
		{record.CutSpan, "INFO 10-08 20:33:48 [logger.py:41] Received request cmpl-7: prompt: 'a\n" + repeat(speaker.MaxSpan+9, func(i int) string {
			if i%40 == 0 {
				return oom + "\n"
			}
			return "text\n"
		})},
		{frame.CutLayers, repeat(frame.MaxLayers+4, func(i int) string { return fmt.Sprintf("(W%d pid=%d) ", i, i+100) }) + oom + "\n"},
		{frame.CutNested, nested(oom, frame.MaxNested+2) + "\n"},
		{settings.CutSettings, "INFO 10-08 20:33:48 [api_server.py:1896] non-default args: {" + repeat(settings.MaxSettings+9, func(i int) string { return fmt.Sprintf("'k%d': %d, ", i, i) }) + "'max_model_len': 4096}\n"},
		{record.CutText, "vllm invoked oom-killer: gfp_mask=0x" + strings.Repeat("c", record.MaxText) + ", order=0\n"},
		{story.CutPools, start + repeat(trend.MaxPools+3, func(i int) string {
			return fmt.Sprintf("INFO 10-08 20:33:59 [loggers.py:127] Engine %03d: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 2.0 tokens/s, Running: 3 reqs, Waiting: 4 reqs, GPU KV cache usage: 97.0%%, Prefix cache hit rate: 0.0%%\n", i)
		})},
		{story.CutIncidents, start + repeat(story.MaxIncidents+3, func(i int) string {
			return oom + "\nINFO 10-08 20:33:50 [gpu_worker.py:298] Available KV cache memory: 5.39 GiB\nINFO 10-08 20:33:51 [gpu_model_runner.py:2338] Graph capturing finished in 20 secs, took 0.50 GiB\n"
		})},
		{story.CutMessages, everyFailure()},
		{record.CutConfigs, "args: Namespace(" + repeat(40, func(i int) string { return fmt.Sprintf("k%d='%s', args: Namespace(", i, strings.Repeat("x", 1000)) }) + "\n"},
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

// nested is a log's line within JSON within JSON.
func nested(text string, deep int) string {
	for range deep {
		b, _ := json.Marshal(map[string]string{"log": text})
		text = string(b)
	}
	return text
}

// everyFailure is a log with an example of each failure and consequence there is.
func everyFailure() string {
	var b strings.Builder
	for _, d := range Catalogue() {
		if (d.Class == message.ClassFailure || d.Class == message.ClassEcho) && len(d.Examples) > 0 {
			b.WriteString(d.Examples[0] + "\n\n")
		}
	}
	return b.String()
}
