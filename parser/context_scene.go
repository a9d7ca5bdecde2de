package parser

import (
	"bytes"
	"slices"
	"strings"
)

// maxQuoted bounds, in lines, what a file printed on the terminal, an example or a test's output can reach.
const maxQuoted = 400

// scene is where in a stream a line stands, as the lines before it tell: in a patch, a file that was printed,
// an example of a manual, a test's output. What is said there is not the process's word.
type scene struct {
	patch   bool
	printed int // lines for which a printed file may go on
	example exampleState
	shown   int   // lines of the example
	table   bool  // behind the head of a table
	commit  bool  // in what git log says of a commit
	tests   tests // what pytest says
	texts   literals
	before  []byte // the line before that was not blank
}

type exampleState uint8

const (
	noExample    exampleState = iota
	nextExample               // announced
	plainExample              // up to the next blank line
	fenceExample              // up to the end of the block
)

// tests is where a stream stands in pytest's output.
type tests struct {
	raises   bool // the line that it shows raises what it made up
	made     bool // the errors it shows are made up
	asserts  bool // the test at hand fails by an assertion of its own
	captured bool // and this is what was said meanwhile
	lines    int  // since then
}

var (
	// A shell's line that prints a source or a manual.
	printsFile = pattern(`^(?:[+$%❯]|\S*[@:~/]\S*[$#%])\s+(?:sudo )?(?:cat|less|more|head|tail|bat|nl|sed|git (?:show|diff|grep)|grep|rg)\s[^|;&>]*\.(?:` + documents + `|` + sources + `)\b`)
	shellLine  = pattern(`^(?:\+ |[$%❯](?: |$)|\S*[@:~/]\S*[$#%](?: |$))`)
	// What announces an example, unless its writer speaks of what happened.
	announces  = pattern(`(?i)\b(?:if|when|whenever|once|in case)\b.{0,40}\b(?:you|your|users?)\b|\b(?:you|users?|one)(?:'ll)? (?:may |might |can |could |will |would |should )?(?:also |then |often |sometimes )?(?:see|get|encounter|run into|find|notice|hit|observe)\b|\b(?:errors?|messages?|warnings?|exceptions?|something) (?:like|such as|similar to|resembling)\b|\bfor (?:example|instance)\b|\be\.g\.|如果.{0,6}(?:看到|遇到|出现|出現)|例如`)
	happened   = pattern(`\b(?:I|I'm|I've|[Ww]e|[Mm]y|[Oo]ur|me|us)\b|(?i:\b(?:got|getting|gets|fail(?:s|ed)|crash(?:es|ed)?|threw|throws|gave|gives|died|dies)\b)|我|报错`)
	tableHead  = pattern(`^\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?$`)
	commitHead = pattern(`^commit [0-9a-f]{7,64}\b`)
	commitRow  = pattern(`^(?:Author|Date|Merge|AuthorDate|Commit|CommitDate):`)
	testHead   = pattern(`^(?:_{3,} .* _{3,}|=+ .* =+)$`)
	captures   = pattern(`^-+ Captured (?:log|stdout|stderr) (?:setup|call|teardown) -+$`)
	makesUp    = pattern(`^raise (?:effect\b|[\w.]*(?:Error|Exception)\(\s*[rbf]?["'])`)
	asserting  = pattern(`^E\s+(?:AssertionError|assert |Failed: )`)
)

// Kinds of files by the ends of their names: manuals and sources, of which logs come from neither.
const (
	documents = `md|mdx|rst|adoc|markdown|tex|html?|ipynb`
	sources   = `py|pyi|pyx|c|cc|cpp|cxx|cu|cuh|h|hpp|hip|java|js|ts|tsx|go|rs|sh|rb|jinja2?`
)

// take takes the next line, blank or not, and reports whether it is somebody else's.
func (p *scene) take(l *line) bool {
	text := l.text
	shown := p.inPatch(l)
	shown = p.inPrinted(l) || shown
	shown = p.inExample(l) || shown
	shown = p.inTests(l) || shown
	shown = p.inCommit(l) || shown
	if len(text) == 0 {
		p.table = false
		return shown
	}
	bar := bytes.IndexByte(text, '|') >= 0
	head := bar && tableHead().Match(text)
	shown = shown || p.table && bar
	p.table = bar && (p.table || head)
	shown = p.texts.take(text) || shown
	shown = shown || string(p.before) == `"type": "text",` || l.comment && defined().Match(p.before)
	p.before = append(p.before[:0], text[:min(len(text), 200)]...)
	return shown
}

