// Package attack holds texts that a stranger may get into a log, a file's name or a flag to act on the terminal
// that shows it, and the check that none of them did. For tests.
package attack

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Texts has at least one text of every family.
var Texts = []string{
	// CSI: cursor, erasing, modes, questions to the terminal, a paste that is none, cut off.
	"\x1b[2J\x1b[1;1HAll is well", "\x1b[10;10H", "\x1b[31m", "\x1b[?1049l", "\x1b[?1000h", "\x1b[6n", "\x1b[c", "\x1b[21t", "\x1b[200~reboot\x1b[201~", "\x1b[", "\x1b[38;5",
	// OSC: titles, links, the clipboard, colours; ended by BEL, ST, C1, and not at all.
	"\x1b]0;title\x07", "\x1b]2;title\x1b\\", "\x1b]8;;http://evil.example\x1b\\click\x1b]8;;\x1b\\", "\x1b]52;c;cm0gLXJmIH4=\x07", "\x1b]4;1;red\u009c", "\x1b]0;never closed", "\x1b]",
	// DCS, APC, PM, SOS; character sets, reset, keypad; an escape at the end.
	"\x1bP+q544e\x1b\\", "\x1b_Ga=T\x1b\\", "\x1b^pm\x1b\\", "\x1bXsos\x1b\\", "\x1b(0", "\x1b%G", "\x1bc", "\x1b=", "\x1b",
	// C1 in eight bits and in UTF-8.
	"\x9b31m", "\x9d0;title\x9c", "\x90q\x9c", "\x9fapc\x9c", "\x9epm\x9c", "\x98sos\x9c", "\x84\x85\x8d",
	"\u009b2J", "\u009d52;c;cm0gLXJmIH4=\u009c", "\u0090q\u009c", "\u009fapc\u009c", "\u009epm\u009c", "\u0098sos\u009c", "\u0084\u0085\u008d",
	// What is no UTF-8: overlong, surrogates, beyond Unicode, cut off.
	"\xff\xfe\xc3(", "\xc0\x9b31m", "\xe0\x80\x9b31m", "\xed\xa0\x80", "\xf4\x90\x80\x80", "x\xe6\xbc",
	// Direction, joiners, fillers, selectors, tags: what hides or reorders.
	"\u202egnp.exe\u202c", "\u202dabc\u202c", "\u2066\u2067x\u2069\u2069", "\u2068x", "\u061c\u200e\u200f", "a\u200bb\u200cc\u200dd\u2060e\ufeff", "a\u00adb\u034fc\u115f\u3164\uffa0",
	"☁\ufe0f\ufe0e", "a\U000e0101", "👩\u200d👩\u200d👧", "\U000e0041\U000e0042\U000e007f", "\ue0b0\U000f0000", "\ufffe\U0001ffff",
	// Overprinting, line ends, marks upon marks, wide characters.
	"\x07\x08\x08\x08ok", "failed\rfine", "a\v\fb", "\x00nul", "\x7f", "\x0e\x0f", "\t\ttabs", "\u2028\u2029\u0085", "Z̴̶̷̸̡̢a", "\u20dd", "漢字かな", "\u3000\u2800\u00a0",
}

// Foreign returns the beginning of what in a program's output is neither printable text nor a line end, "" where
// all is.
func Foreign(out string) string {
	for i := 0; i < len(out); {
		r, n := utf8.DecodeRuneInString(out[i:])
		printable := r == ' ' || r == '\n' || unicode.IsGraphic(r) && !unicode.IsSpace(r) &&
			!unicode.In(r, unicode.Cf, unicode.Co, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
		if !printable || r == utf8.RuneError && n == 1 {
			return out[max(0, i-40):min(len(out), i+20)]
		}
		i += n
	}
	return ""
}

// Name returns a text as a file may be called: without what no name may hold.
func Name(text string) string { return strings.NewReplacer("/", "", "\x00", "").Replace(text) }
