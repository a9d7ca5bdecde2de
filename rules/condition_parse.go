package rules

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar, loosest binding first. Types are checked on the compiled code, not here.
type (
	orNode struct {
		Terms []*andNode `parser:"@@ ('or' @@)*"`
	}
	andNode struct {
		Terms []*notNode `parser:"@@ ('and' @@)*"`
	}
	notNode struct {
		Pos lexer.Position
		Not *notNode     `parser:"  'not' @@"`
		Cmp *compareNode `parser:"| @@"`
	}
	compareNode struct {
		Left *sumNode  `parser:"@@"`
		Rest *restNode `parser:"@@?"`
	}
	restNode struct {
		Pos   lexer.Position
		Op    string      `parser:"( @Compare"`
		Right *sumNode    `parser:"  @@"`
		Has   *hasNode    `parser:"| 'has' @@"`
		In    []*termNode `parser:"| 'in' '(' @@ (',' @@)* ')' )"`
	}
	hasNode struct {
		One string   `parser:"  @String"`
		Any []string `parser:"| 'any' '(' @String (',' @String)* ')'"`
	}
	sumNode struct {
		First *productNode `parser:"@@"`
		Rest  []*sumRest   `parser:"@@*"`
	}
	sumRest struct {
		Pos  lexer.Position
		Op   string       `parser:"@('+' | '-')"`
		Term *productNode `parser:"@@"`
	}
	productNode struct {
		First *unaryNode     `parser:"@@"`
		Rest  []*productRest `parser:"@@*"`
	}
	productRest struct {
		Pos  lexer.Position
		Op   string     `parser:"@('*' | '/')"`
		Term *unaryNode `parser:"@@"`
	}
	unaryNode struct {
		Pos   lexer.Position
		Minus bool      `parser:"@'-'?"`
		Term  *termNode `parser:"@@"`
	}
	termNode struct {
		Pos     lexer.Position
		Version string    `parser:"  @Version"`
		Number  string    `parser:"| @Number"`
		Unit    string    `parser:"  @Unit?"`
		Text    *string   `parser:"| @String"`
		Call    *callNode `parser:"| @@"`
		Name    string    `parser:"| @Name"`
		Group   *orNode   `parser:"| '(' @@ ')'"`
	}
	callNode struct {
		Name string    `parser:"@Name '('"`
		Args []*orNode `parser:"(@@ (',' @@)*)? ')'"`
	}
)

// grammar is built at the first expression that is not generated.
var grammar = sync.OnceValue(func() *participle.Parser[orNode] {
	return participle.MustBuild[orNode](
		participle.Lexer(lexer.MustSimple([]lexer.SimpleRule{
			{Name: "Space", Pattern: `\s+`},
			{Name: "String", Pattern: `"[^"\n]*"`},
			{Name: "Version", Pattern: `\d+\.\d+(\.\d+[0-9A-Za-z.+]*|(rc|a|b|\.post|\.dev)\d[0-9A-Za-z.+]*)`},
			{Name: "Number", Pattern: `\d[\d_]*(\.\d+)?(e\d+)?`},
			{Name: "Unit", Pattern: `(bytes|KiB|MiB|GiB|TiB|tokens|seconds)\b|%`},
			{Name: "Keyword", Pattern: `(and|or|not|has|any|in)\b`},
			{Name: "Name", Pattern: `[A-Za-z_]\w*`},
			{Name: "Compare", Pattern: `==|!=|<=|>=|<|>`},
			{Name: "Punct", Pattern: `[-+*/(),]`},
		})),
		participle.Elide("Space"),
		participle.UseLookahead(2),
	)
})

// units are the factors of the units that may follow a number.
var units = map[string]float64{
	"": 1, "bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40,
	"tokens": 1, "seconds": 1, "%": 0.01,
}

