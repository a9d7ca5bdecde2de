package rules

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory/engine"
)

var (
	flagIn     = regexp.MustCompile(`(?:^|[\s("'` + "`" + `])(--[a-z][a-z0-9-]+)`)
	variableIn = regexp.MustCompile(`\bVLLM_[A-Z0-9_]+\b`)
)

// TestErasHaveTheirFlags: in no era is a flag or variable printed that the engine's release does not have: of every
// remedy, each spelling that is shown for it.
func TestErasHaveTheirFlags(t *testing.T) {
	for _, name := range engine.Names() {
		sheet := engine.Get(name)
		eras := sheet.Eras
		if len(eras) == 0 {
			eras = []string{""}
		}
		for _, r := range knowledge.Builtin().Remedies {
			for _, a := range r.Apply {
				if a.Engine != name || r.Myth {
					continue
				}
				for _, era := range eras {
					if era != "" && !within(era, a.Since, a.Until) {
						continue
					}
					for _, flag := range flagsIn(a.CLI, a.Env, a.Python) {
						release := era
						if release == "" {
							release = "1.0" // the sheet bounds none
						}
						if has, known := sheet.Has(flag, release); known && !has {
							t.Errorf("%s: %s %s has no %s", r.ID, name, era, flag)
						}
					}
				}
			}
		}
	}
}

func flagsIn(texts ...string) []string {
	var out []string
	for _, text := range texts {
		for _, m := range flagIn.FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		out = append(out, variableIn.FindAllString(text, -1)...)
	}
	return out
}

// TestTextsNameWhatExists: sentences of vLLM's causes and remedies name no flag or variable that no release has.
func TestTextsNameWhatExists(t *testing.T) {
	sheet := engine.Get("vllm")
	exists := map[string]bool{}
	for _, f := range sheet.Flags {
		exists[f.Name] = true
		exists["--no-"+strings.TrimPrefix(f.Name, "--")] = true
	}
	check := func(where string, texts ...knowledge.Text) {
		for _, text := range texts {
			for _, m := range variableIn.FindAllString(text.En+" "+text.Zh, -1) {
				if !exists[m] {
					t.Errorf("%s: no release of vLLM has %s", where, m)
				}
			}
		}
	}
	kb := knowledge.Builtin()
	for _, c := range kb.Causes {
		check(c.ID, c.Title, c.Headline, c.Explain, c.About, c.Next)
		for i, u := range c.Remedies {
			check(fmt.Sprint(c.ID, " remedy ", i), u.Why)
		}
		for i, e := range c.DeadEnds {
			check(fmt.Sprint(c.ID, " dead end ", i), e.Why, e.Helps)
		}
	}
	for _, r := range kb.Remedies {
		check(r.ID, r.Title, r.Effect, r.Cost, r.Verify, r.Else)
	}
}
