package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/attack"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// attacks are texts that a stranger may have got into a log: against a terminal, and against Markdown and shells.
var attacks = append(slices.Clone(attack.Texts),
	"```\n# not mine\n```", "~~~", "````", "`code` ``more``", "</details><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- hidden", "-->",
	"[click](http://evil.example)", "![x](http://evil.example/x.png)", "@everyone @torvalds", "#1 GH-1 org/repo#2", "www.evil.example http://evil.example", "| a | b |",
	"**bold** _it_ ~~gone~~ $x^2$", "\n\n# heading", "- [ ] task", "1. list", "> quote", "&lt;b&gt;&#64;", `\`, "`", "`$(reboot)`", "$(reboot) ; rm -rf / | sh & \"'",
)

// hostile is a log with an attack wherever the program shows a part of it.
func hostile(text string) []byte {
	return []byte(strings.ReplaceAll(`$ HF_HOME=/x/% vllm serve org/% --max-model-len 131072 --served-model-name '%'
(EngineCore_DP0% pid=7) INFO 10-08 20:33:4% [core.py:76] Initializing a V1 LLM engine (v0.11.0%) with config: model='org/%', dtype=torch.%, max_seq_len=131072, quantization=%, kv_cache_dtype=%, speculative_config='%'
(EngineCore_DP0 pid=7) INFO 10-08 20:33:40 [gpu_worker.py:298] Available KV cache memory: 5.39 GiB
(EngineCore_DP0 pid=7) ERROR 10-08 20:33:48 [core.py:708] Traceback (most recent call last):
(EngineCore_DP0 pid=7) ERROR 10-08 20:33:48 [core.py:708]   File "/home/%/vllm/v1/engine/%.py", line 7, in run_%
(EngineCore_DP0 pid=7) ERROR 10-08 20:33:48 [core.py:708] ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (5.39 GiB). Based on the available memory, the estimated maximum model length is 44144. %
[rank%]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.15 GiB of which 1.00 GiB is free. % Process % has 12 GiB memory in use.
RuntimeError: NCCL error % out of memory %
`, "%", text))
}

var writers = map[string]func(*bytes.Buffer, *rules.Diagnosis, report.Options) error{
	"text": func(b *bytes.Buffer, d *rules.Diagnosis, o report.Options) error { return report.WriteText(b, d, o) },
	"json": func(b *bytes.Buffer, d *rules.Diagnosis, o report.Options) error { return report.WriteJSON(b, d, o) },
	"markdown": func(b *bytes.Buffer, d *rules.Diagnosis, o report.Options) error {
		return report.WriteMarkdown(b, d, o)
	},
	"issue": func(b *bytes.Buffer, d *rules.Diagnosis, o report.Options) error { return report.WriteIssue(b, d, o) },
}

