package explain

import (
	"fmt"

	"github.com/oomdoc/oomdoc/knowledge"
)

func (p *page) word(key string) string {
	t, ok := pageWords[key]
	if !ok {
		panic("no word for " + key)
	}
	return t.In(p.opts.Lang)
}

func (p *page) wordf(key string, args ...any) string { return fmt.Sprintf(p.word(key), args...) }

// pageWords are the words of the pages themselves.
var pageWords = map[string]knowledge.Text{
	"cause":          {En: "cause", Zh: "原因"},
	"remedy":         {En: "remedy", Zh: "措施"},
	"myth":           {En: "no remedy", Zh: "并非措施"},
	"message":        {En: "message", Zh: "日志消息"},
	"fact":           {En: "fact", Zh: "事实"},
	"engine":         {En: "engine", Zh: "引擎"},
	"profile.rules":  {En: "What holds", Zh: "规则"},
	"profile.flags":  {En: "Flags and variables about memory", Zh: "与显存有关的参数和变量"},
	"profile.eras":   {En: "Releases with a page of their own: oomdoc explain vllm@RELEASE", Zh: "各版本的说明：oomdoc explain vllm@版本"},
	"figure":         {En: "derived figure", Zh: "推导量"},
	"degraded":       {En: "the server goes on, slowly", Zh: "服务继续运行，但变慢"},
	"any":            {En: "any engine", Zh: "任意引擎"},
	"about":          {En: "What happens", Zh: "发生了什么"},
	"sure":           {En: "Certain only where", Zh: "确定的条件"},
	"when":           {En: "Considered when", Zh: "何时考虑"},
	"signs":          {En: "Signs for and against", Zh: "支持与反对的迹象"},
	"confused":       {En: "Not to be confused with", Zh: "容易混淆的原因"},
	"leads":          {En: "Leads to", Zh: "往往导致"},
	"remedies":       {En: "What helps", Zh: "有效措施"},
	"deadends":       {En: "What does not", Zh: "无效做法"},
	"if":             {En: "when", Zh: "条件"},
	"unless":         {En: "unless", Zh: "除非"},
	"record":         {En: "worked in %d of %d reported cases", Zh: "%[2]d 个报告案例中 %[1]d 个有效"},
	"helps":          {En: "Where it does help: ", Zh: "何时有效："},
	"sources":        {En: "Sources", Zh: "来源"},
	"example":        {En: "Example", Zh: "示例"},
	"gives":          {En: "gives", Zh: "诊断结果"},
	"effect":         {En: "What it does", Zh: "作用"},
	"mythEffect":     {En: "Why not", Zh: "为什么无效"},
	"cost":           {En: "What it costs", Zh: "代价"},
	"verify":         {En: "How to see that it worked", Zh: "如何验证"},
	"settings":       {En: "Changes", Zh: "改变的设置"},
	"apply":          {En: "How it is written", Zh: "写法"},
	"flags":          {En: "Under docker compose and Kubernetes the same flags stand as a list under command: or args:.", Zh: "在 docker compose 和 Kubernetes 中，把同样的参数写成 command: 或 args: 下的列表。"},
	"helpsFor":       {En: "Helps against", Zh: "对以下原因有效"},
	"deadFor":        {En: "Does not help against", Zh: "对以下原因无效"},
	"since":          {En: "since %s", Zh: "%s 起"},
	"until":          {En: "until %s", Zh: "到 %s 为止"},
	"class":          {En: "What it means", Zh: "含义"},
	"printed":        {En: "Printed by", Zh: "由谁输出"},
	"phase":          {En: "phase %s", Zh: "阶段 %s"},
	"wordings":       {En: "Wordings", Zh: "措辞"},
	"states":         {En: "States", Zh: "给出的事实"},
	"usedBy":         {En: "Used by", Zh: "用于"},
	"formula":        {En: "Follows from", Zh: "计算方式"},
	"statedBy":       {En: "Stated by", Zh: "出现于"},
	"changedBy":      {En: "Changed by", Zh: "可由以下措施改变"},
	"classFact":      {En: "States facts or marks a phase; no failure.", Zh: "只陈述事实或标志阶段，不是故障。"},
	"classFailure":   {En: "Memory failed here.", Zh: "内存在此处出错。"},
	"classDegraded":  {En: "Memory is short; the server goes on, slowly.", Zh: "内存不足，服务继续运行但变慢。"},
	"classHint":      {En: "May be memory, may be something else; what else the log says decides.", Zh: "可能与内存有关，也可能无关，要看日志的其他内容。"},
	"classEcho":      {En: "A consequence of an earlier error, never the cause.", Zh: "是之前某个错误的后果，从不是原因。"},
	"classClause":    {En: "A part of an allocator's sentence. Two with different figures, or one beside the exception's class, make a failure.", Zh: "分配器报错语句的一个部分。两个含不同数值的部分，或一个部分加异常类名，即构成一次故障。"},
	"classException": {En: "The class of an exception of memory. A failure where a traceback ends in it.", Zh: "内存异常的类名。调用栈以它结束时即为故障。"},
	"classBenign":    {En: "Looks like memory trouble and is none.", Zh: "看似内存问题，其实不是。"},
}
