package settings

import (
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/internal/shell"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// form is how a configuration is written down.
type form uint8

const (
	pairs    form = iota // key=value, … to the end of the line, as vLLM prints its engine's configuration
	object               // {'key': value} or Name(key=value), printed by a program
	call                 // Name(key=value), as it stands in a program: values may be expressions
	words                // a command line or a list of arguments
	lone                 // one key and its value
	logo                 // a word of vLLM's start-up logo
	image                // the name of a container image
	variable             // a variable of the environment
)

// configDialect is one way in which logs hold a configuration.
type Dialect struct {
	Literal string // what the gate looks for
	form    form
	family  family
	free    bool // the literal may stand anywhere; otherwise it must begin the line or follow other arguments
}

// engine tells whose configuration it is, "" where the family is no engine's.
func (d *Dialect) Engine() string {
	return map[family]string{vllm: "vllm", sglang: "sglang", tgi: "tgi", trtllm: "trtllm", llamacpp: "llamacpp"}[d.family]
}

// containerImage is vLLM's own image; docker run takes the engine's arguments after it.
const containerImage = "vllm/vllm-openai"

// configDialects are tried in order.
var Dialects = []Dialect{
	{"with config:", pairs, vllm, true},
	{"non-default args:", object, vllm, true},
	{"args: Namespace(", object, vllm, true},
	{"vllm serve ", words, vllm, true},
	{"vllm.entrypoints", words, vllm, true},
	{"fastchat.serve.vllm_worker", words, vllm, true},
	{"sglang.launch_server", words, sglang, true},
	{"sglang serve ", words, sglang, true},
	{"text-generation-launcher", words, tgi, true},
	{"trtllm-serve", words, trtllm, true},
	{"llama-server", words, llamacpp, true},
	{containerImage, words, vllm, true},
	{containerImage, image, vllm, true},
	{"lmsysorg/sglang", image, sglang, true},
	{"text-generation-inference:", image, tgi, true},
	{"EngineArgs(", call, vllm, true}, // AsyncEngineArgs too
	{"LLM(", call, vllm, true},
	{"ServerArgs(", object, sglang, true},
	{"sgl.Engine(", call, sglang, true},
	{"launcher: Args {", object, tgi, true},
	{"--model_args", words, harness, true},
	{"model, with arguments:", object, harness, true},
	{"(pretrained=", object, harness, true},
	{"TrainingArguments(", call, training, true}, // Seq2SeqTrainingArguments too
	{"SFTConfig(", call, training, true},
	{"GRPOConfig(", call, training, true},
	{"DPOConfig(", call, training, true},
	{"actor_rollout_ref.", words, training, true},
	{"accelerate launch", words, training, true},
	{"--per_device_train_batch_size", words, training, true},
	{"--gradient_accumulation_steps", words, training, true},
	{"--batch_size", words, training, true},
	{"--batch-size", words, training, true},
	{"train_micro_batch_size_per_gpu", lone, training, false},
	{"zero_optimization", lone, training, false},
	{"per_device_train_batch_size", lone, training, false},
	{"gradient_accumulation_steps", lone, training, false},
	{"gradient_checkpointing", lone, training, false},
	{"--gpu-memory-utilization", words, vllm, false},
	{"--gpu_memory_utilization", words, vllm, false},
	{"--max-model-len", words, vllm, false},
	{"--max-num-seqs", words, vllm, false},
	{"--max-num-batched-tokens", words, vllm, false},
	{"--tensor-parallel-size", words, vllm, false},
	{"--kv-cache-dtype", words, vllm, false},
	{"--enforce-eager", words, vllm, false},
	{"--quantization", words, vllm, false},
	{"--mem-fraction-static", words, sglang, false},
	{"gpu_memory_utilization", lone, vllm, false},
	{"max_model_len", lone, vllm, false},
	{"█  version ", logo, vllm, true},
	{"█  model ", logo, vllm, true},
	{"export PYTORCH_", variable, anyFamily, true},
}

// configLiterals are the strings, in the order of configDialects, without which no line holds a configuration.
var configLiterals = func() []string {
	list := make([]string, len(Dialects))
	for i, d := range Dialects {
		list[i] = d.Literal
	}
	return list
}()

// What is looked at before a literal: enough for what may stand there.
const beforeConfig = 96

var (
	versionBefore = lazy.Regexp(`\(v[0-9][^() ]*\) $`)
	// What may stand before a lone setting or a list of arguments: YAML, Markdown and list marks.
	nothingBefore = lazy.Regexp(`^[\s\-*>"'\[{(]*(?:(?:command|args|cmd|extraArgs|entrypoint)\s*[:=][\s\-"'\[>|]*)?$`)
	// The names and values of other arguments.
	argumentsBefore = lazy.Regexp(`^[\s\-*>"'\[{(]*(?:(?:command|args|cmd|extraArgs|entrypoint)\s*[:=][\s\-"'\[>|]*)?--\w`)
	// A line of such a list: a flag, or a value as a YAML item.
	argumentLine   = lazy.Regexp(`^[\s"'>|]*(?:- ["']?)?(?:--\w|["']?[\w./]+["']?\s*$)`)
	deepspeedPrint = lazy.Regexp(`:print\]\s*$`)
	// The words with which a command begins, before the program's own name.
	commandBefore = lazy.Regexp(`(?:(?:[A-Z_][A-Z0-9_]*=\S*|nohup|sudo|exec|time|env|-[mu]|--|uv run|[\w./~-]*(?:python[\d.]*|/))[ \t]+)*[\w./~-]*$`)
	containerRun  = lazy.Regexp(`(?:docker|podman|nerdctl) (?:container )?run `)
	notACall      = lazy.Regexp(`\b(?:class|def|import|in)\s+\w*$`)
)

// begin returns where the configuration begins whose literal stands at a place, if it is one.
func (d *Dialect) Begin(text string, at int) (start int, ok bool) {
	if at+len(d.Literal) > len(text) { // it was found with its white space taken out
		return 0, false
	}
	before, after := text[:at], text[at+len(d.Literal):]
	near := before[max(0, at-beforeConfig):]
	line := lineStart(before)
	switch d.form {
	case pairs:
		if v := versionBefore().FindStringIndex(near); v != nil {
			return at - len(near) + v[0], true
		}
		return at + len(d.Literal), true
	case object, call:
		open := strings.LastIndexAny(d.Literal, "({")
		if open < 0 { // a dictionary follows
			open = len(d.Literal) + len(after) - len(strings.TrimLeft(after, " \t\r\n"))
			return at + open, at+open < len(text) && text[at+open] == '{'
		}
		own := at == 0 || d.Literal != "LLM(" || !IsWordByte(text[at-1])
		return at + open, own && !notACall().MatchString(near)
	case words:
		if d.Literal[0] == '-' {
			return d.beginArguments(text, line)
		}
		if firstFlag(after) < 0 && servedModel(after) == "" {
			return 0, false
		}
		if i := listStart(text, at); i >= 0 {
			return i, true
		}
		start = commandStart(text, at)
		return start, d.Literal != containerImage || containerRun().MatchString(text[start:at])
	case lone:
		return at, at-line < beforeConfig && nothingBefore().MatchString(before[line:]) || d.family == training && deepspeedPrint().MatchString(near)
	}
	return at, true
}

// inList is the rest of a list's item.
var inList = lazy.Regexp(`^[\w./:-]*['"]\s*,`)

// listStart returns where the printed list begins of which a place is an item, -1 where it is none.
func listStart(text string, at int) int {
	if !inList().MatchString(text[at:min(len(text), at+beforeConfig)]) || !strings.ContainsAny(text[max(0, at-512):at], `'"`) {
		return -1
	}
	from := max(0, at-512)
	if open := strings.LastIndexByte(text[from:at], '['); open >= 0 {
		return from + open
	}
	return from + strings.LastIndexAny(text[from:at], `'"`)
}

// beginArguments returns where the list of arguments begins that goes through a line: its first flag,
// with the quote before it.
func (d *Dialect) beginArguments(text string, line int) (start int, ok bool) {
	first := line + max(0, firstFlag(text[line:]))
	if !d.free {
		head := text[line:min(first+3, len(text))]
		if len(head) > beforeConfig || !argumentsBefore().MatchString(head) {
			return 0, false
		}
		for line > 0 { // up over the arguments on lines of their own
			above := lineStart(text[:line-1])
			if line-above > 4*beforeConfig || !argumentLine().MatchString(text[above:line-1]) {
				break
			}
			line = above
		}
		first = line + max(0, firstFlag(text[line:]))
	}
	if first > line && strings.IndexByte(`'"`, text[first-1]) >= 0 {
		first--
	}
	return first, true
}

func lineStart(before string) int { return strings.LastIndexByte(before, '\n') + 1 }

// commandStart returns where the command begins in whose middle a place is.
func commandStart(text string, at int) int {
	if run := strings.LastIndex(text[max(0, at-4096):at], " run "); run >= 0 {
		run += max(0, at-4096)
		if m := containerRun().FindStringIndex(text[max(0, run-40) : run+5]); m != nil {
			return max(0, run-40) + m[0]
		}
	}
	line := max(at-256, lineStart(text[:at]))
	return line + commandBefore().FindStringIndex(text[line:at])[0]
}

// read returns what a configuration states, in the facts' units, and how much of the text it looked
// at, and whether it holds more settings than are read; the caller sets the places. A line of code gives only what it literally says, and None gives
// nothing.
func (d *Dialect) Read(text string) (facts fact.Facts, looked int, full bool) {
	text = text[:min(len(text), maxConfigText)]
	s := &settingFacts{family: d.family, form: d.form, facts: fact.Facts{}, ranks: map[string]int{}}
	n := 0
	switch d.form {
	case pairs:
		if m := versionWithConfig().FindStringSubmatch(text); m != nil {
			s.version(m[1])
			text = text[len(m[0]):]
		}
		n = scanPairs(text, false, s.give)
	case object, call:
		var list []argument
		n = scanPairs(text, false, func(key, value string) {
			if key == "" && d.form == call && d.family == vllm {
				key = "model"
			}
			s.give(key, value)
			if !strings.Contains(key, ".") {
				list = append(list, argument{key, value})
			}
		})
		if closed := n > 0 && closes(text[n-1]); closed && (d.Literal == "non-default args:" || d.Literal == "LLM(") {
			s.arguments(list)
		}
	case words:
		cmd := cutCommand(text)
		s.command(d, cmd)
		n = len(cmd)
	case lone:
		n = scanPairs(loneSetting(text), true, s.give)
	case logo:
		name, value, _ := strings.Cut(strings.TrimLeft(cutLine(text), "█ "), " ")
		if value = strings.TrimSpace(value); name == "version" {
			s.version(value)
		} else {
			s.give(name, value)
		}
	case variable:
		cmd := cutCommand(text)
		scanWords(shell.Split(cmd), s.give)
		n = len(cmd)
	case image:
		_, tag, _ := strings.Cut(cutLine(text), ":")
		s.version(tag)
	}
	return s.facts, n, s.given >= MaxSettings
}

func cutLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// versionWithConfig is the head of the engine's line from the release in its brackets on.
var versionWithConfig = lazy.Regexp(`^\((v[0-9][^() ]*)\) with config:`)

var versionWord = lazy.Regexp(`^\(?v?([0-9]+\.[0-9]+(?:\.[0-9]+)?[\w.+-]*)`)

// version takes the release at the beginning of a text.
func (s *settingFacts) version(text string) {
	if m := versionWord().FindStringSubmatch(text); m != nil {
		s.facts["engine_version"] = fact.Fact{Value: fact.Value{Kind: fact.Version, Text: strings.TrimRight(m[1], ".-")}}
	}
}

// dottedLeader is how DeepSpeed sets a value off from its name: "key ...... 4".
var dottedLeader = lazy.Regexp(`^(\w+)["']?\s*(?:\.{2,}|\s|[=:])\s*`)

// loneSetting brings "key ..... 4", "key  4" and "key: 4" into the form key=4, without what follows.
func loneSetting(text string) string {
	m := dottedLeader().FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	value := text[len(m[0]):]
	if strings.HasPrefix(value, "{") {
		return m[1] + "=" + value
	}
	n := strings.IndexAny(value, " \t\r\n,)}.")
	if n < 0 || value[n] == '.' && n+1 < len(value) && '0' <= value[n+1] && value[n+1] <= '9' {
		n = len(value)
		if k := strings.IndexAny(value, " \t\r\n,)}"); k >= 0 {
			n = k
		}
	}
	return m[1] + "=" + value[:n]
}
