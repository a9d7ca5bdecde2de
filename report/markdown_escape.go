package report

import (
	"regexp"
	"strings"
	"sync"
)

// What follows turns text into Markdown that shows just that text, on GitHub and elsewhere. The text
// is printable and of one line.

// mdSpecial are the characters that mean something within a line.
const mdSpecial = "\\`*_{}[]<>#|~&!$^"

// inert keeps a platform from making mentions, references and links of a text: nothing is shown for it.
const inert = "<!-- -->"

var (
	mdReference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(@|\\#|:|\bGH-|(?i:\bwww))([\w/.])`) })
	mdListMark  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d+)([.)])(\s|$)|^[-+=]`) })
)

// prose escapes a text for a paragraph.
func prose(s string) string {
	var b strings.Builder
	for _, r := range strings.TrimSpace(s) {
		if r < 0x80 && strings.ContainsRune(mdSpecial, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	s = b.String()
	if at := mdListMark().FindStringSubmatchIndex(s); at != nil { // not the beginning of a list
		at[4] = max(at[4], 0)
		s = s[:at[4]] + `\` + s[at[4]:]
	}
	return mdReference().ReplaceAllString(s, "${1}"+inert+"${2}")
}

// longestRun is the length of the longest run of a byte.
func longestRun(s string, c byte) int {
	longest, n := 0, 0
	for i := range len(s) {
		if n++; s[i] != c {
			n = 0
		}
		longest = max(longest, n)
	}
	return longest
}

// code puts a text into a code span, which it cannot end.
func code(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	tick := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' {
		s = " " + s + " "
	}
	return tick + s + tick
}

// cell is code for a table's cell.
func cell(s string) string { return strings.ReplaceAll(code(s), "|", `\|`) }

// fence puts lines into a code block, which they cannot end.
func fence(lang string, lines []string) string {
	longest := 2
	for _, l := range lines {
		longest = max(longest, longestRun(l, '`'))
	}
	mark := strings.Repeat("`", longest+1)
	return mark + lang + "\n" + strings.Join(lines, "\n") + "\n" + mark + "\n"
}

// comment is text that is not shown. What could end it stands as a look-alike.
func comment(s string) string {
	return "<!-- " + strings.NewReplacer("-", "‐", "<", "‹", ">", "›").Replace(s) + " -->\n"
}
