package parser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// real are failures as processes print them, on one line.
var real = []string{
	"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.10 GiB is free. Including non-PyTorch memory, this process has 22.54 GiB memory in use. Of the allocated memory 21.90 GiB is allocated by PyTorch, and 180.00 MiB is reserved by PyTorch but unallocated.",
	"RuntimeError: CUDA out of memory. Tried to allocate 500.00 MiB (GPU 0; 23.70 GiB total capacity; 21.10 GiB already allocated; 300.00 MiB free; 22.60 GiB reserved in total by PyTorch)",
	"torch.cuda.OutOfMemoryError: HIP out of memory. Tried to allocate 96.00 MiB. GPU 1 has a total capacity of 63.98 GiB of which 48.00 MiB is free.",
	"ValueError: To serve at least one request with the models's max seq len (40960), (6.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.10 GiB).",
	"ValueError: Free memory on device (6.92/8.0 GiB) on startup is less than desired GPU memory utilization (0.9, 7.2 GiB).",
	"ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.",
	"RuntimeError: NPU out of memory. Tried to allocate 1.25 GiB (NPU 0; 60.97 GiB total capacity; 58.10 GiB already allocated; 58.10 GiB current active; 640.00 MiB free; 59.30 GiB reserved in total by PyTorch)",
	"RuntimeError: [enforce fail at alloc_cpu.cpp:114] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 47185920000 bytes. Error code 12 (Cannot allocate memory)",
	"RuntimeError: DataLoader worker (pid 4711) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory.",
}

// values are what users send, in any writing.
var values = []string{
	"hello", "it's me", `say "yes"`, "a 'quoted' word", "C:\\temp\\x", "ключ «да»", "「はい」と言う", "„so“ und 'so'", "{\"a\": [1, 2]}", "x = f(\"y\")", "tell me a story, please:", "",
	"application/json", "line one\nline two", "```code```", "<b>bold</b>", "why is my GPU full?",
}

func quoteJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func quotePython(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), "\n", `\n`)
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `\'`) + "'"
}

// closed puts a value that ends in front of a failure.
var closed = []func(value, failure string) string{
	func(v, f string) string { return "ERROR worker: Processing request 17 failed: " + f },
	func(v, f string) string { return "ERROR handling request body: " + f },
	func(v, f string) string {
		return "[error] generation failed input=" + quotePython(v) + " error=" + quotePython(f)
	},
	func(v, f string) string { return "[error] generation failed prompt=" + quoteJSON(v) + ": " + f },
	func(v, f string) string {
		return "ERROR generate{inputs=" + quoteJSON(v) + " max_new_tokens=20}: text_generation_router: Server error: " + f
	},
	func(v, f string) string { return "ERROR 500 content=" + quotePython(v) + " detail: " + f },
	func(v, f string) string {
		return `{"level":"error","prompt":` + quoteJSON(v) + `,"err":` + quoteJSON(f) + `}`
	},
	func(v, f string) string {
		return `{"time":"2026-01-02T03:04:05Z","messages":[{"role":"user","content":` + quoteJSON(v) + `}],"message":` + quoteJSON(f) + `}`
	},
	func(v, f string) string {
		return "level=error ts=2026-01-02T03:04:05Z prompt=" + quoteJSON(v) + " err=" + quoteJSON(f)
	},
	func(v, f string) string {
		return "request body={'messages': [{'role': 'user', 'content': " + quotePython(v) + "}]} failed: " + f
	},
	func(v, f string) string {
		return "Anfrage „" + strings.ReplaceAll(v, "\n", " ") + "“ scheiterte: " + f
	},
	func(v, f string) string {
		return "запрос «" + strings.ReplaceAll(v, "\n", " ") + "» не выполнен: " + f
	},
	func(v, f string) string { return "请求“" + strings.ReplaceAll(v, "\n", " ") + "”失败：" + f },
	func(v, f string) string {
		return "INFO 03-04 05:06:07 [logger.py:41] Received request cmpl-7: prompt: " + quotePython(v) + ", params: SamplingParams(n=1), lora_request: None.\n" + f
	},
	func(v, f string) string {
		return `INFO:     10.0.0.9:4711 - "POST /v1/completions HTTP/1.1" 500 Internal Server Error` + "\n" + f
	},
	func(v, f string) string { return "Fehler falls Batch 8: " + f },
	func(v, f string) string { return "- Fixed GPU id, then: " + f },
	func(v, f string) string { return "RuntimeError: could not avoid " + f },
	func(v, f string) string {
		return "<|im_start|>user\n" + strings.ReplaceAll(v, "`", "") + "<|im_end|>\n" + f
	},
	func(v, f string) string {
		return "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n+" + strings.ReplaceAll(v, "\n", " ") + "\nrunning the tests\n" + f
	},
	func(v, f string) string {
		return "def f():\n    \"\"\"" + strings.ReplaceAll(v, `"`, "") + "\"\"\"\n    return 1\n\n$ python f.py\n" + f
	},
}

