package record

import (
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// What manuals say in front of an error, or behind it, in other languages than English and Chinese. Reports say
// "when I" and "then came", so that the verbs are those that speak to a reader.
var (
	conditional = lazy.Regexp(`(?:^|[^\pL])(?:` +
		`если (?:вы |вам |у вас )?(?:видите|увидите|получаете|получите|получили|столкнулись|встретите|появится|появляется ошибка|возникнет|возникает ошибка|возникла ошибка)|при (?:возникновении|появлении)` +
		`|якщо (?:ви )?(?:бачите|побачите|отримуєте|отримали|виникає|виникне)` +
		`|wenn (?:sie|du) |falls |sollten? ` +
		`|si (?:aparece|ves|obtienes?|recibes?|te sale|ocurre|encuentras?|se produce)|en caso de ` +
		`|se (?:aparecer|você|ocorrer|receber|encontrar)|caso (?:apareça|ocorra|receba|veja|encontre|você)` +
		`|si (?:vous|tu) (?:voyez|obtenez|rencontrez|recevez|avez|vois|obtiens|rencontres)|si l['’]erreur|en cas d` +
		`|se (?:vedi|ricevi|ottieni|compare|appare|si verifica|incontri)|in caso di ` +
		`|nếu (?:bạn )?(?:gặp|thấy|nhận|xuất hiện)` +
		`|jika (?:anda )?(?:melihat|mendapat|muncul|terjadi)` +
		`|jeśli (?:zobaczysz|widzisz|pojawi|otrzymasz|wystąpi))` +
		`|(?:エラー|メッセージ)[^。、]{0,12}(?:場合[はに、:：]|たら)` +
		`|(?:오류|에러|메시지|경고)[가이를을]? ?[^.]{0,12}(?:하면|나면|뜨면|보이면|나타나면|경우)`)
	conditionalBehind = lazy.Regexp(`(?:が|と)(?:出|表示|発生|言われ)[^。、]{0,8}(?:場合(?:は|、|には)|たら)|(?:가|이) ?[^.]{0,6}(?:발생하면|나타나면|나면|뜨면|나오면|(?:발생하는|나는|뜨는|나오는) 경우)|(?:alırsanız|görürseniz|alıyorsanız)`)
	avertingAbroad    = lazy.Regexp(`(?:避免|防止)[^。；，,;]{0,30}$|(?:^|[^\pL])(?i:избежать|избегать|предотвра\pL*|vermeide[nt]?|verhinder[nt]|éviter?|evitar?)(?:[^\pL.;][^.;]{0,60})?$`)
	speaksOfSelf      = lazy.Regexp(`(?:^|[^\pL])(?i:я|мне|у меня|нас|мені|ich|mir|mein\w*|yo|me|mi|eu|meu|minha|je|j['’]ai|mon|mio|mia|tôi|saya|mnie)(?:[^\pL]|$)|私|僕|제가|저는`)
)

// conditions are the words of which one stands in each of these sentences: cheaper to see than by the pattern.
var conditions = []string{
	"если ", "при ", "якщо ", "wenn ", "falls ", "sollte", "si ", "en cas", "se ", "caso ", "nếu ", "jika ", "jeśli ",
	"場合", "たら", "면", "경우",
}

// advisesAbroad is advises in other languages; the text is in lower case.
func advisesAbroad(lower string) bool {
	return containsAny(lower, conditions) && conditional().MatchString(lower) && !speaksOfSelf().MatchString(lower)
}

// avertsAbroad is averts in other languages.
func avertsAbroad(s string) bool {
	return containsAny(s, []string{"避免", "防止", "збе", "редотвра", "ermeide", "erhinder", "vite", "vita"}) && avertingAbroad().MatchString(s)
}

// advisesBehind reports whether a text that begins with a message goes on with what to do where it appears:
// Japanese, Korean and Turkish have the condition at the end.
func advisesBehind(after string) bool {
	after = after[:min(len(after), maxMessage)]
	for _, word := range []string{"場合", "たら", "면", "경우", "ırsanız", "ürseniz", "yorsanız"} {
		if strings.Contains(after, word) {
			return conditionalBehind().MatchString(after) && !speaksOfSelf().MatchString(after)
		}
	}
	return false
}
