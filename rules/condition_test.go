package rules

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
)

const gib = 1 << 30

var messageIDs = []string{"torch-device-oom", "torch-device-oom-classic", "free-memory-below-request", "kernel-oom-kill"}

// sample is an incident of which some things are known: an out-of-memory error of the allocator while
// vLLM profiles.
func sample() *parser.Incident {
	return &parser.Incident{
		Class:  parser.ClassFailure,
		Engine: "vllm",
		Phase:  "profile",
		Messages: []parser.Message{
			{ID: "torch-device-oom", Repeat: 3, Text: "CUDA out of memory. Tried to allocate 3.00 GiB"},
			{ID: "kernel-oom-kill"},
		},
		Frames: []parser.Frame{
			{File: "/opt/venv/lib/python3.12/site-packages/vllm/v1/worker/gpu_worker.py", Func: "Worker.determine_available_memory"},
			{File: `C:\env\torch\nn\functional.py`, Func: "linear"},
		},
		Origins: []string{"rank0", "rank1"}, Failed: []string{"rank0", "rank1"},
		Facts: fact.Facts{
			"oom_requested":              factOf(fact.Bytes, 3*gib),
			"gpu_total":                  factOf(fact.Bytes, 80*gib),
			"gpu_free":                   factOf(fact.Bytes, 1*gib),
			"process_in_use":             factOf(fact.Bytes, 60*gib),
			"torch_allocated":            factOf(fact.Bytes, 50*gib),
			"torch_reserved_unallocated": factOf(fact.Bytes, 5*gib),
		},
		Before: fact.Facts{
			"engine_version":         {Value: fact.Value{Kind: fact.Version, Text: "0.10.2"}},
			"dtype":                  {Value: fact.Value{Kind: fact.Text, Text: "torch.bfloat16"}},
			"enforce_eager":          factOf(fact.Bool, 0),
			"max_model_len":          factOf(fact.Tokens, 32768),
			"max_num_seqs":           factOf(fact.Count, 256),
			"gpu_memory_utilization": factOf(fact.Ratio, 0.9),
			"weights_seconds":        factOf(fact.Seconds, 12.5),
		},
	}
}

func factOf(k fact.Kind, x float64) fact.Fact {
	return fact.Fact{Value: fact.Value{Kind: k, Num: x}, Line: 7}
}

