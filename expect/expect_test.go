package expect

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

const gib = 1 << 30

// kb names everything that the diagnosis below speaks of.
func kb() *knowledge.Base {
	b := &knowledge.Base{}
	for _, id := range []string{"kv-cache-below-max-len", "no-kv-cache-memory", "weights-too-large", "kv-preemption"} {
		b.Causes = append(b.Causes, &knowledge.Cause{ID: id, Degraded: id == "kv-preemption", Title: knowledge.Text{En: id}, Headline: knowledge.Text{En: "Headline of " + id}})
	}
	for _, id := range []string{"lower-max-model-len", "fp8-kv-cache", "tensor-parallel", "larger-gpu", "enforce-eager", "lower-swap-space"} {
		b.Remedies = append(b.Remedies, &knowledge.Remedy{ID: id, Title: knowledge.Text{En: id}})
	}
	return b
}

func size(n float64) fact.Fact {
	return fact.Fact{Value: fact.Value{Kind: fact.Bytes, Num: n}, Line: 12}
}

// diagnosis is a failure with everything to it, and a degraded incident behind it.
func diagnosis() *rules.Diagnosis {
	b := kb()
	incident := func(line int, phase string) *parser.Incident {
		return &parser.Incident{
			Messages: []parser.Message{{ID: "m", Class: parser.ClassFailure, At: parser.Pos{Line: line}}}, Phase: phase, First: parser.Pos{Line: line},
			Facts: fact.Facts{"kv_needed": size(16 * gib), "oom_requested": size(1.17 * gib)},
			Before: fact.Facts{
				"max_model_len":          {Value: fact.Value{Kind: fact.Tokens, Num: 131072}},
				"gpu_memory_utilization": {Value: fact.Value{Kind: fact.Ratio, Num: 0.85}},
				"enforce_eager":          {Value: fact.Value{Kind: fact.Bool, Num: 1}},
				"model":                  {Value: fact.Value{Kind: fact.Text, Text: "acme/chat  8b"}},
			},
		}
	}
	remedies := func(ids ...string) (out []rules.Remedy) {
		for _, id := range ids {
			out = append(out, rules.Remedy{Remedy: b.Remedy(id), Apply: []rules.Spelling{{Entry: "cli", Text: "--" + id + " 8"}}})
		}
		return out
	}
	return &rules.Diagnosis{
		Knowledge: b,
		Log:       &parser.Log{Sources: []parser.Source{{Name: "x"}}},
		Facts:     fact.Facts{"max_num_seqs": {Value: fact.Value{Kind: fact.Count, Num: 256}}},
		Findings: []*rules.Finding{
			{
				Incident: incident(12, "kv_alloc"), Cause: b.Cause("kv-cache-below-max-len"), Confidence: 0.9,
				Others:   []rules.Candidate{{Cause: b.Cause("no-kv-cache-memory"), Confidence: 0.05}},
				Remedies: remedies("lower-max-model-len", "fp8-kv-cache", "tensor-parallel", "larger-gpu"),
				DeadEnds: []rules.DeadEnd{{Remedy: b.Remedy("enforce-eager")}},
			},
			{Incident: incident(40, "serving"), Cause: b.Cause("kv-preemption"), Confidence: 0.8},
		},
	}
}

