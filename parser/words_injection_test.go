package parser

import (
	"strings"
	"testing"
)

// A traceback as a user pastes it, and the sentences it ends in.
const (
	oomLine   = "torch.OutOfMemoryError: " + sentence
	traceback = "Traceback (most recent call last):\n  File \"/srv/app/train.py\", line 41, in step\n    loss = net(batch)\n" + oomLine + "\n"
	kvLine    = "ValueError: To serve at least one request with the models's max seq len (65536), (8.00 GiB KV cache is needed, which is larger than the available KV cache memory (3.21 GiB). Based on the available memory, the estimated maximum model length is 26288."
	startLine = "INFO 03-04 05:06:07 [logger.py:41] "
	paramsEnd = "', params: SamplingParams(n=1, temperature=0.7), prompt_token_ids: None, lora_request: None.\n"
)

// injections are logs of processes that had enough memory. The messages in them are others' words.
var injections = []struct{ name, text string }{
	// Prompts over several raw lines.
	{"raw prompt", startLine + "Received request cmpl-7: prompt: 'Why does my training fail?\n" + traceback + "What can I do?" + paramsEnd},
	{"raw prompt, blank lines", startLine + "Received request cmpl-7: prompt: 'Hello,\n\nmy log says:\n\n" + traceback + "\nPlease help." + paramsEnd},
	{"raw prompt, a log with times", startLine + "Received request cmpl-7: prompt: 'explain\nINFO 01-02 03:04:05 [core.py:76] starting\nERROR 01-02 03:04:06 [core.py:708] " + kvLine + "\n" + paramsEnd},
	{"raw prompt, ends behind the message", startLine + "Received request cmpl-7: prompt: 'explain\n" + oomLine + paramsEnd},
	{"raw prompt, many lines", startLine + "Received request cmpl-7: prompt: 'long\n" + strings.Repeat("a line of text\n", 150) + oomLine + "\n" + strings.Repeat("another line\n", 50) + paramsEnd},
	{"raw prompt, in double quotes", startLine + "Received request chatcmpl-8: prompt: \"it's this:\n" + oomLine + "\nisn't it\", params: SamplingParams(n=1)\n"},
	{"raw prompt, chat template", startLine + "Received request chatcmpl-8: prompt: '<|im_start|>user\n" + traceback + "<|im_end|>\n<|im_start|>assistant\n" + paramsEnd},
	{"raw prompt, other words follow", startLine + "Received request cmpl-7: prompt: 'a\n" + oomLine + paramsEnd + "INFO 03-04 05:06:09 [loggers.py:118] Engine 000: Avg prompt throughput: 3.0 tokens/s, Avg generation throughput: 2.1 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.1%, Prefix cache hit rate: 0.0%\n"},
	{"raw prompt, twice", strings.Repeat(startLine+"Received request cmpl-7: prompt: 'a\n"+oomLine+paramsEnd, 2)},
	{"raw text field", "[2026-03-04 05:06:07] Receive: obj=GenerateReqInput(rid='7', text='help me\n" + traceback + "thanks', sampling_params={'n': 1})\n"},
	{"raw inputs", "2026-03-04T05:06:07Z DEBUG generate{inputs=\"help me\n" + oomLine + "\nthanks\", parameters=GenerateParameters { best_of: None }}\n"},
	{"raw answer", startLine + "Generated response chatcmpl-7: output: 'The error\n" + oomLine + "\nmeans that', output_token_ids: [1], finish_reason: stop\n"},
	{"long prompt", startLine + "Received request cmpl-7: prompt: '" + strings.Repeat("many words ", 2000) + oomLine + paramsEnd},
	{"prompt longer than a line may be", startLine + "Received request cmpl-7: prompt: '" + strings.Repeat("many words ", 9000) + oomLine + " and more" + paramsEnd},
	// Chat templates, as an application prints what it sends.
	{"ChatML", "<|im_start|>user\n" + traceback + "<|im_end|>\n<|im_start|>assistant\n"},
	{"ChatML in one line", "<|im_start|>user\nexplain " + oomLine + "<|im_end|>\n"},
	{"Llama 2", "<s>[INST] My job says\n" + oomLine + "\nwhy? [/INST]\n"},
	{"Llama 3", "<|start_header_id|>user<|end_header_id|>\n\n" + traceback + "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n"},
	{"Gemma", "<start_of_turn>user\n" + traceback + "<end_of_turn>\n<start_of_turn>model\n"},
	// JSON bodies.
	{"body, one line a key", "{\n  \"model\": \"a/b\",\n  \"messages\": [\n    {\n      \"role\": \"user\",\n      \"content\": \"I get " + oomLine + "\"\n    }\n  ]\n}\n"},
	{"body, escaped line ends", "{\n  \"role\": \"user\",\n  \"content\": \"" + strings.ReplaceAll(strings.ReplaceAll(traceback, `"`, `\"`), "\n", `\n`) + "\"\n}\n"},
	{"body, parts", "  {\n    \"type\": \"text\",\n    \"text\": \"" + oomLine + "\"\n  }\n"},
	{"answer, JSON", "{\n  \"choices\": [\n    {\n      \"message\": {\n        \"role\": \"assistant\",\n        \"content\": \"The sentence " + oomLine + " says\"\n      }\n    }\n  ]\n}\n"},
	{"reasoning", "{\"reasoning_content\": \"They see " + oomLine + "\", \"content\": null}\n"},
	{"tool call", "{\"name\": \"search\", \"arguments\": \"{\\\"query\\\": \\\"" + oomLine + "\\\"}\"}\n"},
	// Documentation.
	{"manual, you may see", "During loading you may see `" + oomLine + "`. Lower `--max-model-len` then.\n"},
	{"manual, errors like", "Errors like \"" + oomLine + "\" mean that the batch is too large.\n"},
	{"manual, for example", "For example, `" + oomLine + "` is raised when the batch is too large.\n"},
	{"manual, no quotes", "If you see torch.OutOfMemoryError: " + sentence + " lower the batch size.\n"},
	{"manual, fence", "If you see an error like this:\n\n```text\n" + traceback + "```\n\nlower the batch size.\n"},
	{"manual, indented block", "You might encounter the following error:\n\n    " + oomLine + "\n\nLower the batch size then.\n"},
	{"manual, reST", "When memory runs out, you will see::\n\n    " + oomLine + "\n\nSee also :ref:`memory`.\n"},
	{"manual, table", "| Message | What to do |\n|---|---|\n| `" + oomLine + "` | Lower the batch size |\n"},
	{"manual, table without quotes", "| Message | What to do |\n|---------|------------|\n| " + oomLine + " | Lower the batch size |\n"},
	{"manual, bullet with advice", "- `" + oomLine + "`: lower the batch size\n"},
	{"manual, heading", "## `" + oomLine + "`\n\nThis error is raised when the batch is too large. You can lower it.\n"},
	{"manual, printed", "$ cat docs/troubleshooting.md\n# Memory\n\n" + oomLine + "\n\n$ \n"},
	{"manual, found", "docs/faq.md:31:" + oomLine + "\n"},
	{"manual, found with context", "docs/faq.rst-30-Out of memory\ndocs/faq.rst:31:    " + oomLine + "\n"},
	{"list of changes", "- Fixed " + oomLine + " (#412)\n"},
	{"git log", "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567\nAuthor: A <a@example.com>\nDate:   Wed Mar 4 05:06:07 2026 +0000\n\n    Retry when the card is full\n\n    " + oomLine + "\n"},
	{"git log, short", "0a1b2c3d4 [Core] Fix " + oomLine + "\n"},
	{"conversation", "User: why " + oomLine + "\nAssistant: The card is full.\n"},
	{"offline example", "Prompt: 'The error ', Generated text: '" + oomLine + " is'\n"},
	// Source.
	{"comment, found", "src/alloc.py:12:    # " + oomLine + "\n"},
	{"comment, C++", "csrc/alloc.cpp:87:  // " + oomLine + "\n"},
	{"comment, block", "csrc/alloc.cu:88: * " + oomLine + "\n"},
	{"comment, numbered listing", "  11  def step(x):\n  12      # " + oomLine + "\n  13      return x\n"},
	{"comment, code around", "def step(x):\n    # " + oomLine + "\n    return x\n"},
	{"source, printed", "+ cat train.py\n\"\"\"Trains.\n\n" + oomLine + "\n\"\"\"\n+ echo done\n"},
	{"docstring", "def explain():\n    \"\"\"Explains\n\n    " + oomLine + "\n    \"\"\"\n    return 1\n"},
	{"patch of a manual", "diff --git a/docs/faq.md b/docs/faq.md\nindex 1234567..89abcde 100644\n--- a/docs/faq.md\n+++ b/docs/faq.md\n@@ -1,3 +1,5 @@\n # FAQ\n+\n+    " + oomLine + "\n text\n"},
	// Tests.
	{"pytest, text does not match", "E       AssertionError: Regex pattern did not match.\nE        Regex: 'no memory'\nE        Input: '" + sentence + "'\n"},
	{"pytest, mock", "    def _execute_mock_call(self, /, *args, **kwargs):\n>           raise effect\nE           " + oomLine + "\n"},
	{"pytest, raised by the test", ">       raise torch.OutOfMemoryError(\"" + sentence + "\")\nE       " + oomLine + "\n\ntests/test_x.py:12: OutOfMemoryError\n"},
	{"pytest, captured log", "____ test_retry ____\n>       assert n == 2\nE       assert 1 == 2\n\ntests/test_x.py:12: AssertionError\n------- Captured log call -------\nERROR    app.engine:engine.py:12 " + oomLine + "\n"},
	{"pytest, captured stderr", "____ test_retry ____\nE       Failed: DID NOT RAISE <class 'RuntimeError'>\n------- Captured stderr call -------\n" + oomLine + "\n"},
	{"unittest", "AssertionError: \"" + sentence + "\" does not match \"no memory\"\n"},
}

