package rules

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/internal/shell"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
)

// kb is a small knowledge base: two causes of an allocator's failure and one of a slow server.
func kb() *knowledge.Base {
	return &knowledge.Base{
		Causes: []*knowledge.Cause{
			{
				ID: "profile-run-oom", Engine: "vllm", When: `message("torch-device-oom*")`, Base: -1,
				Signs: []knowledge.Sign{
					{If: `phase == profile`, Adds: 2, Shows: knowledge.Text{En: "it failed while profiling", Zh: "在 profile 时失败"}},
					{If: `frames has "determine_available_memory"`, Adds: 1},
					{If: `other_share > 50%`, Adds: -3},
				},
				Remedies: []knowledge.Use{
					{Use: "fewer-tokens", Set: map[string]string{"max_num_batched_tokens": "fit(max_num_batched_tokens)"}},
					{Use: "fewer-requests", Set: map[string]string{"max_num_seqs": "half(max_num_seqs)"}},
					{Use: "eager", Set: map[string]string{"enforce_eager": "true"}},
					{Use: "bigger-gpu", If: "oom_requested > 10 GiB"},
				},
				DeadEnds: []knowledge.DeadEnd{
					{Use: "empty-cache", Why: knowledge.Text{En: "nothing to empty", Zh: "没有可清空的"}},
					{Use: "bigger-gpu", Unless: "oom_requested > 1 GiB", Why: knowledge.Text{En: "too small a request", Zh: "请求太小"}},
				},
			},
			{ID: "other-process-memory", Engine: "any", When: `message("torch-device-oom*") and known(others)`, Base: -1,
				Signs: []knowledge.Sign{{If: `other_share > 50%`, Adds: 4}, {If: `phase == startup`, Adds: 1}}},
			{ID: "kv-preemption", Engine: "vllm", Degraded: true, When: `message("preempted")`, Base: 3},
			{ID: "broken", Engine: "any", When: `gpu_free >`, Base: 99},
		},
		Remedies: []*knowledge.Remedy{
			{ID: "fewer-tokens", CostRank: 1, Apply: []knowledge.Apply{{Engine: "vllm", CLI: "--max-num-batched-tokens {max_num_batched_tokens}", Python: "max_num_batched_tokens={max_num_batched_tokens}"}}},
			{ID: "fewer-requests", CostRank: 2, Apply: []knowledge.Apply{
				{Engine: "vllm", Since: "0.20.0", CLI: "--new-name {max_num_seqs}"},
				{Engine: "vllm", Until: "0.19.9", CLI: "--max-num-seqs {max_num_seqs}"},
			}},
			{ID: "eager", CostRank: 2, Apply: []knowledge.Apply{{Engine: "vllm", CLI: "--enforce-eager"}}},
			{ID: "bigger-gpu", CostRank: 4},
			{ID: "empty-cache", Myth: true},
		},
	}
}

func diagnose(inc *parser.Incident, kb *knowledge.Base, p Planner) *Diagnosis {
	log := &parser.Log{Runs: []*parser.Run{{Facts: inc.Before, Incidents: []*parser.Incident{inc}}}}
	return Diagnose(log, kb, Options{Planner: p})
}

func TestConfidence(t *testing.T) {
	d := diagnose(sample(), kb(), nil)
	f := d.Findings[0]
	// Log-odds: profile-run-oom -1+2+1 = 2, other-process-memory -1 (the share is 24 %), unknown 0.
	total := math.Exp(2) + math.Exp(-1) + 1
	if f.Cause == nil || f.Cause.ID != "profile-run-oom" || math.Abs(f.Confidence-math.Exp(2)/total) > 1e-9 {
		t.Fatalf("got %v with %v", f.Cause, f.Confidence)
	}
	if len(f.Others) != 1 || f.Others[0].Cause.ID != "other-process-memory" || math.Abs(f.Others[0].Confidence-math.Exp(-1)/total) > 1e-9 {
		t.Errorf("others: %+v", f.Others)
	}
	if len(f.Signs) != 1 || f.Signs[0].En != "it failed while profiling" {
		t.Errorf("signs: %v", f.Signs)
	}
	if v := f.Values["shortage"]; v.Num != 2*gib {
		t.Errorf("the derived shortage is %v", v)
	}
}

