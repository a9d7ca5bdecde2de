package speaker

import (
	"bytes"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
)

// MaxSpan bounds, in lines, what a beginning can reach whose end does not come.
const MaxSpan = 400

// Span is a text over several lines that a line begins: a prompt, a docstring, a printed file.
type Span struct {
	kind  *kind
	ends  func(l *frame.Line, text string) ending
	lines int
	Line  int // on which it begins
	State State
}

// TooLong reports whether the span was given up for its length.
func (s *Span) TooLong() bool { return s.State == Denied && s.lines > MaxSpan && s.kind.held }

// State says what has become of a span.
type State uint8

// The states.
const (
	Open   State = iota
	Closed       // its end came: what was said in it is not the process's own
	Denied       // its end did not come: it was no span
)

// Verdict is the judgement of all that a closed span holds.
func (s *Span) Verdict() Verdict { return Verdict{s.kind.genre, s.kind.why} }

// kind is a sort of span.
type kind struct {
	genre Genre
	why   string
	held  bool // it is certain at its end only
}

var (
	promptSpan = &kind{Prompt, "it stands in the text of a request or of its answer", true}
	turnSpan   = &kind{Conversation, "it stands in a turn of a chat", true}
	docSpan    = &kind{Source, "it stands in the description of a function", true}
	textSpan   = &kind{Source, "it is a text in a source or a configuration", true}
	blockSpan  = &kind{Source, "it is a text in a source or a configuration", false}
	fileSpan   = &kind{Manual, "the shell printed a source or a manual", false}
	example    = &kind{Manual, "the words above it announce what a reader may see", false}
	fenced     = &kind{Manual, "the words above it announce what a reader may see", false} // in a fence, if one follows
)

// ending is what a line does to an open span.
type ending uint8

const (
	goesOn   ending = iota
	endsHere        // the line is its last
	ended           // the line is behind it
	none            // it was no span
)

// spans takes a line; it returns the span that the line belongs to, and the one whose state has become known.
func (t *Tracker) spans(l *frame.Line) (in, known *Span) {
	if t.span == nil && t.next == nil && !mayOpen(l.Text) {
		return nil, nil
	}
	text := string(l.Text)
	if s := t.span; s != nil {
		s.lines++
		end := s.ends(l, text)
		if s.lines > MaxSpan || l.Logger && newRequest().MatchString(text) {
			end = none
		}
		if end == goesOn {
			return s, nil
		}
		t.span, s.State = nil, Closed
		if end == none {
			s.State = Denied
		}
		if end == endsHere {
			return s, s
		}
		known = s
	}
	if t.next != nil && (text != "" || l.Fence) {
		kind := t.next
		t.next = nil
		if l.Fence || strings.HasPrefix(text, "~~~") {
			t.span = &Span{kind: example, ends: func(l *frame.Line, text string) ending {
				return endIf(l.Fence || strings.HasPrefix(text, "~~~"))
			}}
		} else if kind == example {
			t.span = &Span{kind: example, ends: func(l *frame.Line, text string) ending {
				if text == "" || l.Logger {
					return ended
				}
				return goesOn
			}}
		}
		if t.span != nil {
			return t.span, known
		}
	}
	t.open(l, text)
	return nil, known
}

// mayOpen reports whether a span may begin on a line: what most lines are asked.
func mayOpen(text []byte) bool {
	n := len(text)
	if n == 0 {
		return false
	}
	if strings.IndexByte(":|>-\x9a", text[n-1]) >= 0 { // the last is that of a wide colon
		return true
	}
	if strings.IndexByte("+$%\xe2\"'", text[0]) >= 0 || bytes.ContainsAny(text[:min(n, 100)], "$#%") {
		return true
	}
	if bytes.IndexByte(text, '`') >= 0 || bytes.IndexByte(text, '<') >= 0 || bytes.Contains(text, []byte("[INST]")) {
		return true
	}
	return asksModel(text) || bytes.Contains(text, []byte("you")) && sentenceLike(text)
}

// asksModel reports whether the line of a request or of its answer has a string in it.
func asksModel(text []byte) bool {
	if bytes.IndexByte(text, '"') < 0 && bytes.IndexByte(text, '\'') < 0 {
		return false
	}
	for _, word := range [][]byte{[]byte("equest"), []byte("eceive"), []byte("enerat"), []byte("rompt")} {
		if bytes.Contains(text, word) {
			return true
		}
	}
	return false
}

func endIf(last bool) ending {
	if last {
		return endsHere
	}
	return goesOn
}

var (
	defined = lazy.Regexp(`^\s*(?:async def|def|class)\s.*:\s*$`)
	// A key of YAML whose value is the indented text below it.
	block      = lazy.Regexp(`^(?:- )?["']?([\w.-]+)["']?:\s*[|>][+-]?\d*$`)
	newRequest = lazy.Regexp(`^(?:Received request|Added request|Generated response)\b`)
	// What may follow the closing quote of a dumped request: the next argument, or the end of a message.
	dumpGoesOn = lazy.Regexp(`^,\s*["']?(?:params|prompt_token_ids|prompt_embeds\w*|sampling_params|lora_request|output_token_ids|finish_reason|parameters|role|stream|max_tokens|multi_modal\w*|image_data|rid|model|temperature)["']?\s*[:=]|^\s*\}\s*[\],]`)
	// A shell's line that prints a source or a manual, and any.
	printsFile = lazy.Regexp(`^(?:[+$%❯]|\S*[@:~/]\S*[$#%])\s+(?:sudo )?(?:cat|less|more|head|tail|bat|nl|sed|git (?:show|diff|grep)|grep|rg)\s[^|;&>]*\.(?:` + manuals + `|` + sources + `)\b`)
	shellLine  = lazy.Regexp(`^(?:\+ |[$%❯](?: |$)|\S*[@:~/]\S*[$#%](?: |$))`)
)

