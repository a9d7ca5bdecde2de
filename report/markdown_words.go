package report

import (
	"fmt"
	"strings"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/mask"
)

// The words of the formats that are made for sharing.
var sharedLabels = map[string]knowledge.Text{
	"memory":      {En: "Where the memory went", Zh: "内存去向"},
	"part":        {En: "part", Zh: "部分"},
	"total":       {En: "total", Zh: "总量"},
	"budget":      {En: "budget", Zh: "预算"},
	"missing":     {En: "missing", Zh: "缺少"},
	"bases":       {En: "~ derived, ≈ estimated, the others as the log states them", Zh: "~ 推算，≈ 估计，其余为日志原文"},
	"do":          {En: "What helps", Zh: "有效的做法"},
	"dont":        {En: "What does not help here", Zh: "在此无效的做法"},
	"seen":        {En: "What the log says", Zh: "日志原文"},
	"trace":       {En: "traceback, innermost last", Zh: "调用栈（最内层在最后）"},
	"settings":    {En: "Versions and arguments", Zh: "版本与参数"},
	"setting":     {En: "setting", Zh: "项"},
	"value":       {En: "value", Zh: "值"},
	"command":     {En: "Command", Zh: "命令"},
	"corrected":   {En: "The whole command, corrected", Zh: "修正后的完整命令"},
	"runs":        {En: "What was tried", Zh: "已尝试"},
	"run":         {En: "run", Zh: "运行"},
	"changed":     {En: "what was different", Zh: "不同之处"},
	"ended":       {En: "how it ended", Zh: "结果"},
	"served":      {En: "it ran", Zh: "正常运行"},
	"silent":      {En: "no memory failure in the log", Zh: "日志中没有内存故障"},
	"likewise":    {En: "in the same way", Zh: "以同样方式结束"},
	"computed":    {En: "What the arithmetic says", Zh: "计算结果"},
	"further":     {En: "Further incidents", Zh: "其他事件"},
	"phase":       {En: "phase", Zh: "阶段"},
	"more":        {En: "… and %d more", Zh: "…… 另有 %d 条"},
	"masked":      {En: "masked", Zh: "已遮盖"},
	"maskedNone":  {En: "nothing had to be masked", Zh: "没有需要遮盖的内容"},
	"notMasked":   {En: "not masked: look it over before you share it", Zh: "未遮盖：分享前请检查"},
	"collectEnv":  {En: "(paste the output of collect_env.py here; below is what the log states)", Zh: "（请在此粘贴 collect_env.py 的输出；以下为日志所述）"},
	"lookItOver":  {En: "written by oomdoc from a log; look it over before you post it", Zh: "由 oomdoc 根据日志生成；发布前请检查"},
	"environment": {En: "Your current environment", Zh: "Your current environment"}, // the form's own words
	"bug":         {En: "🐛 Describe the bug", Zh: "🐛 Describe the bug"},
}

func shared(lang, key string) string { return sharedLabels[key].In(lang) }

var kindNames = map[mask.Kind]knowledge.Text{
	mask.PrivateKey:  {En: "private keys", Zh: "私钥"},
	mask.Token:       {En: "tokens", Zh: "令牌"},
	mask.Key:         {En: "keys and passwords", Zh: "密钥与密码"},
	mask.Credentials: {En: "credentials in URLs", Zh: "URL 中的凭据"},
	mask.Prompt:      {En: "prompts", Zh: "提示词"},
	mask.Email:       {En: "e-mails", Zh: "邮箱"},
	mask.User:        {En: "user names", Zh: "用户名"},
	mask.Host:        {En: "host names", Zh: "主机名"},
	mask.Address:     {En: "IP addresses", Zh: "IP 地址"},
}

// maskedLine says what was masked.
func maskedLine(m *mask.Masker, lang string) string {
	if m == nil {
		return shared(lang, "notMasked")
	}
	var parts []string
	for _, c := range m.Counts() {
		parts = append(parts, fmt.Sprintf("%d %s", c.N, kindNames[c.Kind].In(lang)))
	}
	if parts == nil {
		return shared(lang, "maskedNone")
	}
	return shared(lang, "masked") + ": " + strings.Join(parts, ", ")
}
