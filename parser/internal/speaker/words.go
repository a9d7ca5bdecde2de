package speaker

import (
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// The keys whose values are what a user wrote or a model answered. Those of the second list are also keys of
// other things: an error further inside is a process's.
var (
	promptKeys = lazyWords(`prompt prompts messages inputs input instruction instructions question query arguments
		reasoning_content reasoning conversation conversations chosen rejected prompt_text generated_text`)
	textKeys = lazyWords(`content text output outputs answer response body data`)
)

func isPromptKey(key string) bool { return promptKeys()[key] || textKeys()[key] }

// errorKeys are the keys whose values are what went wrong.
var errorKeys = lazyWords(`err error errors error_message errormsg errmsg exc exception exc_info exc_text evalue msg message detail details
	debug_error_string description reason cause failure failed fault stderr stdout stack stacktrace stack_trace traceback trace what
	lasterror last_error status_message warning log line event`)

// sourceFiles and manuals are the ends of names of files that no log comes from.
const (
	manuals = `md|mdx|rst|adoc|markdown|tex|html?|ipynb`
	sources = `py|pyi|pyx|c|cc|cpp|cxx|cu|cuh|h|hpp|hip|java|js|ts|tsx|go|rs|sh|rb|jinja2?`
)

// seeing is what a manual says in English of an error that its reader may see.
var seeing = lazy.Regexp(`(?i)\b(?:if|when|whenever|once|in case)\b.{0,40}\b(?:you|your|users?)\b|\b(?:you|users?|one)(?:'ll)? (?:may |might |can |could |will |would |should )?(?:also |then |often |sometimes )?(?:see|get|encounter|run into|find|notice|hit|observe)\b|\b(?:errors?|messages?|warnings?|exceptions?|something) (?:like|such as|similar to|resembling)\b|\bfor (?:example|instance)\b|\be\.g\.`)

// conditions are what a manual says in other languages in front of an error that its reader may see, in lower case. Reports say
// "when I" and "then came".
var conditions = lazyList(`если вы|если вам|если у вас|если появ|если возник|при возникновении|при появлении|якщо ви|якщо з|wenn sie|wenn du|sollten sie|
	si aparece|si ves|si obtien|si recib|si te sale|si ocurre|si encuentr|si se produce|en caso de|se aparecer|se você|se ocorrer|se receber|se encontrar|caso apare|caso ocorra|caso receba|caso veja|caso encontre|caso você|
	si vous|si tu|si l'erreur|si l’erreur|en cas d|se vedi|se ricevi|se ottieni|se compare|se appare|se si verifica|in caso di|nếu gặp|nếu bạn|nếu thấy|nếu nhận|nếu xuất|jika anda|jika melihat|jika mendapat|jika muncul|jika terjadi|jeśli |
	如果看到|如果出现|如果出現|如果你|如果您|若出现|若遇到|如果遇到|例如|エラーが出た場合|エラーが表示された場合|メッセージが出た場合|ようなエラー|오류가 발생하면|에러가 나면|오류가 나면|메시지가 나타나면`)

// openings are such words at the beginning of a sentence only.
var openings = lazyList(`falls |sollte |when memory|if memory`)

// seeingWords are those of which each match of seeing has one: cheaper to look for.
var seeingWords = lazyList(`you|user|one |one'll|like|such as|similar to|resembling|for example|for instance|e.g.`)

// weakConditions say so only in front of a quoted error.
var weakConditions = lazyList(`if the|if a|if an|if this|if it|when the|when a|when an|when this|when it`)

// conditionsAfter are the same in languages that put the condition behind the error.
var conditionsAfter = lazyList(`が出る場合|が出た場合|が表示された場合|が表示される場合|が発生した場合|が発生する場合|と表示された場合|が出たら|と出たら|と言われたら|
	가 발생하면|이 발생하면|가 나타나면|이 나타나면|가 나면|가 뜨면|가 나오면|오류가 발생하면|오류가 발생하는 경우|hatasını alırsanız|alırsanız|görürseniz|alıyorsanız`)

// persons are words of somebody who speaks of himself, or of what happened. They stand between other than letters.
var persons = lazyList(`i|i'm|i've|i'd|we|we've|we're|my|our|me|us|got|getting|gets|fails|failed|crashes|crashed|threw|throws|gave|gives|died|dies|
	я|мне|у меня|нас|мені|ich|mir|mein|meine|meinen|yo|me|mi|eu|meu|minha|je|j'ai|j’ai|mon|mio|mia|tôi|saya|mnie`)

// personsOfScripts are the same where words have no blanks between them.
var personsOfScripts = lazyList(`我|报错|報錯|私|僕|제가|저는|どうすれば`)

// averting are words for what keeps a failure away, in front of it.
var averting = lazy.Regexp(`(?i:\b(?:avoid(?:s|ing)?|prevent(?:s|ing)?|guard(?:s|ing)? against|work(?:s|ing)? around)\b)[^.;]{0,90}$|(?:避免|防止)[^。；，,;]{0,30}$|(?:^|[^\pL])(?i:избежать|избегать|предотвра\pL*|vermeide[nt]?|verhinder[nt]|éviter?|evitar?)(?:[^\pL.;][^.;]{0,60})?$`)

// avertingWords are parts of words of which each match of averting has one.
var avertingWords = lazyList(`void|revent|uard|round|避免|防止|збе|редотвра|erm|erh|vite|vita`)

// explaining are words that say what an error means, behind it.
var explaining = lazyList(`means|mean|indicates|indicate|is raised|is thrown|is shown|is printed|is logged|occurs when|occurs if|happens when|happens if|appears when|appears if|usually means|typically means|often means`)

// advising are the verbs with which an entry of a manual goes on behind the error and a sign.
var advising = lazyWords(`lower reduce decrease increase raise try use set add enable disable check make you see`)

// errorWords are what an error is called.
var errorWords = lazyList(`error|exception|message|out of memory|out-of-memory|oom|crash|warning|fehler|erreur|ошибк|报错|错误|エラー|오류|에러`)

// changes begin the entries of lists of changes.
var changes = lazyList(`fix |fix: |fixes |fixed |handle |handles |handled |catch |catches |avoid |avoids |avoided |修复|修正|исправлен|behoben|corrigé|corregid|corrigid`)

// speakers stand in front of what is said in a conversation.
var speakers = lazyList(`user|human|assistant|question|prompt|q|a|system`)

// teaching are words of headings below which failures are explained.
var teaching = lazyList(`troubleshoot|common |faq|frequently asked|known issue|solution|workaround|symptom|how to |guide|runbook|tips|pitfall|error message|errors|best practice|playbook|reference|常见|排查|解决|故障|指南|问题|よくある|トラブル|対処|자주 묻는|문제 해결|устранение|решение|fehlerbehebung|dépannage|solución|problemas`)

// reporting are words of headings below which somebody reports what happened.
var reporting = lazyList(`evidence|describe the bug|to reproduce|reproduction|expected behavior|actual behavior|what happened|error log|relevant log|log output|current environment|incident|timeline|复现|报错信息`)

// requests are words of which one stands around the text of a request or an answer.
var requests = lazyList(`request|receive|generat|prompt|role|choices|instruction|completion|sample|assistant|conversation|"type": "text"|'type': 'text'|delta|query|question`)

// lazyWords splits at blanks, when it is first needed.
func lazyWords(s string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for _, w := range strings.Fields(s) {
			m[w] = true
		}
		return m
	})
}

// lazyList splits at bars, when it is first needed; blanks at the ends of an entry belong to it, line ends do not.
func lazyList(s string) func() []string {
	return sync.OnceValue(func() []string {
		var out []string
		for _, w := range strings.Split(s, "|") {
			if w = strings.TrimLeft(w, "\n\t"); w != "" {
				out = append(out, w)
			}
		}
		return out
	})
}

// hasWord reports whether one of the words stands in a text in lower case, between other than letters.
func hasWord(lower string, list []string) bool {
	for _, w := range list {
		for from := 0; ; {
			i := strings.Index(lower[from:], w)
			if i < 0 {
				break
			}
			i += from
			end := i + len(w)
			if (i == 0 || !isWord(lower[i-1])) && (end == len(lower) || !isWord(lower[end])) {
				return true
			}
			from = i + 1
		}
	}
	return false
}

func hasAny(s string, list []string) bool {
	for _, w := range list {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
