package record

import (
	"bytes"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
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
	printsFile = lazy.Regexp(`^(?:[+$%❯]|\S*[@:~/]\S*[$#%])\s+(?:sudo )?(?:cat|less|more|head|tail|bat|nl|sed|git (?:show|diff|grep)|grep|rg)\s[^|;&>]*\.(?:` + documents + `|` + sources + `)\b`)
	shellLine  = lazy.Regexp(`^(?:\+ |[$%❯](?: |$)|\S*[@:~/]\S*[$#%](?: |$))`)
	// What announces an example, unless its writer speaks of what happened.
	announces  = lazy.Regexp(`(?i)\b(?:if|when|whenever|once|in case)\b.{0,40}\b(?:you|your|users?)\b|\b(?:you|users?|one)(?:'ll)? (?:may |might |can |could |will |would |should )?(?:also |then |often |sometimes )?(?:see|get|encounter|run into|find|notice|hit|observe)\b|\b(?:errors?|messages?|warnings?|exceptions?|something) (?:like|such as|similar to|resembling)\b|\bfor (?:example|instance)\b|\be\.g\.|如果.{0,6}(?:看到|遇到|出现|出現)|例如`)
	happened   = lazy.Regexp(`\b(?:I|I'm|I've|[Ww]e|[Mm]y|[Oo]ur|me|us)\b|(?i:\b(?:got|getting|gets|fail(?:s|ed)|crash(?:es|ed)?|threw|throws|gave|gives|died|dies)\b)|我|报错`)
	tableHead  = lazy.Regexp(`^\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?$`)
	commitHead = lazy.Regexp(`^commit [0-9a-f]{7,64}\b`)
	commitRow  = lazy.Regexp(`^(?:Author|Date|Merge|AuthorDate|Commit|CommitDate):`)
	testHead   = lazy.Regexp(`^(?:_{3,} .* _{3,}|=+ .* =+)$`)
	captures   = lazy.Regexp(`^-+ Captured (?:log|stdout|stderr) (?:setup|call|teardown) -+$`)
	makesUp    = lazy.Regexp(`^raise (?:effect\b|[\w.]*(?:Error|Exception)\(\s*[rbf]?["'])`)
	asserting  = lazy.Regexp(`^E\s+(?:AssertionError|assert |Failed: )`)
)

// Kinds of files by the ends of their names: manuals and sources, of which logs come from neither.
const (
	documents = `md|mdx|rst|adoc|markdown|tex|html?|ipynb`
	sources   = `py|pyi|pyx|c|cc|cpp|cxx|cu|cuh|h|hpp|hip|java|js|ts|tsx|go|rs|sh|rb|jinja2?`
)

// take takes the next line, blank or not, and reports whether it is somebody else's.
func (p *scene) take(l *frame.Line) bool {
	text := l.Text
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
	shown = shown || string(p.before) == `"type": "text",` || l.Comment && defined().Match(p.before)
	p.before = append(p.before[:0], text[:min(len(text), 200)]...)
	return shown
}

// inPatch follows a stream through patches: from a hunk's head to the first line that is none of its.
func (p *scene) inPatch(l *frame.Line) bool {
	if len(l.Text) == 0 {
		return p.patch
	}
	c := l.Text[0]
	mark := c == '+' || c == '-' || c == '@' || c == '\\'
	if (mark || c == 'd' || c == 'i') && hunkHead().Match(l.Text) {
		p.patch = true
	} else if !mark && !l.Before {
		p.patch = false
	}
	return p.patch
}

func (p *scene) inPrinted(l *frame.Line) bool {
	p.printed = max(0, p.printed-1)
	if len(l.Text) > 0 && len(l.Text) < 400 && strings.IndexByte("+$%\xe2", l.Text[0]) >= 0 || bytes.ContainsAny(l.Text[:min(len(l.Text), 100)], "$#%") {
		switch {
		case printsFile().Match(l.Text):
			p.printed = maxQuoted
		case shellLine().Match(l.Text):
			p.printed = 0
		}
	}
	if l.Logger && p.example != fenceExample {
		p.printed = 0
	}
	return p.printed > 0
}

func (p *scene) inExample(l *frame.Line) bool {
	tilde := bytes.HasPrefix(l.Text, []byte("~~~"))
	fence := l.Fence || tilde
	blank := len(l.Text) == 0
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
	if p.example == noExample && !l.Logger && (bytes.HasSuffix(l.Text, []byte(":")) || bytes.HasSuffix(l.Text, []byte("："))) && advises(string(l.Text[max(0, len(l.Text)-afterRequest):])) {
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
func (p *scene) inCommit(l *frame.Line) bool {
	switch {
	case bytes.HasPrefix(l.Text, []byte("commit ")):
		p.commit = commitHead().Match(l.Text)
	case len(l.Text) > 0 && !l.Before && !commitRow().Match(l.Text):
		p.commit = false
	}
	return p.commit
}

func (p *scene) inTests(l *frame.Line) bool {
	t := &p.tests
	text := l.Text
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
	case l.Quoted:
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