// parse compiles the source of an expression.
func parse(src string) (program, error) {
	if len(src) > maxSource {
		return nil, errorAt(0, "longer than %d bytes", maxSource)
	}
	if strings.TrimSpace(src) == "" {
		return nil, errorAt(0, "an empty condition")
	}
	if at := tooDeep(src); at >= 0 {
		return nil, errorAt(uint16(at), "nested more than %d deep", maxDepth)
	}
	tree, err := grammar().ParseString("", src)
	if err != nil {
		return nil, syntaxError(src, err)
	}
	c := compiler{}
	c.or(tree)
	if c.err != nil {
		return nil, c.err
	}
	return c.out, nil
}

// maxDepth bounds nesting, and with it the stack of the parser.
const maxDepth = 32

// tooDeep returns the offset at which nesting exceeds maxDepth, -1 where it never does.
func tooDeep(src string) int {
	depth, nots := 0, 0
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '(':
			depth++
		case ')':
			depth--
		case 'n':
			if strings.HasPrefix(src[i:], "not") {
				nots++
			}
		}
		if depth > maxDepth || nots > 4*maxDepth {
			return i
		}
	}
	return -1
}

func syntaxError(src string, err error) *Error {
	var unexpected *participle.UnexpectedTokenError
	if errors.As(err, &unexpected) {
		t := unexpected.Unexpected
		if t.EOF() {
			return &Error{len(src), "the condition ends too early"}
		}
		return &Error{t.Pos.Offset, fmt.Sprintf("unexpected %q", t.Value)}
	}
	var p participle.Error
	if errors.As(err, &p) {
		at := min(p.Position().Offset, len(src))
		if strings.HasPrefix(src[at:], `"`) {
			return &Error{at, "the text is not closed"}
		}
		if at < len(src) {
			return &Error{at, fmt.Sprintf("unexpected %q", string([]rune(src[at:])[:1]))}
		}
		return &Error{at, p.Message()}
	}
	return &Error{0, err.Error()}
}

// compiler turns the tree into postfix code.
type compiler struct {
	out program
	err *Error
}

func (c *compiler) emit(o op, pos lexer.Position) {
	o.Pos = uint16(pos.Offset)
	c.out = append(c.out, o)
}

func (c *compiler) fail(pos lexer.Position, format string, args ...any) {
	if c.err == nil {
		c.err = errorAt(uint16(pos.Offset), format, args...)
	}
}

func (c *compiler) or(n *orNode) {
	for i, t := range n.Terms {
		c.and(t)
		if i > 0 {
			c.emit(op{Code: cOr}, t.Terms[0].Pos)
		}
	}
}

func (c *compiler) and(n *andNode) {
	for i, t := range n.Terms {
		c.not(t)
		if i > 0 {
			c.emit(op{Code: cAnd}, t.Pos)
		}
	}
}

func (c *compiler) not(n *notNode) {
	if n.Not != nil {
		c.not(n.Not)
		c.emit(op{Code: cNot}, n.Pos)
		return
	}
	c.compare(n.Cmp)
}

var compareCodes = map[string]code{"==": cEq, "!=": cNe, "<": cLt, "<=": cLe, ">": cGt, ">=": cGe}

func (c *compiler) compare(n *compareNode) {
	r := n.Rest
	switch {
	case r == nil:
		c.sum(n.Left)
	case r.Has != nil:
		subject := n.Left.bareName()
		if subject == "" {
			c.fail(r.Pos, "before \"has\" stands frames, text or the name of a fact")
			return
		}
		texts := r.Has.Any
		if texts == nil {
			texts = []string{r.Has.One}
		}
		for _, t := range texts {
			c.emit(op{Code: cText, Str: unquote(t)}, r.Pos)
		}
		c.emit(op{Code: cHas, Str: subject, N: uint16(len(texts))}, n.Left.First.First.Pos)
	case r.In != nil:
		c.sum(n.Left)
		for _, t := range r.In {
			c.term(t)
		}
		c.emit(op{Code: cIn, N: uint16(len(r.In))}, r.Pos)
	default:
		c.sum(n.Left)
		c.sum(r.Right)
		c.emit(op{Code: compareCodes[r.Op]}, r.Pos)
	}
}

