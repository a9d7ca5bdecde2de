package parser

import "testing"

func TestAdviceInOtherLanguages(t *testing.T) {
	const oom = "RuntimeError: " + sentence
	for name, text := range map[string]string{
		"Russian":            "Если вы видите " + oom + ", уменьшите batch_size.\n",
		"Russian, noun":      "При возникновении ошибки " + oom + " перезапустите сервис.\n",
		"Ukrainian":          "Якщо ви бачите " + oom + ", зменште batch_size.\n",
		"German":             "Wenn Sie die Meldung \"" + oom + "\" sehen, verringern Sie die Batchgröße.\n",
		"German, falls":      "Falls " + oom + " erscheint: kleineres Modell wählen.\n",
		"Spanish":            "Si aparece el error " + oom + ", reduce el batch_size.\n",
		"Portuguese":         "Caso ocorra " + oom + ", reduza o batch_size.\n",
		"French":             "Si vous obtenez " + oom + ", réduisez le batch_size.\n",
		"Italian":            "Se si verifica " + oom + ", riduci il batch_size.\n",
		"Vietnamese":         "Nếu gặp lỗi " + oom + ", hãy giảm batch_size.\n",
		"Indonesian":         "Jika muncul " + oom + ", kurangi batch_size.\n",
		"Polish":             "Jeśli zobaczysz " + oom + ", zmniejsz batch_size.\n",
		"Japanese":           "「" + oom + "」のようなエラーが表示された場合は、バッチサイズを小さくしてください。\n",
		"Japanese, marked":   "`" + oom + "` が出る場合は、仮想メモリを増やしてください。\n",
		"Japanese, before":   "次のようなエラーが出た場合：\n" + oom + "\nバッチサイズを小さくしてください。\n",
		"Korean":             oom + " 오류가 발생하면 batch_size를 줄이세요.\n",
		"Korean, before":     "다음과 같은 오류가 발생하면:\n" + oom + "\nbatch_size를 줄이세요.\n",
		"Turkish":            oom + " hatasını alırsanız batch_size değerini azaltın.\n",
		"Chinese, averted":   "# 防止 " + oom + "\n",
		"Russian, averted":   "Чтобы избежать " + oom + ", включён offload.\n",
		"Spanish, averted":   "# para evitar " + oom + "\n",
		"Chinese, repaired":  "- 修复：" + oom + "\n",
		"Russian, repaired":  "- Исправлено: " + oom + "\n",
		"question":           "**Q：启动时提示 " + oom + " 怎么办？**\n",
		"heading, its code":  "### `OSError: ページング ファイルが小さすぎるため...` (os error 1455)\n",
		"heading, its words": "### `ImportError: DLL load failed: 页面文件太小，无法完成操作。`\n",
	} {
		if got := failures(text); got != "" {
			t.Errorf("%s: taken for %s", name, got)
		}
	}
	for name, text := range map[string]string{
		"Russian":    "Если запускать с batch_size 8, вылетает " + oom + "\n",
		"Russian, I": "Если я увеличиваю batch_size, у меня появляется " + oom + "\n",
		"German":     "Wenn ich den Server starte, kommt " + oom + "\n",
		"Spanish":    "Si uso batch_size 8 me sale " + oom + "\n",
		"Portuguese": "Quando uso batch_size 8 dá " + oom + "\n",
		"French":     "Quand je lance le serveur j'obtiens " + oom + "\n",
		"Japanese":   "バッチサイズが8の場合は " + oom + " が出ます。\n",
		"Japanese 2": "「" + oom + "」というエラーが発生しました。この場合はどうすればいいですか。\n",
		"Korean":     "batch_size를 8로 하면 " + oom + " 오류가 발생합니다.\n",
		"Chinese":    "报错：" + oom + "\n",
		"Chinese 2":  "为了避免显存不足，设置了 batch_size=1，仍然 " + oom + "\n",
	} {
		if got := failures(text); got == "" {
			t.Errorf("%s: not seen", name)
		}
	}
}
