package rules

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/internal/shell"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
)

// spelling returns how a remedy is applied for the engine and version at hand: for each entry
// point the first spelling that fits. Where the log states no version, the least bounded come first.
// It is not ok where the version has none, or where there is none and no words for it either.
//
// trusted is false where the log states no version and the only spelling is bound to some.
func (s *scope) spelling(r *knowledge.Remedy) (out knowledge.Apply, trusted, ok bool) {
	ok = r.Say != (knowledge.Text{}) && (s.spelled(r) || s.incident.Engine == "")
	fitting := make([]*knowledge.Apply, 0, len(r.Apply))
	loose := map[*knowledge.Apply]int{} // how much is to be taken on trust
	for i := range r.Apply {
		a := &r.Apply[i]
		if !spelledFor(a.Engine, s.engine) || !s.holds(a.If) {
			continue
		}
		if release := s.release(a); release == "" && a.Until != "" && a.Engine == "vllm" {
			continue // what was removed is not for a release that nobody knows
		} else if release == "" {
			loose[a] = index(a.Since != "") + 2*index(a.Until != "")
		} else if !within(release, a.Since, a.Until) {
			ok = false
			continue
		}
		if a.Call != "" {
			line, in := ownCall(s.incident.Frames, a.Call)
			if in {
				return out, false, false // the line has the keywords already
			}
			if line == "" {
				continue
			}
			a = &knowledge.Apply{Engine: a.Engine, Call: line}
		}
		fitting = append(fitting, a)
	}
	slices.SortStableFunc(fitting, func(a, b *knowledge.Apply) int { return cmp.Compare(loose[a], loose[b]) })
	for _, a := range fitting {
		fillIn(&out, a)
	}
	trusted = len(fitting) != 1 || loose[fitting[0]] == 0
	return out, trusted, ok || len(fitting) > 0
}

// title names a remedy by what the engine at hand calls the setting that it changes.
func (s *scope) title(r *knowledge.Remedy) knowledge.Text {
	if s.engine == "vllm" || len(r.Settings) == 0 {
		return r.Title
	}
	a, _, _ := s.spelling(r)
	flag, _, _ := strings.Cut(a.CLI, " ")
	name, ok := strings.CutPrefix(flag, "--")
	if name, _, _ = strings.Cut(name, "="); !ok || name == "" {
		return r.Title
	}
	own := strings.NewReplacer(r.Settings[0], strings.ReplaceAll(name, "-", "_"))
	return knowledge.Text{En: own.Replace(r.Title.En), Zh: own.Replace(r.Title.Zh)}
}

// release is the version that a spelling's bounds are about, "" where the log states none.
func (s *scope) release(a *knowledge.Apply) string {
	name := "engine_version"
	if a.Engine == "pytorch" || s.engine == "pytorch" || s.engine == "" {
		name = "torch_version"
	}
	if v := s.name(name).Text; validVersion(v) {
		return v
	}
	if name == "engine_version" {
		return s.planner.Release(s.incident)
	}
	return ""
}

// fillIn gives out the texts of a for the entry points that it has none for.
func fillIn(out, a *knowledge.Apply) {
	out.CLI = cmp.Or(out.CLI, a.CLI)
	out.Python = cmp.Or(out.Python, a.Python)
	out.Call = cmp.Or(out.Call, a.Call)
	out.Code = cmp.Or(out.Code, a.Code)
	out.Trainer = cmp.Or(out.Trainer, a.Trainer)
	out.Env = cmp.Or(out.Env, a.Env)
	out.Shell = cmp.Or(out.Shell, a.Shell)
	out.Docker = cmp.Or(out.Docker, a.Docker)
	out.K8s = cmp.Or(out.K8s, a.K8s)
}

// spelledFor reports whether a spelling holds for an engine. What is the host's holds for all, what is
// PyTorch's own, such as an environment variable, for every engine that is built on it.
func spelledFor(want, engine string) bool {
	return want == "host" || engineFits(want, engine) ||
		want == "pytorch" && engine != "llamacpp" && engine != "jax" && engine != "trtllm"
}

// within reports whether since <= release <= until, where an empty bound is none. A bound holds for
// the builds of its release too: 0.9.1.post1 is until 0.9.1.
func within(release, since, until string) bool {
	if c, ok := compareVersions(release, since); ok && c < 0 {
		return false
	}
	if c, ok := compareVersions(release, until); ok && c > 0 && !strings.HasPrefix(release, until+".post") {
		return false
	}
	return true
}

