package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/template"
)

// node is a piece of a wording: text, a capture, a fact that is set, or alternatives (an optional piece has an
// empty one).
type node struct {
	lit  string // as written, with its white space
	typ  template.Type
	name string
	cap  bool
	set  string // "fact=value"
	alts [][]node
}

func (n *node) isText() bool { return n.alts == nil && !n.cap && n.set == "" }

// minLead is the shortest text, without white space, that a wording may begin with.
const minLead = 4

// Compiled is one wording, ready to run.
type Compiled struct {
	Program template.Program
	runs    []string // text that every match contains, as it stands in a raw line; longest first
}

// Compile turns a wording into programs: one, or several when it begins with alternatives.
func Compile(w *Wording) ([]Compiled, error) {
	p := &wordingParser{s: w.Text, pos: w.Pos}
	seq, err := p.sequence("")
	if err != nil {
		return nil, err
	}
	var out []Compiled
	for _, nodes := range leads(seq) {
		nodes = merge(nodes)
		if !hasLead(nodes) {
			return nil, fmt.Errorf("%s: a wording has at least %d letters of text in a row before its first alternatives: %q", w.Pos, minLead, w.Text)
		}
		prog := emit(nil, nodes)
		prog = append(prog, template.Inst{Op: template.OpEnd})
		out = append(out, Compiled{prog, required(nodes)})
	}
	return out, nil
}

// hasLead reports whether a wording has a text to find it by, before any alternatives.
func hasLead(nodes []node) bool {
	for _, n := range nodes {
		switch {
		case n.alts != nil:
			return false
		case n.isText() && len(squeeze(n.lit)) >= minLead:
			return true
		}
	}
	return false
}

type wordingParser struct {
	s   string
	i   int
	pos lexer.Position
}

func (p *wordingParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %s at %q", p.pos, fmt.Sprintf(format, args...), p.s[min(p.i, len(p.s)):])
}

// sequence reads nodes up to one of the bytes in stop.
func (p *wordingParser) sequence(stop string) ([]node, error) {
	var out []node
	var lit strings.Builder
	flush := func() {
		if lit.Len() > 0 {
			out = append(out, node{lit: lit.String()})
			lit.Reset()
		}
	}
	for p.i < len(p.s) {
		c := p.s[p.i]
		if strings.IndexByte(stop, c) >= 0 {
			break
		}
		switch c {
		case '\\':
			if p.i+1 == len(p.s) {
				return nil, p.errorf("a backslash ends the wording")
			}
			lit.WriteByte(p.s[p.i+1])
			p.i += 2
		case '[', '<':
			flush()
			n, err := p.group(c)
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		case '{':
			flush()
			n, err := p.capture()
			if err != nil {
				return nil, err
			}
			out = append(out, n)
		case ']', '>', '}':
			return nil, p.errorf("%q stands alone; write \\%c for the character", string(c), c)
		default:
			lit.WriteByte(c)
			p.i++
		}
	}
	flush()
	return out, nil
}

func (p *wordingParser) group(open byte) (node, error) {
	closing := byte(']')
	if open == '<' {
		closing = '>'
	}
	start := p.i
	p.i++
	var n node
	for {
		seq, err := p.sequence("|" + string(closing))
		if err != nil {
			return n, err
		}
		n.alts = append(n.alts, seq)
		if p.i == len(p.s) {
			p.i = start
			return n, p.errorf("%q is not closed", string(open))
		}
		p.i++
		if p.s[p.i-1] == closing {
			break
		}
	}
	if open == '[' {
		n.alts = append(n.alts, nil)
	} else if len(n.alts) < 2 {
		return n, p.errorf("<…> needs two alternatives")
	}
	return n, nil
}