func TestAbstains(t *testing.T) {
	inc := sample()
	inc.Phase, inc.Frames = "unknown", nil // no sign is left: -1 against 0
	d := diagnose(inc, kb(), nil)
	if f := d.Findings[0]; f.Cause != nil || f.Confidence != 0 || len(f.Others) != 2 {
		t.Errorf("got %v %v %v, want no cause and two candidates", f.Cause, f.Confidence, f.Others)
	}
	inc.Class = parser.ClassHint
	if d := diagnose(inc, kb(), nil); len(d.Findings) != 0 {
		t.Errorf("a hint without a cause gives %d findings", len(d.Findings))
	}
	inc.Phase, inc.Class = "profile", parser.ClassHint
	if d := diagnose(inc, kb(), nil); len(d.Findings) != 1 {
		t.Errorf("a hint with a cause gives %d findings", len(d.Findings))
	}
}

func TestEngineAndSeverityDecideWhoCompetes(t *testing.T) {
	inc := sample()
	inc.Engine = "pytorch"
	for _, c := range diagnose(inc, kb(), nil).Findings[0].Others {
		if c.Cause.Engine == "vllm" {
			t.Errorf("%s competes for a PyTorch incident", c.Cause.ID)
		}
	}
	inc = sample()
	inc.Messages = append(inc.Messages, parser.Message{ID: "preempted"})
	inc.Class = parser.ClassDegraded
	if f := diagnose(inc, kb(), nil).Findings[0]; f.Cause.ID != "kv-preemption" || !f.Degraded() {
		t.Errorf("a degraded incident gets %s", f.Cause.ID)
	}
}

func TestOrderOfFindings(t *testing.T) {
	incident := func(id string, class parser.Class, phase string, message string) *parser.Incident {
		return &parser.Incident{Class: class, Engine: "vllm", Phase: phase, Time: id, Messages: []parser.Message{{ID: message}}}
	}
	log := &parser.Log{Runs: []*parser.Run{
		{Incidents: []*parser.Incident{
			incident("old failure", parser.ClassFailure, "profile", "torch-device-oom"),
			incident("slow", parser.ClassDegraded, "", "preempted"),
		}},
		{Incidents: []*parser.Incident{
			incident("hint", parser.ClassHint, "profile", "torch-device-oom"),
			incident("unexplained", parser.ClassFailure, "", "torch-device-oom"),
			incident("first", parser.ClassFailure, "profile", "torch-device-oom"),
			incident("second", parser.ClassFailure, "profile", "torch-device-oom"),
		}},
	}}
	var got []string
	for _, f := range Diagnose(log, kb(), Options{}).Findings {
		got = append(got, f.Incident.Time)
	}
	want := []string{"first", "second", "old failure", "unexplained", "hint", "slow"}
	if !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
}

// sums is a planner that knows what it is told.
type sums struct {
	noPlanner
	fit     map[string]float64
	fits    memory.Kind
	whatIf  map[string]memory.Kind
	ledgers []memory.Ledger
}

func (s sums) Fit(_ *parser.Incident, setting string) (float64, memory.Verdict) {
	return s.fit[setting], memory.Verdict{Kind: s.fits, Sums: "1 + 1 = 2"}
}

func (s sums) WhatIf(_ *parser.Incident, c memory.Change) memory.Verdict {
	for name := range c {
		if k, ok := s.whatIf[name]; ok {
			return memory.Verdict{Kind: k, Sums: "3 GiB - 1 GiB = 2 GiB missing", Margin: -2 * gib}
		}
	}
	return memory.Verdict{Kind: memory.Unknown}
}

func (s sums) Ledgers(*parser.Incident) []memory.Ledger { return s.ledgers }

func remedyIDs(f *Finding) (remedies, deadEnds []string) {
	for _, r := range f.Remedies {
		remedies = append(remedies, r.ID)
	}
	for _, e := range f.DeadEnds {
		deadEnds = append(deadEnds, e.ID)
	}
	return
}