// open begins the span that a line begins and does not end, if any.
func (t *Tracker) open(l *frame.Line, text string) {
	if text == "" {
		return
	}
	until := func(k *kind, is func(l *frame.Line, text string) ending) {
		t.span = &Span{kind: k, ends: is, Line: l.No}
	}
	has := func(mark string) func(*frame.Line, string) ending {
		return func(_ *frame.Line, text string) ending { return endIf(strings.Contains(text, mark)) }
	}
	if strings.ContainsAny(text[:min(len(text), 100)], "$#%+❯") && printsFile().MatchString(text) {
		until(fileSpan, func(l *frame.Line, text string) ending {
			if l.Logger || shellLine().MatchString(text) {
				return ended
			}
			return goesOn
		})
		return
	}
	if !l.Logger && announces(text[max(0, len(text)-near):]) {
		if strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：") {
			t.next = example
			return
		}
		if namesError(text) {
			t.next = fenced
			return
		}
	}
	if quote := text[:min(3, len(text))]; quote == `"""` || quote == "'''" {
		if !strings.Contains(text[3:], quote) && defined().Match(t.last) {
			until(docSpan, has(quote))
		}
		return
	}
	if last := text[len(text)-1]; last == '|' || last == '>' || last == '-' {
		if k := block().FindStringSubmatch(text); k != nil && !errorKeys()[strings.ToLower(k[1])] {
			indent := l.Indent
			until(blockSpan, func(l *frame.Line, text string) ending {
				if text != "" && l.Indent <= indent {
					return ended
				}
				return goesOn
			})
			return
		}
	}
	if at := strings.LastIndexByte(text, '`'); at >= 0 && strings.Count(text, "`")%2 == 1 && inString([]byte(text[:at+1])) {
		until(textSpan, has("`"))
		return
	}
	if turn := openTurn(text); turn != nil && !closedLater(text, turn) {
		until(turnSpan, has(turn.close))
		return
	}
	if asksModel(l.Text) {
		t.openPrompt(l, text)
	}
}

// openPrompt begins the text of a request whose quote the line does not close.
func (t *Tracker) openPrompt(l *frame.Line, text string) {
	r := Record{Text: text}
	r.scan(len(text))
	for _, q := range r.open {
		if q.depth > 0 || !isPromptKey(r.key(q)) {
			continue
		}
		sign := string(q.sign)
		t.span = &Span{kind: promptSpan, Line: l.No, ends: func(_ *frame.Line, text string) ending { return endIf(follows(text, sign)) }}
		return
	}
}

// follows reports whether a quote sign stands in a text with what may follow a dumped request behind it.
func follows(text, sign string) bool {
	for {
		i := strings.Index(text, sign)
		if i < 0 {
			return false
		}
		text = text[i+1:]
		if dumpGoesOn().MatchString(text[:min(len(text), 64)]) {
			return true
		}
	}
}

// namesError reports whether a sentence speaks of an error.
func namesError(text string) bool { return hasAny(strings.ToLower(text), errorWords()) }

// turn is the marks between which a chat template puts what is said.
type turn struct{ open, close string }

var turns = []turn{
	{"<|im_start|>", "<|im_end|>"}, {"<|end_header_id|>", "<|eot_id|>"}, {"[INST]", "[/INST]"}, {"<start_of_turn>", "<end_of_turn>"},
	{"<|user|>", "<|end|>"}, {"<｜User｜>", "<｜Assistant｜>"},
}

// openTurn returns the marks of the turn in which a text stops, nil where it stops in none.
func openTurn(s string) *turn {
	if !strings.ContainsAny(s, "<[") {
		return nil
	}
	for i := range turns {
		t := &turns[i]
		if !strings.Contains(s, t.open) { // which is much faster than to look from the end
			continue
		}
		at := strings.LastIndex(s, t.open)
		if strings.Contains(s[at:], t.close) {
			continue
		}
		if rest := s[at+len(t.open):]; rest == "" || strings.IndexByte(`'"`, rest[0]) < 0 { // a template's source has a quote there
			return t
		}
	}
	return nil
}

// closedLater reports whether the turn that a text stops in stands in a string that ends before the text does.
func closedLater(s string, t *turn) bool {
	r := Record{Text: s}
	r.scan(strings.LastIndex(s, t.open))
	n := len(r.open)
	if n == 0 {
		return false
	}
	r.scan(len(s))
	return len(r.open) < n
}

// Deny says that the end of the open span will not come, and returns it.
func (t *Tracker) Deny() *Span {
	s := t.span
	if s == nil {
		return nil
	}
	t.span = nil
	s.State = Denied
	return s
}