func (p *wordingParser) capture() (node, error) {
	end := strings.IndexByte(p.s[p.i:], '}')
	if end < 0 {
		return node{}, p.errorf("{ is not closed")
	}
	if name, values, ok := strings.Cut(p.s[p.i+1:p.i+end], "="); ok {
		return p.oneOf(name, values, end)
	}
	name, typ, typed := strings.Cut(p.s[p.i+1:p.i+end], ":")
	n := node{cap: true, name: name}
	private := name == "" || name[0] == '.'
	info, known := fact.Lookup(name)
	if !private && !known {
		return n, p.errorf("no fact is called %q", name)
	}
	switch {
	case typed:
		k := slices.Index(template.TypeNames[:], typ)
		if k < 0 {
			return n, p.errorf("no type is called %q", typ)
		}
		n.typ = template.Type(k)
	case private:
		return n, p.errorf("{%s} needs a type", name)
	default:
		n.typ = defaultType(info.Kind)
	}
	if !private && info.Kind.Numeric() != n.typ.Numeric() {
		return n, p.errorf("fact %s is of kind %s, the capture is %s", name, info.Kind, template.TypeNames[n.typ])
	}
	p.i += end + 1
	return n, nil
}

// oneOf is {fact=A|B}: one of the words, which is the fact's value.
func (p *wordingParser) oneOf(name, values string, end int) (node, error) {
	if info, ok := fact.Lookup(name); !ok || info.Kind != fact.Text {
		return node{}, p.errorf("%q is no fact whose value is a word", name)
	}
	var n node
	for v := range strings.SplitSeq(values, "|") {
		n.alts = append(n.alts, []node{{lit: v}, {set: name + "=" + v}})
	}
	p.i += end + 1
	return n, nil
}

func defaultType(k fact.Kind) template.Type {
	switch k {
	case fact.Bytes:
		return template.Size
	case fact.Count, fact.Tokens:
		return template.Int
	case fact.Ratio, fact.Seconds:
		return template.Num
	}
	return template.Word
}

// leads spells out the alternatives that a sequence begins with. A fact that one of them sets is set at the end,
// so that its word and the text behind it stay in one piece.
func leads(seq []node) [][]node {
	if len(seq) == 0 || seq[0].alts == nil {
		return [][]node{seq}
	}
	var out [][]node
	for _, a := range seq[0].alts {
		var words, sets []node
		for _, n := range a {
			if n.set != "" {
				sets = append(sets, n)
			} else {
				words = append(words, n)
			}
		}
		out = append(out, leads(slices.Concat(words, seq[1:], sets))...)
	}
	return out
}

// merge joins neighbouring texts; text directly followed by alternatives keeps to itself unless the
// first piece is too short to search for, then the alternatives are spelled out by leads.
func merge(seq []node) []node {
	var out []node
	for _, n := range seq {
		if n.isText() && len(out) > 0 && out[len(out)-1].isText() {
			out[len(out)-1].lit += n.lit
			continue
		}
		out = append(out, n)
	}
	return out
}

func emit(prog template.Program, seq []node) template.Program {
	for _, n := range merge(seq) {
		switch {
		case n.cap:
			prog = append(prog, template.Inst{Op: template.OpCap, Type: n.typ, S: n.name})
		case n.set != "":
			prog = append(prog, template.Inst{Op: template.OpSet, S: n.set})
		case n.alts == nil:
			if s := squeeze(n.lit); s != "" {
				prog = append(prog, template.Inst{Op: template.OpLit, S: s})
			}
		default:
			var jumps []int
			for i, a := range n.alts {
				last := i == len(n.alts)-1
				split := len(prog)
				if !last {
					prog = append(prog, template.Inst{Op: template.OpSplit, X: int16(split + 1)})
				}
				prog = emit(prog, a)
				if !last {
					jumps = append(jumps, len(prog))
					prog = append(prog, template.Inst{Op: template.OpJump})
					prog[split].Y = int16(len(prog))
				}
			}
			for _, j := range jumps {
				prog[j].X = int16(len(prog))
			}
		}
	}
	return prog
}

// squeeze takes the white space out, as template.Text does.
func squeeze(s string) string {
	return strings.Join(strings.Fields(s), "")
}

// required returns the pieces of text that every match contains, longest first.
func required(nodes []node) []string {
	var runs []string
	for _, n := range nodes {
		if s := strings.TrimSpace(n.lit); n.isText() && len(s) >= minLead {
			runs = append(runs, s)
		}
	}
	if len(runs) == 0 {
		runs = []string{strings.TrimSpace(nodes[0].lit)}
	}
	slices.SortStableFunc(runs, func(a, b string) int { return len(b) - len(a) })
	return runs
}
