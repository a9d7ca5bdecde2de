package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
)

func memoryFacts(gib map[string]float64) fact.Facts {
	out := fact.Facts{}
	for name, x := range gib {
		out[name] = fact.Fact{Value: fact.Value{Kind: fact.Bytes, Num: x * (1 << 30)}, Line: 1}
	}
	return out
}

func lever(id string, known int, frees ...string) *knowledge.Remedy {
	return &knowledge.Remedy{ID: id, Known: known, Frees: frees}
}

func TestDeadEndsFollowFromLevers(t *testing.T) {
	pieces := lever("pieces", 9, "device")
	pieces.Useless = []knowledge.DeadEnd{{If: "reachable < oom_requested", Why: knowledge.Text{En: "too little"}}}
	hinted := lever("hinted", 0, "host")
	hinted.Hint = `text has "try this"`
	kb := &knowledge.Base{Remedies: []*knowledge.Remedy{pieces, lever("shm", 7, "shm"), lever("rare", 3, "shm"), hinted, lever("batch", 9, "device")}}
	inc := &parser.Incident{
		Facts:    memoryFacts(map[string]float64{"oom_requested": 4, "gpu_free": 1, "torch_reserved_unallocated": 1}),
		Messages: []parser.Message{{Text: "out of memory, try this"}},
	}
	tests := []struct {
		name, resource string
		want           string
	}{
		{"what acts on the device is weighed by its sums, the log's own advice first", "device", "hinted pieces shm"},
		{"what acts elsewhere does nothing", "shm", "hinted pieces batch"},
		{"without a resource only the sums speak", "", "pieces"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newScope(inc, noPlanner{})
			s.engine, s.resource = "pytorch", tt.resource
			var got []string
			for _, e := range s.deadEnds(&knowledge.Cause{}, kb) {
				got = append(got, e.ID)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
		})
	}
}

func TestWorthOverTheCausesThatRemain(t *testing.T) {
	use := func(id string, prefer float64) knowledge.Use { return knowledge.Use{Use: id, Prefer: prefer} }
	kb := &knowledge.Base{Remedies: []*knowledge.Remedy{lever("a", 0), lever("b", 0), lever("both", 0)}}
	first := &knowledge.Cause{ID: "first", Engine: "any", Remedies: []knowledge.Use{use("a", 1), use("both", 0.9)}}
	second := &knowledge.Cause{ID: "second", Engine: "any", Remedies: []knowledge.Use{use("b", 1), use("both", 0.9)}}
	refuses := &knowledge.Cause{ID: "refuses", Engine: "any", Remedies: []knowledge.Use{use("b", 1)}, DeadEnds: []knowledge.DeadEnd{{Use: "a"}}}
	tests := []struct {
		name    string
		chances map[*knowledge.Cause]float64
		others  []*knowledge.Cause
		want    string
	}{
		{"a certain cause decides alone", map[*knowledge.Cause]float64{first: 0.97, second: 0.02}, []*knowledge.Cause{second}, "a both"},
		{"what helps in both comes first", map[*knowledge.Cause]float64{first: 0.5, second: 0.45}, []*knowledge.Cause{second}, "both a b"},
		{"a dead end of the likelier cause is none of the other's remedies", map[*knowledge.Cause]float64{refuses: 0.6, first: 0.35}, []*knowledge.Cause{first}, "b both"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := &Finding{}
			for c, p := range tt.chances {
				if slices.Contains(tt.others, c) {
					f.Others = append(f.Others, Candidate{c, p})
				} else {
					f.Cause, f.Confidence = c, p
				}
			}
			newScope(&parser.Incident{}, noPlanner{}).advise(f, 0.01, kb)
			var got []string
			for i := range f.Remedies {
				got = append(got, f.Remedies[i].ID)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("got %v, want %s", got, tt.want)
			}
		})
	}
}

func TestGuardedSections(t *testing.T) {
	f := &Finding{Values: map[string]Value{
		"ready":    {Value: fact.Value{Kind: fact.Bool, Num: 1}},
		"windows":  {Value: fact.Value{Kind: fact.Bool}},
		"gpu_free": {Value: fact.Value{Kind: fact.Bytes, Num: 1 << 30}},
	}}
	tests := map[string]string{
		"[ready? It served.][!ready? It started.]":     "It served.",
		"[windows? There.][!windows? Here.]":           "Here.",
		"[ready? {gpu_free} free][ready? {gpu_total}]": "1.00 GiB free",
		"[killed? By whom?]Said.":                      "Said.",
		"[a list, no condition? yes]":                  "[a list, no condition? yes]",
	}
	for text, want := range tests {
		if got := f.Fill(text, "en"); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
