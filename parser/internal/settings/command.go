package settings

import (
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/internal/shell"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

var (
	imageTag = lazy.Regexp(`(?:^|/)(?:vllm-openai|vllm|sglang|text-generation-inference)(?:-\w+)?:(\S+)$`)
	// What can be a model: a path, a hub's owner/name, or a name no prose would hold.
	modelWord = lazy.Regexp(`^[\w.~/@][\w./:@=+~-]*$`)
	notProse  = lazy.Regexp(`[/\d.A-Z_-]`)
)

// command takes the settings out of a command line or an argument list, and the command itself where
// it starts an engine.
func (s *settingFacts) command(d *Dialect, cmd string) {
	list := argWords(cmd)
	if !d.free && !onlyFlags(list) {
		return // a line of help, or advice
	}
	if d.free && d.family == vllm && heuristic.On(heuristic.Prose) {
		if n := proseAfter(list); n < len(list) && !listed().MatchString(cmd) {
			list, cmd = list[:n], shell.First(cmd, n)
		}
	}
	if d.Literal[0] != '-' && d.family != training {
		if model := servedModel(strings.Join(afterServe(list), " ")); model != "" {
			s.give("model_tag", model)
			s.give("model_path", model)
		}
	}
	for i, w := range list {
		if m := imageTag().FindStringSubmatch(w); m != nil {
			s.version(m[1])
			s.environment(list[:i])
			list = list[i+1:]
			break
		}
	}
	scanWords(list, func(key, value string) {
		if d.family == harness && key == "model_args" {
			scanPairs(value, true, s.give)
			return
		}
		if d.family == harness && key == "model" {
			return // the backend's name
		}
		s.give(key, value)
	})
	if d.free && d.family == vllm {
		if line := commandLine(cmd); line != "" {
			s.facts["command"] = fact.Fact{Value: fact.Value{Kind: fact.Text, Text: line}}
		}
	}
}

// several are vLLM's flags that take more than one value.
var several = map[string]bool{
	"--lora-modules": true, "--served-model-name": true, "--middleware": true, "--cudagraph-capture-sizes": true, "--cuda-graph-sizes": true,
	"--prompt-adapters": true, "--compile-sizes": true, "--cudagraph-capture-sizes-list": true, "--api-key": true, "--allowed-origins": true,
	"--logits-processors": true, "--limit-mm-per-prompt": true, "--chat-template-kwargs": true,
}

// proseAfter returns how many words are a command's, whose sentence may go on behind it: one word belongs to each
// flag, and none to a switch.
func proseAfter(list []string) int {
	for i := 2; i < len(list); i++ {
		w, before := list[i], list[i-1]
		if isFlag(w) || i+1 < len(list) && before == "serve" || !slices.ContainsFunc(list[:i], isFlag) || strings.ContainsAny(w, "=:{[/") {
			continue
		}
		value := isFlag(before) && !strings.Contains(before, "=")
		if value && isSwitch(before) && w != "true" && w != "false" && w != "True" && w != "False" {
			return i
		}
		if !value && !takesSeveral(list[:i]) {
			return i
		}
	}
	return len(list)
}

// takesSeveral reports whether the last flag of a list takes several values.
func takesSeveral(list []string) bool {
	for i := len(list) - 1; i >= 0; i-- {
		if isFlag(list[i]) {
			return several[strings.ReplaceAll(list[i], "_", "-")]
		}
	}
	return false
}

// isSwitch reports whether a flag of vLLM's stands alone.
func isSwitch(flag string) bool {
	flag = strings.ReplaceAll(flag, "_", "-")
	if strings.HasPrefix(flag, "--enable-") || strings.HasPrefix(flag, "--disable-") || strings.HasPrefix(flag, "--no-") {
		return true
	}
	return flag == "--enforce-eager" || flag == "--trust-remote-code" || flag == "--language-model-only" || flag == "--calculate-kv-scales"
}

// onlyFlags reports whether words are flags and their values and nothing else.
func onlyFlags(list []string) bool {
	for i, w := range list {
		if !isFlag(w) && (i == 0 || !isFlag(list[i-1]) && !plainNumber().MatchString(w)) {
			return false
		}
	}
	return true
}

// environment takes the variables out of the options of docker run.
func (s *settingFacts) environment(options []string) {
	for _, w := range options {
		if name, value, ok := strings.Cut(strings.TrimPrefix(w, "--env="), "="); ok {
			s.give(name, value)
		}
	}
}

// afterServe returns the words after the subcommand serve.
func afterServe(list []string) []string {
	for i, w := range list {
		if w == "serve" {
			return list[i+1:]
		}
	}
	return nil
}

// servedModel returns the model named by the text that follows "vllm serve", "" where it is a flag,
// a placeholder or prose.
func servedModel(after string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	word = strings.Trim(word, "'\"")
	if isFlag(word) || !modelWord().MatchString(word) || !notProse().MatchString(word) {
		return ""
	}
	return word
}

// cutCommand cuts a text where its first command ends: at a line that is not continued, a shell
// operator, a comment, the punctuation of a sentence in Chinese or Japanese, or the quote mark in which the
// command stands.
func cutCommand(text string) string {
	text = text[:min(len(text), maxConfigText)]
	var quote byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			if strings.HasPrefix(text[i+1:], "\r\n") {
				i++
			}
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			if !strings.Contains(text[i+1:], string(c)) || i > 0 && strings.IndexByte(" \t\n=,[(", text[i-1]) < 0 {
				return text[:i] // closes what was opened before the text
			}
			quote = c
		case c == '`' || c == ';' || c == '|' || c == '>' || c == '&' || c == '#' && i > 0 && text[i-1] == ' ':
			return strings.TrimRight(strings.TrimSuffix(text[:i], " 2"), " \t")
		case c == '\n':
			if !goesOn(text[:i], text[i+1:]) {
				return text[:i]
			}
		case c >= 0x80 && stopsSentence(text[i:]):
			return text[:i]
		}
	}
	return text
}

// stopsSentence reports whether a text begins with a punctuation mark of Chinese or Japanese: the sentence in
// which a command stands has no blank in front of it.
func stopsSentence(s string) bool {
	for _, mark := range []string{"，", "。", "、", "；", "：", "（", "）", "」"} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// goesOn reports whether an argument list continues on the next line.
func goesOn(line, next string) bool {
	line = strings.TrimRight(line[lineStart(line):], " \t\r")
	next = strings.TrimLeft(next, " \t>")
	return strings.HasSuffix(line, `\`) || strings.HasSuffix(line, ",") || strings.HasSuffix(line, "[") ||
		strings.HasPrefix(next, "-") || strings.HasSuffix(line, "command:") || strings.HasSuffix(line, "args:") ||
		strings.HasPrefix(strings.TrimLeft(line, " \t"), "- --") && strings.HasPrefix(next, "- ")
}

// commandLine returns a command on one line, its words as they are written.
func commandLine(cmd string) string {
	if listed().MatchString(cmd) {
		list := listWords(cmd)
		for i, w := range list {
			if strings.ContainsAny(w, " \t\n{}$&|;<>()*?'\"\\") || w == "" {
				list[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
			}
		}
		return strings.Join(list, " ")
	}
	cmd = continuation().ReplaceAllString(cmd, " ")
	return strings.Join(strings.FieldsFunc(cmd, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }), " ")
}