func TestRanking(t *testing.T) {
	for _, tt := range []struct {
		name               string
		planner            sums
		edit               func(*parser.Incident, *knowledge.Base)
		remedies, deadEnds string
	}{
		{"the list's order", sums{fits: memory.Unknown}, nil, "fewer-tokens fewer-requests eager", "empty-cache"},
		{"what fits comes first", sums{whatIf: map[string]memory.Kind{"enforce_eager": memory.Fits}}, nil,
			"eager fewer-tokens fewer-requests", "empty-cache"},
		{"what is short is a dead end", sums{whatIf: map[string]memory.Kind{"max_num_seqs": memory.Short}}, nil,
			"fewer-tokens eager", "empty-cache fewer-requests"},
		{"fit says short", sums{fits: memory.Short}, nil, "fewer-requests eager", "empty-cache fewer-tokens"},
		{"already in force", sums{}, func(i *parser.Incident, _ *knowledge.Base) {
			i.Before["enforce_eager"] = factOf(fact.Bool, 1)
			i.Before["max_num_seqs"] = factOf(fact.Count, 1)
		}, "fewer-tokens", "empty-cache"},
		{"conditions", sums{}, func(i *parser.Incident, _ *knowledge.Base) {
			i.Facts["oom_requested"] = factOf(fact.Bytes, 20*gib)
		}, "fewer-tokens fewer-requests eager bigger-gpu", "empty-cache"},
		{"a dead end is not offered", sums{}, func(i *parser.Incident, _ *knowledge.Base) {
			i.Facts["oom_requested"] = factOf(fact.Bytes, gib/2)
		}, "fewer-tokens fewer-requests eager", "empty-cache bigger-gpu"},
		{"the record counts", sums{}, func(_ *parser.Incident, kb *knowledge.Base) {
			kb.Causes[0].Remedies[0].Outcomes = []knowledge.Outcome{{}, {}, {}}
			kb.Causes[0].Remedies[2].Outcomes = []knowledge.Outcome{{Worked: true}, {Worked: true}, {Worked: true}}
		}, "eager fewer-requests fewer-tokens", "empty-cache"},
		{"preference", sums{}, func(_ *parser.Incident, kb *knowledge.Base) { kb.Causes[0].Remedies[2].Prefer = 2 },
			"eager fewer-tokens fewer-requests", "empty-cache"},
		{"no spelling in this version", sums{}, func(_ *parser.Incident, kb *knowledge.Base) { kb.Remedies[0].Apply[0].Since = "0.11" },
			"fewer-requests eager", "empty-cache"},
	} {
		base, inc := kb(), sample()
		if tt.edit != nil {
			tt.edit(inc, base)
		}
		remedies, dead := remedyIDs(diagnose(inc, base, tt.planner).Findings[0])
		if strings.Join(remedies, " ") != tt.remedies || strings.Join(dead, " ") != tt.deadEnds {
			t.Errorf("%s: remedies %q, dead ends %q\n want %q and %q", tt.name, remedies, dead, tt.remedies, tt.deadEnds)
		}
	}
}

func TestRemedyValues(t *testing.T) {
	inc := sample()
	inc.Before["command"] = fact.Fact{Value: fact.Value{Kind: fact.Text, Text: "vllm serve org/model --max-num-seqs=256 --port 8000"}}
	f := diagnose(inc, kb(), sums{fit: map[string]float64{"max_num_batched_tokens": 2048}, fits: memory.Fits}).Findings[0]
	r := f.Remedies[0]
	if r.ID != "fewer-tokens" || r.Change["max_num_batched_tokens"] != 2048 || r.Basis != "computed" || r.Verdict.Kind != memory.Fits {
		t.Fatalf("got %+v", r)
	}
	want := []Spelling{
		{"cli", "--max-num-batched-tokens 2048", false},
		{"python", "max_num_batched_tokens=2048", false},
		{"compose", `command: ["--max-num-batched-tokens", "2048"]`, false},
		{"k8s", `args: ["--max-num-batched-tokens", "2048"]`, false},
	}
	if !slices.Equal(r.Apply, want) {
		t.Errorf("spellings %v, want %v", r.Apply, want)
	}
	if r.Command != "vllm serve org/model --max-num-seqs=256 --port 8000 --max-num-batched-tokens 2048" {
		t.Errorf("command %q", r.Command)
	}
	if r := f.Remedies[1]; r.Command != "vllm serve org/model --max-num-seqs 128 --port 8000" || r.Basis != "general" {
		t.Errorf("command %q, basis %s", r.Command, r.Basis)
	}
	// Without a sum there is no value, and no command.
	r = diagnose(inc, kb(), nil).Findings[0].Remedies[0]
	if r.Apply[0].Text != "--max-num-batched-tokens N" || r.Command != "" || len(r.Change) != 0 {
		t.Errorf("without a planner: %+v", r)
	}
}

