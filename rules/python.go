package rules

import (
	"slices"
	"strings"
	"unicode"
)

// withKeywords returns the arguments of a call with keywords in place of those of the same name, else at the end.
func withKeywords(args, with []string) []string {
	out := slices.Clone(args)
	for _, k := range with {
		key, _, _ := strings.Cut(k, "=")
		i := slices.IndexFunc(out, func(a string) bool {
			was, _, named := strings.Cut(a, "=")
			return named && strings.TrimSpace(was) == key
		})
		if i < 0 {
			out = append(out, k)
		} else if value := out[i][strings.IndexByte(out[i], '=')+1:]; unquoted(value) != unquoted(k[len(key)+1:]) {
			out[i] = k
		}
	}
	return out
}

// unquoted is a Python value without what does not change it: the kind of its quotes, spaces around it.
func unquoted(value string) string { return strings.Trim(strings.TrimSpace(value), `"'`) }

// isKeyword reports whether a spelling for Python is keywords of the call, not a program.
func isKeyword(python string) bool {
	key, _, ok := strings.Cut(python, "=")
	return ok && key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// keywords cuts the arguments of a call at its own commas.
func keywords(args string) []string {
	var out []string
	depth, start := 0, 0
	var quote rune
	for i, r := range args {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			out, start = append(out, strings.TrimSpace(args[start:i])), i+1
		}
	}
	if last := strings.TrimSpace(args[start:]); last != "" {
		out = append(out, last)
	}
	return out
}

// positional counts the arguments without a name.
func positional(args []string) int {
	n := 0
	for _, a := range args {
		if !isKeyword(strings.ReplaceAll(a, " ", "")) {
			n++
		}
	}
	return n
}

// callIn finds the parentheses of a call of a function or method in a line of Python.
func callIn(code, name string) (open, end int, ok bool) {
	from := 0
	for {
		at := strings.Index(code[from:], name+"(")
		if at < 0 {
			return 0, 0, false
		}
		at += from
		open = at + len(name)
		if at == 0 || !isNamePart(code[at-1]) && (code[at-1] != '.' || !strings.Contains(name, ".")) {
			if n := closing(code[open+1:]); n >= 0 {
				return open, open + 1 + n, true
			}
			return 0, 0, false
		}
		from = open
	}
}

func isNamePart(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// closing is where the parenthesis that stands before the text is closed, -1 where it is not.
func closing(text string) int {
	depth := 0
	var quote rune
	for i, r := range text {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return -1
}

// unprintable reports whether a word holds what no person types: control characters and those that
// change the direction of the text.
func unprintable(w string) bool {
	return strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsGraphic(r) })
}