func TestConditions(t *testing.T) {
	for src, want := range map[string]string{
		// Comparison and units.
		`oom_requested > 2 GiB`:                        "true",
		`oom_requested == 3072 MiB`:                    "true",
		`oom_requested < 3145728 KiB`:                  "false",
		`gpu_free <= 1073741824 bytes`:                 "true",
		`gpu_total > 0.05 TiB`:                         "true",
		`gpu_memory_utilization >= 90%`:                "true",
		`gpu_memory_utilization == 0.9`:                "true",
		`max_model_len == 32_768 tokens`:               "true",
		`max_num_seqs != 256`:                          "false",
		`weights_seconds < 13 seconds`:                 "true",
		`gpu_free >= 0`:                                "true",
		`2 GiB < oom_requested`:                        "true",
		`-gpu_free < 0`:                                "true",
		`- (gpu_free) == 0 - 1 GiB`:                    "true",
		`oom_requested > 2e9 bytes`:                    "true",
		`gpu_free / 1 MiB == 1024`:                     "true",
		`gpu_total / max_model_len > 1 MiB`:            "true",
		`oom_requested * 2 == 6 GiB`:                   "true",
		`2 GiB + 1 GiB * 1 == oom_requested`:           "true",
		`(2 GiB + 1 GiB) * 2 == 2 * oom_requested`:     "true",
		`10 GiB - 4 GiB - 3 GiB == oom_requested`:      "true",
		`12 GiB / 2 / 2 == oom_requested`:              "true",
		`min(gpu_free, oom_requested) == gpu_free`:     "true",
		`max(gpu_free, oom_requested, 2 GiB) == 3 GiB`: "true",
		`abs(gpu_free - oom_requested) == 2 GiB`:       "true",
		`floor_to(max_num_seqs, 100) == 200`:           "true",
		`ceil_to(max_num_seqs, 100) == 300`:            "true",
		`floor_to(0.8765, 0.01) == 0.87`:               "true",
		`floor_to(0.29, 0.01) == 0.29`:                 "true",
		`half(max_num_seqs) == 128`:                    "true",
		`half(1) == 1`:                                 "true",
		// Three values.
		`kv_needed > 2 GiB`:                           "unknown",
		`not kv_needed > 2 GiB`:                       "unknown",
		`kv_needed > 2 GiB and gpu_free > 2 GiB`:      "false",
		`kv_needed > 2 GiB and gpu_free < 2 GiB`:      "unknown",
		`gpu_free < 2 GiB and kv_needed > 2 GiB`:      "unknown",
		`kv_needed > 2 GiB or gpu_free < 2 GiB`:       "true",
		`kv_needed > 2 GiB or gpu_free > 2 GiB`:       "unknown",
		`gpu_free + kv_needed > 0`:                    "unknown",
		`min(gpu_free, kv_needed) > 0`:                "unknown",
		`known(kv_needed)`:                            "false",
		`not known(kv_needed) and known(gpu_free)`:    "true",
		`default(kv_needed, gpu_free) == 1 GiB`:       "true",
		`default(kv_needed, kv_available) == 1 GiB`:   "unknown",
		`where(gpu_free > 2 GiB, gpu_free) == 1 GiB`:  "unknown",
		`where(gpu_free < 2 GiB, gpu_free) == 1 GiB`:  "true",
		`gpu_free / (gpu_free - gpu_free) > 0`:        "unknown",
		`windows`:                                     "true",
		`enforce_eager`:                               "false",
		`not enforce_eager`:                           "true",
		`enforce_eager == false`:                      "true",
		`enable_lora`:                                 "unknown",
		`not enable_lora`:                             "unknown",
		`not (known(enable_lora) and enable_lora)`:    "true",
		`true or kv_needed > 0`:                       "true",
		`not not enforce_eager`:                       "false",
		`enforce_eager or gpu_free > 0 and ready`:     "false",
		`(enforce_eager or gpu_free > 0) and ready`:   "false",
		`enforce_eager and ready or gpu_free > 0`:     "true",
		`model has "Qwen"`:                            "unknown",
		`quantization in ("awq", "gptq")`:             "unknown",
		`phase == serving or quantization == "fp8"`:   "unknown",
		`phase == profile or quantization == "fp8"`:   "true",
		`kv_needed in (1 GiB, 2 GiB) or gpu_free > 0`: "true",
		// Messages and frames.
		`message("torch-device-oom")`:                                              "true",
		`message("torch-device-*")`:                                                "true",
		`message("torch-device-oom-*")`:                                            "false",
		`message("free-memory-below-request", "kernel-*")`:                         "true",
		`first("torch-device-oom")`:                                                "true",
		`first("kernel-oom-kill")`:                                                 "false",
		`messages("torch-device-oom") == 3`:                                        "true",
		`messages("torch-device-oom", "kernel-oom-kill") == 4`:                     "true",
		`messages("free-memory-below-request") == 0`:                               "true",
		`frames has "determine_available_memory"`:                                  "true",
		`frames has "Worker.determine_available_memory"`:                           "true",
		`frames has "available_memory"`:                                            "false",
		`frames has any ("profile_run", "linear")`:                                 "true",
		`frames has "*_available_*"`:                                               "true",
		`frames has "*_unavailable_*"`:                                             "false",
		`innermost has "determine_available_memory"`:                               "true",
		`innermost has any ("linear", "nn/functional.py")`:                         "false",
		`same_file == 1`:                                                           "true",
		`frames has "gpu_worker.py"`:                                               "true",
		`frames has "worker.py"`:                                                   "false",
		`frames has "v1/worker/gpu_worker.py"`:                                     "true",
		`frames has "nn/functional.py"`:                                            "true",
		`text has "tried to allocate"`:                                             "true",
		`text has any ("HIP", "XPU")`:                                              "false",
		`dtype has "bfloat16"`:                                                     "true",
		`dtype == "torch.BFLOAT16"`:                                                "true",
		`dtype in ("half", "torch.bfloat16")`:                                      "true",
		`phase in (profile, warmup)`:                                               "true",
		`phase in (warmup, serving)`:                                               "false",
		`phase == "profile"`:                                                       "true",
		`phase != serving and engine == vllm and class == failure`:                 "true",
		`engine in (sglang, vllm) and not ready`:                                   "true",
		`origins >= 2 and repeats == 1`:                                            "true",
		"gpu_free > 0\n  and oom_requested > 0":                                    "true",
		`engine_version >= 0.9.1`:                                                  "true",
		`engine_version < 0.10`:                                                    "false",
		`engine_version == 0.10.2`:                                                 "true",
		`engine_version > 0.10.2rc1 and engine_version < 0.10.2.post1`:             "true",
		`engine_version in (0.10.1, 0.10.2)`:                                       "true",
		`torch_version < 2.1`:                                                      "unknown",
		`shortage == 2 GiB`:                                                        "true",
		`reserved_total == 55 GiB and cached == 5 GiB`:                             "true",
		`own_non_torch == 5 GiB and others == 19 GiB`:                              "true",
		`other_share > 20% and other_share < 25%`:                                  "true",
		`known(unaccounted) or known(headroom)`:                                    "false",
		`torch_reserved_unallocated >= oom_requested and cached_share > 0.05`:      "true",
		`kv_bytes_per_token * max_model_len > 0`:                                   "unknown",
		`budget == 72 GiB`:                                                         "true",
		`parallel_size == 1`:                                                       "true",
		`live_share * gpu_total == live`:                                           "true",
		`budget + outside_torch == 96 GiB`:                                         "true",
		`gpu_total - gpu_free - process_in_use > max(1 GiB, 10% * gpu_total)`:      "true",
		`known(phase) and known(shortage) and not known(quantization)`:             "true",
		`max_model_len * 2 > 65_535 and max_model_len / max_num_seqs == 128`:       "true",
		`message("torch-device-oom") and not message("free-memory-below-request")`: "true",
	} {
		p, err := parse(src)
		if err == nil {
			err = check(p, fact.Bool, messageIDs)
		}
		if err != nil && !strings.Contains(src, "torch-device-oom-*") {
			t.Errorf("%s: %v", src, err)
			continue
		}
		got := "unknown"
		if v := newScope(sample(), noPlanner{}).eval(p); v.known() {
			got = v.String()
		}
		if got != want {
			t.Errorf("%s is %s, want %s", src, got, want)
		}
	}
}

