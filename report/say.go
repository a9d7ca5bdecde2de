package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/rules"
)

// What the report says around the knowledge.
var said = map[string]knowledge.Text{
	"likely":      {En: "Most likely: ", Zh: "很可能："},
	"possible":    {En: "One explanation: ", Zh: "一种可能："},
	"where":       {En: "Where", Zh: "位置"},
	"called":      {En: "called from", Zh: "调用处"},
	"advised":     {En: " (the log itself advises it)", Zh: "（日志自身的建议）"},
	"tell":        {En: "Or is it %s (%s)? ", Zh: "还是 %s（%s）？"},
	"exception":   {En: "It ended for another reason", Zh: "它因其他原因结束"},
	"signal":      {En: "A signal ended it, and nothing here says that memory was the reason", Zh: "它被信号结束，日志中没有内存方面的原因"},
	"killed-by":   {En: "Somebody stopped it", Zh: "它是被人停止的"},
	"shutdown":    {En: "It was shut down in order", Zh: "它是正常关闭的"},
	"finished":    {En: "It ran to its end", Zh: "它运行到了结束"},
	"unexplained": {En: "It got SIGKILL, and the log does not say from whom", Zh: "它收到了 SIGKILL，日志没有说来自谁"},
	"tells":       {En: "What it tells", Zh: "日志所示"},
	"weights":     {En: "weights %s", Zh: "权重 %s"},
	"pool":        {En: "KV cache %s", Zh: "KV cache %s"},
	"tokens":      {En: "%s tokens", Zh: "%s token"},
	"requests":    {En: "%s requests of %s tokens at a time", Zh: "可同时容纳 %s 个 %s token 的请求"},
	"fullest":     {En: "fullest at %s %%", Zh: "最高占用 %s %%"},
	"utilization": {En: "gpu_memory_utilization %s", Zh: "gpu_memory_utilization %s"},
}

func say(lang, key string) string { return said[key].In(lang) }

// hedged puts in front of a headline how sure it is. What is certain stands as it is.
func hedged(f *rules.Finding, headline, lang string) string {
	switch {
	case f.Cause == nil || f.Confidence >= Certain:
		return headline
	case f.Confidence >= likely:
		return say(lang, "likely") + lowered(headline)
	}
	return say(lang, "possible") + lowered(headline)
}

// lowered begins a sentence with a small letter, as behind a colon, but for a name.
func lowered(s string) string {
	word, _, _ := strings.Cut(s, " ")
	r, n := utf8.DecodeRuneInString(s)
	switch word {
	case "The", "A", "An", "One", "This", "Other", "Another", "Several", "Out", "Shared", "Less", "Host":
		return string(unicode.ToLower(r)) + s[n:]
	}
	return s
}

func suggested(e *rules.DeadEnd, lang string) string {
	if e.Suggested {
		return say(lang, "advised")
	}
	return ""
}

// where names the place in the program that asked, and the user's own line that called it.
func (w *writer) where(f *rules.Finding) {
	lang := w.opts.Lang
	asked, own := rules.Places(f.Incident.Frames)
	if asked == nil {
		return
	}
	s := say(lang, "where") + ": " + w.spot(asked)
	if own != nil {
		s += "; " + say(lang, "called") + " " + w.spot(own)
	}
	w.para("  ", "    ", "", s)
	w.print("\n")
}

func (w *writer) spot(p *rules.Place) string {
	s := Printable(p.String())
	if p.Code != "" {
		s += ": " + Printable(p.Code)
	}
	lang := w.opts.Lang
	return s + fmt.Sprintf(" (%s %d%s)", label(lang, "line"), p.Line, label(lang, "lineAfter"))
}

// next says what would tell the first two causes apart, or what to collect.
func (w *writer) next(f *rules.Finding) {
	lang := w.opts.Lang
	question, how := Question(f, lang)
	if question == "" && Next(f, lang) == "" {
		return
	}
	w.print("\n" + w.style(Bold, label(lang, "next")) + "\n")
	if question != "" {
		w.para("  ", "  ", "", question)
		if how != "" {
			w.para("    ", "    ", green, how)
		}
	}
	if s := Next(f, lang); s != "" && how == "" {
		w.para("  ", "  ", "", s)
	}
}

// Question says what would tell the first two causes apart, and the step that shows it; "" where one decides.
func Question(f *rules.Finding, lang string) (question, how string) {
	a := f.Ask
	if a == nil {
		return "", ""
	}
	question = fmt.Sprintf(say(lang, "tell"), a.Of.ID, a.Of.Title.In(lang)) + Printable(f.Fill(a.Tell.In(lang), lang))
	if len(a.How) > 0 {
		how = Printable(a.How[0].Text)
	} else if a.Look != nil {
		how = Printable(f.Fill(a.Look.Say.In(lang), lang))
	}
	return question, how
}

// Lack is what is missing by the figures that the report's sentences use; not ok where they have none.
func Lack(f *rules.Finding) (bytes float64, ok bool) {
	for _, name := range []string{"startup_shortage", "kv_shortage", "lack"} {
		if v, ok := f.Values[name]; ok && v.Num > 0 {
			return v.Num, true
		}
	}
	return 0, false
}

// ended says in a line how the log's service ended, where memory was not the reason.
func (w *writer) ended(d *rules.Diagnosis) {
	if len(d.Log.Ended) == 0 || d.Log.Ended[0].Memory {
		return
	}
	e, lang := d.Log.Ended[0], w.opts.Lang
	s := say(lang, e.How)
	if s == "" {
		return
	}
	if e.Text != "" {
		s += ": " + Printable(strings.TrimSpace(e.Text))
	}
	w.para("", "  ", "", s+" ("+w.place(d, e.At)+")")
}

// healthy says what a log tells of a server that did not fail: its figures, and how near to the edge it was.
func (w *writer) healthy(d *rules.Diagnosis) {
	lang := w.opts.Lang
	facts := d.Facts
	var parts []string
	text := func(name string) string {
		if v, ok := facts[name]; ok {
			return Printable(rules.Format(v.Value, lang))
		}
		return ""
	}
	add := func(key, name string) {
		if v := text(name); v != "" {
			parts = append(parts, fmt.Sprintf(say(lang, key), v))
		}
	}
	if v := text("model"); v != "" {
		parts = append(parts, v)
	}
	add("weights", "weights")
	add("pool", "kv_cache")
	add("tokens", "kv_cache_tokens")
	if c, l := text("max_concurrency"), text("max_model_len"); c != "" && l != "" {
		parts = append(parts, fmt.Sprintf(say(lang, "requests"), c, l))
	}
	add("utilization", "gpu_memory_utilization")
	add("fullest", "kv_usage_percent_peak")
	if len(parts) < 2 || !runsModel(facts) {
		return
	}
	w.para(say(lang, "tells")+": ", "  ", "", strings.Join(parts, " · "))
}

// runsModel reports whether a run said what a model takes.
func runsModel(facts fact.Facts) bool {
	for _, name := range []string{"weights", "kv_cache", "kv_cache_tokens", "max_concurrency"} {
		if _, ok := facts[name]; ok {
			return true
		}
	}
	return false
}
