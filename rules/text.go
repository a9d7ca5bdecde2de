package rules

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
)

// Fill puts this log's figures into a text of the knowledge base. {name} stands for a fact or a
// derived figure; a section in square brackets that names one is left out when one of its names is
// unknown, or when the condition that it begins with does not hold ([ready? …]), and a sentence with an unknown name outside such a section is left out whole. lang is "en"
// or "zh".
func (f *Finding) Fill(text, lang string) string {
	var own *strings.Replacer
	if f.Incident != nil {
		own = ownNames[f.Incident.Engine]
	}
	if !strings.ContainsAny(text, "{[") {
		if own != nil {
			text = own.Replace(text)
		}
		return text
	}
	var out strings.Builder
	for _, sentence := range sentences(text) {
		if s, ok := f.fillSentence(sentence, lang); ok {
			out.WriteString(s)
		}
	}
	if own != nil {
		return strings.TrimSpace(own.Replace(out.String()))
	}
	return strings.TrimSpace(out.String())
}

// ownNames are what other engines call the settings that texts name as vLLM does.
var ownNames = map[string]*strings.Replacer{
	"sglang":   strings.NewReplacer("gpu_memory_utilization", "mem_fraction_static", "max_num_seqs", "max_running_requests", "max_num_batched_tokens", "chunked_prefill_size", "max_model_len", "context_length"),
	"tgi":      strings.NewReplacer("gpu_memory_utilization", "cuda_memory_fraction", "max_num_seqs", "max_concurrent_requests", "max_num_batched_tokens", "max_batch_prefill_tokens", "max_model_len", "max_total_tokens"),
	"trtllm":   strings.NewReplacer("gpu_memory_utilization", "free_gpu_memory_fraction", "max_num_seqs", "max_batch_size", "max_num_batched_tokens", "max_num_tokens", "max_model_len", "max_seq_len"),
	"llamacpp": strings.NewReplacer("max_num_seqs", "parallel", "max_num_batched_tokens", "batch_size", "max_model_len", "ctx_size"),
}

// guarded takes the condition off a section: [ready? …] is said where ready is true, [!ready? …] where it is
// not known to be.
func (f *Finding) guarded(section string) (rest string, said bool) {
	name, rest, ok := strings.Cut(section, "? ")
	if !ok {
		return section, true
	}
	name, not := strings.CutPrefix(name, "!")
	if kind, known := lookupName(name); !known || kind != fact.Bool {
		return section, true
	}
	v, known := f.Values[name]
	return rest, (known && v.Num != 0) != not
}

// Unguarded takes the condition off a section that begins with one: "ready? …".
func Unguarded(section string) string {
	rest, _ := (&Finding{}).guarded(section)
	return rest
}

// fillSentence is not ok when a name outside brackets is unknown.
func (f *Finding) fillSentence(text, lang string) (string, bool) {
	var out strings.Builder
	for text != "" {
		open := strings.IndexByte(text, '[')
		size := -1
		if open >= 0 {
			size = strings.IndexByte(text[open:], ']')
		}
		if size < 0 {
			break
		}
		s, ok := f.fillNames(text[:open], lang)
		if !ok {
			return "", false
		}
		out.WriteString(s)
		section, said := f.guarded(text[open+1 : open+size])
		switch s, ok := f.fillNames(section, lang); {
		case !said:
		case len(section) < size-1:
			if ok {
				out.WriteString(s)
			}
		case !strings.ContainsRune(section, '{'):
			out.WriteString("[" + section + "]") // no names: brackets of the text itself
		case ok:
			out.WriteString(s)
		}
		text = text[open+size+1:]
	}
	s, ok := f.fillNames(text, lang)
	return out.String() + s, ok
}

func (f *Finding) fillNames(text, lang string) (string, bool) {
	all := true
	filled := replaceNames(text, func(name, unit string) (string, bool) {
		if v, ok := f.Values[name]; ok {
			if size := inUnit[unit]; size != 0 {
				return formatDecimals(v.Num/size, 2), true
			}
			return Format(v.Value, lang), true
		}
		if _, ok := lookupName(name); !ok {
			return "", false // braces of the text itself
		}
		all = false
		return "", true
	})
	return filled, all
}

// inUnit holds the units that {name:unit} may ask for; the text says the unit then.
var inUnit = map[string]float64{"gib": 1 << 30, "mib": 1 << 20, "kib": 1 << 10}

// replaceNames replaces each {name} and {name:unit} with what f returns; where f is not ok the braces
// stay.
func replaceNames(text string, f func(name, unit string) (string, bool)) string {
	var out strings.Builder
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		size := strings.IndexByte(text[open:], '}')
		if size < 0 {
			break
		}
		name, unit, _ := strings.Cut(text[open+1:open+size], ":")
		s, ok := f(name, unit)
		if !ok {
			s, size = "{", 0
		}
		out.WriteString(text[:open])
		out.WriteString(s)
		text = text[open+size+1:]
	}
	return out.String() + text
}

// sentences cuts a text after each full stop, outside brackets; the pieces add up to the text.
func sentences(text string) []string {
	var out []string
	depth, start := 0, 0
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		switch r {
		case '[':
			depth++
		case ']':
			depth--
		case '。', '！', '？':
			if depth <= 0 {
				out, start = append(out, text[start:end]), end
			}
		case '.', '!', '?':
			if depth <= 0 && end < len(text) && (text[end] == ' ' || text[end] == '\n') {
				out, start = append(out, text[start:end]), end
			}
		}
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

// Format prints a value for people: 5.39 GiB, 131,072, 0.9, yes.
func Format(v fact.Value, lang string) string {
	switch v.Kind {
	case fact.Bytes:
		return memory.Format(v.Num)
	case fact.Count, fact.Tokens:
		if v.Num == math.Trunc(v.Num) && math.Abs(v.Num) < 1<<53 {
			return memory.Grouped(int(v.Num))
		}
		return formatDecimals(v.Num, 2)
	case fact.Ratio:
		return formatDecimals(v.Num, 4)
	case fact.Seconds:
		return formatDecimals(v.Num, 1) + " s"
	case fact.Bool:
		words := [2][2]string{{"no", "yes"}, {"否", "是"}}
		return words[index(lang == "zh")][index(v.Num != 0)]
	}
	return v.Text
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// formatDecimals prints at most that many decimals, without zeros at the end.
func formatDecimals(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}
