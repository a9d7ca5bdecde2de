package report

import (
	"fmt"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/rules"
)

// UnknownID stands where no cause is established.
const UnknownID = "unknown"

// labels are the report's own words.
var labels = map[string]knowledge.Text{
	"unknown":    {En: "memory trouble whose cause the log does not tell", Zh: "内存问题，但日志不足以判断原因"},
	"nothing":    {En: "No memory failure found", Zh: "没有发现内存故障"},
	"cause":      {En: "cause", Zh: "原因"},
	"certain":    {En: "certain", Zh: "确定"},
	"likely":     {En: "likely", Zh: "很可能"},
	"possible":   {En: "possible", Zh: "可能"},
	"line":       {En: "line", Zh: "第"},
	"lineAfter":  {En: "", Zh: " 行"},
	"do":         {En: "Do this", Zh: "这样做"},
	"dont":       {En: "Don't", Zh: "不要"},
	"seen":       {En: "Seen", Zh: "依据"},
	"next":       {En: "To find out", Zh: "要查明原因"},
	"also":       {En: "Also considered", Zh: "也考虑过"},
	"further":    {En: "Further incidents", Zh: "其他事件"},
	"fits":       {En: "fits", Zh: "够用"},
	"borderline": {En: "borderline", Zh: "临界"},
	"short":      {En: "short", Zh: "不够"},
	"cost":       {En: "cost", Zh: "代价"},
	"command":    {En: "the whole command", Zh: "完整命令"},
	"worked":     {En: "worked in %d of %d reported cases", Zh: "%[2]d 个报告案例中 %[1]d 个有效"},
	"runs":       {En: "%d runs ended this way", Zh: "%d 次运行以同样方式结束"},
	"ranks":      {En: "%d processes", Zh: "%d 个进程"},
	"read":       {En: "%s lines read", Zh: "已读 %s 行"},
	"more":       {En: "… and %d more (see --format json)", Zh: "…… 另有 %d 条（见 --format json）"},
	"cut":        {En: "cut", Zh: "截断"},
	"degraded":   {En: "the server goes on, slowly", Zh: "服务仍在运行，但变慢"},
	"memory":     {En: "Memory", Zh: "内存"},
	"missing":    {En: "missing", Zh: "缺少"},
	"quotedOne":  {En: "%d message is quoted here, not the log's own: ", Zh: "有 %d 条消息是引用，不是日志自身的："},
	"quotedMany": {En: "%d messages are quoted here, not the log's own. The first: ", Zh: "有 %d 条消息是引用，不是日志自身的。第一条："},
	"colon":      {En: ", ", Zh: "，"},
	"suggested":  {En: "The log itself suggests it.", Zh: "日志自身也这样建议。"},
	"stop":       {En: ". ", Zh: "。"},
}

func label(lang, key string) string { return labels[key].In(lang) }

// Word is one of the report's own words, for what stands beside it on a screen; "" where it has none of that key.
func Word(key, lang string) string { return label(lang, key) }

// From these confidences on a cause is said as a fact, or as the likeliest.
const (
	Certain = 0.95
	likely  = 0.6
)

// Certainty names a confidence in a word.
func Certainty(confidence float64, lang string) string {
	switch {
	case confidence >= Certain:
		return label(lang, "certain")
	case confidence >= likely:
		return label(lang, "likely")
	}
	return label(lang, "possible")
}

// Headline is the answer in one sentence.
func Headline(f *rules.Finding, lang string) string {
	if f.Says() == nil {
		return Printable(label(lang, "unknown"))
	}
	h := f.Fill(f.Says().Headline.In(lang), lang)
	if h == "" {
		h = f.Says().Title.In(lang)
	}
	return Printable(hedged(f, h, lang))
}

// Explanation is the arithmetic behind it, with this log's figures.
func Explanation(f *rules.Finding, lang string) string {
	if f.Says() == nil {
		return ""
	}
	return Printable(f.Fill(f.Says().Explain.In(lang), lang))
}

// Next says what to collect when the log leaves the cause open.
func Next(f *rules.Finding, lang string) string {
	if f.Says() == nil || f.Cause != nil && f.Confidence >= Certain {
		return ""
	}
	return Printable(f.Fill(f.Says().Next.In(lang), lang))
}

// Record says how often a remedy worked, or "" where no case is known.
func Record(r *rules.Remedy, lang string) string {
	if !r.Recorded() {
		return ""
	}
	return fmt.Sprintf(label(lang, "worked"), r.Worked, r.Worked+r.Failed)
}

// Verdict says whether a remedy is enough, with the sums, or "" where the log lacks the numbers.
func Verdict(r *rules.Remedy, lang string) string {
	k := r.Verdict.Kind
	if k == "" || k == memory.Unknown {
		return ""
	}
	return join(label(lang, string(k)), ": ", Printable(r.Verdict.Sums))
}

// Why says why a remedy helps here, and first what its value rests on where no line states it.
func Why(f *rules.Finding, r *rules.Remedy, lang string) string {
	if r.Use == nil {
		return ""
	}
	between := " "
	if lang == "zh" {
		between = ""
	}
	assumed, why := r.Relative().In(lang), Printable(f.Fill(r.Use.Why.In(lang), lang))
	if assumed == "" || why == "" {
		return assumed + why
	}
	return assumed + between + why
}
