package parser

import "testing"

// A report's title may say how the run below it ended: it failed where that run came to. A log's own line, or one that
// another failure or an end follows, is no title.
func TestTitleTellsOfTheRunBelow(t *testing.T) {
	const (
		title    = "# [Bug]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 MiB. GPU 2 has a total capacity of 39.39 GiB of which 1.25 MiB is free.\n\n"
		capture  = "(RayWorkerWrapper pid=70211) INFO 04-02 11:20:41 [model_runner.py:1442] Capturing cudagraphs for decoding. This may lead to unexpected consequences if the model is not static.\n"
		profiled = "(RayWorkerWrapper pid=70212, ip=10.4.0.9) INFO 04-02 11:20:39 [worker.py:267] model weights take 18.31GiB; non_torch_memory takes 0.31GiB; PyTorch activation peak memory takes 1.40GiB; the rest of the memory reserved for KV Cache is 18.58GiB. [repeated 6x across cluster]\n"
		logged   = "ERROR 04-02 11:20:30 [worker.py:80] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 MiB. GPU 2 has a total capacity of 39.39 GiB of which 1.25 MiB is free.\n"
	)
	for name, c := range map[string]struct{ text, phase string }{
		"title":              {title + capture + profiled, "graph_capture"},
		"title, other order": {title + profiled + capture, "graph_capture"},
		"title alone":        {title, "unknown"},
		"logger's line":      {logged + capture + profiled, "unknown"},
	} {
		s := NewSession()
		s.Feed([]byte(c.text))
		var phases []string
		for _, r := range s.Close().Runs {
			for _, i := range r.Incidents {
				phases = append(phases, i.Phase)
			}
		}
		if len(phases) != 1 || phases[0] != c.phase {
			t.Errorf("%s: phases %q, want %q", name, phases, c.phase)
		}
	}
}