func TestBadConditions(t *testing.T) {
	for src, want := range map[string]string{
		``:                                      `column 1: an empty condition`,
		`  `:                                    `column 1: an empty condition`,
		`gpu_free >`:                            `column 11: the condition ends too early`,
		`gpu_free > 2 GiB xx`:                   `column 18: unexpected "xx"`,
		`gpu_free > 2 GB`:                       `column 14: unexpected "GB"`,
		`gpu_free = 2 GiB`:                      `column 10: unexpected "="`,
		`gpu_free > 2 GiB && ready`:             `column 18: unexpected "&"`,
		`text has "abc`:                         `column 10: the text is not closed`,
		`(ready`:                                `column 7: the condition ends too early`,
		`ready)`:                                `column 6: unexpected ")"`,
		`1 < origins < 3`:                       `column 13: unexpected "<"`,
		`phase in ()`:                           `column 11: unexpected ")"`,
		`frames has linear`:                     `column 12: unexpected "linear"`,
		`frames has any "a"`:                    `column 16: unexpected "\"a\""`,
		`gpu_fre > 2 GiB`:                       `column 1: unknown name "gpu_fre"; did you mean gpu_free?`,
		`blah`:                                  `column 1: unknown name "blah"`,
		`known(kv_neded)`:                       `column 1: unknown name "kv_neded"; did you mean kv_needed?`,
		`gpu_free > 2`:                          `column 10: 2 has no unit, gpu_free is in bytes`,
		`0.5 < gpu_free`:                        `column 5: 0.5 has no unit, gpu_free is in bytes`,
		`gpu_free > max_model_len`:              `column 10: gpu_free (bytes) and max_model_len (tokens) cannot be compared`,
		`max_model_len > 2 GiB`:                 `column 15: max_model_len (tokens) and 2 GiB (bytes) cannot be compared`,
		`max_model_len > 90%`:                   `column 15: max_model_len (tokens) and 90% (ratio) cannot be compared`,
		`kv_usage_percent_peak > 95%`:           `column 23: kv_usage_percent_peak (ratio) and 95% (ratio): percentages of this name go from 0 to 100`,
		`gpu_free + max_num_seqs > 0`:           `column 10: gpu_free (bytes) and max_num_seqs (count) do not add up`,
		`gpu_free * gpu_total > 1 GiB`:          `column 22: the result (a mixed unit) and 1 GiB (bytes) cannot be compared`,
		`gpu_free`:                              `column 1: gpu_free (bytes) is no condition`,
		`gpu_free and ready`:                    `column 14: gpu_free (bytes) is no condition`,
		`not gpu_free`:                          `column 1: gpu_free (bytes) is no condition`,
		`ready + 1 > 0`:                         `column 7: ready (bool) is no number`,
		`ready > true`:                          `column 7: ready (bool) has no order; compare it with == or !=`,
		`dtype < "z"`:                           `column 7: dtype (text) has no order; compare it with == or !=`,
		`dtype == 2`:                            `column 7: dtype (text) and 2 (a plain number) cannot be compared`,
		`dtype == bfloat16`:                     `column 10: unknown name "bfloat16"`,
		`dtype == profile`:                      `column 7: unknown name "profile"`,
		`phase == profil`:                       `column 10: unknown name "profil"; did you mean profile?`,
		`phase == vllm`:                         `column 7: phase is never "vllm"`,
		`phase in (profile, vllm)`:              `column 7: phase is never "vllm"`,
		`phase == "profiling"`:                  `column 7: phase is never "profiling"; did you mean profile?`,
		`engine == gpu_free`:                    `column 8: engine (text) and gpu_free (bytes) cannot be compared`,
		`engine_version > 2 GiB`:                `column 16: engine_version (version) and 2 GiB (bytes) cannot be compared`,
		`engine_version == "new"`:               `column 16: engine_version (version) and "new" (text) cannot be compared`,
		`engine_version < 0.9.1xyz`:             `column 18: 0.9.1xyz is no version`,
		`gpu_free < 0.9.1`:                      `column 10: gpu_free (bytes) and 0.9.1 (version) cannot be compared`,
		`message()`:                             `column 1: the id of a message is missing`,
		`message(ready)`:                        `column 1: ready (bool) is no message id in quotes`,
		`message("free-memory-below-requst")`:   `column 1: unknown message "free-memory-below-requst"; did you mean free-memory-below-request?`,
		`message("mps-*")`:                      `column 1: unknown message "mps-*"`,
		`first("a")`:                            `column 1: unknown message "a"`,
		`messages("kernel-oom-kill")`:           `column 1: messages() (count) is no condition`,
		`messages("kernel-oom-kill") > 1 GiB`:   `column 29: messages() (count) and 1 GiB (bytes) cannot be compared`,
		`gpu_free has "x"`:                      `column 1: gpu_free (bytes) has no parts; "has" is for frames, text and facts that are text`,
		`frame has "x"`:                         `column 1: unknown name "frame"; did you mean frames?`,
		`gpu_free + 1 GiB has "x"`:              `column 18: before "has" stands frames, text or the name of a fact`,
		`frames == "x"`:                         `column 1: unknown name "frames"`,
		`foo(1) > 2`:                            `column 1: unknown function "foo"`,
		`mesage("kernel-oom-kill")`:             `column 1: unknown function "mesage"; did you mean message?`,
		`min(gpu_free) > 0`:                     `column 1: wrong number of arguments: min(a, b, …)`,
		`min(gpu_free, 2) > 0`:                  `column 1: gpu_free (bytes) and 2 (a plain number) in min()`,
		`abs(ready) > 0`:                        `column 1: ready (bool) is no number`,
		`where(gpu_free, 1) > 0`:                `column 1: gpu_free (bytes) is no condition`,
		`known(gpu_free + 1 GiB)`:               `column 1: known takes the name of one fact`,
		`fit(max_model_len) > 4096`:             `column 1: fit() belongs in the value of a setting, not in a condition`,
		strings.Repeat("(", 40) + "ready":       `column 33: nested more than 32 deep`,
		"ready or " + strings.Repeat(" ", 8200): `column 1: longer than 8192 bytes`,
	} {
		p, err := parse(src)
		if err == nil {
			err = check(p, fact.Bool, messageIDs)
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s\n gives %v\n want  %s", src, err, want)
		}
	}
}

