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
		"prompt":       "INFO 03-04 05:06:07 [logger.py:41] Received request cmpl-7: prompt: 'what does torch.OutOfMemoryError: " + sentence + " mean', params: SamplingParams(n=1)\n",
		"chat body":    `{"model": "m", "messages": [{"role": "user", "content": "I get ` + sentence + `"}]}` + "\n",
		"address":      `INFO:     10.0.0.9:4711 - "GET /find?q=` + sentence + ` HTTP/1.1" 200 OK` + "\n",
		"raise":        `    raise RuntimeError("` + sentence + `")` + "\n",
		"condition":    `    if "CUDA out of memory. Tried to allocate 2.00 GiB" in str(e):` + "\n",
		"list entry":   `    "torch.OutOfMemoryError: ` + sentence + `",` + "\n",
		"call":         `logger.warning("` + sentence + `")` + "\n",
		"regular":      `r"(CUDA out of memory. Tried to allocate 2.00 GiB.*free|other)"` + "\n",
		"patch":        "diff --git a/doc.md b/doc.md\n--- a/doc.md\n+++ b/doc.md\n@@ -1,2 +1,3 @@\n text\n+" + sentence + "\n",
		"patch, minus": "@@ -10,2 +10,1 @@\n-torch.OutOfMemoryError: " + sentence + "\n text\n",
	} {
		if got := failures(text); got != "" {
			t.Errorf("%s: taken for %s", name, got)
		}
	}
}

func TestOwnWords(t *testing.T) {
	for name, text := range map[string]string{
		"plain":        "torch.OutOfMemoryError: " + sentence + "\n",
		"repr":         "ERROR 03-04 05:06:07 engine.py:157] OutOfMemoryError('" + sentence + "')\n",
		"wrapped":      "RuntimeError: Worker failed with error '" + sentence + "', please check the stack trace above\n",
		"pasted quote": `"` + sentence + `"` + "\n",
		"error field":  `{"level": "error", "error": "` + sentence + `"}` + "\n",
		"after prompt": "INFO 03-04 05:06:07 [logger.py:41] Received request cmpl-7: prompt: 'hello', params: SamplingParams(n=1)\ntorch.OutOfMemoryError: " + sentence + "\n",
		"after patch":  "@@ -1,2 +1,3 @@\n text\n+new\nrunning\ntorch.OutOfMemoryError: " + sentence + "\n",
		"quote":        "> torch.OutOfMemoryError: " + sentence + "\n",
		"fence":        "```\ntorch.OutOfMemoryError: " + sentence + "\n```\n",
		"pytest":       "E       torch.OutOfMemoryError: " + sentence + "\n",
	} {
		if got := failures(text); got == "" {
			t.Errorf("%s: not seen", name)
		}
	}
}
