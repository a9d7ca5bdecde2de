package settings

import (
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/internal/shell"
)

// An argument is a setting at the top of a printed configuration, its value as it stands there.
type argument struct{ key, value string }

// served are arguments that only a server has.
var served = map[string]bool{"model_tag": true, "host": true, "port": true, "api_key": true, "api_server_count": true, "served_model_name": true,
	"chat_template": true, "enable_auto_tool_choice": true, "tool_call_parser": true}

// arguments writes what vLLM prints as its arguments that are not defaults the way they were given: as a command, or as
// the call that made the engine. It writes nothing where one of them cannot be written.
//
// The class LLM sets disable_log_stats by itself, a server does not.
func (s *settingFacts) arguments(list []argument) {
	server := s.form == object
	for _, a := range list {
		if a.key == "disable_log_stats" && a.value == "True" {
			server = false
		}
	}
	for _, a := range list {
		server = server || served[a.key]
	}
	give := func(name, text string) {
		if text != "" {
			s.facts[name] = fact.Fact{Value: fact.Value{Kind: fact.Text, Text: text}}
		}
	}
	if server {
		give("arguments", commandOf(list))
	} else {
		give("constructor", callOf(list))
	}
}

// commandOf writes arguments as a command line, "" where that cannot be done.
func commandOf(list []argument) string {
	model := ""
	var words []string
	for _, a := range list {
		flag := "--" + strings.ReplaceAll(a.key, "_", "-")
		switch v := a.value; {
		case a.key == "model_tag" || a.key == "model" && model == "":
			model = unquote(v)
		case a.key == "model" || v == "None" || v == "[]" || v == "{}":
		case v == "True":
			words = append(words, flag)
		case v == "False":
			words = append(words, "--no-"+flag[2:])
		case strings.HasPrefix(v, "{"):
			json, ok := jsonOf(v)
			if !ok {
				return ""
			}
			words = append(words, flag, json)
		case strings.HasPrefix(v, "["):
			if strings.ContainsAny(v[1:], "[{(") {
				return ""
			}
			words = append(words, flag)
			for item := range strings.SplitSeq(strings.Trim(v, "[]"), ",") {
				words = append(words, unquote(strings.TrimSpace(item)))
			}
		case strings.ContainsAny(v, "(<") && unquote(v) == v:
			return "" // an object of Python
		default:
			words = append(words, flag, unquote(v))
		}
	}
	if model == "" {
		return ""
	}
	out := "vllm serve " + shell.Quote(model)
	for _, w := range words {
		out += " " + shell.Quote(w)
	}
	return out
}

// callOf writes arguments as the call that makes an engine, "" where that cannot be done.
func callOf(list []argument) string {
	var words []string
	model := false
	for _, a := range list {
		key := a.key
		if key == "" {
			key = "model"
		}
		if key == "disable_log_stats" {
			continue
		}
		if strings.Contains(a.value, "<") || strings.ContainsAny(a.value, "\r\n") {
			return ""
		}
		model = model || key == "model" && unquote(a.value) != a.value
		words = append(words, key+"="+a.value)
	}
	if !model {
		return ""
	}
	return "LLM(" + strings.Join(words, ", ") + ")"
}

// jsonOf writes a dictionary of Python as JSON; not ok where it holds what JSON has not.
func jsonOf(v string) (string, bool) {
	if strings.ContainsAny(v, "(<\\") || strings.Contains(v, "'") && strings.Contains(v, `"`) {
		return "", false
	}
	return strings.NewReplacer("'", `"`, "True", "true", "False", "false", "None", "null").Replace(v), true
}
