package rules

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/internal/shell"
	"github.com/oomdoc/oomdoc/knowledge"
)

// command returns the log's own command line with the remedy applied: flags replaced or appended,
// environment variables set in front; where the log shows only the arguments, the command that says them, and for a
// program of Python its call. It is empty where the log shows none of them, the remedy has no
// flag, or a value is not known. Every word is quoted anew: nothing of the log is shell.
func (s *scope) command(a knowledge.Apply, settings map[string]value) string {
	shown := s.name("command")
	if !shown.known() {
		shown = s.name("arguments")
	}
	if call := s.name("constructor"); !shown.known() && call.known() {
		return s.call(call.Text, a, settings)
	}
	if !shown.known() || !isFlags(a.CLI) && (a.CLI != "" || a.Env == "") || !complete(a.CLI+a.Env, settings) {
		return ""
	}
	words := shell.Split(shown.Text)
	if len(words) == 0 || slices.ContainsFunc(words, unprintable) {
		return ""
	}
	if a.CLI != "" {
		flags, _ := s.expand(a.CLI, settings)
		words = withFlags(words, shell.Split(flags))
	} else {
		assignments, _ := s.expand(a.Env, settings)
		words = withVariables(words, shell.Split(assignments))
	}
	quoted := make([]string, len(words))
	leading := true
	for i, w := range words {
		leading = leading && isAssignment(w)
		if name, val, _ := strings.Cut(w, "="); leading {
			quoted[i] = name + "=" + shell.Quote(val)
		} else {
			quoted[i] = shell.Quote(w)
		}
	}
	return strings.Join(quoted, " ")
}

// shortFlags are the one-dash spellings of vLLM's flags.
var shortFlags = map[string]string{
	"-tp": "--tensor-parallel-size", "-pp": "--pipeline-parallel-size",
	"-dp": "--data-parallel-size", "-q": "--quantization",
}

// flagName is what two spellings of a flag have in common: --max_model_len=8192 is --max-model-len.
// It is empty for a word that is no flag.
func flagName(word string) string {
	name, _, _ := strings.Cut(word, "=")
	if long, ok := shortFlags[name]; ok {
		return long
	}
	if !strings.HasPrefix(name, "--") || len(name) == 2 {
		return ""
	}
	return strings.ReplaceAll(name, "_", "-")
}

// WithFlags returns the words of a command with flags, as a Spelling has them, in place of those of the same name.
func WithFlags(words []string, flags string) []string { return withFlags(words, shell.Split(flags)) }

// withFlags returns the words with the flags in place of those of the same name, at the end where
// there are none.
func withFlags(words, flags []string) []string {
	out := slices.Clone(words)
	for i := 0; i < len(flags); {
		end := i + 1
		for end < len(flags) && flagName(flags[end]) == "" {
			end++
		}
		out = withFlag(out, flags[i:end])
		i = end
	}
	return out
}

// withFlag puts one flag and its values into the words. Further occurrences go, the last one would
// win; --no-x goes where --x comes.
func withFlag(words, flag []string) []string {
	name := flagName(flag[0])
	if name == "" {
		return append(words, flag...)
	}
	opposite := "--no-" + strings.TrimPrefix(name, "--")
	if rest, ok := strings.CutPrefix(name, "--no-"); ok {
		opposite = "--" + rest
	}
	out := make([]string, 0, len(words)+len(flag))
	placed := false
	for i := 0; i < len(words); i++ {
		switch flagName(words[i]) {
		case name:
			if !placed {
				out, placed = append(out, flag...), true
			}
		case opposite:
		default:
			out = append(out, words[i])
			continue
		}
		if !strings.Contains(words[i], "=") && len(flag) > 1 && i+1 < len(words) && !strings.HasPrefix(words[i+1], "-") {
			i++ // its value
		}
	}
	if !placed {
		out = append(out, flag...)
	}
	return out
}

// withVariables returns the words with the assignments in front, in place of those of the same name.
func withVariables(words, assignments []string) []string {
	out := slices.Clone(assignments)
	for i, w := range words {
		if !isAssignment(w) {
			return append(out, words[i:]...)
		}
		name, _, _ := strings.Cut(w, "=")
		if !slices.ContainsFunc(assignments, func(a string) bool { return strings.HasPrefix(a, name+"=") }) {
			out = append(out, w)
		}
	}
	return out
}

func isAssignment(w string) bool {
	name, _, ok := strings.Cut(w, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789abcdefghijklmnopqrstuvwxyz") == ""
}
