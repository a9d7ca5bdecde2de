package parser

import (
	"regexp"
	"strings"
)

// form is how a configuration is written down.
type form uint8

const (
	engine   form = iota // key=value, … to the end of the line, as vLLM prints its engine's configuration
	object               // {'key': value} or Name(key=value), printed by a program
	call                 // Name(key=value), as it stands in a program: values may be expressions
	words                // a command line or a list of arguments
	lone                 // one key and its value
	logo                 // a word of vLLM's start-up logo
	image                // the name of a container image
	variable             // a variable of the environment
)

// configDialect is one way in which logs hold a configuration.
type configDialect struct {
	name    string
	literal string // what the gate looks for
	form    form
	family  family
	free    bool // the literal may stand anywhere; otherwise it must begin the line or follow other arguments
}

// containerImage is vLLM's own image; docker run takes the engine's arguments after it.
const containerImage = "vllm/vllm-openai"

// configDialects are tried in order.
var configDialects = []configDialect{
	{"vllm-engine", "with config:", engine, vllm, true},
	{"vllm-args", "non-default args:", object, vllm, true},
	{"vllm-args", "args: Namespace(", object, vllm, true},
	{"vllm-command", "vllm serve ", words, vllm, true},
	{"vllm-command", "vllm.entrypoints", words, vllm, true},
	{"sglang-command", "sglang.launch_server", words, sglang, true},
	{"sglang-command", "sglang serve ", words, sglang, true},
	{"tgi-command", "text-generation-launcher", words, tgi, true},
	{"trtllm-command", "trtllm-serve", words, trtllm, true},
	{"llamacpp-command", "llama-server", words, llamacpp, true},
	{"vllm-command", containerImage, words, vllm, true},
	{"vllm-image", containerImage, image, vllm, true},
	{"sglang-image", "lmsysorg/sglang", image, sglang, true},
	{"tgi-image", "text-generation-inference:", image, tgi, true},
	{"vllm-call", "EngineArgs(", call, vllm, true}, // AsyncEngineArgs too
	{"vllm-call", "LLM(", call, vllm, true},
	{"sglang-args", "ServerArgs(", object, sglang, true},
	{"sglang-call", "sgl.Engine(", call, sglang, true},
	{"tgi-args", "launcher: Args {", object, tgi, true},
	{"harness-command", "--model_args", words, harness, true},
	{"harness-args", "model, with arguments:", object, harness, true},
	{"harness-args", "(pretrained=", object, harness, true},
	{"training-args", "TrainingArguments(", call, training, true}, // Seq2SeqTrainingArguments too
	{"training-args", "SFTConfig(", call, training, true},
	{"training-args", "GRPOConfig(", call, training, true},
	{"training-args", "DPOConfig(", call, training, true},
	{"training-command", "actor_rollout_ref.", words, training, true},
	{"training-command", "accelerate launch", words, training, true},
	{"training-command", "--per_device_train_batch_size", words, training, true},
	{"training-command", "--gradient_accumulation_steps", words, training, true},
	{"training-command", "--batch_size", words, training, true},
	{"training-command", "--batch-size", words, training, true},
	{"training-setting", "train_micro_batch_size_per_gpu", lone, training, false},
	{"training-setting", "zero_optimization", lone, training, false},
	{"training-setting", "per_device_train_batch_size", lone, training, false},
	{"training-setting", "gradient_accumulation_steps", lone, training, false},
	{"training-setting", "gradient_checkpointing", lone, training, false},
	{"vllm-arguments", "--gpu-memory-utilization", words, vllm, false},
	{"vllm-arguments", "--gpu_memory_utilization", words, vllm, false},
	{"vllm-arguments", "--max-model-len", words, vllm, false},
	{"vllm-arguments", "--max-num-seqs", words, vllm, false},
	{"vllm-arguments", "--max-num-batched-tokens", words, vllm, false},
	{"vllm-arguments", "--tensor-parallel-size", words, vllm, false},
	{"vllm-arguments", "--kv-cache-dtype", words, vllm, false},
	{"vllm-arguments", "--enforce-eager", words, vllm, false},
	{"vllm-arguments", "--quantization", words, vllm, false},
	{"sglang-arguments", "--mem-fraction-static", words, sglang, false},
	{"vllm-setting", "gpu_memory_utilization", lone, vllm, false},
	{"vllm-setting", "max_model_len", lone, vllm, false},
	{"vllm-logo", "█  version ", logo, vllm, true},
	{"vllm-logo", "█  model ", logo, vllm, true},
	{"allocator", "export PYTORCH_", variable, anyFamily, true},
}

// configLiterals are the strings, in the order of configDialects, without which no line holds a configuration.
var configLiterals = func() []string {
	list := make([]string, len(configDialects))
	for i, d := range configDialects {
		list[i] = d.literal
	}
	return list
}()

// What is looked at before a literal: enough for what may stand there.
const beforeConfig = 96

