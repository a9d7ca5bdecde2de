// Package engine says what each era of an inference engine does with a card's memory: what its
// start-up check compares, what its budget counts, whether CUDA graphs are taken off the pool, its
// defaults by card and entry point, its flags. The data stand in the YAML files beside this one, each
// line with its source; gen turns them into Go.
package engine

//go:generate go run ./gen

// Sheet is all that is known of an engine.
type Sheet struct {
	Engine  string
	Eras    []string // releases that stand for an era each, oldest first
	Undated string   // the release that a build without one counts as, where its log shows nothing
	Dates   []Date
	Rules   map[string][]Rule

	KVTypes            []Type `yaml:"kv_types"`
	OnlineQuantization []Type `yaml:"online_quantization"`

	FlagsSource string `yaml:"flags_source"`
	Flags       []Flag
}

// Date dates a build without a release by a fact that its log states.
type Date struct {
	Fact   string
	Since  string // the first release that prints it
	Source string
}

// Rule is what holds under conditions; the first of a list whose conditions hold decides. What a
// condition asks about and nobody knows does not hold it back, except for CardGiB, Entry and Chunked.
type Rule struct {
	Since, Until string  // releases, inclusive; "" is no bound
	Generation   string  // v0, v1
	Runner       string  // V1, V2: the model runner
	Entry        string  // llm: the Python class; the server otherwise
	CardGiB      float64 `yaml:"card_gib"` // for cards from this size on, GiB
	Not          string  // not for a card of this name
	Chunked      string  // "on": with chunked prefill
	Is           string  // a word, or a number in base units
	Means        string  // the arithmetic, or one sentence
	Source       string
}

// Type is a data type that an engine stores the KV cache or the weights in.
type Type struct {
	Name         string
	Bits         float64 // an element, scales included where they are stored beside it
	Since, Until string
	Capability   float64 // least compute capability × 10; 0 is not bounded
	Source       string
}

// Flag is an argument of the command line, or an environment variable.
type Flag struct {
	Name         string
	Setting      string // the fact that it sets, "" where no fact is
	Since, Until string
}

// Get returns the sheet of an engine, nil for one of which nothing is known.
func Get(name string) *Sheet {
	for _, s := range sheets {
		if s.Engine == name {
			return s
		}
	}
	return nil
}

// Names lists the engines.
func Names() []string {
	var out []string
	for _, s := range sheets {
		out = append(out, s.Engine)
	}
	return out
}

// Has reports whether a release has a flag or variable. Known is false for an engine whose flags are
// not listed. A boolean flag's --no- form counts as the flag.
func (s *Sheet) Has(flag, release string) (has, known bool) {
	if s == nil || len(s.Flags) == 0 {
		return false, false
	}
	r, ok := ParseRelease(release)
	for _, f := range s.Flags {
		if f.Name == flag || "--no-"+f.Name[min(2, len(f.Name)):] == flag {
			return ok && r.Within(f.Since, f.Until), true
		}
	}
	return false, true
}

// FlagFor returns the flag of a setting in a release, "" where it has none.
func (s *Sheet) FlagFor(setting, release string) string {
	if s == nil {
		return ""
	}
	r, ok := ParseRelease(release)
	for _, f := range s.Flags {
		if f.Setting == setting && (!ok && f.Until == "" || ok && r.Within(f.Since, f.Until)) {
			return f.Name
		}
	}
	return ""
}

// KVBits is the width of an element of the KV cache by the name of its data type; ok is false for a
// name that no release has.
func (s *Sheet) KVBits(name string) (bits float64, ok bool) {
	for _, t := range s.KVTypes {
		if t.Name == name {
			return t.Bits, true
		}
	}
	return 0, false
}
