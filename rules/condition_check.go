package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
)

// typ is what the type check knows of an operand.
type typ struct {
	kind           fact.Kind // NoKind: a plain number, which fits counts, tokens and ratios
	bytes, seconds int8      // exponents of the dimensions: bytes per second has 1 and -1
	said           string    // as it is called in messages
	words          []string  // what it may be compared with, for phase, engine and class
	word           bool      // one of those words itself
	zero           bool      // a literal 0, which fits every dimension
	percent        bool      // a literal written with %
}

func (t typ) numeric() bool { return t.kind == fact.NoKind || t.kind.Numeric() }

// plain reports whether it is a number without a unit.
func (t typ) plain() bool { return t.kind == fact.NoKind && t.bytes == 0 && t.seconds == 0 }

// String describes the type: "gpu_free (bytes)".
func (t typ) String() string {
	unit := t.kind.String()
	if t.kind == fact.NoKind {
		unit = "a plain number"
		if t.bytes != 0 || t.seconds != 0 {
			unit = "a mixed unit"
		}
	}
	return fmt.Sprintf("%s (%s)", t.said, unit)
}

func kindType(k fact.Kind, said string) typ {
	t := typ{kind: k, said: said}
	switch k {
	case fact.Bytes:
		t.bytes = 1
	case fact.Seconds:
		t.seconds = 1
	}
	return t
}

// withDimension sets the kind that follows from the exponents.
func (t typ) withDimension() typ {
	switch {
	case t.bytes == 1 && t.seconds == 0:
		t.kind = fact.Bytes
	case t.bytes == 0 && t.seconds == 1:
		t.kind = fact.Seconds
	default:
		t.kind = fact.NoKind
	}
	return t
}

// comparable reports whether values of both types may be added and compared.
func (t typ) comparable(u typ) bool {
	if !t.numeric() || !u.numeric() {
		return t.kind == u.kind
	}
	if t.zero || u.zero {
		return true
	}
	if t.bytes != u.bytes || t.seconds != u.seconds {
		return false
	}
	mixed := t.kind == fact.Ratio && u.kind == fact.Tokens
	return !mixed && (t.kind != fact.Tokens || u.kind != fact.Ratio)
}

// checker goes through a program with a stack of types.
type checker struct {
	messages []string // ids of the catalogue; nil: not checked
	settings bool     // fit() is allowed
	stack    []typ
}

// check reports the first type error of a program whose result must be of kind want: Bool for a
// condition, the kind of the setting for a value. messages are the ids of the catalogue, nil when they
// need no check.
func check(p program, want fact.Kind, messages []string) error {
	c := checker{messages: messages, settings: want != fact.Bool}
	for _, o := range p {
		if err := c.step(o); err != nil {
			return err
		}
	}
	got := c.stack[0]
	switch {
	case want == fact.Bool && got.kind != fact.Bool:
		return errorAt(p[len(p)-1].Pos, "%s is no condition", got)
	case want == fact.Text && got.plain():
		return nil // a data type by its width, as memory.Change has it
	case want != fact.Bool && !got.comparable(kindType(want, "")):
		return errorAt(p[len(p)-1].Pos, "%s where %s is wanted", got, want)
	}
	return nil
}

func (c *checker) push(t typ) { c.stack = append(c.stack, t) }

func (c *checker) pop(n int) []typ {
	out := c.stack[len(c.stack)-n:]
	c.stack = c.stack[:len(c.stack)-n]
	return out
}

func (c *checker) step(o op) *Error {
	switch o.Code {
	case cNum:
		c.push(literalType(o))
	case cText:
		c.push(kindType(fact.Text, fmt.Sprintf("%q", o.Str)))
	case cVersion:
		if !validVersion(o.Str) {
			return errorAt(o.Pos, "%s is no version", o.Str)
		}
		c.push(kindType(fact.Version, o.Str))
	case cWord:
		c.push(typ{kind: fact.Text, said: o.Str, word: true})
	case cBool:
		c.push(kindType(fact.Bool, "true"))
	case cName, cKnown, cFit, cNow:
		return c.name(o)
	case cMessage, cFirst, cMessages:
		return c.message(o)
	case cHas:
		return c.has(o)
	case cIn:
		args := c.pop(int(o.N) + 1)
		for _, a := range args[1:] {
			if err := comparison(o, args[0], a); err != nil {
				return err
			}
		}
		c.push(kindType(fact.Bool, "the comparison"))
	case cCall:
		return c.call(o)
	case cNot:
		return c.logic(o, 1)
	case cAnd, cOr:
		return c.logic(o, 2)
	case cNeg, cAdd, cSub, cMul, cDiv:
		return c.arithmetic(o)
	default: // the comparisons
		args := c.pop(2)
		if err := comparison(o, args[0], args[1]); err != nil {
			return err
		}
		c.push(kindType(fact.Bool, "the comparison"))
	}
	return nil
}