func diagnosis(tb testing.TB, name string, log []byte) *rules.Diagnosis {
	tb.Helper()
	d, err := oomdoc.Diagnose(name, bytes.NewReader(log), oomdoc.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// checkBytes: nothing but printable text and line ends.
func checkBytes(t *testing.T, what string, out []byte) {
	t.Helper()
	if bad := attack.Foreign(string(out)); bad != "" {
		t.Errorf("%s: %q", what, bad)
	}
}

var (
	ownTags    = strings.NewReplacer("<details>", "", "</details>", "", "<summary>", "", "</summary>", "", "<code>", "", "</code>", "", "<!-- -->", "\x00")
	ownComment = regexp.MustCompile(`(?m)^<!-- [^<>]* -->$`)
)

// unfenced returns Markdown without its code blocks, and what is wrong with them.
func unfenced(text string) (string, string) {
	var out []string
	mark := ""
	for _, l := range strings.Split(text, "\n") {
		run := l[:len(l)-len(strings.TrimLeft(l, "`"))]
		switch {
		case mark == "" && len(run) >= 3:
			mark = run
		case mark != "" && l == mark:
			mark = ""
		case mark != "" && len(run) >= len(mark):
			return "", "a block is broken by " + l
		case mark == "":
			out = append(out, l)
		}
	}
	if mark != "" {
		return "", "a block is not closed"
	}
	return strings.Join(out, "\n"), ""
}

// withoutCode takes the code spans out of a line, by the rules of CommonMark.
func withoutCode(line string) string {
	var b strings.Builder
	for i := 0; i < len(line); {
		if line[i] == '\\' && i+1 < len(line) {
			b.WriteString(line[i : i+2])
			i += 2
			continue
		}
		if line[i] != '`' {
			b.WriteByte(line[i])
			i++
			continue
		}
		n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
		end := -1
		for k := i + n; k < len(line); {
			if line[k] != '`' {
				k++
				continue
			}
			m := len(line[k:]) - len(strings.TrimLeft(line[k:], "`"))
			if m == n {
				end = k + m
				break
			}
			k += m
		}
		if end < 0 {
			b.WriteString(line[i : i+n])
			i += n
			continue
		}
		i = end
	}
	return b.String()
}

var live = regexp.MustCompile("(?:^|[^\\\\])[<`\\]\\[]|@\\w|(?:^|\\s)#\\d|https?://|\\bwww\\.|!\\[")

// checkMarkdown: of what the log said nothing means anything to Markdown.
func checkMarkdown(t *testing.T, what, text string) {
	t.Helper()
	rest, problem := unfenced(text)
	if problem != "" {
		t.Errorf("%s: %s", what, problem)
	}
	rest = ownTags.Replace(ownComment.ReplaceAllString(rest, ""))
	for _, l := range strings.Split(rest, "\n") {
		if bare := withoutCode(l); live.MatchString(bare) {
			t.Errorf("%s: %q is live in %q", what, live.FindString(bare), l)
		}
		if strings.HasPrefix(l, "#") && !regexp.MustCompile(`^#{3,4} \S`).MatchString(l) {
			t.Errorf("%s: heading %q", what, l)
		}
	}
}

func TestNothingOfTheLogActs(t *testing.T) {
	for _, a := range attacks {
		d := diagnosis(t, "dir/"+a+".log", hostile(a))
		if len(d.Findings) == 0 {
			t.Errorf("%q hides the failure", a)
		}
		for format, write := range writers {
			for _, lang := range []string{"en", "zh"} {
				for _, open := range []bool{false, true} {
					if open && format != "markdown" && format != "issue" {
						continue
					}
					var b bytes.Buffer
					if err := write(&b, d, report.Options{Lang: lang, Width: 80, Version: "v1", NoMask: open}); err != nil {
						t.Fatal(err)
					}
					what := format + " of " + strings.ToValidUTF8(a, "?")
					checkBytes(t, what, b.Bytes())
					switch format {
					case "json":
						if !json.Valid(b.Bytes()) {
							t.Errorf("%s is no JSON", what)
						}
					case "markdown", "issue":
						checkMarkdown(t, what, b.String())
					}
				}
			}
		}
	}
}

// In UTF-16 a text can hold half a pair: it is no text, and gives none. The attack may be cut anywhere.
func TestNothingOfUTF16Acts(t *testing.T) {
	for _, a := range append([]string{"\x00\xd8", "\x00\xdc", "\x1b\x00[\x002\x00J\x00", "\x00\xd8\x1b\x00[\x00m\x00"}, attacks...) {
		log := []byte{0xff, 0xfe}
		for _, c := range hostile("%") {
			if c == '%' {
				log = append(log, a...)
				log = append(log, make([]byte, len(a)%2)...)
			} else {
				log = append(log, c, 0)
			}
		}
		s := oomdoc.NewSession(oomdoc.Options{})
		for i := range log {
			s.Feed(log[i : i+1])
		}
		var b bytes.Buffer
		if err := report.WriteText(&b, s.Close(), report.Options{Lang: "en", Width: 100}); err != nil {
			t.Fatal(err)
		}
		checkBytes(t, fmt.Sprintf("UTF-16 with %q", a), b.Bytes())
	}
}

// The colours of the text report are the program's own.
func TestColoursAreOurOwn(t *testing.T) {
	own := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, a := range attacks {
		var b bytes.Buffer
		if err := report.WriteText(&b, diagnosis(t, "x", hostile(a)), report.Options{Lang: "en", Width: 100, Color: true}); err != nil {
			t.Fatal(err)
		}
		checkBytes(t, "coloured text of "+strings.ToValidUTF8(a, "?"), own.ReplaceAll(b.Bytes(), nil))
	}
}

// Every golden case fits into an issue.
func TestSharedFormatsAreBounded(t *testing.T) {
	paths, err := filepath.Glob("../testdata/logs/*/input.log")
	if err != nil || len(paths) == 0 {
		t.Fatal("no golden cases", err)
	}
	for _, p := range paths {
		log, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		d := diagnosis(t, "input.log", log)
		for _, format := range []string{"markdown", "issue"} {
			var b bytes.Buffer
			if err := writers[format](&b, d, report.Options{Lang: "en", Version: "v1"}); err != nil {
				t.Fatal(err)
			}
			if b.Len() > 60<<10 {
				t.Errorf("%s of %s: %d bytes", format, p, b.Len())
			}
			checkBytes(t, p, b.Bytes())
			checkMarkdown(t, p, b.String())
		}
	}
}

// FuzzReports: whatever the log, every format is printable, JSON is JSON, Markdown shows what it says.
func FuzzReports(f *testing.F) {
	for _, a := range attacks {
		f.Add([]byte(a), true)
	}
	f.Fuzz(func(t *testing.T, in []byte, inside bool) {
		if inside {
			in = hostile(string(in[:min(len(in), 2000)]))
		}
		d := diagnosis(t, "x", in)
		for format, write := range writers {
			var b bytes.Buffer
			if err := write(&b, d, report.Options{Lang: "en", Width: 80, Version: "v1"}); err != nil {
				t.Fatal(err)
			}
			checkBytes(t, format, b.Bytes())
			switch format {
			case "json":
				if !json.Valid(b.Bytes()) {
					t.Error("no JSON")
				}
			case "markdown", "issue":
				checkMarkdown(t, format, b.String())
			}
		}
	})
}
