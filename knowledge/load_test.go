package knowledge

import (
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

func load(t *testing.T, files map[string]string) (*Base, *Positions, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Load(fsys)
}

func TestLoad(t *testing.T) {
	base, pos, err := load(t, map[string]string{
		"causes/a.yaml": `id: full
title: {en: Full, zh: 满}
when: gpu_free < 1 GiB
base: 2.5
degraded: true
signs:
  - if: ready
    adds: -1
remedies:
  - use: wait
    set: {max_num_seqs: half(max_num_seqs)}
`,
		"causes/empty.yaml": "# nothing yet\n",
		"remedies/r.yaml": `- id: wait
  cost_rank: 2
- id: hope
  myth: true
`,
		"causes/notes.txt": "not YAML: [",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := &Cause{ID: "full", Title: Text{"Full", "满"}, When: "gpu_free < 1 GiB", Base: 2.5, Degraded: true,
		Signs:    []Sign{{If: "ready", Adds: -1}},
		Remedies: []Use{{Use: "wait", Set: map[string]string{"max_num_seqs": "half(max_num_seqs)"}}}}
	if got := base.Cause("full"); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if len(base.Remedies) != 2 || base.Remedy("wait").CostRank != 2 || !base.Remedy("hope").Myth {
		t.Errorf("remedies: %+v", base.Remedies)
	}
	if base.Cause("hope") != nil || base.Remedy("full") != nil {
		t.Error("a cause is no remedy")
	}
	for field, at := range map[string]string{
		"when":                         "causes/a.yaml:3:7",
		"signs[0].if":                  "causes/a.yaml:7:9",
		"remedies[0].set.max_num_seqs": "causes/a.yaml:11:25",
		"headline":                     "causes/a.yaml:1:1",
	} {
		if got := pos.Of("full", field).String(); got != at {
			t.Errorf("%s stands at %s, want %s", field, got, at)
		}
	}
	if got := pos.Of("nobody", "when"); got != (Position{}) {
		t.Errorf("an unknown id stands at %v", got)
	}
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"unknown field", "causes/a.yaml", "id: x\nwhenn: ready\n", `causes/a.yaml:2:8: unknown field "whenn"`},
		{"unknown nested field", "causes/a.yaml", "id: x\nsigns:\n  - {if: ready, add: 1}\n", `causes/a.yaml:3:22: unknown field "add"`},
		{"unknown language", "causes/a.yaml", "id: x\ntitle: {en: a, fr: b}\n", `causes/a.yaml:2:20: unknown field "fr"`},
		{"given twice", "causes/a.yaml", "id: x\nbase: 1\nbase: 2\n", `causes/a.yaml:3:1: "base" is given twice`},
		{"an escape sequence", "causes/a.yaml", "id: x\ntitle: {en: \"\\e[2Jx\", zh: y}\n", `causes/a.yaml:2:13: '\x1b' is not printable`},
		{"text that is reordered", "causes/a.yaml", "id: x\nwhen: a\u202eb\n", `causes/a.yaml:2:7: '\u202e' is not printable`},
		{"no number", "causes/a.yaml", "id: x\nbase: much\n", `causes/a.yaml:2:7: want a number, got "much"`},
		{"no whole number", "remedies/a.yaml", "id: x\ncost_rank: 1.5\n", `remedies/a.yaml:2:12: want a whole number, got "1.5"`},
		{"no truth", "remedies/a.yaml", "id: x\nmyth: perhaps\n", `remedies/a.yaml:2:7: want true or false, got "perhaps"`},
		{"text for a list", "causes/a.yaml", "id: x\nsources: here\n", `causes/a.yaml:2:10: want a list`},
		{"list for a text", "causes/a.yaml", "id: x\nwhen: [a, b]\n", `causes/a.yaml:2:7: want a single value`},
		{"text for a mapping", "causes/a.yaml", "id: x\ntitle: Full\n", `causes/a.yaml:2:8: want a mapping`},
		{"no id", "causes/a.yaml", "title: {en: a, zh: b}\n", `causes/a.yaml:1:1: an entry without an id`},
		{"id taken", "remedies/a.yaml", "- id: x\n- id: x\n", `remedies/a.yaml:2:3: the id x is taken at remedies/a.yaml:1:3`},
		{"alias", "causes/a.yaml", "id: &x y\nwhen: *x\n", `causes/a.yaml:2:7: aliases are not supported`},
		{"complex key", "causes/a.yaml", "id: x\n? [a, b]\n: c\n", `causes/a.yaml:2:3: a key must be a plain word`},
		{"syntax", "causes/a.yaml", "id: x\n  when: y\n", `causes/a.yaml:2:1: mapping values are not allowed in this context`},
		{"nothing", "readme.md", "", "neither causes/*.yaml nor remedies/*.yaml holds an entry"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := load(t, map[string]string{c.file: c.text})
			if err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func TestLoadJoinsErrors(t *testing.T) {
	base, _, err := load(t, map[string]string{
		"causes/a.yaml":   "- {id: a, nme: 1}\n- {id: b, base: x}\n- {id: c}\n",
		"remedies/b.yaml": "id: [",
	})
	if err == nil || len(strings.Split(err.Error(), "\n")) != 3 {
		t.Errorf("want three errors, got %v", err)
	}
	if len(base.Causes) != 3 {
		t.Errorf("what can be read is read: %d causes", len(base.Causes))
	}
}

func TestVersionFollowsContent(t *testing.T) {
	version := func(text string) string {
		base, _, _ := load(t, map[string]string{"causes/a.yaml": text})
		return base.Version
	}
	first, again, other := version("id: a\n"), version("id: a\n"), version("id: b\n")
	if first != again || first == other {
		t.Error("the version must tell contents apart, and nothing else")
	}
}

func TestMerge(t *testing.T) {
	base := &Base{Version: "1",
		Causes: []*Cause{
			{ID: "a", When: "ready", Base: 2, Remedies: []Use{{Use: "r"}}},
			{ID: "b", When: "ready"},
		},
		Remedies: []*Remedy{{ID: "r", CostRank: 1}}}
	site := &Base{Version: "2",
		Causes: []*Cause{
			{ID: "a", Extends: true, Base: 3, Remedies: []Use{{Use: "ours"}}},
			{ID: "b", When: "not ready"},
			{ID: "c"},
		},
		Remedies: []*Remedy{{ID: "ours"}}}
	got := Merge(base, site)
	a := got.Cause("a")
	if a.When != "ready" || a.Base != 3 || len(a.Remedies) != 2 || a.Remedies[0].Use != "ours" || a.Remedies[1].Use != "r" {
		t.Errorf("an entry that extends: %+v", a)
	}
	if got.Cause("b").When != "not ready" {
		t.Error("an entry of the same id replaces")
	}
	if got.Cause("c") == nil || got.Remedy("ours") == nil || got.Remedy("r") == nil || len(got.Causes) != 3 {
		t.Error("a new entry adds")
	}
	if got.Version != "1+2" {
		t.Errorf("version %s", got.Version)
	}
	if base.Causes[0].Base != 2 || len(base.Causes[0].Remedies) != 1 {
		t.Error("Merge changed its argument")
	}
}

// The literals that the program uses must be what the files say: run go generate ./knowledge.
func TestBuiltinIsFresh(t *testing.T) {
	base, _, err := Load(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(base, Builtin()) {
		t.Error("zz_builtin.go is older than causes/*.yaml or remedies/*.yaml; run go generate ./knowledge")
	}
}

func FuzzLoad(f *testing.F) {
	f.Add("id: x\ntitle: {en: a, zh: b}\nsigns: [{if: ready, adds: 1}]\n")
	f.Add("- id: x\n- id: y\n  base: 1e400\n")
	f.Add("a: &a [*a]\n")
	f.Fuzz(func(t *testing.T, text string) {
		base, pos, err := Load(fstest.MapFS{"causes/x.yaml": {Data: []byte(text)}})
		if base == nil || pos == nil {
			t.Fatal("a base comes back whatever the input")
		}
		if err == nil && len(base.Causes) == 0 {
			t.Error("no causes and no error")
		}
		for _, c := range base.Causes {
			if pos.Of(c.ID, "").Line == 0 {
				t.Errorf("%q stands nowhere", c.ID)
			}
		}
	})
}
