package speaker

import (
	"bytes"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// Context is what is known of a line from itself and from the lines before it.
type Context struct {
	span    *Span // over several lines, to which the line belongs
	around  Genre // of the surroundings: Source, Manual or Own
	taught  bool  // of a manual that explains failures
	last    string
	lives   bool // a clock, a logger's head or a process's name stands in front
	traced  bool // a traceback's frames stand directly above
	patch   bool
	table   bool
	commit  bool
	test    bool
	literal bool // a string on a line of its own, in an expression of a source
	comment bool // a comment's mark stood in front
	defined bool // the head of a function stands above
}

// Held returns the span that must end before what the line says can be judged, nil where none must.
func (c *Context) Held() *Span {
	if c.span != nil && c.span.kind.held {
		return c.span
	}
	return nil
}

// Traced reports whether a traceback's frames stand directly above the line.
func (c *Context) Traced() bool { return c.traced }

// Tracker follows a stream, line by line. The zero value is ready.
type Tracker struct {
	span   *Span
	next   *kind // announced, begins with the next block
	frames int   // lines since the last frame of a traceback
	seen   surroundings

	patch, commit, table bool
	tests                tests
	literals             bool
	last                 []byte // the line before that was not blank
}

// Gap says that lines were passed over.
func (t *Tracker) Gap() {
	*t = Tracker{patch: t.patch, last: t.last[:0], seen: t.seen}
}

// Line takes the next line, blank or not, and returns what is known of it; ended is the span that it ends, or
// that has been found to be none.
func (t *Tracker) Line(l *frame.Line) (c Context, ended *Span) {
	text := l.Text
	blank := len(text) == 0
	c = Context{
		lives: l.Time != "" || l.Logger || strings.Contains(l.Origin, "pid="), comment: l.Comment,
		around: t.seen.genre(), taught: t.seen.teaches, traced: t.Traced(),
	}
	c.defined = defined().Match(t.last)
	c.span, ended = t.spans(l)
	t.inPatch(l)
	c.patch = t.patch
	c.commit = t.inCommit(l)
	c.test = t.tests.take(l)
	c.table = t.inTable(text)
	if blank {
		return c, ended
	}
	c.literal = t.inLiterals(text) || inString(l.Front)
	if t.last != nil && bytes.IndexByte(text, '"') >= 0 {
		c.last = string(t.last)
	}
	t.follow(l)
	t.seen.add(l, t.frames == 1 || t.frames == 2)
	t.last = append(t.last[:0], text[:min(len(text), near)]...)
	return c, ended
}

// tracedReach is how many lines may stand between a traceback's last frame and its exception: a source line, and
// the marks below it.
const tracedReach = 8

// Traced reports whether the latest line stands in a traceback, or so close behind its frames that its exception may
// still come.
func (t *Tracker) Traced() bool { return t.frames > 0 && t.frames <= tracedReach }

func (t *Tracker) follow(l *frame.Line) {
	switch {
	case bytes.HasPrefix(l.Text, []byte("File ")) || bytes.HasPrefix(l.Text, []byte("Traceback (most recent")) || bytes.HasPrefix(l.Text, []byte("Cell In[")) || bytes.HasPrefix(l.Text, []byte("---->")) || bytes.HasPrefix(l.Text, []byte("❱")):
		t.frames = 1
	case t.frames > 0:
		t.frames++
	}
}

var hunkHead = lazy.Regexp(`^(?:@@ -\d+|diff --git |\+\+\+ [ab]/|--- [ab]/|index [0-9a-f]{7,}\.\.)`)

// inPatch follows patches: from a hunk's head to the first line that is none of its.
func (t *Tracker) inPatch(l *frame.Line) {
	if len(l.Text) == 0 {
		return
	}
	c := l.Text[0]
	mark := c == '+' || c == '-' || c == '@' || c == '\\'
	if (mark || c == 'd' || c == 'i') && hunkHead().Match(l.Text) {
		t.patch = true
	} else if !mark && !l.Before {
		t.patch = false
	}
}

var (
	commitHead = lazy.Regexp(`^commit [0-9a-f]{7,64}\b`)
	commitRow  = lazy.Regexp(`^(?:Author|Date|Merge|AuthorDate|Commit|CommitDate):`)
)

// inCommit follows the descriptions of commits, which git log indents.
func (t *Tracker) inCommit(l *frame.Line) bool {
	switch {
	case bytes.HasPrefix(l.Text, []byte("commit ")):
		t.commit = commitHead().Match(l.Text)
	case len(l.Text) > 0 && !l.Before && !commitRow().Match(l.Text):
		t.commit = false
	}
	return t.commit
}

var tableHead = lazy.Regexp(`^\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?$`)

// inTable follows Markdown's tables, from the line below their heads.
func (t *Tracker) inTable(text []byte) bool {
	bar := bytes.IndexByte(text, '|') >= 0
	was := t.table && bar
	t.table = bar && (t.table || tableHead().Match(text))
	return was
}

// opensLiterals is a line of a source that ends where strings on lines of their own follow.
var opensLiterals = lazy.Regexp(`^(?:(?:raise|return|assert|const|let|var|yield)\b|[A-Za-z_][\w.]*(?:\s*:\s*\w[\w\[\], .]*)?\s*:?=[^=]?|[\w.]*[a-z_]\w*\($).*[(\[{=+]$|^[A-Za-z_]\w* =$`)

func (t *Tracker) inLiterals(text []byte) bool {
	c := text[0]
	if len(text) > 1 && (c == 'r' || c == 'b' || c == 'f') {
		c = text[1]
	}
	if c == '"' || c == '\'' {
		return t.literals
	}
	last := text[len(text)-1]
	t.literals = len(text) <= maxMessage && strings.IndexByte("([{=+", last) >= 0 && opensLiterals().Match(text)
	return false
}

// inString reports whether the text in front of a logger's head opens a string of a source, in which it stands.
func inString(front []byte) bool {
	n := len(front)
	if n == 0 || strings.IndexByte("\"'`", front[n-1]) < 0 {
		return false
	}
	before := string(front[:n-1])
	return statement().MatchString(before) || callee().MatchString(before) || assignment().MatchString(before) || isPattern(before)
}

// tests is where a stream stands in pytest's output.
type tests struct {
	raises   bool // the line that it shows raises what it made up
	made     bool // the errors it shows are made up
	asserts  bool // the test at hand fails by an assertion of its own
	captured bool // and this is what was said meanwhile
	lines    int  // since then
}

var (
	testHead  = lazy.Regexp(`^(?:_{3,} .* _{3,}|=+ .* =+)$`)
	captures  = lazy.Regexp(`^-+ Captured (?:log|stdout|stderr) (?:setup|call|teardown) -+$`)
	makesUp   = lazy.Regexp(`^raise (?:effect\b|[\w.]*(?:Error|Exception)\(\s*[rbf]?["'])`)
	asserting = lazy.Regexp(`^E\s+(?:AssertionError|assert |Failed: )`)
)

func (t *tests) take(l *frame.Line) bool {
	text := l.Text
	if t.lines++; t.lines > MaxSpan {
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