func literalType(o op) typ {
	t := typ{said: o.Str, zero: o.Num == 0}
	switch _, unit, _ := strings.Cut(o.Str, " "); {
	case strings.HasSuffix(o.Str, "%"):
		t.kind, t.percent = fact.Ratio, true
	case unit == "tokens":
		t.kind = fact.Tokens
	case unit == "seconds":
		t = typ{kind: fact.Seconds, seconds: 1, said: o.Str}
	case unit != "":
		t = typ{kind: fact.Bytes, bytes: 1, said: o.Str}
	}
	return t
}

func (c *checker) name(o op) *Error {
	kind, ok := lookupName(o.Str)
	if !ok {
		return errorAt(o.Pos, "unknown name %q%s", o.Str, didYouMean(o.Str, append(allNames(), allWords()...)))
	}
	t := kindType(kind, o.Str)
	switch o.Code {
	case cKnown:
		t = kindType(fact.Bool, "known")
	case cFit, cNow:
		name := map[code]string{cFit: "fit", cNow: "now"}[o.Code]
		if !c.settings {
			return errorAt(o.Pos, "%s() belongs in the value of a setting, not in a condition", name)
		}
		if !t.numeric() {
			return errorAt(o.Pos, "%s() finds numbers; %s is none", name, t)
		}
	default:
		if p := lookupProperty(o.Str); p != nil {
			t.words = p.words
		}
	}
	c.push(t)
	return nil
}

func (c *checker) message(o op) *Error {
	if o.N == 0 {
		return errorAt(o.Pos, "the id of a message is missing")
	}
	for _, a := range c.pop(int(o.N)) {
		id := strings.Trim(a.said, `"`)
		if a.kind != fact.Text || a.word || !strings.HasPrefix(a.said, `"`) {
			return errorAt(o.Pos, "%s is no message id in quotes", a)
		}
		if c.messages != nil && !slices.ContainsFunc(c.messages, func(m string) bool { return globMatch(id, m) }) {
			return errorAt(o.Pos, "unknown message %q%s", id, didYouMean(id, c.messages))
		}
	}
	if o.Code == cMessages {
		c.push(kindType(fact.Count, "messages()"))
	} else {
		c.push(kindType(fact.Bool, "message()"))
	}
	return nil
}

// globMatch reports whether a message id matches a pattern in which * stands for anything.
func globMatch(pattern, id string) bool {
	if !strings.Contains(pattern, "*") {
		return pattern == id
	}
	ok, err := path.Match(pattern, id)
	return ok && err == nil
}

// subjects are what "has" looks into, beside facts that are text.
var subjects = []string{"frames", "innermost", "code", "origin", "text"}

func (c *checker) has(o op) *Error {
	c.pop(int(o.N))
	if !slices.Contains(subjects, o.Str) {
		f, ok := fact.Lookup(o.Str)
		if !ok {
			return errorAt(o.Pos, "unknown name %q%s", o.Str, didYouMean(o.Str, append(allNames(), subjects...)))
		}
		if f.Kind != fact.Text {
			return errorAt(o.Pos, "%s (%s) has no parts; \"has\" is for frames, text and facts that are text", o.Str, f.Kind)
		}
	}
	c.push(kindType(fact.Bool, "has"))
	return nil
}

func (c *checker) logic(o op, n int) *Error {
	for _, a := range c.pop(n) {
		if a.kind != fact.Bool {
			return errorAt(o.Pos, "%s is no condition", a)
		}
	}
	c.push(kindType(fact.Bool, "the condition"))
	return nil
}

