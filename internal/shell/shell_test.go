package shell

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		cmd  string
		want []string
	}{
		{"", nil},
		{"  a\tb\nc ", []string{"a", "b", "c"}},
		{`a 'b c' "d e"f ''`, []string{"a", "b c", "d ef", ""}},
		{`--x '{"a": "b"}'`, []string{"--x", `{"a": "b"}`}},
		{`"a\"b\\c\d" 'e\f'`, []string{`a"b\c\d`, `e\f`}},
		{"a \\\n  b \\\r\n c", []string{"a", "b", "c"}},
		{`a\ b \'c`, []string{"a b", "'c"}},
		{`it's open`, []string{"its open"}},
		{`"open`, []string{"open"}},
		{`end\`, []string{"end"}},
	} {
		if got := Split(c.cmd); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.cmd, got, c.want)
		}
	}
}

// Words quoted and joined split into themselves.
func TestFirst(t *testing.T) {
	for _, c := range []struct {
		cmd   string
		words int
		want  string
	}{
		{"a 'b c' d", 2, "a 'b c'"}, {"a b", 5, "a b"}, {"a \\\n b c", 2, "a \\\n b"}, {"", 1, ""},
	} {
		if got := First(c.cmd, c.words); got != c.want {
			t.Errorf("%q, %d words: %q, want %q", c.cmd, c.words, got, c.want)
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("vllm serve a/b --x '{\"a\": 1}' \\\n --y \"z\"")
	f.Add(`'it'\''s' "a\"b" c\ d`)
	f.Fuzz(func(t *testing.T, cmd string) {
		words := Split(cmd)
		var quoted []string
		for _, w := range words {
			quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
		}
		if again := Split(strings.Join(quoted, " ")); !slices.Equal(again, words) {
			t.Errorf("%q: %q became %q", cmd, words, again)
		}
	})
}

func ExampleSplit() {
	for _, w := range Split(`vllm serve acme/Chat-7B --override '{"rope": 2}'`) {
		fmt.Println(w)
	}
	// Output:
	// vllm
	// serve
	// acme/Chat-7B
	// --override
	// {"rope": 2}
}