var (
	versionBefore = regexp.MustCompile(`\(v[0-9][^() ]*\) $`)
	// What may stand before a lone setting or a list of arguments: YAML, Markdown and list marks.
	nothingBefore = regexp.MustCompile(`^[\s\-*>"'\[{(]*(?:(?:command|args|cmd|extraArgs|entrypoint)\s*[:=][\s\-"'\[>|]*)?$`)
	// The names and values of other arguments.
	argumentsBefore = regexp.MustCompile(`^[\s\-*>"'\[{(]*(?:(?:command|args|cmd|extraArgs|entrypoint)\s*[:=][\s\-"'\[>|]*)?--\w`)
	// A line of such a list: a flag, or a value as a YAML item.
	argumentLine   = regexp.MustCompile(`^[\s"'>|]*(?:- ["']?)?(?:--\w|["']?[\w./]+["']?\s*$)`)
	deepspeedPrint = regexp.MustCompile(`:print\]\s*$`)
	// The words with which a command begins, before the program's own name.
	commandBefore = regexp.MustCompile(`(?:(?:[A-Z_][A-Z0-9_]*=\S*|nohup|sudo|exec|time|env|-[mu]|--|uv run|[\w./~-]*(?:python[\d.]*|/))[ \t]+)*[\w./~-]*$`)
	containerRun  = regexp.MustCompile(`(?:docker|podman|nerdctl)\s+(?:container\s+)?run\s`)
	notACall      = regexp.MustCompile(`\b(?:class|def|import|in)\s+\w*$`)
)

// begin returns where the configuration begins whose literal stands at a place, if it is one.
func (d *configDialect) begin(text string, at int) (start int, ok bool) {
	before, after := text[:at], text[at+len(d.literal):]
	near := before[max(0, at-beforeConfig):]
	line := lineStart(before)
	switch d.form {
	case engine:
		if v := versionBefore.FindStringIndex(near); v != nil {
			return at - len(near) + v[0], true
		}
		return at + len(d.literal), true
	case object, call:
		open := strings.LastIndexAny(d.literal, "({")
		if open < 0 { // a dictionary follows
			open = len(d.literal) + len(after) - len(strings.TrimLeft(after, " \t\r\n"))
			return at + open, at+open < len(text) && text[at+open] == '{'
		}
		own := at == 0 || d.literal != "LLM(" || !isWordByte(text[at-1])
		return at + open, own && !notACall.MatchString(near)
	case words:
		if d.literal[0] == '-' {
			return d.beginArguments(text, line)
		}
		if firstFlag(after) < 0 && servedModel(after) == "" {
			return 0, false
		}
		start = commandStart(text, at)
		return start, d.literal != containerImage || containerRun.MatchString(text[start:at])
	case lone:
		return at, at-line < beforeConfig && nothingBefore.MatchString(before[line:]) || d.family == training && deepspeedPrint.MatchString(near)
	}
	return at, true
}

// beginArguments returns where the list of arguments begins that goes through a line: its first flag,
// with the quote before it.
func (d *configDialect) beginArguments(text string, line int) (start int, ok bool) {
	first := line + max(0, firstFlag(text[line:]))
	if !d.free {
		head := text[line:min(first+3, len(text))]
		if len(head) > beforeConfig || !argumentsBefore.MatchString(head) {
			return 0, false
		}
		for line > 0 { // up over the arguments on lines of their own
			above := lineStart(text[:line-1])
			if line-above > 4*beforeConfig || !argumentLine.MatchString(text[above:line-1]) {
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
	line := at - min(at, 4096)
	if run := containerRun.FindAllStringIndex(text[line:at], -1); run != nil {
		return line + run[len(run)-1][0]
	}
	line = max(line, lineStart(text[:at]))
	return line + commandBefore.FindStringIndex(text[line:at])[0]
}

// configFacts returns what a configuration states, in the facts' units. The caller sets the places.
// A line of code gives only what it literally says, and None gives nothing.
func configFacts(dialect, text string) Facts {
	d := dialectNamed(dialect)
	if d == nil {
		return nil
	}
	text = text[:min(len(text), maxConfigText)]
	s := &settingFacts{family: d.family, form: d.form, facts: Facts{}, ranks: map[string]int{}}
	switch d.form {
	case engine:
		if v, rest, ok := strings.Cut(text, ") with config:"); ok {
			s.version(v)
			text = rest
		}
		scanPairs(text, false, s.give)
	case object, call:
		scanPairs(text, false, func(key, value string) {
			if key == "" && d.name == "vllm-call" {
				key = "model"
			}
			s.give(key, value)
		})
	case words:
		s.command(d, text)
	case lone:
		scanPairs(loneSetting(text), true, s.give)
	case logo:
		name, value, _ := strings.Cut(strings.TrimLeft(text, "█ "), " ")
		if value = strings.TrimSpace(value); name == "version" {
			s.version(value)
		} else {
			s.give(name, value)
		}
	case variable:
		scanWords(SplitCommand(cutCommand(text)), s.give)
	case image:
		_, tag, _ := strings.Cut(text, ":")
		s.version(tag)
	}
	return s.facts
}

func dialectNamed(name string) *configDialect {
	for i := range configDialects {
		if configDialects[i].name == name {
			return &configDialects[i]
		}
	}
	return nil
}

var versionWord = regexp.MustCompile(`^\(?v?([0-9]+\.[0-9]+(?:\.[0-9]+)?[\w.+-]*)`)

// version takes the release at the beginning of a text.
func (s *settingFacts) version(text string) {
	if m := versionWord.FindStringSubmatch(text); m != nil {
		s.facts["engine_version"] = Fact{Value: Value{Kind: Version, Text: strings.TrimRight(m[1], ".-")}}
	}
}

// dottedLeader is how DeepSpeed sets a value off from its name: "key ...... 4".
var dottedLeader = regexp.MustCompile(`^(\w+)["']?\s*(?:\.{2,}|\s|[=:])\s*`)

// loneSetting brings "key ..... 4", "key  4" and "key: 4" into the form key=4, without what follows.
func loneSetting(text string) string {
	m := dottedLeader.FindStringSubmatch(text)
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
