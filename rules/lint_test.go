package rules

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
)

// good is a base without a flaw. The bad ones of TestLint differ from it in one place each.
const good = `
id: device-full
engine: vllm, pytorch
title: {en: The device is full, zh: 显存已满}
headline: {en: "It lacks {shortage}", zh: "缺 {shortage}"}
explain: {en: "{oom_requested:gib} GiB[ of {gpu_total}]", zh: "{oom_requested:gib} GiB"}
about: {en: About., zh: 说明。}
when: gpu_free < 1 GiB and phase in (profile, serving)
signs:
  - {if: ready, adds: 1, shows: {en: It was serving, zh: 正在服务}}
confused_with: []
remedies:
  - {use: halve, set: {max_num_seqs: half(max_num_seqs)}, if: max_num_seqs > 1}
dead_ends:
  - {use: magic, why: {en: No such thing, zh: 不存在}}
sources: ["https://example.org/a"]
`

const goodRemedies = `
- id: halve
  title: {en: Halve it, zh: 减半}
  effect: {en: Half., zh: 一半。}
  cost_rank: 1
  settings: [max_num_seqs]
  apply:
    - {engine: vllm, since: 0.9.1, until: 0.10.0, cli: "--max-num-seqs {max_num_seqs}"}
  sources: ["https://example.org/b"]
- id: magic
  myth: true
  title: {en: Use magic, zh: 用魔法}
  effect: {en: None., zh: 无。}
  cost_rank: 0
  sources: ["https://example.org/c"]
`