// entries are the entry points, in the order in which they are shown when the log shows none.
var entries = []string{"cli", "python", "env", "compose", "k8s", "docker", "code", "trainer", "shell"}

// spell writes a remedy for each entry point, that of the log first.
func (s *scope) spell(a knowledge.Apply, settings map[string]value) []Spelling {
	texts := map[string]string{
		"cli": a.CLI, "python": a.Python, "k8s": a.K8s, "docker": a.Docker,
		"code": a.Code, "trainer": a.Trainer, "env": a.Env, "shell": a.Shell,
	}
	open := map[string]bool{}
	for entry, text := range texts {
		texts[entry], open[entry] = s.expand(text, settings)
	}
	if a.Call != "" { // the log's words: nothing in them is a name of ours
		texts["code"], open["code"] = a.Call, false
	}
	if isFlags(texts["cli"]) {
		list := yamlList(shell.Split(texts["cli"]))
		texts["compose"], open["compose"] = "command: "+list, open["cli"]
		if texts["k8s"] == "" {
			texts["k8s"], open["k8s"] = "args: "+list, open["cli"]
		}
	}
	var out []Spelling
	for _, entry := range s.entryOrder() {
		if texts[entry] != "" {
			out = append(out, Spelling{entry, texts[entry], open[entry]})
		}
	}
	return out
}

// isFlags reports whether a spelling of a command line is flags, not words about them.
func isFlags(cli string) bool { return strings.HasPrefix(cli, "-") }

// entryOrder lists the entry points, the one that the log shows first.
func (s *scope) entryOrder() []string {
	first := ""
	switch {
	case s.engine == "pytorch" || s.engine == "":
		first = "code"
		if frameFile(s.incident, "transformers/trainer.py") {
			first = "trainer"
		}
	case s.name("command").known():
		first = "cli"
	case s.name("arguments").known():
		first = "cli"
	case s.name("constructor").known(), frameFile(s.incident, "entrypoints/llm.py"):
		first = "python"
	}
	out := make([]string, 0, len(entries)+1)
	if first != "" {
		out = append(out, first)
	}
	for _, e := range entries {
		if e != first {
			out = append(out, e)
		}
	}
	return out
}

func frameFile(inc *parser.Incident, end string) bool {
	for _, f := range inc.Frames {
		if frameIs(f, end) {
			return true
		}
	}
	return false
}

// yamlList writes words as a YAML flow list of double-quoted strings.
func yamlList(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// placeholder stands where a value cannot be computed.
const placeholder = "N"

// expand fills {setting} in a spelling with the value it gets, N where it gets none; open tells of the latter.
func (s *scope) expand(text string, settings map[string]value) (out string, open bool) {
	out = replaceNames(text, func(name, unit string) (string, bool) {
		if v, ok := settings[name]; ok {
			return plain(v.Value, unit), true
		}
		if _, ok := fact.Lookup(name); !ok { // a fact is what is now, not what is to be set
			if v := s.name(name); v.known() {
				return plain(v.Value, unit), true
			}
		}
		_, known := lookupName(name)
		open = open || known
		return placeholder, known
	})
	return out, open
}

// plain prints a value as a flag takes it: digits without separators.
func plain(v fact.Value, unit string) string {
	switch {
	case v.Kind == fact.Bool:
		return strconv.FormatBool(v.Num != 0)
	case !v.Kind.Numeric():
		return v.Text
	case inUnit[unit] != 0:
		return formatDecimals(v.Num/inUnit[unit], 2)
	case v.Num == math.Trunc(v.Num):
		return strconv.FormatFloat(v.Num, 'f', 0, 64)
	}
	return strconv.FormatFloat(v.Num, 'g', 10, 64) // 0.1 + 0.2 is 0.3
}

// complete reports whether every {setting} of a spelling gets a value.
func complete(text string, settings map[string]value) bool {
	all := true
	replaceNames(text, func(name, _ string) (string, bool) {
		_, known := lookupName(name)
		_, set := settings[name]
		_, isFact := fact.Lookup(name)
		all = all && (set || !known || !isFact)
		return "", false
	})
	return all
}
