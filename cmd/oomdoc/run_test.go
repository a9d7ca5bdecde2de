package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for _, s := range []string{"", "short\n", strings.Repeat("a", 5000), strings.Repeat("显存", 3000), "a" + strings.Repeat("显", 3000), strings.Repeat("\U0001F4A5", 2000)} {
		got := cut(s, maxShort)
		if len(got) > maxShort || !utf8.ValidString(got) {
			t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
		}
		if len(s) <= maxShort && got != s {
			t.Errorf("%q was cut", s)
		}
	}
}
