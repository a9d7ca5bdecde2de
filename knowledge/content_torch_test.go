package knowledge

import (
	"strings"
	"testing"
)

// The public names of what is not vLLM's alone.
var torchCauses = `fragmentation oversized-allocation attention-quadratic logits-too-large training-activations
	optimizer-states gradients-memory evaluation-accumulation memory-leak-steps ranks-on-one-gpu
	checkpoint-load generation-kv-growth device-full other-process-memory process-memory-limit
	free-but-refused host-ram-killed host-alloc-failed shm-too-small nccl-or-cublas-oom
	kernel-shared-memory version-bug unsupported-or-misconfig`

// An entry explains itself in both languages, says where it has it from, and holds an example, a near
// miss and a dead end.
func TestTorchCausesAreComplete(t *testing.T) {
	for _, id := range strings.Fields(torchCauses) {
		c := Builtin().Cause(id)
		if c == nil {
			t.Errorf("no cause %s", id)
			continue
		}
		for name, text := range map[string]Text{"title": c.Title, "headline": c.Headline, "explain": c.Explain, "about": c.About} {
			if text.En == "" || text.Zh == "" {
				t.Errorf("%s: %s is missing in a language", id, name)
			}
		}
		if len(c.Sources) < 2 {
			t.Errorf("%s: %d sources, at least 2", id, len(c.Sources))
		}
		if len(c.DeadEnds) == 0 || len(c.Remedies) == 0 || len(c.ConfusedWith) == 0 {
			t.Errorf("%s: no dead end, remedy or neighbour", id)
		}
		if c.Example == "" || c.NearMiss == "" {
			t.Errorf("%s: no example or near miss", id)
		}
		for _, s := range append([]string{c.When}, conditions(c)...) {
			if strings.Contains(s, "not (") && strings.Contains(s, "== true") && !strings.Contains(s, "known(") {
				t.Errorf("%s: %q never holds where the fact is not stated; guard it with known()", id, s)
			}
		}
	}
}

func conditions(c *Cause) (out []string) {
	for _, s := range c.Signs {
		out = append(out, s.If)
	}
	for _, u := range c.Remedies {
		out = append(out, u.If)
	}
	for _, d := range c.DeadEnds {
		out = append(out, d.If, d.Unless)
	}
	return out
}
