package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/internal/attack"
	"github.com/oomdoc/oomdoc/rules"
)

// failure is a log with an attack in it, of which every command has something to say.
func failure(text string) string {
	return strings.ReplaceAll(`$ vllm serve org/% --max-model-len 131072 --served-model-name '%'
(EngineCore_DP0% pid=7) INFO 10-08 20:33:40 [core.py:76] Initializing a V1 LLM engine (v0.11.0) with config: model='org/%', max_seq_len=131072, quantization=%
(EngineCore_DP0 pid=7) ERROR 10-08 20:33:48 [core.py:708] ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (5.39 GiB). Based on the available memory, the estimated maximum model length is 44144. %
`, "%", text)
}

// ownColours are what the program itself colours its text with.
var ownColours = regexp.MustCompile("\x1b\\[[0-9;]*m")

// Whatever stands in a log, a file's name, a flag's value, a directory of knowledge or a word to look up: what the
// commands print, errors too, is printable.
func TestNothingActsOnTheTerminal(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	dir := t.TempDir()
	for i, text := range attack.Texts {
		site := filepath.Join(dir, "site"+string(rune('a'+i%26))+attack.Name(text))
		log := filepath.Join(dir, "log"+attack.Name(text)+".log")
		for path, content := range map[string]string{
			log: failure(text),
			filepath.Join(site, "causes", "a"+attack.Name(text)+".yaml"): "id: b" + text + "\nwhen: message(\"" + text + "\") and max_model_len > \"" + text + "\"\ntitle: {en: " + text + "}\n",
			filepath.Join(site, "causes", "escaped.yaml"):                "id: site-cause\nengine: vllm\ntitle: {en: \"" + escaped(text) + "\", zh: \"" + escaped(text) + "\"}\nwhen: \"" + escaped(text) + "\"\n",
			filepath.Join(site, "remedies", "c.yaml"):                    "id: \"" + escaped(text) + "\"\ntitle: {en: x, zh: y}\n" + text + ": 1\n",
			filepath.Join(site, "t"+attack.Name(text)+".test"):           text + "\n",
		} {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Skip("no such name here:", err)
			}
		}
		missing := filepath.Join(dir, "none"+text)
		commands := [][]string{
			{log}, {"--format", "json", log}, {"--format", "markdown", log}, {"--color", "always", log}, {missing}, {log, missing}, {dir},
			{"--format", text, log}, {"--color", text, log}, {"--lang", text, log}, {"--width", text, log}, {"--" + text, log}, {"-%" + text, log}, {"--knowledge", missing, log},
			{"--knowledge", site, log}, {"--knowledge", site, "list"}, {"kb", "lint", site}, {"kb", "test", site}, {"kb", "lint", missing}, {"kb", text},
			{"explain", text}, {"explain", "kv-cache" + text}, {"explain", "--lang", text, "max_model_len"}, {"list", text}, {"list", "--search", text}, {"list", "causes", "--search", text},
			{"plan", log}, {"plan", log, "--set", "max_model_len=" + text}, {"plan", log, "--set", text + "=1"}, {"plan", log, "--set", text}, {"plan", log, "--solve", text},
			{"plan", log, "--set", "model=" + text}, {"plan", missing}, {"plan", "--fact", text + "=1"},
			{"--poll", "x" + text, log}, {"--lines", "x" + text, log}, {"run", "--report", missing + "/" + text, "--", missing}, {"run", "--", text + "no such command"}, {"run", "--" + text},
		}
		if i%6 != 0 { // all commands for some of the texts
			commands = commands[:8]
		}
		for _, args := range commands {
			var out, errs bytes.Buffer
			run(args, null, &out, &errs)
			if bad := attack.Foreign(ownColours.ReplaceAllString(out.String(), "")); bad != "" {
				t.Errorf("%q prints %q", args, bad)
			}
			if bad := attack.Foreign(errs.String()); bad != "" {
				t.Errorf("%q complains with %q", args, bad)
			}
			if out.Len()+errs.Len() == 0 {
				t.Errorf("%q says nothing", args)
			}
		}
	}
}

// site is knowledge whose texts attack, and which holds for the log of failure.
const site = `id: site-pool
engine: any
title: {en: "Pool %", zh: "池 %"}
headline: {en: "Pool %", zh: "池 %"}
explain: {en: "Why: %", zh: "原因：%"}
about: {en: "What: %", zh: "何事：%"}
when: message("kv-too-small-v1")
base: 9
remedies:
  - use: site-remedy
dead_ends:
  - use: empty-cache
    why: {en: "Not: %", zh: "无效：%"}
sources: ["https://example.org/%"]
`

const siteRemedy = `id: site-remedy
title: {en: "Send %", zh: "提交 %"}
effect: {en: "It does %", zh: "作用 %"}
cost: {en: "It costs %", zh: "代价 %"}
verify: {en: "Look for %", zh: "验证 %"}
cost_rank: 1
apply:
  - {cli: "send %"}
sources: ["https://example.org/%"]
`

// What a site's knowledge says is printable wherever it stands, or it is refused.
func TestNothingOfKnowledgeActs(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	shown, refused := 0, 0
	brackets := strings.NewReplacer("\x1b[", "\u009b", "[", "", "]", "", "{", "", "}", "") // they mean something in such texts
	for i, text := range attack.Texts {
		text = strings.ToValidUTF8(brackets.Replace(text), "?")
		dir := t.TempDir()
		for name, content := range map[string]string{"causes/a.yaml": site, "remedies/a.yaml": siteRemedy} {
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(content, "%", escaped(text))), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		log := filepath.Join(dir, "log")
		if err := os.WriteFile(log, []byte(failure("x")), 0o600); err != nil {
			t.Fatal(err)
		}
		pages := [][]string{
			{log}, {"explain", "site-pool"}, {"--lang", "zh", log},
			{"list", "causes"}, {"list", "remedies"}, {"explain", "site-remedy"}, {"explain", "empty-cache"}, {"explain", "kv-too-small-v1"}, {"explain", "--lang", "zh", "site-pool"},
			{"--format", "json", log}, {"--format", "markdown", log}, {"--format", "issue", log},
		}
		if i%6 != 0 { // all pages for some of the texts
			pages = pages[:3]
		}
		for _, args := range pages {
			var out, errs bytes.Buffer
			status := run(append([]string{"--knowledge", dir}, args...), null, &out, &errs)
			if bad := attack.Foreign(strings.ReplaceAll(out.String(), "\t", "") + errs.String()); bad != "" {
				t.Errorf("%q with %q prints %q", args, text, bad)
			}
			if status == rules.ExitUsage {
				refused++
				break // with a reason, which is printable
			}
			shown++
		}
	}
	if shown < 20 || refused < 20 {
		t.Errorf("%d pages shown, %d texts refused", shown, refused)
	}
}

// escaped is a text as a YAML string holds it, every character by its number.
func escaped(text string) string {
	var b strings.Builder
	for _, r := range text {
		fmt.Fprintf(&b, `\U%08x`, r)
	}
	return b.String()
}
