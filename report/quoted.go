package report

import "github.com/oomdoc/oomdoc/knowledge"

// plural is the sentence that tells of quotations; it goes on with the place of the first.
func plural(n int, lang string) string {
	if n == 1 {
		return label(lang, "quotedOne")
	}
	return label(lang, "quotedMany")
}

// quotedWhy is the reason why a message is not taken as the log's own, as the parser gives it, in a language.
func quotedWhy(why, lang string) string {
	return knowledge.Text{En: why, Zh: quotedReasons[why]}.In(lang)
}

// quotedReasons are the parser's reasons in Chinese.
var quotedReasons = map[string]string{
	"it is the text of a request or of its answer":                                       "它是请求或回答的文本",
	"it stands in the text of a request or of its answer":                                "它位于请求或回答的文本中",
	"it stands in a turn of a chat":                                                      "它位于对话的一轮中",
	"it stands in the description of a function":                                         "它位于函数的说明中",
	"it is a text in a source or a configuration":                                        "它是源码或配置中的一段文本",
	"the shell printed a source or a manual":                                             "它来自 shell 打印的源码或文档",
	"the words above it announce what a reader may see":                                  "上文说明这是读者可能看到的内容",
	"it stands in a hunk of a patch":                                                     "它位于补丁中",
	"it is part of a request's address":                                                  "它是请求地址的一部分",
	"a regular expression or a place for a value stands where a process prints a figure": "本该是数值的位置写着正则表达式或占位符",
	"it stands in a table":                                                               "它位于表格中",
	"it stands in the description of a commit":                                           "它位于提交说明中",
	"a test made it up":                                                                  "它是测试构造的",
	"a search found it in a source or a manual":                                          "它是在源码或文档中搜索到的",
	"it stands behind the name of who speaks":                                            "它前面是说话人的名字",
	"it stands in a comment":                                                             "它位于注释中",
	"it is a string of a source":                                                         "它是源码中的字符串",
	"a list of changes names what was mended":                                            "它列在变更记录中",
	"the sentence speaks of what its reader may see":                                     "该句说的是读者可能看到的内容",
	"the sentence explains it":                                                           "该句在解释它",
	"it stands in a source":                                                              "它位于源码中",
	"it stands in a manual":                                                              "它位于文档中",
}