// inPatch follows a stream through patches: from a hunk's head to the first line that is none of its.
func (p *scene) inPatch(l *line) bool {
	if len(l.text) == 0 {
		return p.patch
	}
	c := l.text[0]
	mark := c == '+' || c == '-' || c == '@' || c == '\\'
	if (mark || c == 'd' || c == 'i') && hunkHead().Match(l.text) {
		p.patch = true
	} else if !mark && !l.before {
		p.patch = false
	}
	return p.patch
}

func (p *scene) inPrinted(l *line) bool {
	p.printed = max(0, p.printed-1)
	if len(l.text) > 0 && len(l.text) < 400 && strings.IndexByte("+$%\xe2", l.text[0]) >= 0 || bytes.ContainsAny(l.text[:min(len(l.text), 100)], "$#%") {
		switch {
		case printsFile().Match(l.text):
			p.printed = maxQuoted
		case shellLine().Match(l.text):
			p.printed = 0
		}
	}
	if l.logger && p.example != fenceExample {
		p.printed = 0
	}
	return p.printed > 0
}

func (p *scene) inExample(l *line) bool {
	tilde := bytes.HasPrefix(l.text, []byte("~~~"))
	fence := l.fence || tilde
	blank := len(l.text) == 0
	switch p.example {
	case nextExample:
		switch {
		case fence:
			p.example = fenceExample
		case !blank:
			p.example = plainExample
		}
	case plainExample:
		if blank {
			p.example = noExample
		}
	case fenceExample:
		if fence {
			p.example = noExample
		}
	}
	p.shown++
	if p.shown > maxQuoted {
		p.example = noExample
	}
	if p.example == noExample && !l.logger && (bytes.HasSuffix(l.text, []byte(":")) || bytes.HasSuffix(l.text, []byte("："))) && advises(string(l.text[max(0, len(l.text)-afterRequest):])) {
		p.example, p.shown = nextExample, 0
	}
	return p.example >= plainExample
}

// advises reports whether a text speaks of what may happen to its reader.
func advises(s string) bool {
	lower := strings.ToLower(s)
	for _, words := range announcing {
		if containsAny(lower, words[0]) && containsAny(lower, words[1]) {
			return announces().MatchString(s) && !happened().MatchString(s)
		}
	}
	return advisesAbroad(lower)
}

// announcing holds the words of which announces needs one of either list: cheaper to see than the pattern, for
// most texts have none.
var announcing = [][2][]string{
	{{"you", "user", "one ", "one'll"}, {"if ", "when", "once", "in case", "see", "get", "encounter", "run into", "find", "notice", "hit", "observe"}},
	{{"for example", "for instance", "e.g.", "如果", "例如"}, {""}},
	{{" like", " such as", " similar to", " resembling"}, {"error", "message", "warning", "exception", "something"}},
}

func containsAny(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// inCommit follows a stream through the descriptions of commits, which git log indents.
func (p *scene) inCommit(l *line) bool {
	switch {
	case bytes.HasPrefix(l.text, []byte("commit ")):
		p.commit = commitHead().Match(l.text)
	case len(l.text) > 0 && !l.before && !commitRow().Match(l.text):
		p.commit = false
	}
	return p.commit
}

func (p *scene) inTests(l *line) bool {
	t := &p.tests
	text := l.text
	if t.lines++; t.lines > maxQuoted {
		*t = tests{}
	}
	if len(text) == 0 {
		return t.captured
	}
	switch {
	case bytes.HasPrefix(text, []byte("E ")):
		t.made = t.made || t.raises
		shown := t.made
		if asserting().Match(text) {
			t.asserts, t.made, t.lines = true, true, 0
		}
		return shown
	case l.quoted:
		t.raises = makesUp().Match(text)
	case text[0] == '_' || text[0] == '=':
		if testHead().Match(text) {
			*t = tests{}
		}
	case text[0] == '-' && captures().Match(text):
		t.captured, t.lines = t.asserts, 0
	default:
		t.raises = false
	}
	t.made = false
	return t.captured
}
