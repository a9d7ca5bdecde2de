package settings

import (
	"strings"

	"github.com/oomdoc/oomdoc/internal/shell"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

var (
	// A continued line; also where the line break after the backslash was lost, or a quote mark follows it.
	continuation = lazy.Regexp(`[ \t]*\\[ \t]*\r?\n[ \t>]*|[ \t]*\\[ \t]+`)
	listed       = lazy.Regexp(`(?:'|")[ \t]*,\s*(?:'|")`)
	yamlItem     = lazy.Regexp(`(?:^|\n)[ \t]*-[ \t]+`)
	plainNumber  = lazy.Regexp(`^[0-9]+$`)
	assignment   = lazy.Regexp(`^\+*[A-Za-z_][\w.]*=`)
)

// argWords returns the words of a command or argument list in any of its notations: a shell line, a
// Python or JSON list, the items of a YAML list.
func argWords(text string) []string {
	text = text[:min(len(text), maxConfigText)]
	if listed().MatchString(text) {
		return listWords(text)
	}
	text = continuation().ReplaceAllString(text, " ")
	return shell.Split(yamlItem().ReplaceAllString(text, "\n "))
}

// listWords returns the strings of a printed list; bare items count too.
func listWords(text string) []string {
	var words []string
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '\'', '"':
			p := pairScanner{s: text, i: i}
			p.quoted()
			words = append(words, unquote(text[i:p.i]))
			i = p.i
		case ' ', '\t', '\r', '\n', ',', '[':
			i++
		case ']':
			return words
		default:
			n := strings.IndexAny(text[i:], " \t\r\n,]'\"")
			if n < 0 {
				n = len(text) - i
			}
			words = append(words, text[i:i+n])
			i += n
		}
	}
	return words
}

// isFlag reports whether a word of a command line is an option and not a value such as -1.
func isFlag(w string) bool {
	return len(w) > 2 && strings.HasPrefix(w, "--") && IsWordByte(w[2]) ||
		len(w) > 1 && w[0] == '-' && ('a' <= w[1]|0x20 && w[1]|0x20 <= 'z')
}

// firstFlag returns where the first --flag of a text stands, -1 when there is none.
func firstFlag(text string) int {
	for i := 0; ; i += 2 {
		n := strings.Index(text[i:], "--")
		if n < 0 {
			return -1
		}
		i += n
		if isFlag(text[i:]) && (i == 0 || strings.IndexByte(" \t\n\r'\"[,", text[i-1]) >= 0) {
			return i
		}
	}
}

// scanWords reads the settings out of a command's words: --key value, --key=value, --flag, --no-flag,
// -k value, KEY=value and key.sub=value. JSON values are opened.
func scanWords(words []string, yield func(key, value string)) {
	left := MaxSettings
	give := func(key, value string) {
		left--
		if strings.HasPrefix(value, "{") {
			scanPairs(value, false, func(k, v string) {
				if left--; k != "" && left >= 0 {
					yield(join(key, k), v)
				}
			})
		}
		yield(key, value)
	}
	for i := 0; i < len(words) && left > 0; i++ {
		w := words[i]
		if !isFlag(w) {
			if m := assignment().FindString(w); m != "" {
				give(strings.TrimLeft(m[:len(m)-1], "+"), w[len(m):])
			}
			continue
		}
		key, value, has := strings.Cut(strings.TrimLeft(w, "-"), "=")
		if !has && i+1 < len(words) && !isFlag(words[i+1]) {
			i++
			first := i
			for plainNumber().MatchString(words[i]) && i+1 < len(words) && plainNumber().MatchString(words[i+1]) {
				i++ // --cudagraph-capture-sizes 1 2 4
			}
			value, has = strings.Join(words[first:i+1], " "), true
		}
		if off := strings.TrimPrefix(key, "no-"); !has && off != key {
			key, value = off, "False"
		} else if !has {
			value = "True"
		}
		give(key, value)
	}
}
