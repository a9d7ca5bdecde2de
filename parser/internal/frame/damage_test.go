package frame

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// envelopes put a line into what a log may arrive in.
var envelopes = []struct {
	name string
	wrap func(s string) string
}{
	{"bare", func(s string) string { return s }},
	{"CRLF", func(s string) string { return s + "\r" }},
	{"trailing blanks", func(s string) string { return s + "  \t" }},
	{"indented", func(s string) string { return "    " + s }},
	{"docker json-file", func(s string) string {
		return `{"log":` + quoteJSON(s+"\n") + `,"stream":"stderr","time":"2025-10-08T20:33:48.123456789Z"}`
	}},
	{"journald json", func(s string) string {
		return `{"_PID":"81","SYSLOG_IDENTIFIER":"vllm","MESSAGE":` + quoteJSON(s) + `,"PRIORITY":"6"}`
	}},
	{"journald json, bytes", func(s string) string {
		return `{"MESSAGE":` + strings.ReplaceAll(fmt.Sprint([]byte(s)), " ", ",") + `}`
	}},
	{"json logger", func(s string) string {
		return `{"level": "info", "ts": 1759955628.5, "extra": {"a": [1, "}"]}, "message": ` + quoteJSON(s) + `}`
	}},
	{"Cloud Logging", func(s string) string { return `{"severity":"INFO","jsonPayload":{"message":` + quoteJSON(s) + `}}` }},
	{"CRI", func(s string) string { return "2025-10-08T20:33:48.123456789Z stderr F " + s }},
	{"kubectl --timestamps", func(s string) string { return "2025-10-08T20:33:48.123456789Z " + s }},
	{"kubectl --prefix", func(s string) string { return "[pod/vllm-7d9f4-x2k/server] " + s }},
	{"stern", func(s string) string { return "vllm-7d9f4-x2k server › " + s }},
	{"compose", func(s string) string { return "vllm-1  | " + s }},
	{"journald short", func(s string) string { return "Oct 08 20:33:48 gpu1 vllm[123]: " + s }},
	{"journald short-iso", func(s string) string { return "2025-10-08T20:33:48+0200 gpu1 vllm[123]: " + s }},
	{"syslog", func(s string) string { return "<30>Oct  8 20:33:48 gpu1 vllm[123]: " + s }},
	{"syslog 5424", func(s string) string { return "<30>1 2025-10-08T20:33:48Z gpu1 vllm 123 - - " + s }},
	{"Actions", func(s string) string { return "2025-10-08T20:33:48.0000000Z " + s }},
	{"Actions, gh", func(s string) string { return "test\tRun the model\t2025-10-08T20:33:48.0000000Z " + s }},
	{"Buildkite", func(s string) string { return "\x1b_bk;t=1759955628000\x07" + s }},
	{"BuildKit", func(s string) string { return "#12 301.4 " + s }},
	{"colour", func(s string) string { return "\x1b[0;31m" + s + "\x1b[0m" }},
	{"colour, spelled", func(s string) string { return "^[[0;31m" + s + "^[[0m" }},
	{"colour, syslog", func(s string) string { return "#033[0;31m" + s + "#033[0m" }},
	{"colour, orphan", func(s string) string { return "[0;31m" + s + "[0m" }},
	{"quote", func(s string) string { return "> " + s }},
	{"panel", func(s string) string { return "│ " + s + "   │" }},
	{"Ray", func(s string) string { return "(RayWorkerWrapper pid=2, ip=10.0.0.1) " + s }},
	{"torchrun", func(s string) string { return "[rank0]: " + s }},
	{"torchrun, tee", func(s string) string { return "[default0]:" + s }},
	{"MPI", func(s string) string { return "[1,0]<stderr>:" + s }},
	{"loguru", func(s string) string { return "2025-10-08 20:33:48.123 | INFO     | app:run:7 - " + s }},
}

func quoteJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// records are texts that look like prefixes, borders or sequences here and there, and are none.
var records = []string{
	"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 0 has a total capacity of 79.15 GiB of which 611.75 MiB is free.",
	`ValueError: To serve at least one request with the models's max seq len (90112), (11.00 GiB KV cache is needed)`,
	`File "/opt/venv/lib/python3.12/site-packages/vllm/v1/engine/core.py", line 708, in run_engine_core`,
	"Traceback (most recent call last):",
	"Killed",
	"|    0   N/A  N/A      5459      C   python3                    2079MiB |",
	"| Allocated memory      |   71235 MiB |   71235 MiB |    1024 GiB |    954 GiB |",
	"[enforce fail at alloc_cpu.cpp:114] err == 0. DefaultCPUAllocator: can't allocate memory",
	`EngineArgs(model='a/b', rope_scaling={"type": "yarn"}, path='C:\new\table')`,
	"显存不足：需要 12.5 GiB → 只有 3 GiB",
}

func TestFrameTakesOffEachEnvelope(t *testing.T) {
	frame := func(raw string) (lines []Line) {
		var f Framer
		f.Frame(1, []byte(raw), func(l Line) {
			l.Text = []byte(string(l.Text))
			lines = append(lines, l)
		})
		return lines
	}
	for _, outer := range envelopes {
		for _, record := range records {
			if got := frame(outer.wrap(record)); len(got) != 1 || string(got[0].Text) != record {
				t.Errorf("%s: %q", outer.name, outer.wrap(record))
				for _, l := range got {
					t.Errorf("  got %s", show(l))
				}
			}
			// The engine's own prefixes inside keep their meaning.
			full := "(Worker_TP1 pid=9) ERROR 10-08 20:33:48 [multiproc_executor.py:470] " + record
			got := frame(outer.wrap(full))
			if len(got) != 1 || string(got[0].Text) != record || got[0].Origin != "Worker_TP1 pid=9" ||
				got[0].Time != "10-08 20:33:48" || got[0].level != "ERROR" || !got[0].Logger || !got[0].Head {
				t.Errorf("%s: %q", outer.name, outer.wrap(full))
				for _, l := range got {
					t.Errorf("  got %s", show(l))
				}
			}
		}
	}
}

// Any envelope inside any other comes off too, where the pair makes sense: a panel's and a line's
// end belong to what prints, so they stand inside.
func TestFrameTakesOffNestedEnvelopes(t *testing.T) {
	innermost := map[string]bool{"panel": true, "indented": true, "trailing blanks": true, "CRLF": true, "Actions, gh": true}
	const record = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
	for _, outer := range envelopes {
		if innermost[outer.name] {
			continue
		}
		for _, inner := range envelopes {
			if inner.name == outer.name {
				continue // nothing collects a line twice
			}
			var f Framer
			var got []string
			raw := outer.wrap(inner.wrap(record))
			f.Frame(1, []byte(raw), func(l Line) { got = append(got, string(l.Text)) })
			if len(got) != 1 || got[0] != record {
				t.Errorf("%s in %s: %q gave %q", inner.name, outer.name, raw, got)
			}
		}
	}
}