func (c *checker) arithmetic(o op) *Error {
	n := 2
	if o.Code == cNeg {
		n = 1
	}
	args := c.pop(n)
	for _, a := range args {
		if !a.numeric() {
			return errorAt(o.Pos, "%s is no number", a)
		}
	}
	t := args[0]
	t.zero, t.percent = t.zero && n == 1, false
	switch o.Code {
	case cAdd, cSub:
		if !args[0].comparable(args[1]) {
			return errorAt(o.Pos, "%s and %s do not add up", args[0], args[1])
		}
		if t.kind == fact.NoKind || args[0].zero {
			t = args[1]
		}
	case cMul:
		t.bytes, t.seconds = t.bytes+args[1].bytes, t.seconds+args[1].seconds
		t = t.withDimension()
	case cDiv:
		t.bytes, t.seconds = t.bytes-args[1].bytes, t.seconds-args[1].seconds
		t = t.withDimension()
	}
	if n == 2 {
		t.said = "the result"
	}
	c.push(t)
	return nil
}

// comparison checks a == b and its like.
func comparison(o op, a, b typ) *Error {
	if a.word && !b.word {
		a, b = b, a
	}
	ordered := o.Code != cEq && o.Code != cNe && o.Code != cIn
	switch {
	case b.word && a.words == nil:
		return errorAt(o.Pos, "unknown name %q%s", b.said, didYouMean(b.said, allNames()))
	case a.words != nil && (b.word || strings.HasPrefix(b.said, `"`)):
		if w := strings.Trim(b.said, `"`); !slices.Contains(a.words, w) {
			return errorAt(o.Pos, "%s is never %q%s", a.said, w, didYouMean(w, a.words))
		}
	case a.kind == fact.Version && b.kind == fact.NoKind, a.kind == fact.NoKind && b.kind == fact.Version:
		return nil // 0.10 is a version here
	case a.percent && strings.Contains(b.said, "percent"), b.percent && strings.Contains(a.said, "percent"):
		return errorAt(o.Pos, "%s and %s: percentages of this name go from 0 to 100", a, b)
	}
	if !a.comparable(b) {
		for _, side := range [][2]typ{{a, b}, {b, a}} {
			if side[0].plain() && side[1].kind == fact.Bytes {
				return errorAt(o.Pos, "%s has no unit, %s is in bytes", side[0].said, side[1].said)
			}
		}
		return errorAt(o.Pos, "%s and %s cannot be compared", a, b)
	}
	if ordered && (a.kind == fact.Text || a.kind == fact.Bool) {
		return errorAt(o.Pos, "%s has no order; compare it with == or !=", a)
	}
	return nil
}

// function is one that expressions may call.
type function struct {
	name     string
	min, max int    // arguments
	doc      string // for the message about wrong arguments
}

var functions = []function{
	{"min", 2, 8, "min(a, b, …)"},
	{"max", 2, 8, "max(a, b, …)"},
	{"abs", 1, 1, "abs(x)"},
	{"half", 1, 1, "half(x): half of it, a whole number"},
	{"floor_to", 2, 2, "floor_to(x, step): the next lower multiple of step"},
	{"ceil_to", 2, 2, "ceil_to(x, step): the next higher multiple of step"},
	{"default", 2, 8, "default(a, b, …): the first that is known"},
	{"where", 2, 2, "where(condition, x): x where the condition is true, else unknown"},
}

func lookupFunction(name string) *function {
	for i := range functions {
		if functions[i].name == name {
			return &functions[i]
		}
	}
	return nil
}

func (c *checker) call(o op) *Error {
	f := lookupFunction(o.Str)
	args := c.pop(int(o.N))
	if f.name == "where" {
		if args[0].kind != fact.Bool {
			return errorAt(o.Pos, "%s is no condition", args[0])
		}
		args = args[1:]
	}
	t := args[0]
	for _, a := range args {
		if f.name != "default" && f.name != "where" && !a.numeric() {
			return errorAt(o.Pos, "%s is no number", a)
		}
		if !a.comparable(args[0]) {
			return errorAt(o.Pos, "%s and %s in %s()", args[0], a, f.name)
		}
		if t.plain() {
			t = a
		}
	}
	t.said, t.zero, t.percent, t.words = f.name+"()", false, false, nil
	c.push(t)
	return nil
}
