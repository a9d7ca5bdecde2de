package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// page lays out a page of explain: a title line, then headed sections of wrapped text.
type page struct {
	out  strings.Builder
	to   io.Writer
	opts report.Options
	kb   *knowledge.Base
}

func newPage(to io.Writer, opts report.Options, kb *knowledge.Base) *page {
	opts.Width = max(opts.Width, 40)
	return &page{to: to, opts: opts, kb: kb}
}

func (p *page) empty() bool { return p.out.Len() == 0 }

func (p *page) flush() error {
	_, err := io.WriteString(p.to, p.out.String())
	return err
}

func (p *page) print(s string) { p.out.WriteString(s) }

const (
	styleHead  = "1"
	styleFaint = "2"
)

func (p *page) style(code, s string) string {
	if !p.opts.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// in returns a text of the knowledge base in the page's language, for reading without a log: a figure
// stands as its <name>, a section that depends on figures without its brackets.
func (p *page) in(t knowledge.Text) string { return withoutLog(t.In(p.opts.Lang)) }

// head begins the page: the id, what kind of thing it is, and its title.
func (p *page) head(id, title string, what ...string) {
	id, kind := report.Printable(id), report.Printable(strings.Join(what, " · "))
	gap := max(2, p.opts.Width-ansi.StringWidth(id)-ansi.StringWidth(kind))
	p.print(p.style(styleHead, id) + strings.Repeat(" ", gap) + p.style(styleFaint, kind) + "\n\n")
	if title != "" {
		p.para("  ", "  ", title)
	}
}

// section begins a section with a heading.
func (p *page) section(key string) { p.print("\n" + p.style(styleHead, p.word(key)) + "\n") }

// para writes wrapped text, its first line behind first and the others behind rest.
func (p *page) para(first, rest, s string) {
	s = printable(strings.TrimSpace(s))
	if s == "" {
		return
	}
	room := max(p.opts.Width-max(ansi.StringWidth(first), ansi.StringWidth(rest)), 20)
	for i, line := range strings.Split(ansi.Wrap(s, room, ""), "\n") {
		lead := rest
		if i == 0 {
			lead = first
		}
		p.print(strings.TrimRight(lead+strings.Trim(line, " "), " ") + "\n")
	}
}

// text is a section of one text, left out where there is none.
func (p *page) text(key, s string) {
	if strings.TrimSpace(s) != "" {
		p.section(key)
		p.para("  ", "  ", s)
	}
}

// list is a section of short lines, left out where there are none.
func (p *page) list(key string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.section(key)
	for _, s := range lines {
		p.para("  ", "      ", s)
	}
}

// links is a section of addresses, not wrapped: they are there to be followed.
func (p *page) links(key string, list []string) {
	if len(list) == 0 {
		return
	}
	p.section(key)
	for _, s := range list {
		p.print("  " + report.Printable(s) + "\n")
	}
}

// printable is report.Printable for text of several lines. A site's knowledge may come from anywhere.
func printable(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = report.Printable(lines[i])
	}
	return strings.Join(lines, "\n")
}

// logRows is how many rows a line of a log may take on a page.
const logRows = 5

// verbatim writes lines of a log, long ones wrapped.
func (p *page) verbatim(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		room := p.opts.Width - len("  | ")
		line = ansi.Truncate(report.Printable(line), logRows*room, "…")
		for _, row := range strings.Split(ansi.Wrap(line, room, ""), "\n") {
			p.print("  | " + row + "\n")
		}
	}
}

// named is an id with its title, for lists of references.
func (p *page) named(id string) string {
	title := ""
	if c := p.kb.Cause(id); c != nil {
		title = c.Title.In(p.opts.Lang)
	} else if r := p.kb.Remedy(id); r != nil {
		title = r.Title.In(p.opts.Lang)
	}
	if title == "" {
		return id
	}
	return id + " – " + title
}

// withoutLog turns a text with {figures} and [sections] into one that can be read without a log.
func withoutLog(s string) string {
	var out strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "{[")
		if i < 0 {
			break
		}
		end := strings.IndexByte(s[i:], map[byte]byte{'{': '}', '[': ']'}[s[i]])
		if end < 0 {
			break
		}
		out.WriteString(s[:i])
		inner := s[i+1 : i+end]
		switch {
		case s[i] == '[' && strings.ContainsRune(inner, '{'):
			out.WriteString(withoutLog(inner))
		case s[i] == '{' && isFigure(inner):
			name, _, _ := strings.Cut(inner, ":")
			out.WriteString("<" + name + ">")
		default:
			out.WriteByte(s[i])
			end = 0
		}
		s = s[i+end+1:]
	}
	return out.String() + s
}

// isFigure reports whether {inner} stands for a fact or a derived figure.
func isFigure(inner string) bool {
	name, _, _ := strings.Cut(inner, ":")
	if _, ok := fact.Lookup(name); ok {
		return true
	}
	for i := range rules.Derived {
		if rules.Derived[i].Name == name {
			return true
		}
	}
	return false
}

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
	"figure":         {En: "derived figure", Zh: "推导量"},
	"degraded":       {En: "the server goes on, slowly", Zh: "服务继续运行，但变慢"},
	"any":            {En: "any engine", Zh: "任意引擎"},
	"about":          {En: "What happens", Zh: "发生了什么"},
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
	"always":         {En: "any version", Zh: "任意版本"},
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