// bareName returns the name that the sum consists of, "" when it is anything else.
func (n *sumNode) bareName() string {
	if len(n.Rest) > 0 || len(n.First.Rest) > 0 || n.First.First.Minus {
		return ""
	}
	return n.First.First.Term.Name
}

func (c *compiler) sum(n *sumNode) {
	c.product(n.First)
	for _, r := range n.Rest {
		c.product(r.Term)
		c.emit(op{Code: map[string]code{"+": cAdd, "-": cSub}[r.Op]}, r.Pos)
	}
}

func (c *compiler) product(n *productNode) {
	c.unary(n.First)
	for _, r := range n.Rest {
		c.unary(r.Term)
		c.emit(op{Code: map[string]code{"*": cMul, "/": cDiv}[r.Op]}, r.Pos)
	}
}

func (c *compiler) unary(n *unaryNode) {
	c.term(n.Term)
	if n.Minus {
		c.emit(op{Code: cNeg}, n.Pos)
	}
}

func (c *compiler) term(n *termNode) {
	switch {
	case n.Version != "":
		c.emit(op{Code: cVersion, Str: n.Version}, n.Pos)
	case n.Number != "":
		v, err := strconv.ParseFloat(strings.ReplaceAll(n.Number, "_", ""), 64)
		if err != nil {
			c.fail(n.Pos, "%s is no number", n.Number)
		}
		written := n.Number
		if n.Unit == "%" {
			written += "%"
		} else if n.Unit != "" {
			written += " " + n.Unit
		}
		c.emit(op{Code: cNum, Num: v * units[n.Unit], Str: written}, n.Pos)
	case n.Text != nil:
		c.emit(op{Code: cText, Str: unquote(*n.Text)}, n.Pos)
	case n.Call != nil:
		c.call(n.Call, n.Pos)
	case n.Group != nil:
		c.or(n.Group)
	case n.Name == "true":
		c.emit(op{Code: cBool, Num: 1}, n.Pos)
	case n.Name == "false":
		c.emit(op{Code: cBool}, n.Pos)
	default:
		if _, known := lookupName(n.Name); !known && slices.Contains(allWords(), n.Name) {
			c.emit(op{Code: cWord, Str: n.Name}, n.Pos)
			return
		}
		c.emit(op{Code: cName, Str: n.Name}, n.Pos)
	}
}

func (c *compiler) call(n *callNode, pos lexer.Position) {
	switch n.Name {
	case "known", "fit", "now":
		name := ""
		if len(n.Args) == 1 {
			name = n.Args[0].bareName()
		}
		if name == "" {
			c.fail(pos, "%s takes the name of one fact", n.Name)
			return
		}
		c.emit(op{Code: map[string]code{"known": cKnown, "fit": cFit, "now": cNow}[n.Name], Str: name}, pos)
		return
	}
	for _, a := range n.Args {
		c.or(a)
	}
	o := op{Code: cCall, Str: n.Name, N: uint16(len(n.Args))}
	switch n.Name {
	case "message":
		o = op{Code: cMessage, N: o.N}
	case "first":
		o = op{Code: cFirst, N: o.N}
	case "messages":
		o = op{Code: cMessages, N: o.N}
	default:
		switch f := lookupFunction(n.Name); {
		case f == nil:
			c.fail(pos, "unknown function %q%s", n.Name, didYouMean(n.Name, functionNames()))
		case len(n.Args) < f.min || len(n.Args) > f.max:
			c.fail(pos, "wrong number of arguments: %s", f.doc)
		}
	}
	c.emit(o, pos)
}

func functionNames() []string {
	names := []string{"message", "messages", "first", "known", "fit", "now"}
	for _, f := range functions {
		names = append(names, f.name)
	}
	return names
}

// bareName returns the name that the expression consists of, "" when it is anything else.
func (n *orNode) bareName() string {
	if len(n.Terms) != 1 || len(n.Terms[0].Terms) != 1 {
		return ""
	}
	t := n.Terms[0].Terms[0]
	if t.Not != nil || t.Cmp.Rest != nil {
		return ""
	}
	return t.Cmp.Left.bareName()
}

func unquote(s string) string { return s[1 : len(s)-1] }
