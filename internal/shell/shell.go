// Package shell reads and writes the words of a POSIX shell's command line. It runs nothing.
package shell

import "strings"

// Split splits a command line into words as a POSIX shell does: white space separates,
// quotes group, a backslash takes the next character as it is and joins lines. Nothing is expanded
// and operators are plain text. An open quote ends with the text.
func Split(cmd string) []string {
	words, _ := split(cmd, len(cmd))
	return words
}

// First returns the text of the first words of a command line.
func First(cmd string, words int) string {
	_, end := split(cmd, words)
	return cmd[:end]
}

// split reads so many words at most, and returns where the last one ends.
func split(cmd string, most int) (words []string, end int) {
	var (
		word strings.Builder
		in   bool // inside a word, which may be empty: ''
	)
	for i := 0; i < len(cmd); i++ {
		switch c := cmd[i]; c {
		case ' ', '\t', '\n', '\r':
			if in {
				words = append(words, word.String())
				if len(words) >= most {
					return words, i
				}
				word.Reset()
				in = false
			}
		case '\\':
			i++
			if strings.HasPrefix(cmd[i:], "\r\n") {
				i++
			} else if i < len(cmd) && cmd[i] != '\n' {
				word.WriteByte(cmd[i])
				in = true
			}
		case '\'':
			in = true
			n := strings.IndexByte(cmd[i+1:], '\'')
			if n < 0 {
				n = len(cmd) - i - 1
			}
			word.WriteString(cmd[i+1 : i+1+n])
			i += n + 1
		case '"':
			in = true
			for i++; i < len(cmd) && cmd[i] != '"'; i++ {
				if cmd[i] == '\\' && i+1 < len(cmd) && strings.IndexByte("$`\"\\\n", cmd[i+1]) >= 0 {
					if i++; cmd[i] == '\n' {
						continue
					}
				}
				word.WriteByte(cmd[i])
			}
		default:
			word.WriteByte(c)
			in = true
		}
	}
	if in {
		words = append(words, word.String())
	}
	return words, len(cmd)
}

const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./:=,@%+"

// Quote writes a word so that [Split] and a shell give it back unchanged.
func Quote(w string) string {
	if w != "" && strings.Trim(w, plain) == "" {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
