package plan

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// words are those of a plan that the report does not have.
var words = map[string]knowledge.Text{
	"before":           {En: "before", Zh: "之前"},
	"after":            {En: "after", Zh: "之后"},
	"left":             {En: "%s left over", Zh: "还余 %s"},
	"lacking":          {En: "%s missing", Zh: "还差 %s"},
	"borderline.why":   {En: "inside the noise of the engine's own measurement, or more is needed than the log tells", Zh: "在引擎自身测量误差之内，或者所需的量日志没有说明"},
	"unknown":          {En: "cannot be told", Zh: "无法判断"},
	"unknown.why":      {En: "the figures that decide are not there", Zh: "缺少决定性的数字"},
	"basis.derived":    {En: "by arithmetic on these figures", Zh: "由以上数字计算得出"},
	"basis.estimated":  {En: "an estimate", Zh: "估算"},
	"legend":           {En: "~ derived, ≈ estimated", Zh: "~ 推算，≈ 估算"},
	"solve.fits":       {En: "%s = %s", Zh: "%s = %s"},
	"solve.short":      {En: "no %s is enough; at %s it is still", Zh: "%s 取任何值都不够；取 %s 时仍然"},
	"solve.unknown":    {En: "a fitting %s cannot be worked out from these figures", Zh: "从这些数字无法算出合适的 %s"},
	"solve.irrelevant": {En: "%s does not bear on this failure", Zh: "%s 与此故障无关"},
	"unset":            {En: "not stated", Zh: "未说明"},
	"startup_check":    {En: "check at start", Zh: "启动检查"},
	"load":             {En: "load", Zh: "加载"},
	"profile":          {En: "profile", Zh: "profile"},
	"pool_size":        {En: "size of the KV cache", Zh: "KV cache 大小"},
	"pool_allocation":  {En: "allocation of the KV cache", Zh: "KV cache 分配"},
	"graph_capture":    {En: "CUDA graphs", Zh: "CUDA graph"},
	"warmup":           {En: "warm-up", Zh: "预热"},
	"serving":          {En: "serving", Zh: "运行"},
	"assumed":          {En: "assumed: %s = %s, which no figure states", Zh: "假定：%s = %s，数字中没有说明"},
	"tokens":           {En: "KV cache: %s tokens", Zh: "KV cache：%s tokens"},
	"requests":         {En: "requests of max_model_len at a time: %s", Zh: "同时容纳的 max_model_len 请求数：%s"},
	"noLedger":         {En: "Where the memory went, the figures do not tell.", Zh: "这些数字不足以说明内存的去向。"},
}

// WriteText prints the plan: what changes, the bars, a table of the parts, the verdict with its sums.
func (p *Plan) WriteText(w io.Writer, opts report.Options) error {
	t := text{opts: opts, width: max(opts.Width, 40)}
	if p.About != "" {
		t.wrap("", p.About)
		t.out.WriteByte('\n')
	}
	if p.solved != "" {
		t.solved(p)
	} else {
		for _, c := range p.changes {
			t.wrap("", fmt.Sprintf("%s: %s → %s", c.name, cmp.Or(c.was, t.word("unset")), c.now))
		}
	}
	t.verdict(p.Verdict)
	t.later(p.Verdict)
	t.assumed(p.Verdict)
	t.cache(p.cache)
	after := p.Verdict.Ledgers
	if p.Verdict.Kind == memory.Unknown && p.solved != "" {
		after = nil
	}
	if len(p.before) == 0 {
		t.line("")
		t.line(t.word("noLedger"))
	}
	for i := range p.before {
		t.line("")
		var later *memory.Ledger
		if i < len(after) {
			later = &after[i]
		}
		t.ledgers(&p.before[i], later)
	}
	_, err := io.WriteString(w, t.out.String())
	return err
}

// text lays a plan out.
type text struct {
	out   strings.Builder
	opts  report.Options
	width int
}

// word is one of the plan's words, or of the report's.
func (t *text) word(key string) string {
	if w, ok := words[key]; ok {
		return w.In(t.opts.Lang)
	}
	return report.Word(key, t.opts.Lang)
}

func (t *text) line(s string) { t.out.WriteString(strings.TrimRight(s, " ") + "\n") }

// wrap writes a text, its further lines behind indent.
func (t *text) wrap(indent, s string) {
	room := max(t.width-len(indent), 20)
	for i, line := range strings.Split(ansi.Wrap(s, room, ""), "\n") {
		if i > 0 {
			line = indent + strings.TrimLeft(line, " ")
		}
		t.line(line)
	}
}

func (t *text) style(code, s string) string { return report.Styled(t.opts.Color, code, s) }

// solved says what was found.
func (t *text) solved(p *Plan) {
	switch {
	case len(p.changes) == 0:
		t.wrap("", fmt.Sprintf(t.word("solve.unknown"), p.solved))
	case p.aside:
		t.wrap("", fmt.Sprintf(t.word("solve.irrelevant"), p.changes[0].name))
	case p.Verdict.Kind != memory.Short:
		t.line(t.style(report.Bold, fmt.Sprintf(t.word("solve.fits"), p.changes[0].name, p.changes[0].now)))
	default:
		t.wrap("", fmt.Sprintf(t.word("solve.short"), p.changes[0].name, p.changes[0].now))
	}
}

