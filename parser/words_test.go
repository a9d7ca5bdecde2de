package parser

import (
	"strings"
	"testing"
)

// failures feeds a log and returns the ids of the decisive messages.
func failures(text string) string {
	s := NewSession()
	s.Feed([]byte(text))
	var ids []string
	for _, run := range s.Close().Runs {
		for _, inc := range run.Incidents {
			ids = append(ids, inc.Messages[0].ID)
		}
	}
	return strings.Join(ids, " ")
}

const sentence = "CUDA out of memory. Tried to allocate 3.50 GiB. GPU 1 has a total capacity of 44.40 GiB of which 1.12 GiB is free."

func TestOthersWords(t *testing.T) {
	for name, text := range map[string]string{
		"prompt":               "INFO 03-04 05:06:07 [logger.py:41] Received request cmpl-7: prompt: 'what does torch.OutOfMemoryError: " + sentence + " mean', params: SamplingParams(n=1)\n",
		"fence below you":      "## When memory runs out\n\nIf you got this error while you trained\n\n```bash\nOutOfMemoryError: " + sentence + "\n```\n\nthen the card is too small.\n",
		"blanked amounts":      "openai.error.APIError: bad answer: '{\"object\":\"error\",\"message\":\"busy\\n\\n(CUDA out of memory. Tried to allocate xxx MiB (GPU 0; xxx GiB total capacity)\"}'\n",
		"chat body":            `{"model": "m", "messages": [{"role": "user", "content": "I get ` + sentence + `"}]}` + "\n",
		"address":              `INFO:     10.0.0.9:4711 - "GET /find?q=` + sentence + ` HTTP/1.1" 200 OK` + "\n",
		"raise":                `    raise RuntimeError("` + sentence + `")` + "\n",
		"condition":            `    if "CUDA out of memory. Tried to allocate 2.00 GiB" in str(e):` + "\n",
		"list entry":           `    "torch.OutOfMemoryError: ` + sentence + `",` + "\n",
		"call":                 `logger.warning("` + sentence + `")` + "\n",
		"regular":              `r"(CUDA out of memory. Tried to allocate 2.00 GiB.*free|other)"` + "\n",
		"patch":                "diff --git a/doc.md b/doc.md\n--- a/doc.md\n+++ b/doc.md\n@@ -1,2 +1,3 @@\n text\n+" + sentence + "\n",
		"pytest, raises":       ">       with pytest.raises(RuntimeError, match=\"CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0\"):\n",
		"pytest, source":       ">       raise torch.cuda.OutOfMemoryError(\"" + sentence + "\")\n",
		"pytest, assert":       "E       AssertionError: assert '" + sentence + "' in 'nothing of the kind'\n",
		"pytest, comparison":   "E         - " + sentence + "\nE         + all is well\n",
		"listing, grep -n":     "src/engine/errors.py:12:    raise RuntimeError(\"" + sentence + "\")\n",
		"listing, TypeScript":  "lib/messages.ts:7:export const OOM = '" + sentence + "';\n",
		"shell, grep":          "  grep -c 'CUDA out of memory. Tried to allocate 2.00 GiB' server.log\n",
		"shell, trace":         "+ echo '" + sentence + "'\n",
		"YAML, pattern":        "  pattern: \"" + sentence + "\"\n",
		"Go, test":             "        want: `" + sentence + "`,\n",
		"manual, if you see":   "If you see `torch.OutOfMemoryError: " + sentence + "`, lower the batch size.\n",
		"manual, when the":     "When the log says \"" + sentence + "\" the batch is too large.\n",
		"dump, SGLang":         "[2026-03-04 05:06:07] Receive: obj=GenerateReqInput(rid='7', text='why torch.OutOfMemoryError: " + sentence + "', sampling_params={'n': 1})\n",
		"dump, lines":          "[2026-03-04 05:06:07] Receive: obj=GenerateReqInput(rid='7', text='Traceback (most recent call last):\\n  File \"x.py\", line 3, in f\\ntorch.OutOfMemoryError: " + sentence + "', sampling_params={'n': 1})\n",
		"dump, details":        "INFO 03-04 05:06:07 [logger.py:41] Request chatcmpl-7 details: prompt: 'torch.OutOfMemoryError: " + sentence + "', prompt_token_ids: None\n",
		"dump, messages":       "DEBUG 03-04 05:06:07 [api.py:9] body={'messages': [{'role': 'user', 'content': \"torch.OutOfMemoryError: " + sentence + "\"}]}\n",
		"answer":               "INFO 03-04 05:06:07 [logger.py:80] Generated response chatcmpl-7: output: 'The error " + sentence + " means', output_token_ids: [1]\n",
		"answer, streamed":     "data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" + sentence + "\"}}]}\n",
		"data set":             "{\"instruction\": \"explain\", \"input\": \"torch.OutOfMemoryError: " + sentence + "\", \"output\": \"lower the batch\"}\n",
		"data set, sample":     "Sample 0: {'text': 'torch.OutOfMemoryError: " + sentence + "'}\n",
		"curl":                 "curl -s localhost:8000/v1/completions -d '{\"prompt\": \"" + sentence + "\"}'\n",
		"nginx":                "10.0.0.9 - - [04/Mar/2026:05:06:07 +0000] \"GET /search?q=" + sentence + " HTTP/1.1\" 200 612 \"-\" \"curl/8\"\n",
		"call, later on":       "    (tmp / \"job.log\").write_text(\"loading\\nslurmstepd: error: Detected 1 oom_kill event in StepId=7.batch.\"\n",
		"call, C":              "\t\terror(\"Detected %\"PRIu64\" oom-kill event(s) in %s. Some of your processes may have been killed by the cgroup out-of-memory handler.\",\n",
		"literal goes on":      "    f(\"Detected\"\n      \" Some of the step tasks have been OOM Killed.\\n\")\n",
		"key's list":           "    positive: ['kernel: Out of memory: Killed process 77 (game) total-vm:4096kB', 'another'],\n",
		"comment":              "    workers: 2,\n    // Killed here, the kernel's log:\n    // Out of memory: Killed process 77 (node) total-vm:8192kB, anon-rss:4096kB\n",
		"template":             "#   Killed process <pid> (x), then oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),task_memcg=/y.scope\n",
		"argument":             "        message=\"The node was low on resource: memory. Threshold quantity: 100Mi, available: 40Mi.\",\n",
		"in parentheses":       "    (\"" + sentence + " \"\n",
		"avoided":              "# May help to avoid FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n",
		"shm, denied":          "RuntimeError: unable to open shared memory object </torch_401_22_7> in read-write mode: Permission denied (13)\n",
		"driver's source":      "    status = NV_ERR_NO_MEMORY;\n",
		"constant over lines":  "OOM = (\n    \"MPS backend out of memory (MPS allocated: 7.00 GiB, other allocations: 96.00 KiB, \"\n    \"max allowed: 7.30 GiB). Tried to allocate 512.00 MiB on private pool.\"\n)\n",
		"raised over lines":    "            raise RuntimeError(\n                \"DefaultCPUAllocator: can't allocate memory: you tried \"\n                \"to allocate 4096 bytes\")\n",
		"constant, JavaScript": "    const saved =\n      'exited with code 1: torch.OutOfMemoryError: " + sentence + "'\n",
		"entries of a list":    "        lines = [\n            \"loading\",\n            \"Apr 03 03:41:12 kernel: Out of memory: Killed process 77 (python3) score 920 or sacrifice child\",\n        ]\n",
		"option of a command":  "    --message \"NCCL failed before with: Error while creating shared memory segment /dev/shm/nccl-* (No space left on device).\" \\\n",
		"patch, minus":         "@@ -10,2 +10,1 @@\n-torch.OutOfMemoryError: " + sentence + "\n text\n",
	} {
		if got := failures(text); got != "" {
			t.Errorf("%s: taken for %s", name, got)
		}
	}
}