// A failure behind something that is closed is the process's own.
func TestNothingClosedSilences(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 2))
	for range 10_000 / len(closed) {
		for k, make := range closed {
			v, f := values[r.IntN(len(values))], real[r.IntN(len(real))]
			if text := make(v, f); failures(text+"\n") == "" {
				t.Errorf("closed %d: not seen\n%s", k, text)
			}
		}
	}
}

// quoting puts a failure into something that is open, or a genre that quotes.
var quoting = map[string]func(value, failure string) string{
	"prompt": func(v, f string) string {
		return "INFO 03-04 05:06:07 [logger.py:41] Received request cmpl-7: prompt: " + quoteJSON(v+" "+f) + ", params: SamplingParams(n=1)\n"
	},
	"prompt, JSON": func(v, f string) string {
		return `{"model": "m", "messages": [{"role": "user", "content": ` + quoteJSON(v+" "+f) + `}], "temperature": 0.7}` + "\n"
	},
	"prompt, lines": func(v, f string) string {
		return "INFO 03-04 05:06:07 [logger.py:41] Received request cmpl-7: prompt: 'my log:\n" + f + "\nwhat now?', params: SamplingParams(n=1)\n"
	},
	"source, Python": func(v, f string) string {
		return "import torch\n\ndef explain(e):\n    if str(e).startswith(" + quotePython(f) + "):\n        return " + quotePython(v) + "\n"
	},
	"source, Go": func(v, f string) string {
		return "package x\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) {\n\tgot := classify(" + quoteJSON(f) + ")\n\tif got != \"oom\" {\n\t\tt.Error(got)\n\t}\n}\n"
	},
	"source, comment": func(v, f string) string {
		return "import torch\n\n\ndef step(x):\n    # " + f + "\n    x = f(x)\n    return x\n"
	},
	"source, YAML": func(v, f string) string {
		return "rules:\n  - name: oom\n    severity: high\n    pattern: " + quoteJSON(f) + "\n    action: restart\n"
	},
	"source, Rust": func(v, f string) string {
		return "#[test]\nfn reports() {\n    let line = " + quoteJSON(f) + ";\n    assert!(reports_oom(line));\n}\n"
	},
	"manual": func(v, f string) string {
		return "# Troubleshooting\n\nThis page lists the errors that users meet most often. Each has a short remedy.\n\n## The device is full\n\n```\n" + f + "\n```\n\nLower the batch size.\n"
	},
	"manual, if": func(v, f string) string {
		return "If you see an error like this:\n\n    " + f + "\n\nlower the batch size.\n"
	},
	"manual, row": func(v, f string) string {
		return "| Message | What to do |\n|---|---|\n| `" + strings.ReplaceAll(f, "`", "") + "` | lower the batch size |\n"
	},
	"test": func(v, f string) string {
		return "E       AssertionError: assert " + quotePython(f) + " in ''\nE         - " + f + "\n\ntests/test_x.py:12: AssertionError\n"
	},
	"diff": func(v, f string) string {
		return "diff --git a/docs/faq.md b/docs/faq.md\n--- a/docs/faq.md\n+++ b/docs/faq.md\n@@ -1,3 +1,5 @@\n # FAQ\n+\n+    " + f + "\n text\n"
	},
	"conversation": func(v, f string) string { return "User: my job says " + f + "\nAssistant: The card is full.\n" },
	"conversation, template": func(v, f string) string {
		return "<|im_start|>user\n" + strings.ReplaceAll(v, "<", "") + "\n" + f + "<|im_end|>\n<|im_start|>assistant\n"
	},
}

// A failure inside of something that is open is a quotation, and it is told.
func TestQuotationsAreTold(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 3))
	for name, make := range quoting {
		for range 100 {
			v, f := values[r.IntN(len(values))], real[r.IntN(len(real))]
			text := make(v, f)
			log, err := Read("x", strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			var seen []string
			for _, run := range log.Runs {
				for _, inc := range run.Incidents {
					seen = append(seen, inc.Messages[0].ID)
				}
			}
			lines := map[string]bool{}
			for _, q := range log.Quoted {
				lines[fmt.Sprint(q.At.Line, q.ID)] = true
			}
			genre, _, _ := strings.Cut(name, ",")
			if len(seen) > 0 || len(log.Quoted) == 0 {
				t.Errorf("%s: incidents %v, quoted %v\n%s", name, seen, log.Quoted, text)
				break
			}
			if g := log.Quoted[0].Genre; g != genre && !(genre == "manual" && g == "table") {
				t.Errorf("%s: genre %s\n%s", name, g, text)
				break
			}
		}
	}
}
