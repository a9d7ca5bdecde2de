//go:build ablate

package oomdoc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/internal/heuristic"
	"github.com/oomdoc/oomdoc/internal/loggen"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// trial is a log, and whether what is said of it is right.
type trial struct {
	set   string
	logs  [][]byte
	right func(d *rules.Diagnosis) bool
}

func (t *trial) parse() *parser.Log {
	s := parser.NewSession()
	for i, log := range t.logs {
		st := s.Stream(fmt.Sprint(i))
		st.Feed(log)
		st.Close()
	}
	return s.Close()
}

// quoting are the texts in which a message is somebody else's.
var quoting = []string{
	"import torch\n\n\nclass Fit:\n    def step(self):\n        if self.full():\n            raise RuntimeError(\"%s\")\n        return self.go()\n",
	"# Troubleshooting\n\n## Memory errors\n\nIf you see `%s`, lower the batch size and start again.\n\nSee the next page for more of them.\n",
	"INFO 10-08 20:33:48 [logger.py:41] Received request cmpl-7: prompt: 'What does this mean? %s', params: SamplingParams(n=1)\n",
	"{\"messages\": [{\"role\": \"user\", \"content\": \"My job says %s. Why?\"}, {\"role\": \"assistant\", \"content\": \"It is full.\"}]}\n",
	"diff --git a/fit.py b/fit.py\n--- a/fit.py\n+++ b/fit.py\n@@ -1,4 +1,5 @@\n def step(self):\n-    return self.go()\n+    # %s\n+    return self.slow()\n",
	"| error | what to do |\n| --- | --- |\n| %s | lower the batch size |\n| port in use | choose another one |\n",
	"def test_full(self):\n    with pytest.raises(RuntimeError, match=\"%s\"):\n        self.engine.step()\n    assert self.engine.stopped\n",
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// planned has the arithmetic that the program has.
var planned = rules.Options{Planner: memory.Planner{}}

// trialSets are the columns of the table.
var trialSets = []string{"golden", "real", "quiet", "cut", "side by side", "haystack", "quoted"}

// trials gathers the golden cases, what is made of them, and the labelled logs below the folders in ABLATE_CORPUS.
func trials(t *testing.T, kb *knowledge.Base) (out []trial) {
	for _, g := range goldens(t) {
		script := g.script
		out = append(out, trial{"golden", g.logs, func(d *rules.Diagnosis) bool { return len(script.Check(d)) == 0 }})
		if len(g.logs) > 1 || !wrappable(g.logs) {
			continue
		}
		log := utf8Of(g.logs[0])
		d := g.diagnose([][]byte{log}, whole)
		if len(d.Findings) == 0 {
			continue
		}
		want := answer(d)
		same := func(d *rules.Diagnosis) bool { return answer(d) == want }
		m := d.Findings[0].Incident.Messages[0]
		from, to := lineAt(log, m.At.Line), lineAt(log, m.LastLine+1)
		for _, part := range []int{3, 2} { // a third and half of the deciding sentence
			out = append(out, trial{"cut", [][]byte{log[:from+(to-from)/part]}, func(d *rules.Diagnosis) bool { return len(d.Findings) > 0 }})
		}
		if said := firstLine(d.Findings[0].Incident.Messages[0].Text); said != "" {
			for _, around := range quoting {
				text := fmt.Sprintf(around, strings.NewReplacer(`"`, `'`, "`", "'").Replace(said))
				out = append(out, trial{"quoted", [][]byte{[]byte(text)}, func(d *rules.Diagnosis) bool { return len(d.Findings) == 0 }})
			}
		}
		random := rand.New(rand.NewPCG(3, uint64(len(log))))
		mixed := interleave(random, [][][]byte{
			slices.Collect(bytes.Lines(prefixLines(log, "server-1  | "))), slices.Collect(bytes.Lines(prefixLines(neighbour(1), "server-2  | "))),
		})
		out = append(out, trial{"side by side", [][]byte{mixed}, same}, trial{"haystack", [][]byte{loggen.Around(log, 64<<10, 5)}, same})
	}
	for _, dir := range filepath.SplitList(os.Getenv("ABLATE_CORPUS")) {
		paths, _ := filepath.Glob(filepath.Join(dir, "*", "*", "case.json"))
		for _, p := range paths {
			var label struct {
				Cause  string   `json:"cause"`
				AlsoOK []string `json:"cause_also_ok"`
			}
			text, err := os.ReadFile(p)
			log, err2 := os.ReadFile(filepath.Join(filepath.Dir(p), "log.txt"))
			if err != nil || err2 != nil || json.Unmarshal(text, &label) != nil {
				t.Fatalf("%s: %v %v", p, err, err2)
			}
			if label.Cause == "not-oom" {
				out = append(out, trial{"quiet", [][]byte{log}, func(d *rules.Diagnosis) bool {
					return len(d.Findings) == 0 || slices.Contains(label.AlsoOK, strings.TrimSuffix(answer(d), ";"))
				}})
				continue
			}
			out = append(out, trial{"real", [][]byte{log}, func(d *rules.Diagnosis) bool {
				first, _, _ := strings.Cut(answer(d), ";")
				return first == label.Cause || slices.Contains(label.AlsoOK, first)
			}})
		}
	}
	return out
}

// TestAblate prints what each heuristic and each sign carries: in how many trials of each set the answer is worse
// without it, and in how many better. .ci/ablate runs it.
func TestAblate(t *testing.T) {
	kb := knowledge.Builtin()
	all := trials(t, kb)
	logs := make([]*parser.Log, len(all))
	base := make([]bool, len(all))
	for i := range all {
		logs[i] = all[i].parse()
		base[i] = all[i].right(rules.Diagnose(logs[i], kb, planned))
	}
	row := func(name string, right func(i int) bool) {
		worse, better := map[string]int{}, map[string]int{}
		for i := range all {
			switch now := right(i); {
			case base[i] && !now:
				worse[all[i].set]++
			case !base[i] && now:
				better[all[i].set]++
			}
		}
		line := "| " + name
		for _, set := range trialSets {
			cell := ""
			if worse[set] > 0 {
				cell = fmt.Sprintf("−%d", worse[set])
			}
			if better[set] > 0 {
				cell += fmt.Sprintf(" +%d", better[set])
			}
			line += " | " + cell
		}
		fmt.Println(line + " |")
	}
	fmt.Println("| without | " + strings.Join(trialSets, " | ") + " |")
	fmt.Println("| --- " + strings.Repeat("| --- ", len(trialSets)) + "|")
	for _, name := range slices.Concat(heuristic.Names, heuristic.Rules) {
		heuristic.Off = name
		row(name, func(i int) bool { return all[i].right(rules.Diagnose(all[i].parse(), kb, planned)) })
	}
	heuristic.Off = ""
	for _, c := range kb.Causes {
		for k := range c.Signs {
			adds := c.Signs[k].Adds
			c.Signs[k].Adds = 0
			row(fmt.Sprintf("%s: `%s`", c.ID, c.Signs[k].If), func(i int) bool { return all[i].right(rules.Diagnose(logs[i], kb, planned)) })
			c.Signs[k].Adds = adds
		}
	}
}