// Every kind of statement, once where it holds and once where it must fail.
func TestCheck(t *testing.T) {
	whole := diagnosis()
	quiet := &rules.Diagnosis{Knowledge: kb(), Log: &parser.Log{}}
	open := diagnosis()
	open.Findings[0].Cause = nil
	for _, c := range []struct {
		statement string
		d         *rules.Diagnosis
		holds     bool
	}{
		{"cause kv-cache-below-max-len", whole, true},
		{"cause kv-cache-below-max-len >= 0.9", whole, true},
		{"cause kv-cache-below-max-len >= 0.91", whole, false},
		{"cause weights-too-large", whole, false},
		{"cause kv-preemption", whole, false},
		{"cause kv-cache-below-max-len", open, false},
		{"cause kv-cache-below-max-len", quiet, false},
		{"other-cause no-kv-cache-memory", whole, true},
		{"other-cause weights-too-large", whole, false},
		{"other-cause kv-cache-below-max-len", whole, false},
		{"no cause", open, true},
		{"no cause", whole, false},
		{"no cause", quiet, false},
		{"nothing", quiet, true},
		{"nothing", whole, false},
		{"nothing", open, false},
		{"degraded kv-preemption", whole, true},
		{"degraded kv-cache-below-max-len", whole, false},
		{"degraded kv-preemption", quiet, false},
		{"phase kv_alloc", whole, true},
		{"phase serving", whole, false},
		{"fact kv_needed = 16.00 GiB", whole, true},
		{"fact kv_needed = 16 GiB", whole, true},
		{"fact kv_needed = 16384 MiB", whole, true},
		{"fact kv_needed = 17179869184 bytes", whole, true},
		{"fact kv_needed = 16.01 GiB", whole, false},
		{"fact kv_needed = 17 GiB", whole, false},
		{"fact oom_requested = 1.2 GiB", whole, true},
		{"fact oom_requested = 1.20 GiB", whole, false},
		{"fact oom_requested = 1.20 GiB ± 0.05", whole, true},
		{"fact oom_requested = 1.20 GiB ± 40 MiB", whole, true},
		{"fact oom_requested = 1.20 GiB ± 20 MiB", whole, false},
		{"fact max_model_len = 131,072", whole, true},
		{"fact max_model_len = 131072 tokens", whole, true},
		{"fact max_model_len = 131073", whole, false},
		{"fact max_num_seqs = 256", whole, true},
		{"fact max_num_seqs = 255", whole, false},
		{"fact gpu_memory_utilization = 0.85", whole, true},
		{"fact gpu_memory_utilization = 0.9", whole, true},
		{"fact gpu_memory_utilization = 0.90", whole, false},
		{"fact enforce_eager = true", whole, true},
		{"fact enforce_eager = false", whole, false},
		{"fact model = acme/chat 8b", whole, true},
		{`fact model = "acme/chat 8b"`, whole, true},
		{"fact model = acme/chat", whole, false},
		{"fact kv_available = 1 GiB", whole, false},
		{"fact kv_needed = 16 GiB", quiet, false},
		{"remedy 1 lower-max-model-len", whole, true},
		{"remedy 2 lower-max-model-len", whole, false},
		{"remedy 9 lower-max-model-len", whole, false},
		{`remedy 1 "model-len 8"`, whole, true},
		{`remedy 2 "model-len 8"`, whole, false},
		{`remedy 9 "model-len 8"`, whole, false},
		{"remedy tensor-parallel", whole, true},
		{"remedy larger-gpu", whole, false}, // the fourth
		{"no remedy lower-swap-space", whole, true},
		{"no remedy larger-gpu", whole, false},
		{"dead end enforce-eager", whole, true},
		{"dead end fp8-kv-cache", whole, false},
		{"no dead end fp8-kv-cache", whole, true},
		{"no dead end enforce-eager", whole, false},
		{"line 12", whole, true},
		{"line 13", whole, false},
		{`text "Headline of kv-cache-below-max-len"`, whole, true},
		{`text "Headline of weights-too-large"`, whole, false},
		{`text "No memory failure found"`, quiet, true},
		// Names that nothing has hold in no statement, not in a negative one either.
		{"no remedy lower-swap-spice", whole, false},
		{"no dead end enforce-eagre", whole, false},
		{"cause kv-cache", whole, false},
	} {
		for _, todo := range []bool{false, true} {
			statement := "expect " + c.statement
			if todo {
				statement = "todo " + statement
			}
			s, err := Parse("t.test", "\n"+statement+"  # why\n")
			if err != nil {
				t.Errorf("%s: %v", statement, err)
				continue
			}
			failures := s.Check(c.d)
			switch {
			case c.holds && !todo && len(failures) != 0:
				t.Errorf("%s fails: %v", statement, failures[0])
			case !(c.holds && !todo) && len(failures) != 1:
				t.Errorf("%s: %d failures, want 1", statement, len(failures))
			case len(failures) == 1 && (failures[0].Open != (todo && !c.holds) || !strings.HasPrefix(failures[0].Error(), "t.test:2: expect "+c.statement+"; got ")):
				t.Errorf("%s: open %v: %v", statement, failures[0].Open, failures[0])
			}
		}
	}
}