// pasted are reports of failures, in all the ways in which people paste them. They must be seen.
var pasted = []struct{ name, text string }{
	{"fence", "```\n" + traceback + "```\n"},
	{"fence, python", "```python\n" + traceback + "```\n"},
	{"fence, I get", "When I start the server I get this error:\n\n```text\n" + traceback + "```\n"},
	{"fence, it fails with", "It fails with the following error:\n\n```\n" + traceback + "```\n"},
	{"fence, the log", "Here is the log:\n\n~~~\n" + traceback + "~~~\n"},
	{"fence in a list", "1. start the server\n2. see\n\n   ```\n   " + oomLine + "\n   ```\n"},
	{"quote", "> " + oomLine + "\n"},
	{"quote in a quote", "> > " + oomLine + "\n"},
	{"quote with a traceback", "> " + strings.ReplaceAll(strings.TrimSuffix(traceback, "\n"), "\n", "\n> ") + "\n"},
	{"bullet", "- " + oomLine + "\n"},
	{"bullet, star", "* " + oomLine + "\n"},
	{"bullet, quotes", "- `" + oomLine + "`\n"},
	{"numbered", "1. " + oomLine + "\n"},
	{"bold", "**" + oomLine + "**\n"},
	{"heading of a report", "# [Bug]: " + oomLine + "\n"},
	{"heading, then a trace", "### Error\n" + traceback},
	{"inline code, I get", "I get `" + oomLine + "` after ten minutes.\n"},
	{"inline code, fails with", "The server fails with `" + oomLine + "` on start.\n"},
	{"inline code, we see", "On both nodes we see \"" + oomLine + "\" and the job ends.\n"},
	{"inline code, if I", "If I raise the batch to 8 I get `" + oomLine + "`.\n"},
	{"inline code, when I", "When I load the adapter, `" + oomLine + "` comes up.\n"},
	{"first person, fence", "I followed the manual, and when I run it I see:\n\n```\n" + oomLine + "\n```\n"},
	{"question below", oomLine + "\n\nWhat does this mean? How can I fix it?\n"},
	{"advice below", oomLine + "\nIf you see this you can lower the batch size.\n"},
	{"advice above", "If reserved memory is large, set max_split_size_mb.\n\n" + oomLine + "\n"},
	{"prompt before", startLine + "Received request cmpl-7: prompt: 'hello', params: SamplingParams(n=1)\n" + oomLine + "\n"},
	{"raw prompt before", startLine + "Received request cmpl-7: prompt: 'hello\nworld" + paramsEnd + oomLine + "\n"},
	{"prompt cut off before", startLine + "Received request cmpl-7: prompt: 'hello\nERROR 03-04 05:06:09 [core.py:708] " + oomLine + "\n"},
	{"prompt cut off, another request", startLine + "Received request cmpl-7: prompt: 'hello\n" + oomLine + "\n" + startLine + "Received request cmpl-8: prompt: 'hi" + paramsEnd},
	{"template shown at start", "INFO 03-04 05:06:07 [api.py:9] Using supplied chat template:\n{{ '<|im_start|>' + role }}\n" + oomLine + "\n"},
	{"template, answered", "<|im_start|>user\nhello<|im_end|>\n" + oomLine + "\n"},
	{"body before", "{\n  \"role\": \"user\",\n  \"content\": \"hello\"\n}\n" + oomLine + "\n"},
	{"error field", "{\n  \"error\": {\n    \"message\": \"" + oomLine + "\"\n  }\n}\n"},
	{"compose", "vllm-1  | " + oomLine + "\n"},
	{"loguru", "2026-03-04 05:06:07.123 | ERROR    | app.train:step:12 - " + oomLine + "\n"},
	{"panel", "│ " + oomLine + " │\n"},
	{"panel of ASCII", "| " + oomLine + " |\n"},
	{"found in a log", "logs/server.log:412:" + oomLine + "\n"},
	{"found in an output", "slurm-4711.out-88-" + oomLine + "\n"},
	{"log printed", "$ cat server.log\n" + traceback + "$ \n"},
	{"log, end of it", "root@host:/srv# tail -n 50 train.log\n" + traceback},
	{"script", "$ python train.py\n" + traceback},
	{"manual printed before", "$ cat README.md\n# Memory\ntext\n$ python train.py\n" + traceback},
	{"logger names its file", "train.py:88: " + oomLine + "\n"},
	{"logger names its file, pytest's way", "/srv/app/train.py:41: OutOfMemoryError\n" + oomLine + "\n"},
	{"comment of a log", "# INFO 03-04 05:06:07 [core.py:76] starting\n# " + oomLine + "\n"},
	{"pytest", "____ test_forward ____\n>       y = net(x)\nE       " + oomLine + "\n\ntests/test_x.py:12: OutOfMemoryError\n"},
	{"pytest, a server of its own", "____ test_serve ____\nE       RuntimeError: Server exited unexpectedly.\n------- Captured stderr setup -------\n(EngineCore_DP0 pid=7) " + oomLine + "\n"},
	{"pytest, next test", "____ test_a ____\nE       assert 1 == 2\n____ test_b ____\n------- Captured stdout call -------\nhello\nE       " + oomLine + "\n"},
	{"pytest, long ago", "____ test_a ____\nE       assert 1 == 2\n------- Captured stderr call -------\n" + strings.Repeat("some line\n", 500) + oomLine + "\n"},
	{"pytest, long ago, next hit", "____ test_a ____\nE       assert 1 == 2\n------- Captured stderr call -------\n" + oomLine + "\n" + strings.Repeat("some line\n", 1500) + oomLine + "\n"},
	{"repr in a list", "errors: ['" + oomLine + "']\n"},
	{"exception in an exception", "RuntimeError: worker died: RuntimeError('" + sentence + "')\n"},
	{"git log before", "commit 0a1b2c3d4e5f60718293a4b5c6d7e8f901234567\nAuthor: A <a@example.com>\n\n    Retry\n\n$ python train.py\n" + oomLine + "\n"},
	{"bug title", "[Bug]: " + oomLine + "\n"},
	{"how to fix", "How to fix " + oomLine + "\n"},
	{"notebook", "OutOfMemoryError                          Traceback (most recent call last)\n<ipython-input-3> in <module>\n----> 1 net(x)\n\nOutOfMemoryError: " + sentence + "\n"},
}

// Context tells others' words from the process's own, and is not taken for more than it is.
func TestInjection(t *testing.T) {
	if len(injections) < 40 || len(pasted) < 40 {
		t.Fatalf("%d injections, %d pasted", len(injections), len(pasted))
	}
	believed, missed := 0, 0
	for _, tt := range injections {
		if got := failures(tt.text); got != "" {
			believed++
			t.Errorf("%s: taken for %s", tt.name, got)
		}
	}
	for _, tt := range pasted {
		if got := failures(tt.text); got == "" {
			missed++
			t.Errorf("%s: not seen", tt.name)
		}
	}
	t.Logf("%d of %d injections believed, %d of %d pasted reports missed", believed, len(injections), missed, len(pasted))
}
