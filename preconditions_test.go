package oomdoc_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// shows says by what a log shows the thing that a word is about: by its own text, not by what the rules make of it.
var shows = map[string]string{
	"kubernetes":      `(?i)kube|k8s|\bpod\b|oomkilled|evicted|hami|vgpu`,
	"docker":          `(?i)docker|compose|container|-\d+ +\|`,
	"some_manager":    `(?i)docker|compose|container|kube|slurm`,
	"slurm":           `(?i)slurm|srun|StepId`,
	"lsf":             `(?i)lsf|TERM_MEMLIMIT|LSBATCH`,
	"pbs":             `(?i)pbs`,
	"on_windows":      `(?i)[a-z]:\\|windows|paging file|WinError`,
	"with_dataloader": `(?i)dataloader|torch/utils/data|pt_data_worker`,
	"transformers":    `(?i)transformers|peft|\btrl\b|from_pretrained|AutoModel|checkpoint shards`,
	"diffusers":       `(?i)diffusers|pipeline components`,
	"tokenizer":       `(?i)tokenizer|transformers|peft|\btrl\b|from_pretrained|AutoModel`,
	"trainer":         `(?i)transformers/trainer|trainer_seq2seq|trl/`,
	"comfyui":         `(?i)comfy|execution\.py|k_diffusion|map_node`,
	"webui":           `(?i)stable-diffusion-webui|creating model from config|stable diffusion model|modules.(sd_models|processing|call_queue)`,
	"invokeai":        `(?i)invokeai`,
	"mmengine":        `(?i)mmengine`,
	"mmcv":            `(?i)mmcv`,
	"lm_eval":         `(?i)lm_eval|lm-evaluation|loglikelihood`,
	"verl":            `(?i)verl`,
	"lightning":       `(?i)lightning`,
	"triton_code":     `(?i)triton|shared memory`,
}

// A log without the thing never prints the word: every golden log against every word that needs something.
func TestWordsNeedWhatTheyName(t *testing.T) {
	for _, g := range goldens(t) {
		d := g.diagnose(g.logs, whole)
		log := bytes.Join(g.logs, []byte("\n"))
		for _, lang := range []string{"en", "zh"} {
			said := advice(t, d, lang)
			for _, n := range rules.NeededWords() {
				word := n.Word.FindString(said)
				if word == "" {
					continue
				}
				if !slices.ContainsFunc(n.When, func(w string) bool { return regexp.MustCompile(shows[w]).Match(log) }) {
					t.Errorf("%s (%s) says %q, and nothing in the log shows %s", g.name, lang, word, strings.Join(n.When, " or "))
				}
			}
			engine := regexp.MustCompile(`(?i)vllm|--gpu-memory-utilization|--max-num-seqs`).FindString(said)
			if engine != "" && !regexp.MustCompile(`(?i)vllm|EngineCore|gpu_memory_utilization|gpu-memory-utilization|max_model_len|max_num_|KV ?cache|sglang|tgi|text_generation|private pools|blocks|RayWorker`).Match(log) {
				t.Errorf("%s (%s) says %q, and nothing in the log shows a serving engine", g.name, lang, engine)
			}
		}
	}
	for _, n := range rules.NeededWords() {
		for _, w := range n.When {
			if shows[w] == "" {
				t.Errorf("nothing says by what a log shows %s", w)
			}
		}
	}
}

// advice is all that a report says of its own, without the lines of the log that it shows.
func advice(t *testing.T, d *rules.Diagnosis, lang string) string {
	t.Helper()
	var out strings.Builder
	for _, f := range d.Findings {
		out.WriteString(report.Headline(f, lang) + "\n" + report.Explanation(f, lang) + "\n" + report.Next(f, lang) + "\n")
		for i := range f.Remedies {
			r := &f.Remedies[i]
			head, about := report.Step(f, r, lang)
			out.WriteString(head + "\n" + about + "\n" + report.Why(f, r, lang) + "\n")
		}
		for i := range f.DeadEnds {
			e := &f.DeadEnds[i]
			out.WriteString(f.Fill(e.Why.In(lang), lang) + "\n")
		}
	}
	return out.String()
}

// What can be pasted holds no value that the log does not give.
func TestStepsHoldNoPlaceholders(t *testing.T) {
	placeholder := regexp.MustCompile(`(^|[ ={(])(N|NG|NGi|PID|VERSION|JOB)\b`)
	for _, g := range goldens(t) {
		for _, f := range g.diagnose(g.logs, whole).Findings {
			for i := range f.Remedies {
				if head, _ := report.Step(f, &f.Remedies[i], "en"); placeholder.MatchString(head) {
					t.Errorf("%s: %s: %q cannot be pasted", g.name, f.Remedies[i].ID, head)
				}
			}
		}
	}
}

// A remedy is no dead end of the same report.
func TestNoIDOnBothLists(t *testing.T) {
	for _, g := range goldens(t) {
		for _, f := range g.diagnose(g.logs, whole).Findings {
			for i := range f.Remedies {
				if slices.ContainsFunc(f.DeadEnds, func(e rules.DeadEnd) bool { return e.ID == f.Remedies[i].ID }) {
					t.Errorf("%s: %s is a remedy and a dead end", g.name, f.Remedies[i].ID)
				}
			}
		}
	}
}

// A headline says how sure it is, and each of its figures is a fact of the log or follows from some.
func TestHeadlinesHedge(t *testing.T) {
	for _, g := range goldens(t) {
		for _, f := range g.diagnose(g.logs, whole).Findings {
			if f.Cause == nil {
				continue
			}
			for lang, hedges := range map[string][2]string{"en": {"Most likely: ", "One explanation: "}, "zh": {"很可能：", "一种可能："}} {
				h := report.Headline(f, lang)
				want := -1
				switch report.Certainty(f.Confidence, "en") {
				case "likely":
					want = 0
				case "possible":
					want = 1
				}
				for i, hedge := range hedges {
					if strings.HasPrefix(h, hedge) != (i == want) {
						t.Errorf("%s (%s, %.2f): %q", g.name, lang, f.Confidence, h)
					}
				}
				for _, figure := range regexp.MustCompile(`−?\d[\d,.]* (?:[KMGT]iB)`).FindAllString(h, -1) {
					if !slices.ContainsFunc(values(f, lang), func(v string) bool { return v == figure }) {
						t.Errorf("%s: the headline's %s is no figure of the log", g.name, figure)
					}
				}
			}
		}
	}
}

func values(f *rules.Finding, lang string) []string {
	var out []string
	for _, v := range f.Values {
		out = append(out, rules.Format(v.Value, lang))
	}
	return out
}
