package report

import (
	"strings"
	"testing"
)

func TestMarkdownEscapes(t *testing.T) {
	for _, tt := range []struct{ what, got, want string }{
		{"prose", prose("16.00 GiB of 24 GiB, 5.39 GiB left (98%)"), "16.00 GiB of 24 GiB, 5.39 GiB left (98%)"},
		{"marks", prose("a_b *c* `d` [e](f) <g> ~h~ | $i$ & !j"), "a\\_b \\*c\\* \\`d\\` \\[e\\](f) \\<g\\> \\~h\\~ \\| \\$i\\$ \\& \\!j"},
		{"a mention", prose("@me and x@y.z"), "@<!-- -->me and x@<!-- -->y.z"},
		{"a reference", prose("see #1, GH-2"), "see \\#<!-- -->1, GH-<!-- -->2"},
		{"a link", prose("http://x www.y"), "http:<!-- -->//x www<!-- -->.y"},
		{"a list", prose("1. x"), "1\\. x"},
		{"a bullet", prose("- x"), "\\- x"},
		{"a number is no list", prose("46.43 GiB"), "46.43 GiB"},
		{"code", code("--max-model-len 8192"), "`--max-model-len 8192`"},
		{"code with ticks", code("`a` ``b``"), "``` `a` ``b`` ```"},
		{"code of a cell", cell("a|b"), "`a\\|b`"},
		{"no code", code(" "), ""},
		{"fence", fence("text", []string{"a", "````", "b"}), "`````text\na\n````\nb\n`````\n"},
		{"comment", comment("a --> b"), "<!-- a ‐‐› b -->\n"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: got %s\nwant %s", tt.what, tt.got, tt.want)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("a`b``c")
	f.Add("<!-- @x #1 -->")
	f.Fuzz(func(t *testing.T, s string) {
		s = Printable(s)
		if got := code(s); got != "" {
			n := len(got) - len(strings.TrimLeft(got, "`"))
			if inside := got[n : len(got)-n]; strings.Contains(" "+inside+" ", "`"+strings.Repeat("`", n-1)) && longestRun(inside, '`') >= n {
				t.Errorf("%q ends its own code span: %s", s, got)
			}
		}
		mark, _, _ := strings.Cut(fence("", []string{s}), "\n")
		if strings.HasPrefix(s, mark) {
			t.Errorf("%q ends its own block", s)
		}
		if c := comment(s); strings.Count(c, "-->") != 1 || strings.Count(c, "<!--") != 1 {
			t.Errorf("%q: %s", s, c)
		}
	})
}
