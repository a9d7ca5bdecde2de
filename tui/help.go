package tui

import (
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// keys are all keys, for the help page; the help bar shows those of the pane.
var keys = []struct {
	keys string
	what knowledge.Text
}{
	{"j k ↑ ↓", knowledge.Text{En: "move", Zh: "移动"}},
	{"g G  PgUp PgDn  ^D ^U", knowledge.Text{En: "ends, pages, half pages", Zh: "首尾、翻页、半页"}},
	{"Tab", knowledge.Text{En: "the other pane; the next entry point, the next file", Zh: "切换面板；下一个入口、下一个文件"}},
	{"1 … 9", knowledge.Text{En: "jump to a remedy", Zh: "跳到某项措施"}},
	{"Enter / Esc", knowledge.Text{En: "open / back", Zh: "打开 / 返回"}},
	{"y / Y", knowledge.Text{En: "copy the command / the report", Zh: "复制命令 / 报告"}},
	{"s", knowledge.Text{En: "save the report as Markdown", Zh: "将报告保存为 Markdown"}},
	{"e / E / i", knowledge.Text{En: "next / previous incident / all of them", Zh: "下一个 / 上一个事件 / 全部事件"}},
	{"d", knowledge.Text{En: "details: the sums, what speaks for it, what else it may be", Zh: "详情：计算、迹象、其他可能"}},
	{"w", knowledge.Text{En: "what if: move settings, see the memory", Zh: "假设：调整设置，查看内存"}},
	{"l", knowledge.Text{En: "the log", Zh: "日志"}},
	{"x", knowledge.Text{En: "explain: causes, remedies, messages", Zh: "说明：原因、措施、消息"}},
	{"/ n N", knowledge.Text{En: "search the log, next, previous", Zh: "在日志中搜索、下一个、上一个"}},
	{"&", knowledge.Text{En: "filter: word, !word, /pattern/", Zh: "筛选：词、!词、/正则/"}},
	{"W ← →", knowledge.Text{En: "wrap long lines, or shift them", Zh: "折行，或左右移动"}},
	{"m", knowledge.Text{En: "mouse on or off", Zh: "鼠标开关"}},
	{"Space / End", knowledge.Text{En: "followed: pause, go on / the end of the log, as it grows", Zh: "跟踪时：暂停、继续 / 回到日志末尾"}},
	{"Ctrl-R", knowledge.Text{En: "paste: start over", Zh: "粘贴：重新开始"}},
	{"q / Ctrl-C", knowledge.Text{En: "back, then quit / quit", Zh: "返回，再退出 / 退出"}},
}

func (k *look) helpPage(w, h int) []string {
	out := []string{k.theme.heading.Render("oomdoc") + " " + k.theme.bold.Render(k.word("help"))}
	if h > len(keys)+2 {
		out = append(out, "")
	}
	wide := min(22, w/2)
	for _, row := range keys {
		out = append(out, k.theme.bold.Render(cells.Fill(row.keys, wide))+" "+cells.Cut(row.what.In(k.lang), w-wide-1))
	}
	return out
}
