package engine

import "testing"

// TestEveryRuleHasASource: and lists are ordered so that none of their rules is out of reach.
func TestEveryRuleHasASource(t *testing.T) {
	for _, s := range sheets {
		for list, rules := range s.Rules {
			for i, r := range rules {
				if r.Source == "" || r.Is == "" {
					t.Errorf("%s %s: rule %d lacks its source or what it says", s.Engine, list, i)
				}
				open := r.Generation+r.Runner+r.Entry+r.Not+r.Chunked+r.Since == "" && r.CardGiB == 0
				if open && r.Until == "" && i < len(rules)-1 {
					t.Errorf("%s %s: nothing after rule %d is ever read", s.Engine, list, i)
				}
			}
		}
		for _, types := range [][]Type{s.KVTypes, s.OnlineQuantization} {
			for _, k := range types {
				if k.Source == "" || k.Bits <= 0 {
					t.Errorf("%s %s: no source, or no width", s.Engine, k.Name)
				}
			}
		}
		if len(s.Flags) > 0 && s.FlagsSource == "" {
			t.Errorf("%s: flags without a source", s.Engine)
		}
	}
}

// TestEveryEraAnswers: in each era of vLLM every list says something, for both generations and runners.
func TestEveryEraAnswers(t *testing.T) {
	s := Get("vllm")
	for _, era := range s.Eras {
		r, ok := ParseRelease(era)
		if !ok {
			t.Fatalf("%q is no release", era)
		}
		for list := range s.Rules {
			for _, runner := range []string{"V1", "V2"} {
				p := Profile{Sheet: s, Release: r, Runner: runner}
				p.Generation = p.Is("generation")
				if p.Is(list) == "" {
					t.Errorf("%s: nothing is known of %s", era, list)
				}
			}
		}
	}
}

func TestDefaults(t *testing.T) {
	for _, c := range []struct {
		release, list string
		card          float64
		name, entry   string
		want          string
	}{
		{"0.6.3", "default.max_num_seqs", 79, "", "server", "256"},
		{"0.8.2", "default.max_num_seqs", 23, "", "server", "1024"},
		{"0.11.0", "default.max_num_seqs", 79.2, "", "server", "1024"},
		{"0.11.0", "default.max_num_seqs", 79.2, "A100", "server", "256"},
		{"0.11.0", "default.max_num_seqs", 44, "", "server", "256"},
		{"0.11.0", "default.max_num_batched_tokens", 79.2, "", "server", "8192"},
		{"0.11.0", "default.max_num_batched_tokens", 79.2, "", "llm", "16384"},
		{"0.11.0", "default.max_num_batched_tokens", 23, "", "llm", "8192"},
		{"0.11.0", "default.max_num_batched_tokens", 23, "", "server", "2048"},
		{"0.27.0", "default.max_num_batched_tokens", 178, "", "server", "8192"},
		{"0.28.0", "default.max_num_batched_tokens", 178, "", "server", "16384"},
		{"0.19.1", "default.gpu_memory_utilization", 79, "", "server", "0.90"},
		{"0.20.0", "default.gpu_memory_utilization", 79, "", "server", "0.92"},
	} {
		r, _ := ParseRelease(c.release)
		p := Profile{Sheet: Get("vllm"), Release: r, CardGiB: c.card, Card: c.name, Entry: c.entry, Runner: "V1"}
		p.Generation = p.Is("generation")
		if got := p.Is(c.list); got != c.want {
			t.Errorf("%s on %v GiB %s, %s: %s = %s, want %s", c.release, c.card, c.name, c.entry, c.list, got, c.want)
		}
	}
}

func TestHas(t *testing.T) {
	s := Get("vllm")
	for _, c := range []struct {
		flag, release string
		want          bool
	}{
		{"--kv-cache-memory-bytes", "0.10.1", false}, {"--kv-cache-memory-bytes", "0.10.2", true},
		{"--swap-space", "0.17.1", true}, {"--swap-space", "0.18.0", false},
		{"--no-enable-prefix-caching", "0.11.0", true}, {"VLLM_ATTENTION_BACKEND", "0.17.1", false},
		{"--speculative-config", "0.8.1", false}, {"--speculative-model", "0.4.0", false},
	} {
		if has, known := s.Has(c.flag, c.release); !known || has != c.want {
			t.Errorf("%s in %s: %v, %v", c.flag, c.release, has, known)
		}
	}
}

func TestParseRelease(t *testing.T) {
	for _, c := range []struct {
		text string
		want Release
		ok   bool
	}{
		{"0.6.3.post1", Release{0, 6, 3, 1}, true}, {"v0.9.1", Release{0, 9, 1, 0}, true}, {"0.20.0rc1.dev3+gabc", Release{0, 20, 0, 0}, true},
		{"0.1.dev4000+g1234567", Release{}, false}, {"", Release{}, false}, {"main", Release{}, false}, {"0.1.3", Release{0, 1, 3, 0}, true},
	} {
		if got, ok := ParseRelease(c.text); ok != c.ok || ok && got != c.want {
			t.Errorf("%s: %v %v", c.text, got, ok)
		}
	}
	r, _ := ParseRelease("0.6.4.post1")
	if !r.Within("0.6.4", "0.6.4") || r.Within("0.6.5", "") {
		t.Error("a post-release belongs to its release")
	}
}