func TestParse(t *testing.T) {
	s, err := Parse("t.test", "# A comment\nlog a.log # one\n\nlog \"b c.log\"\r\n\texpect nothing\ntodo expect text \"a # b\"")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.Logs(), "|"); got != "a.log|b c.log" {
		t.Errorf("logs %s", got)
	}
	if len(s) != 4 || s[2].Line != 5 || s[3].Text != `expect text "a # b"` || !s[3].Todo {
		t.Errorf("statements %+v", s)
	}
}

func TestMistakes(t *testing.T) {
	for in, want := range map[string]string{
		"expct cause a":                       `1:1: a statement begins with log or expect, not with "expct"`,
		"# x\n  log":                          "2:6: here the path of a log is missing",
		"todo log a":                          `1:6: only what is expected can be todo, not "log"`,
		"todo":                                "1:5: here expect is missing",
		"expect":                              "1:7: here what is expected is missing",
		"expect causes a":                     `1:8: nothing that can be expected is called "causes"`,
		"expect no causes":                    `1:8: nothing that can be expected is called "no"`,
		"expect nothing here":                 `1:16: "here" is too much here`,
		"expect cause":                        "1:13: here the id of a cause is missing",
		"expect cause a >=":                   "1:18: here a confidence is missing",
		"expect cause a >= 90":                "1:19: a confidence lies between 0 and 1",
		"expect cause a < 0.5":                `1:16: "<" is too much here`,
		"expect phase kv":                     `1:14: no phase is called "kv"`,
		"expect fact kv_size = 1 GiB":         `1:13: no fact is called "kv_size"`,
		"expect fact kv_needed 1 GiB":         "1:23: = must stand here",
		"expect fact kv_needed = 1":           "1:26: here a unit is missing",
		"expect fact kv_needed = 1 GB":        `1:27: memory is given in bytes, KiB, MiB, GiB or TiB, not in "GB"`,
		"expect fact kv_needed = one GiB":     `1:25: "one" is no number`,
		"expect fact kv_needed = 1 GiB ±":     "1:32: here what the value may be off by is missing",
		"expect fact kv_needed = 1 GiB ± -1":  `1:33: "-1" is no number`,
		"expect fact max_model_len = 5 GiB":   `1:31: "GiB" is too much here`,
		"expect fact enforce_eager = yes":     "1:29: enforce_eager is true or false",
		"expect fact model =":                 "1:20: here a value is missing",
		"expect remedy 0 a":                   "1:15: ranks begin with 1",
		"expect remedy 1":                     "1:16: here the id of a remedy, or a part of its spelling in quotes is missing",
		"expect line x":                       "1:13: this is no line number",
		"expect line 0":                       "1:13: this is no line number",
		"expect text word":                    "1:13: the text must stand in quotes",
		`expect text "word`:                   "1:13: this string does not end",
		"expect text \"größer\" \"und mehr\"": `1:22: "und mehr" is too much here`,
	} {
		if _, err := Parse("t.test", in); err == nil || err.Error() != "t.test:"+want {
			t.Errorf("%s\n got %v\nwant t.test:%s", in, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("log a\nexpect fact kv_needed = 1.5 GiB ± 0.1 # c\ntodo expect remedy 1 \"x\"")
	f.Add("expect no dead end x\n expect cause a >= 0.5")
	whole := diagnosis()
	f.Fuzz(func(t *testing.T, in string) {
		s, err := Parse("t", in)
		if err != nil {
			return
		}
		s.Check(whole)
		for _, st := range s { // what a statement prints as reads as the same statement
			again, err := Parse("t", st.Text)
			if err != nil || len(again) != 1 || again[0].Text != st.Text {
				t.Fatalf("%q: %v", st.Text, err)
			}
		}
	})
}