// verdict says whether it is enough, by how much, and shows the sums.
func (t *text) verdict(v memory.Verdict) {
	style := map[memory.Kind]string{memory.Fits: "1;32", memory.Borderline: "1;33", memory.Short: "1;31"}[v.Kind]
	s := t.style(style, t.word(string(v.Kind)))
	switch {
	case v.Kind == memory.Unknown:
		s += ": " + t.word("unknown.why")
	case v.Sums != "":
		s += ": " + v.Sums
	}
	switch {
	case v.Kind == memory.Unknown || math.Abs(v.Margin) < 1<<20 || math.IsInf(v.Margin, 0):
	case v.Margin < 0:
		s += "; " + fmt.Sprintf(t.word("lacking"), memory.Format(-v.Margin))
	default:
		s += "; " + fmt.Sprintf(t.word("left"), memory.Format(v.Margin))
	}
	if v.Kind == memory.Borderline {
		s += "; " + t.word("borderline.why")
	}
	if b := t.word("basis." + string(v.Basis)); b != "" && v.Kind != memory.Unknown {
		s += " (" + b + ")"
	}
	t.wrap("  ", s)
}

// later lists the conditions of the other stages.
func (t *text) later(v memory.Verdict) {
	for _, q := range v.Later {
		t.wrap("    ", "  "+t.word(string(q.Stage))+": "+t.word(string(q.Kind))+": "+q.Sums)
	}
}

// assumed names the defaults that the sums rest on.
func (t *text) assumed(v memory.Verdict) {
	for _, name := range slices.Sorted(maps.Keys(v.Assumes)) {
		info, _ := fact.Lookup(name)
		t.wrap("    ", "  "+fmt.Sprintf(t.word("assumed"), name, rules.Format(wordFor(info, v.Assumes[name]), "en")))
	}
}

// cache says what the KV cache holds, before and after.
func (t *text) cache(c [2]memory.Cache) {
	pair := func(was, now float64, digits int) string {
		one := func(x float64) string {
			switch {
			case x <= 0:
				return "?"
			case digits > 0:
				return strconv.FormatFloat(x, 'f', digits, 64)
			}
			return memory.Grouped(int(x))
		}
		if one(was) == one(now) {
			return one(was)
		}
		return one(was) + " → " + one(now)
	}
	if c[0].Tokens > 0 || c[1].Tokens > 0 {
		t.line("  " + fmt.Sprintf(t.word("tokens"), pair(c[0].Tokens, c[1].Tokens, 0)))
	}
	if c[0].Requests > 0 || c[1].Requests > 0 {
		t.line("  " + fmt.Sprintf(t.word("requests"), pair(c[0].Requests, c[1].Requests, 2)))
	}
}

// ledgers prints one device's bars and the table of its parts; after is nil where it is not known.
func (t *text) ledgers(before, after *memory.Ledger) {
	head := fmt.Sprintf("GPU %d", before.GPU)
	if before.Total > 0 {
		head += ", " + memory.Format(before.Total)
	}
	t.line(t.style(report.Bold, head))
	list := []*memory.Ledger{before}
	names := []string{t.word("before")}
	if after != nil {
		list, names = append(list, after), append(names, t.word("after"))
	}
	span := report.Span(list...)
	lead := ansi.StringWidth(names[0])
	for _, n := range names {
		lead = max(lead, ansi.StringWidth(n))
	}
	cells := t.width - lead - 2
	marks := make([]string, len(list))
	for i, l := range list {
		marks[i] = report.BudgetMark(l, span, cells, t.opts.Lang)
	}
	for i, l := range list {
		t.line(fill(names[i], lead) + "  " + report.Bar(l, span, cells, t.opts.Color))
		if marks[i] != "" && (i == len(list)-1 || marks[i] != marks[i+1]) {
			t.line(strings.Repeat(" ", lead+2) + marks[i])
		}
	}
	t.table(list, names)
}

// table lists the parts of the ledgers beside each other, with what changes.
func (t *text) table(list []*memory.Ledger, names []string) {
	byName := make([]map[string]memory.Part, len(list))
	for i, l := range list {
		byName[i] = map[string]memory.Part{}
		for _, p := range l.Parts {
			byName[i][p.Name] = p
		}
	}
	header := append([]string{""}, names...)
	rows := [][]string{header}
	marked := false
	for _, name := range partOrder(list) {
		row := []string{report.PartSymbol(name) + " " + report.PartName(name, t.opts.Lang)}
		for _, m := range byName {
			p, ok := m[name]
			if ok {
				row = append(row, report.Amount(p))
				marked = marked || p.Basis != memory.Stated
			} else {
				row = append(row, "–")
			}
		}
		if len(list) == 2 {
			row = append(row, difference(byName[1][name].Bytes-byName[0][name].Bytes))
		}
		rows = append(rows, row)
	}
	t.columns(rows)
	if marked {
		t.line("  " + t.style(report.Dim, t.word("legend")))
	}
}

// partOrder is the order of the bars: that of the ledgers, one after the other.
func partOrder(list []*memory.Ledger) []string {
	var names []string
	for _, l := range list {
		for _, p := range l.Parts {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// difference is a signed size, "" where nothing changes.
func difference(d float64) string {
	switch {
	case math.Abs(d) < 1<<19:
		return ""
	case d > 0:
		return "+" + memory.Format(d)
	}
	return memory.Format(d)
}

// columns writes a table, the first column to the left, the others to the right.
func (t *text) columns(rows [][]string) {
	widths := make([]int, 4)
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell))
		}
	}
	for _, row := range rows {
		line := "  " + fill(row[0], widths[0])
		for i, cell := range row[1:] {
			line += "  " + strings.Repeat(" ", widths[i+1]-ansi.StringWidth(cell)) + cell
		}
		t.line(line)
	}
}

func fill(s string, columns int) string {
	return s + strings.Repeat(" ", max(0, columns-ansi.StringWidth(s)))
}