func lint(t *testing.T, cause, remedies string) []string {
	t.Helper()
	base, pos, err := knowledge.Load(fstest.MapFS{
		"causes/c.yaml":   {Data: []byte(strings.TrimPrefix(cause, "\n"))},
		"remedies/r.yaml": {Data: []byte(strings.TrimPrefix(remedies, "\n"))},
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range Lint(base, pos) {
		out = append(out, p.String())
	}
	return out
}

func TestLint(t *testing.T) {
	if got := lint(t, good, goodRemedies); len(got) != 0 {
		t.Fatalf("the good base has problems: %q", got)
	}
	for _, tt := range []struct{ old, new, want string }{
		{"id: device-full", "id: Device_Full", "causes/c.yaml:1:5: Device_Full: an id is made of lower-case words and hyphens"},
		{"engine: vllm, pytorch", "engine: vlm", `causes/c.yaml:2:9: device-full: unknown engine "vlm"; did you mean vllm?`},
		{", zh: 显存已满}", "}", "causes/c.yaml:3:8: device-full: no Chinese"},
		{"en: The device is full, ", "", "causes/c.yaml:3:8: device-full: no English"},
		{"en: The device is full", "en: " + strings.Repeat("long ", 20), "causes/c.yaml:3:8: device-full: 99 characters, at most 80"},
		{"It lacks {shortage}", "It lacks {shortag}", "causes/c.yaml:4:11: device-full: unknown name {shortag}; did you mean shortage?"},
		{"[ of {gpu_total}]", "[ of {gpu_total}", "causes/c.yaml:5:10: device-full: a square bracket is not closed"},
		{"{oom_requested:gib} GiB[", "{oom_requested:gb} GiB[", "causes/c.yaml:5:10: device-full: {oom_requested:gb}: only bytes have a unit: gib, mib or kib"},
		{"about: {en: About., zh: 说明。}\n", "", "causes/c.yaml:1:1: device-full: missing"},
		{"gpu_free < 1 GiB", "gpu_fre < 1 GiB", `causes/c.yaml:7:7: device-full: unknown name "gpu_fre"; did you mean gpu_free?`},
		{"gpu_free < 1 GiB", "gpu_free < max_model_len", "causes/c.yaml:7:16: device-full: gpu_free (bytes) and max_model_len (tokens) cannot be compared"},
		{"(profile, serving)", "(profile, servin)", `causes/c.yaml:7:47: device-full: unknown name "servin"; did you mean serving?`},
		{"gpu_free < 1 GiB and", `message("no-such-message-at-all") and`, `causes/c.yaml:7:7: device-full: unknown message "no-such-message-at-all"`},
		{"gpu_free < 1 GiB and", "gpu_free < 1 GiB and gpu_free > 2 GiB and", "causes/c.yaml:7:7: device-full: can never hold"},
		{"when: gpu_free < 1 GiB and phase in (profile, serving)\n", "", "causes/c.yaml:1:1: device-full: a cause needs a condition"},
		{"if: ready", "if: redy", `causes/c.yaml:9:10: device-full: unknown name "redy"; did you mean ready?`},
		{"if: ready", "if: gpu_free > 2 GiB", "causes/c.yaml:9:10: device-full: can never hold where the cause's condition holds"},
		{"adds: 1", "adds: 0", "causes/c.yaml:9:5: device-full: a sign that adds nothing"},
		{"confused_with: []", "confused_with: [{id: device-ful, how: {en: a, zh: b}}]", `causes/c.yaml:10:22: device-full: unknown cause "device-ful"; did you mean device-full?`},
		{"confused_with: []", "leads_to: [nothing]", `causes/c.yaml:10:12: device-full: unknown cause "nothing"`},
		{"use: halve", "use: halv", `causes/c.yaml:12:11: device-full: unknown remedy "halv"; did you mean halve?`},
		{"use: halve", "use: magic", "causes/c.yaml:12:11: device-full: magic is a myth"},
		{"{max_num_seqs: half", "{max_num_seq: half", `causes/c.yaml:12:37: device-full: unknown fact "max_num_seq"; did you mean max_num_seqs?`},
		{"half(max_num_seqs)", "half(gpu_free)", "causes/c.yaml:12:38: device-full: half() (bytes) where count is wanted"},
		{"half(max_num_seqs)", "default(max_num_seqs, 8)", "causes/c.yaml:12:62: device-full: in a YAML {…} an expression with a comma stands in quotes"},
		{"use: magic", "use: halve", "causes/c.yaml:14:11: device-full: halve is a remedy of this cause and always a dead end"},
		{", zh: 不存在}", "}", "causes/c.yaml:14:23: device-full: no Chinese"},
		{`sources: ["https://example.org/a"]`, "sources: []", "causes/c.yaml:15:10: device-full: no source"},
		{"title: {en: Halve it, ", "title: {en: " + strings.Repeat("H", 61) + ", ", "remedies/r.yaml:2:10: halve: 61 characters, at most 60"},
		{"cost_rank: 1", "cost_rank: 6", "remedies/r.yaml:4:14: halve: 6 is not between 0 and 5"},
		{"cost_rank: 1", "cost_rank: 1\n  if: gpu_fre > 1 GiB\n  else: {en: No., zh: 否。}", `remedies/r.yaml:5:7: halve: unknown name "gpu_fre"; did you mean gpu_free?`},
		{"cost_rank: 1", "cost_rank: 1\n  if: gpu_free > 1 GiB", "remedies/r.yaml:1:3: halve: missing"},
		{"engine: vllm, since", "engine: vllm, if: gpu_free, since", "remedies/r.yaml:7:26: halve: gpu_free (bytes) is no condition"},
		{"settings: [max_num_seqs]", "settings: [max_seqs]", `remedies/r.yaml:5:14: halve: unknown fact "max_seqs"`},
		{"since: 0.9.1", "since: soon", `remedies/r.yaml:7:29: halve: "soon" is no version`},
		{"since: 0.9.1", "since: 0.10.1", "remedies/r.yaml:7:29: halve: since 0.10.1 is after until 0.10.0"},
		{`cli: "--max-num-seqs {max_num_seqs}"`, `code: "DataLoader(data)"`, `remedies/r.yaml:1:3: halve: "DataLoader(" is printed only where the log shows it: name with_dataloader in the condition`},
		{"cost_rank: 1", "cost_rank: 1\n  frees: [devise]", `remedies/r.yaml:5:11: halve: unknown resource "devise"; did you mean device?`},
		{"cost_rank: 1", "cost_rank: 1\n  useless: [{why: {en: No., zh: 否。}}]", "remedies/r.yaml:1:3: halve: a lever that is useless everywhere is a myth"},
		{"cost_rank: 1", "cost_rank: 1\n  hint: gpu_fre > 1 GiB", `remedies/r.yaml:5:9: halve: unknown name "gpu_fre"; did you mean gpu_free?`},
		{"{en: No such thing, zh", "{en: '[redy? No such thing]', zh", "causes/c.yaml:14:23: device-full: [redy? …]: no condition is called so; did you mean ready?"},
		{"confused_with: []", "confused_with: [{id: device-full, look: halve, how: {en: a, zh: b}}]", `causes/c.yaml:10:41: device-full: "halve" is no look`},
		{"engine: vllm, pytorch\n", "engine: vllm, pytorch\nresource: disk\n", `causes/c.yaml:3:11: device-full: unknown resource "disk"`},
		{`, cli: "--max-num-seqs {max_num_seqs}"`, "", "remedies/r.yaml:7:7: halve: a spelling for no entry point"},
		{`  sources: ["https://example.org/c"]` + "\n", "", "remedies/r.yaml:9:3: magic: no source"},
	} {
		if !strings.Contains(good+goodRemedies, tt.old) {
			t.Fatalf("%q stands nowhere", tt.old)
		}
		got := lint(t, strings.Replace(good, tt.old, tt.new, 1), strings.Replace(goodRemedies, tt.old, tt.new, 1))
		if len(got) == 0 || got[0] != tt.want {
			t.Errorf("%s for %s\n gives %q\n want  %q", tt.new, tt.old, got, tt.want)
		}
	}
}

func TestRivals(t *testing.T) {
	cause := func(id, engine, when string, base float64, signs ...knowledge.Sign) *knowledge.Cause {
		return &knowledge.Cause{ID: id, Engine: engine, When: when, Base: base, Signs: signs}
	}
	for _, tt := range []struct {
		name string
		a, b *knowledge.Cause
		want string
	}{
		{"the same message", cause("a", "vllm", `message("x")`, 1), cause("b", "any", `ready or message("y", "x")`, 1), "x"},
		{"a glob", cause("a", "vllm", `message("x-*")`, 1), cause("b", "vllm", `first("x-1")`, 1), "x-1"},
		{"other engines", cause("a", "vllm", `message("x")`, 1), cause("b", "pytorch", `message("x")`, 1), ""},
		{"the base decides", cause("a", "vllm", `message("x")`, 1), cause("b", "vllm", `message("x")`, 2), ""},
		{"signs decide", cause("a", "vllm", `message("x")`, 1, knowledge.Sign{If: "ready", Adds: 1}), cause("b", "vllm", `message("x")`, 1), ""},
		{"more is needed", cause("a", "vllm", `message("x")`, 1), cause("b", "vllm", `message("x") and ready`, 1), ""},
	} {
		l := linter{kb: &knowledge.Base{Causes: []*knowledge.Cause{tt.a, tt.b}}}
		l.rivals()
		got := ""
		if len(l.out) > 0 {
			_, got, _ = strings.Cut(l.out[0].Msg, "claims the message ")
			got, _, _ = strings.Cut(got, " as well")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestNeverHolds(t *testing.T) {
	for src, want := range map[string]bool{
		`gpu_free > 2 GiB and gpu_free < 1 GiB`:                         true,
		`gpu_free > 2 GiB and gpu_free < 2 GiB`:                         true,
		`gpu_free >= 2 GiB and gpu_free < 2 GiB`:                        true,
		`gpu_free >= 2 GiB and gpu_free <= 2 GiB`:                       false,
		`gpu_free == 1 GiB and gpu_free == 2 GiB`:                       true,
		`1 GiB > gpu_free and 2 GiB < gpu_free`:                         true,
		`1 GiB < gpu_free and 2 GiB > gpu_free`:                         false,
		`gpu_free > 2 GiB and not gpu_free >= 1 GiB`:                    true,
		`not (gpu_free > 2 GiB or gpu_free < 3 GiB)`:                    true,
		`not (gpu_free > 2 GiB and gpu_free < 3 GiB)`:                   false,
		`gpu_free > 2 GiB and (gpu_free < 1 GiB or ready)`:              false,
		`gpu_free > 2 GiB and (gpu_free < 1 GiB or gpu_free == 2 GiB)`:  true,
		`phase == profile and phase == warmup`:                          true,
		`phase in (profile, serving) and phase in (serving, warmup)`:    false,
		`phase in (profile, serving) and phase in (warmup, startup)`:    true,
		`phase in (profile, serving) and not phase in (serving)`:        false,
		`phase == profile and phase != profile`:                         true,
		`phase != profile and phase != warmup`:                          false,
		`dtype == "half" and dtype == "float"`:                          true,
		`ready and not ready`:                                           true,
		`ready and ready == false`:                                      true,
		`not known(gpu_free) and gpu_free > 1 GiB`:                      true,
		`not known(gpu_free) and not gpu_free > 1 GiB`:                  true,
		`not known(gpu_free) or gpu_free > 1 GiB`:                       false,
		`message("a") and not message("a")`:                             true,
		`message("a") and not message("b")`:                             false,
		`first("a") and first("b")`:                                     true,
		`first("a") and first("a*")`:                                    false,
		`frames has "f" and not frames has "f"`:                         true,
		`gpu_free > gpu_total and not gpu_free > gpu_total`:             true,
		`engine_version >= 0.9.1 and engine_version < 0.9.1`:            false, // versions are left alone
		strings.Repeat(`(ready or origins > 1) and `, 12) + `not ready`: false, // too many alternatives
	} {
		p, err := parse(src)
		if err == nil {
			err = check(p, fact.Bool, nil)
		}
		if err != nil {
			t.Errorf("%s: %v", src, err)
		} else if got := neverHolds(p); got != want {
			t.Errorf("%s: %v, want %v", src, got, want)
		}
	}
}