func TestSettingTypes(t *testing.T) {
	for _, tt := range []struct {
		kind      fact.Kind
		src, want string
	}{
		{fact.Tokens, `fit(max_model_len)`, ""},
		{fact.Tokens, `floor_to(0.9 * kv_cache_tokens, 16)`, ""},
		{fact.Count, `default(fit(max_num_seqs), half(max_num_seqs))`, ""},
		{fact.Bool, `true`, ""},
		{fact.Text, `"fp8"`, ""},
		{fact.Text, `1`, ""},
		{fact.Bytes, `4 GiB`, ""},
		{fact.Ratio, `floor_to(startup_free / startup_total, 0.01)`, ""},
		{fact.Bytes, `4`, "column 1: 4 (a plain number) where bytes is wanted"},
		{fact.Tokens, `gpu_free`, "column 1: gpu_free (bytes) where tokens is wanted"},
		{fact.Ratio, `fit(max_model_len)`, "column 1: max_model_len (tokens) where ratio is wanted"},
		{fact.Count, `fit(dtype)`, "column 1: fit() finds numbers; dtype (text) is none"},
		{fact.Bool, `1`, "column 1: 1 (a plain number) is no condition"},
	} {
		p, err := parse(tt.src)
		if err == nil {
			err = check(p, tt.kind, nil)
		}
		if got := errorText(err); got != tt.want {
			t.Errorf("%s as %s: %q, want %q", tt.src, tt.kind, got, tt.want)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestCompareVersions(t *testing.T) {
	ascending := []string{
		"0.2.7", "0.6.3.dev2", "0.6.3a1", "0.6.3b1", "0.6.3rc1.dev4+gabcdef", "0.6.3rc1", "0.6.3rc2", "0.6.3", "0.6.3.post1.dev3",
		"0.6.3.post1", "0.6.4", "0.9.1", "0.10.0", "0.10.2", "0.29.1rc1.dev4+gabc", "0.29.1", "1.0", "2.4.1+cu121",
	}
	for i, a := range ascending {
		for j, b := range ascending {
			got, ok := compareVersions(a, b)
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if !ok || got != want {
				t.Errorf("%s against %s: %d %v, want %d", a, b, got, ok, want)
			}
		}
	}
	for _, same := range [][2]string{{"0.9", "0.9.0"}, {"v0.9.1", "0.9.1"}, {"2.4.1+cu121", "2.4.1"}, {"1.0-rc1", "1.0rc1"}} {
		if got, ok := compareVersions(same[0], same[1]); !ok || got != 0 {
			t.Errorf("%s and %s: %d %v, want equal", same[0], same[1], got, ok)
		}
	}
	for _, bad := range []string{"", "dev", "abc", "0.x", "0.1.dev1+g0123456", "1.2.3.4x", "..", "99999999999999999999"} {
		if validVersion(bad) {
			t.Errorf("%q is taken for a version", bad)
		}
	}
}

// TestDerived proves that every figure's formula is well typed and needs no figure that needs it.
func TestDerived(t *testing.T) {
	for _, d := range Derived {
		p, err := parse(d.Formula)
		if err == nil {
			err = check(p, d.Kind, nil)
		}
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
			continue
		}
		if _, taken := fact.Lookup(d.Name); taken {
			t.Errorf("%s is a fact as well", d.Name)
		}
		if reaches(p, d.Name, 0) {
			t.Errorf("%s needs itself", d.Name)
		}
	}
}

func reaches(p program, name string, depth int) bool {
	for _, o := range p {
		if o.Code != cName {
			continue
		}
		if o.Str == name || depth > len(Derived) {
			return true
		}
		if d := lookupDerived(o.Str); d != nil {
			if q, err := parse(d.Formula); err == nil && reaches(q, name, depth+1) {
				return true
			}
		}
	}
	return false
}

func FuzzCondition(f *testing.F) {
	for _, s := range []string{
		`gpu_free > 2 GiB and not message("a-*")`, `phase in (profile, warmup)`, `frames has any ("a", "b.py")`,
		`floor_to(0.9 * kv_cache_tokens, 16)`, `engine_version < 0.9.1rc1`, `where(ready, min(1, 2))`, `((((`, `not not not`, "\"\xff",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p, err := parse(src)
		if err != nil {
			if e, ok := err.(*Error); !ok || e.Offset < 0 || e.Offset > len(src) {
				t.Fatalf("%q: error %v is off the source", src, err)
			}
			return
		}
		checked := check(p, fact.Bool, nil)
		v := newScope(sample(), noPlanner{}).eval(p) // whatever the types
		if checked == nil && v.known() && v.Kind != fact.Bool {
			t.Fatalf("%q is well typed and gives %v", src, v)
		}
		if checked == nil {
			neverHolds(p)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	grammar()
	for b.Loop() {
		parse(`phase in (profile, warmup) or frames has any ("profile_run", "gpu_worker.py")`)
	}
}

func BenchmarkEval(b *testing.B) {
	p, _ := parse(`gpu_free > 2 GiB and not message("torch-device-oom-*") or other_share > 10%`)
	s := newScope(sample(), noPlanner{})
	for b.Loop() {
		s.eval(p)
	}
}