func TestOwnWords(t *testing.T) {
	for name, text := range map[string]string{
		"advice with a place": "RuntimeError: " + sentence + " Free the GPU with kill -9 <PID> and start again.\n",
		"plain":               "torch.OutOfMemoryError: " + sentence + "\n",
		"logfmt, err":         "level=error ts=2026-01-02T03:04:05Z caller=run.go:31 msg=\"worker failed\" err=\"" + sentence + "\"\n",
		"logfmt, msg":         "time=2026-01-02T03:04:05Z level=ERROR source=server.go:12 msg=\"" + sentence + "\"\n",
		"gRPC":                "\tdetails = \"" + sentence + "\"\n",
		"JSON, detail":        "  \"detail\": \"" + sentence + "\",\n",
		"bytes":               "b'torch.OutOfMemoryError: " + sentence + "'\n",
		"tuple":               "('failed', 'torch.OutOfMemoryError: " + sentence + "', 3)\n",
		"tuple, first":        "('torch.OutOfMemoryError: " + sentence + "', 3)\n",
		"notebook":            "   \"evalue\": \"" + sentence + "\",\n",
		"behind a call":       "    raise RuntimeError(\n" + "torch.OutOfMemoryError: " + sentence + "\n",
		"arguments":           "('" + sentence + "',)\n",
		"error, dumped":       "    error='" + sentence + "',\n",
		"advice before":       "Set expandable_segments to avoid fragmentation. " + sentence + "\n",
		"apostrophe":          "The worker didn't survive (it's torch.OutOfMemoryError: " + sentence + ")\n",
		"repr":                "ERROR 03-04 05:06:07 engine.py:157] OutOfMemoryError('" + sentence + "')\n",
		"wrapped":             "RuntimeError: Worker failed with error '" + sentence + "', please check the stack trace above\n",
		"pasted quote":        `"` + sentence + `"` + "\n",
		"error field":         `{"level": "error", "error": "` + sentence + `"}` + "\n",
		"after prompt":        "INFO 03-04 05:06:07 [logger.py:41] Received request cmpl-7: prompt: 'hello', params: SamplingParams(n=1)\ntorch.OutOfMemoryError: " + sentence + "\n",
		"after patch":         "@@ -1,2 +1,3 @@\n text\n+new\nrunning\ntorch.OutOfMemoryError: " + sentence + "\n",
		"quote":               "> torch.OutOfMemoryError: " + sentence + "\n",
		"fence":               "```\ntorch.OutOfMemoryError: " + sentence + "\n```\n",
		"issue text":          "I get `torch.OutOfMemoryError: " + sentence + "` with the command above.\n",
		"script":              "+ python train.py\ntorch.OutOfMemoryError: " + sentence + "\n",
		"found":               "server.log:412:torch.OutOfMemoryError: " + sentence + "\n",
		"worker":              "ray.exceptions.RayTaskError(OutOfMemoryError): when the worker ran: torch.OutOfMemoryError: " + sentence + "\n",
		"list":                "- torch.OutOfMemoryError: " + sentence + "\n",
		"pytest":              "E       torch.OutOfMemoryError: " + sentence + "\n",
	} {
		if got := failures(text); got == "" {
			t.Errorf("%s: not seen", name)
		}
	}
}
