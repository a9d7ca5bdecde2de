package record

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/lazy"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
)

// MaxPassage bounds a passage, and MaxHeld what is held back of it.
const (
	MaxPassage = 400 // lines
	MaxHeld    = 256 // messages and configurations
)

// What the bounds leave out.
var (
	CutHeld    = "more than " + strconv.Itoa(MaxHeld) + " messages in a text that may be a prompt: the later ones were left out"
	CutPassage = "a text of more than " + strconv.Itoa(MaxPassage) + " lines that may be a prompt was taken for the process's own words"
)

// passage is a text over several lines that somebody else wrote: a prompt, an answer, a docstring. Whether it
// is one is certain at its end only: a dump may be cut off, and the process goes on behind it. Until then what
// it says is held back; it is dropped where the end is found, else handed on.
type passage struct {
	ends  func(string) bool
	lines int
	state passageState
	held  []func()
}

type passageState uint8

const (
	passageOpen passageState = iota
	passageClosed
	passageDenied // its end did not come
)

// turns are the marks between which chat templates put what is said.
var turns = []struct{ open, close string }{
	{"<|im_start|>", "<|im_end|>"}, {"<|end_header_id|>", "<|eot_id|>"}, {"[INST]", "[/INST]"}, {"<start_of_turn>", "<end_of_turn>"},
	{"<|user|>", "<|end|>"}, {"<｜User｜>", "<｜Assistant｜>"},
}

// turnBefore returns the mark that ends the turn in which a text stops, "" where it stops in none.
func turnBefore(s string) string {
	if !strings.ContainsAny(s, "<[") {
		return ""
	}
	for _, t := range turns {
		if !strings.Contains(s, t.open) { // what most lines are asked, and many times faster than LastIndex
			continue
		}
		at := strings.LastIndex(s, t.open)
		if strings.Contains(s[at:], t.close) {
			continue
		}
		if rest := s[at+len(t.open):]; rest == "" || strings.IndexByte(`'"`, rest[0]) < 0 { // a template's source has a quote there
			return t.close
		}
	}
	return ""
}

var (
	// What may follow the closing quote of a dump: the next argument, or the end of a message.
	dumpGoesOn = lazy.Regexp(`^,\s*["']?(?:params|prompt_token_ids|prompt_embeds\w*|sampling_params|lora_request|output_token_ids|finish_reason|parameters|role|stream|max_tokens|multi_modal\w*|image_data|rid|model|temperature)["']?\s*[:=]|^\s*\}\s*[\],]`)
	quoteEnds  = lazy.Regexp(`^\s*(?:[,)}\]]|$)`)
	defined    = lazy.Regexp(`^\s*(?:async def|def|class)\s.*:\s*$`)
	newRequest = lazy.Regexp(`^(?:Received request|Added request|Generated response)\b`)
	requests   = lazy.Regexp(`(?i:request|receive|generat|prompt)`)
)

// opens returns how a text ends that a line begins and does not end; nil where it begins none.
func opens(line string, before []byte) func(string) bool {
	at := nextValue(line, 0)
	if at >= 0 && requests().MatchString(line) {
		for n := 0; at >= 0 && n < 4; n++ {
			quote, rest := line[at:at+1], line[at+1:]
			if !ended(rest, quote) {
				return func(s string) bool { return behindQuote(s, quote, dumpGoesOn().MatchString) }
			}
			at = nextValue(line, at+1)
		}
	}
	if mark := turnBefore(line); mark != "" {
		return func(s string) bool { return strings.Contains(s, mark) }
	}
	for _, quote := range []string{`"""`, "'''"} {
		if strings.HasPrefix(line, quote) && !strings.Contains(line[3:], quote) && defined().Match(before) {
			return func(s string) bool { return strings.Contains(s, quote) }
		}
	}
	return nil
}

// textKeys are the keys whose values are prompts and answers.
var textKeys = []string{"prompt", "text", "input", "inputs", "content", "output"}

// nextValue returns where, from a place on, the quote of a prompt or an answer stands behind its key in the line
// of a request, -1 where none does. Every line with a quote is asked: no pattern.
func nextValue(line string, from int) int {
	for {
		i := strings.IndexAny(line[from:], `'"`)
		if i < 0 {
			return -1
		}
		at := from + i
		from = at + 1
		key := strings.TrimRight(line[:at], " \t")
		if key == "" || key[len(key)-1] != ':' && key[len(key)-1] != '=' {
			continue
		}
		key = strings.TrimRight(key[:len(key)-1], " \t")
		if key != "" && strings.IndexByte(`'"`, key[len(key)-1]) >= 0 {
			key = key[:len(key)-1]
		}
		for _, k := range textKeys {
			if before, ok := strings.CutSuffix(key, k); ok && (before == "" || !settings.IsWordByte(before[len(before)-1])) {
				return at
			}
		}
	}
}

// ended reports whether a text in quotes ends on its line.
func ended(s, quote string) bool { return behindQuote(s, quote, quoteEnds().MatchString) }

// behindQuote reports whether a quote stands in a text with what is asked for behind it.
func behindQuote(s, quote string, is func(string) bool) bool {
	for {
		i := strings.Index(s, quote)
		if i < 0 {
			return false
		}
		s = s[i+1:]
		if is(s[:min(len(s), 64)]) {
			return true
		}
	}
}

// passage follows a stream through such texts and returns the one that a line belongs to.
func (r *Reader) inPassage(l *frame.Line) *passage {
	p := r.passage
	if p == nil && bytes.IndexByte(l.Text, '"') < 0 && bytes.IndexByte(l.Text, '\'') < 0 && bytes.IndexByte(l.Text, '<') < 0 && bytes.IndexByte(l.Text, '[') < 0 {
		return nil
	}
	text := string(l.Text)
	if p != nil {
		p.lines++
		switch {
		case p.lines > MaxPassage:
			r.to.LeftOut(message.Pos{Source: r.source, Line: l.No}, CutPassage)
			r.deny()
		case l.Logger && newRequest().MatchString(text):
			r.deny()
		case p.ends(text):
			p.state, p.held, r.passage = passageClosed, nil, nil
			return p
		default:
			return p
		}
	}
	if ends := opens(text, r.scene.before); ends != nil {
		r.passage = &passage{ends: ends}
	}
	return nil
}

// deny hands on what was held back: the text it stood in has no end.
func (r *Reader) deny() {
	p := r.passage
	if p == nil {
		return
	}
	r.passage = nil
	p.state = passageDenied
	for _, say := range p.held {
		say()
	}
	p.held = nil
}

// say hands something on that a line says, now or when it is certain that the line is the process's own.
func (r *Reader) say(p *passage, what func()) {
	switch {
	case p == nil || p.state == passageDenied:
		what()
	case p.state == passageOpen && len(p.held) < MaxHeld:
		p.held = append(p.held, what)
	case p.state == passageOpen:
		r.to.LeftOut(message.Pos{Source: r.source, Line: r.lines[0].No}, CutHeld)
	}
}
