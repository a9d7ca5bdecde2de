package story

import (
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

func TestProcess(t *testing.T) {
	for _, c := range []struct {
		unit, origin string
		want         Process
	}{
		{"", "", Process{Rank: -1}},
		{"", "EngineCore_DP0 pid=374", Process{Name: "EngineCore_DP0", PID: 374, Rank: 0}},
		{"", "VllmWorker rank=3 pid=88", Process{Name: "VllmWorker", PID: 88, Rank: 3}},
		{"", "rank5", Process{Name: "rank5", Rank: 5}},
		{"", "Worker_TP2_EP2 pid=9", Process{Name: "Worker_TP2_EP2", PID: 9, Rank: 2}},
		{"", "DP0 TP1", Process{Name: "DP0 TP1", Rank: 1}},
		{"vllm-1", "vllm-1", Process{Rank: -1, Container: "vllm-1"}},
		{"vllm-0/engine", "APIServer pid=1", Process{Name: "APIServer", PID: 1, Rank: -1, Pod: "vllm-0", Container: "engine"}},
	} {
		i := &Incident{Unit: c.unit, Messages: []message.Occurrence{{Origin: c.origin}}}
		if got := i.Process(); got != c.want {
			t.Errorf("%q %q: %+v, want %+v", c.unit, c.origin, got, c.want)
		}
	}
}

func TestStage(t *testing.T) {
	sized := fact.Facts{}
	asked := fact.Facts{"oom_requested": fact.Fact{}}
	for _, c := range []struct {
		phase string
		facts fact.Facts
		want  string
	}{
		{"kv_alloc", sized, "pool_size"}, {"kv_alloc", asked, "pool_allocation"}, {"startup", sized, "startup_check"}, {"optimizer_step", asked, "step"}, {"unknown", asked, ""},
	} {
		if got := (&Incident{Phase: c.phase, Facts: c.facts}).Stage(); got != c.want {
			t.Errorf("%s: %q, want %q", c.phase, got, c.want)
		}
	}
}
