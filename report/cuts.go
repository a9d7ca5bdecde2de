package report

import (
	"fmt"
	"regexp"
	"sync"

	"github.com/oomdoc/oomdoc/parser"
)

// cutTexts are the parser's words for what a bound left out, numbers apart, in Chinese.
var cutTexts = map[string]string{
	"a line longer than # KiB was read in pieces":                                            "超过 # KiB 的行被分段读取",
	"the log says the same over and over: repetitions were not read":                         "日志反复出现相同内容：重复部分未读取",
	"more than # runs: the later ones were taken for one":                                    "超过 # 次运行：其后的视为一次",
	"more than # incidents in a run: the later ones were left out":                           "一次运行中超过 # 个事件：其后的被略去",
	"more than # kinds of messages in an incident: the later ones were left out":             "一个事件中超过 # 种消息：其后的被略去",
	"more than # processes in an incident: the later ones are not named":                     "一个事件涉及超过 # 个进程：其后的不再列出",
	"more than # tracebacks at a time: the earlier ones were forgotten":                      "同时超过 # 个调用栈：较早的被丢弃",
	"more than # frames in a traceback: the later ones were left out":                        "调用栈超过 # 帧：其后的被略去",
	"more than # processes on a device: the later ones were left out":                        "一块设备上超过 # 个进程：其后的被略去",
	"more than # changes of phase in a run: the later ones were left out":                    "一次运行中阶段变化超过 # 次：其后的被略去",
	"more than # messages in a text that may be a prompt: the later ones were left out":      "可能是提示词的文本中超过 # 条消息：其后的被略去",
	"a text of more than # lines that may be a prompt was taken for the process's own words": "可能是提示词的文本超过 # 行，按进程自身的输出处理",
	"more than # prefixes in front of a text: the inner ones were taken for text":            "一行前面超过 # 层前缀：内层按正文处理",
	"texts within texts more than # deep were left as they are":                              "嵌套超过 # 层的文本未展开",
	"a configuration of # settings or more: the later ones were not read":                    "配置达到或超过 # 项：其后的未读取",
	"configurations within configurations: the later ones were not read":                     "配置中嵌套配置：其后的未读取",
	"a wording that matches in very many ways was given up":                                  "某个措辞的匹配方式过多，已放弃",
	"the text of a message was cut at # KiB":                                                 "一条消息的文本在 # KiB 处截断",
	"more than # engines: the statistics of the later ones were not followed":                "超过 # 个引擎：其后的统计未跟踪",
}

var digits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\d+`) })

// cutWords says what a bound left out, and how often.
func cutWords(c parser.Cut, lang string) string {
	s := c.What
	if zh, ok := cutTexts[digits().ReplaceAllString(s, "#")]; ok && lang == "zh" {
		numbers := digits().FindAllString(s, -1)
		s = regexp.MustCompile("#").ReplaceAllStringFunc(zh, func(string) string {
			n := numbers[0]
			numbers = numbers[1:]
			return n
		})
	}
	if c.N > 1 {
		s += fmt.Sprintf(" (%d×)", c.N)
	}
	return Printable(s)
}