func TestCorrectedCommand(t *testing.T) {
	for _, tt := range []struct{ name, command, cli, env, want string }{
		{"append", "vllm serve m", "--max-num-seqs 8", "", "vllm serve m --max-num-seqs 8"},
		{"replace", "vllm serve m --max-num-seqs 256 --x", "--max-num-seqs 8", "", "vllm serve m --max-num-seqs 8 --x"},
		{"equals sign", "vllm serve m --max-num-seqs=256", "--max-num-seqs 8", "", "vllm serve m --max-num-seqs 8"},
		{"underscores", "vllm serve m --max_num_seqs 256", "--max-num-seqs 8", "", "vllm serve m --max-num-seqs 8"},
		{"short flag", "vllm serve m -tp 2", "--tensor-parallel-size 4", "", "vllm serve m --tensor-parallel-size 4"},
		{"given twice", "vllm serve m --a 1 --b --a 2", "--a 3", "", "vllm serve m --a 3 --b"},
		{"switch", "vllm serve m --port 80", "--enforce-eager", "", "vllm serve m --port 80 --enforce-eager"},
		{"switch is there", "vllm serve --enforce-eager m", "--enforce-eager", "", "vllm serve --enforce-eager m"},
		{"opposite", "vllm serve m --enable-prefix-caching --x 1", "--no-enable-prefix-caching", "", "vllm serve m --x 1 --no-enable-prefix-caching"},
		{"two flags", "vllm serve m --a 1", "--b 2 --a 3", "", "vllm serve m --a 3 --b 2"},
		{"json", `vllm serve m --a '{"x": 1}'`, `--b '{"y": [1, 2]}'`, "", `vllm serve m --a '{"x": 1}' --b '{"y": [1, 2]}'`},
		{"variable", "vllm serve m", "", "A=x:True", "A=x:True vllm serve m"},
		{"variable is there", "B=1 A=old vllm serve m", "", "A=new", "A=new B=1 vllm serve m"},
		{"quoting", `vllm serve 'my model' "a'b" x\;y`, "--z", "", `vllm serve 'my model' 'a'\''b' 'x;y' --z`},
		{"substitution", "vllm serve $(reboot) `reboot` $HOME", "--z", "", "vllm serve '$(reboot)' '`reboot`' '$HOME' --z"},
		{"operators", "vllm serve m ; reboot", "--z", "", "vllm serve m ';' reboot --z"},
		{"variable with a value to quote", "A='x y' vllm serve m", "--z", "", "A='x y' vllm serve m --z"},
		{"control bytes", "vllm serve m 'a\x1b[2Jb'", "--z", "", ""},
		{"words about flags", "vllm serve m", "(leave out --x)", "", ""},
		{"nothing to add", "vllm serve m", "", "", ""},
		{"no value", "vllm serve m", "--max-model-len {max_model_len}", "", ""},
	} {
		inc := sample()
		inc.Before["command"] = fact.Fact{Value: fact.Value{Kind: fact.Text, Text: tt.command}}
		s := newScope(inc, noPlanner{})
		if got := s.command(knowledge.Apply{CLI: tt.cli, Env: tt.env}, nil); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestSpelling takes the spelling of the version that the log states, and where it states none the
// one with the fewest bounds.
func TestSpelling(t *testing.T) {
	r := &knowledge.Remedy{Apply: []knowledge.Apply{
		{Engine: "vllm", Since: "0.9.0", CLI: "--new"},
		{Engine: "vllm", Since: "0.5.0", Until: "0.8.5", CLI: "--old"},
		{Engine: "sglang", CLI: "--other"},
		{Engine: "pytorch", Since: "2.10", Env: "NEW=1"},
		{Engine: "pytorch", Env: "PLAIN=1"},
	}}
	for _, tt := range []struct{ engine, version, torch, cli, env string }{
		{"vllm", "0.9.0", "", "--new", "PLAIN=1"},
		{"vllm", "0.9.0rc1", "2.10.1", "", "NEW=1"},
		{"vllm", "0.8.5.post1", "2.6.0+cu124", "--old", "PLAIN=1"},
		{"vllm", "", "", "--new", "PLAIN=1"},
		{"vllm", "0.1.dev1+gabcdef0", "", "--new", "PLAIN=1"},
		{"vllm", "0.4.3", "", "", "PLAIN=1"},
		{"sglang", "0.4.3", "", "--other", "PLAIN=1"},
		{"pytorch", "", "2.12", "", "NEW=1"},
		{"llamacpp", "", "", "", ""},
	} {
		inc := &parser.Incident{Engine: tt.engine, Before: fact.Facts{
			"engine_version": {Value: fact.Value{Kind: fact.Version, Text: tt.version}},
			"torch_version":  {Value: fact.Value{Kind: fact.Version, Text: tt.torch}},
		}}
		a, _, ok := newScope(inc, noPlanner{}).spelling(r)
		if a.CLI != tt.cli || a.Env != tt.env || ok != (tt.cli+tt.env != "") {
			t.Errorf("%s %s torch %s: %q %q %v", tt.engine, tt.version, tt.torch, a.CLI, a.Env, ok)
		}
	}
}

// TestSpellingUnderCondition takes a narrower spelling where its condition holds, in its place.
func TestSpellingUnderCondition(t *testing.T) {
	r := &knowledge.Remedy{Apply: []knowledge.Apply{
		{Engine: "pytorch", If: "phase == serving", Code: "narrow()", Env: "A=1"},
		{Engine: "pytorch", Code: "wide()"},
	}}
	for phase, want := range map[string]string{"serving": "narrow() A=1", "forward": "wide() "} {
		a, _, ok := newScope(&parser.Incident{Engine: "pytorch", Phase: phase}, noPlanner{}).spelling(r)
		if got := a.Code + " " + a.Env; got != want || !ok {
			t.Errorf("%s: %q, want %q", phase, got, want)
		}
	}
}

// TestSpellingWhereNoEngineIsNamed shows the settings of the engine that a cause names first where the log names
// none, and leaves them out where the cause is nobody's.
func TestSpellingWhereNoEngineIsNamed(t *testing.T) {
	for _, c := range []struct{ cause, incident, want string }{
		{"vllm, any", "pytorch", "--pool N"},
		{"vllm, any", "", "--pool N"},
		{"vllm, any", "sglang", "--fraction N"},
		{"any", "pytorch", ""},
		{"any", "vllm", "--pool N"},
	} {
		base := &knowledge.Base{
			Causes:   []*knowledge.Cause{{ID: "full", Engine: c.cause, When: `message("torch-device-oom*")`, Base: 3, Remedies: []knowledge.Use{{Use: "less"}}}},
			Remedies: []*knowledge.Remedy{{ID: "less", Apply: []knowledge.Apply{{Engine: "vllm", CLI: "--pool N"}, {Engine: "sglang", CLI: "--fraction N"}}}},
		}
		inc := sample()
		inc.Engine = c.incident
		got := ""
		for _, r := range diagnose(inc, base, nil).Findings[0].Remedies {
			got = r.Apply[0].Text
		}
		if got != c.want {
			t.Errorf("cause of %s, log of %q: %q, want %q", c.cause, c.incident, got, c.want)
		}
	}
}

// TestRemedyOutOfPlace offers no remedy whose own condition does not hold, whatever the cause says: it
// is a dead end, with the remedy's reason, unless the cause has one of its own.
func TestRemedyOutOfPlace(t *testing.T) {
	base := &knowledge.Base{
		Causes: []*knowledge.Cause{{ID: "full", Engine: "any", When: `message("torch-device-oom*")`, Base: 3,
			Remedies: []knowledge.Use{{Use: "train-less"}, {Use: "never-asked", If: "gpu_free > 0.5 TiB"}, {Use: "wait"}},
			DeadEnds: []knowledge.DeadEnd{{Use: "wait", If: "phase == serving", Why: knowledge.Text{En: "the cause's reason"}}},
		}},
		Remedies: []*knowledge.Remedy{
			{ID: "train-less", If: "not inference", Else: knowledge.Text{En: "nothing is trained"}},
			{ID: "never-asked", If: "not inference", Else: knowledge.Text{En: "nor here"}},
			{ID: "wait", If: "not inference", Else: knowledge.Text{En: "the remedy's reason"}},
		},
	}
	for phase, want := range map[string]string{
		"serving":  "dead wait: the cause's reason, dead train-less: nothing is trained",
		"backward": "train-less, wait",
	} {
		inc := sample()
		inc.Engine, inc.Phase, inc.Frames = "pytorch", phase, nil
		var got []string
		f := diagnose(inc, base, nil).Findings[0]
		for _, r := range f.Remedies {
			got = append(got, r.Remedy.ID)
		}
		for _, d := range f.DeadEnds {
			got = append(got, "dead "+d.Remedy.ID+": "+d.Why.En)
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %q, want %q", phase, got, want)
		}
	}
}

// TestOrderOfSignsIsIrrelevant, and so is that of the causes.
func TestOrderOfSignsIsIrrelevant(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := outcome(diagnose(sample(), kb(), nil))
	for range 50 {
		base := kb()
		for _, c := range base.Causes {
			r.Shuffle(len(c.Signs), func(i, j int) { c.Signs[i], c.Signs[j] = c.Signs[j], c.Signs[i] })
		}
		r.Shuffle(len(base.Causes), func(i, j int) { base.Causes[i], base.Causes[j] = base.Causes[j], base.Causes[i] })
		if got := outcome(diagnose(sample(), base, nil)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

func outcome(d *Diagnosis) string {
	f := d.Findings[0]
	out := fmt.Sprintf("%s %.9f", f.Cause.ID, f.Confidence)
	for _, o := range f.Others {
		out += fmt.Sprintf(", %s %.9f", o.Cause.ID, o.Confidence)
	}
	return out
}

// TestUnrelatedMessages: messages and facts that no condition names change nothing.
func TestUnrelatedMessages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	want := outcome(diagnose(sample(), kb(), nil))
	for i := range 50 {
		inc := sample()
		for range 1 + r.IntN(5) {
			at := 1 + r.IntN(len(inc.Messages)) // the decisive message stays the first
			inc.Messages = slices.Insert(inc.Messages, at, parser.Message{ID: fmt.Sprintf("unrelated-%d", i), Text: "said by somebody else"})
			inc.Before["swap_space"] = factOf(fact.Bytes, r.Float64()*gib)
		}
		if got := outcome(diagnose(inc, kb(), nil)); got != want {
			t.Fatalf("got %s, want %s", got, want)
		}
	}
}

// TestProbability: confidences lie between 0 and 1 and add up to less than 1, whatever the odds.
func TestProbability(t *testing.T) {
	for _, base := range []float64{-1000, -3, 0, 3, 1000} {
		k := kb()
		k.Causes[0].Base, k.Causes[1].Base = base, base
		f := diagnose(sample(), k, nil).Findings[0]
		sum := f.Confidence
		for _, o := range f.Others {
			sum += o.Confidence
		}
		if math.IsNaN(sum) || sum < 0 || sum > 1 {
			t.Errorf("base %v: the confidences add up to %v", base, sum)
		}
	}
}

// FuzzCommand: whatever the log's command line is, a shell that reads the corrected one sees the same
// words and the flag, and nothing else.
func FuzzCommand(f *testing.F) {
	for _, s := range []string{"vllm serve m", `A=1 x 'a b' "c\"d"`, "$(x) `y` > z; & |", "--z old\t--y", "ä 漢字 \xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		inc := sample()
		inc.Before["command"] = fact.Fact{Value: fact.Value{Kind: fact.Text, Text: line}}
		got := newScope(inc, noPlanner{}).command(knowledge.Apply{CLI: "--never-there 1"}, nil)
		want := shell.Split(line)
		if len(want) == 0 || slices.ContainsFunc(want, unprintable) {
			if got != "" {
				t.Fatalf("%q gives %q", line, got)
			}
			return
		}
		if words := shell.Split(got); !slices.Equal(words, append(want, "--never-there", "1")) {
			t.Fatalf("%q gives %q, which is %q", line, got, words)
		}
	})
}
