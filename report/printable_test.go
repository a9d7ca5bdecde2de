package report

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Tried to allocate 2.00 GiB", "Tried to allocate 2.00 GiB"},
		{"other scripts", "显存不足：größer ≥ 3 × 😀", "显存不足：größer ≥ 3 × 😀"},
		{"a letter with its accent", "e\u0301", "e\u0301"},
		{"CSI, colours", "\x1b[1;38;5;208mred\x1b[0m", "red"},
		{"CSI, private", "\x1b[?1049hx\x1b[?25l\x1b[>c\x1b[!p", "x"},
		{"CSI, cut off", "x\x1b[38;5", "x"},
		{"CSI, aborted", "\x1b[12\nx", " x"},
		{"OSC, title, BEL", "\x1b]0;owned\x07x", "x"},
		{"OSC, link, ST", "\x1b]8;;http://evil\x1b\\x\x1b]8;;\x1b\\", "x"},
		{"OSC, clipboard", "a\x1b]52;c;cm0gLXJmIC8=\x07b", "ab"},
		{"OSC, closed by C1", "\x1b]0;t\u009cx", "x"},
		{"OSC, not closed", "a\x1b]0;the text stays", "a0;the text stays"},
		{"DCS", "\x1bP$q\"p\x1b\\x", "x"},
		{"APC, PM, SOS", "\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\x", "x"},
		{"character sets", "\x1b(0lqk\x1b(B \x1b)0 \x1b%G", "lqk  "},
		{"reset and keypad", "\x1bcx\x1b=\x1b>\x1b7\x1b8\x1bM", "x"},
		{"escape before a wide character", "\x1b漢", "漢"},
		{"escape alone", "x\x1b", "x"},
		{"escape twice", "\x1b\x1b[31mx", "x"},
		{"C1 as UTF-8", "\u009b31mx\u0090y\u009c\u0085z", "31mxy z"},
		{"C1 as bytes", "\x9b31m\x90", "\uFFFD31m\uFFFD"},
		{"C0", "a\x00b\x01c\x07d\x08e\x7ff\x0e\x0f", "abcdef"},
		{"ends of lines and tabs", "a\tb\nc\r\nd\ve\ff\u2028g\u2029h", "a b c  d e f g h"},
		{"bidi overrides and isolates", "a\u202eb\u202cc\u2066d\u2069e\u200ef\u200fg\u061c", "abcdefg"},
		{"zero width", "hf\u200b_\u200c\u200d\u2060\ufeffx\u00ady", "hf_xy"},
		{"fillers and selectors", "a\u115f\u1160\u3164\uffa0b\u034fc\ufe0f\U000e0101d", "abcd"},
		{"tags", "a\U000e0041\U000e007fb", "ab"},
		{"blanks of all widths", "a\u00a0b\u2003c\u3000d\u2800e\u202f", "a b c d e "},
		{"private use", "a\ue0b0b\U000f0000", "ab"},
		{"not characters", "a\ufffeb\U0001ffffc", "a\uFFFDb\uFFFDc"},
		{"marks upon marks", "a" + strings.Repeat("\u0336", 40) + "b", "a" + strings.Repeat("\u0336", maxMarks) + "b"},
		{"cut within a character", "x\xe6\xbc", "x\uFFFD\uFFFD"},
		{"surrogates, overlong", "\xed\xa0\x80 \xc0\x9b", "\uFFFD\uFFFD\uFFFD \uFFFD\uFFFD"},
	} {
		if got := Printable(tt.in); got != tt.want {
			t.Errorf("%s: %q gives %q, want %q", tt.name, tt.in, got, tt.want)
		}
	}
}

// harmless is what nothing but printable text is made of.
func harmless(r rune) bool {
	return r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r) &&
		!unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"\x1b[31mx", "\x1b]0;t\x07", "\x1b]\x1b]\x1b\\", "\u009b1m\u202e", "a\u0301\u0301\u0301\u0301\u0301\u0301", "\xff\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Printable(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !harmless(r) }) {
			t.Fatalf("%q gives %q", s, got)
		}
		if again := Printable(got); again != got {
			t.Fatalf("%q gives %q, then %q", s, got, again)
		}
		if strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
			return
		}
		if got != s {
			t.Fatalf("plain %q gives %q", s, got)
		}
	})
}

// Escape sequences that nobody closes cost no more than others.
func BenchmarkPrintableUnclosed(b *testing.B) {
	s := strings.Repeat("\x1b]0", 1<<16)
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Printable(s)
	}
}
