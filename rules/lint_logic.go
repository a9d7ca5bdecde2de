package rules

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
)

// What follows finds the simple contradictions. A condition is spread into alternatives, each a
// list of literals that must all hold; it can never hold when every alternative contradicts itself.

// maxAlternatives bounds the spreading; a condition with more is taken to be possible.
const maxAlternatives = 256

// node is an operation with its operands.
type node struct {
	*op
	args []*node
}

// literal is a statement without logic, or its denial.
type literal struct {
	*node
	denied bool
}

// tree turns postfix code into a tree.
func tree(p program) *node {
	var stack []*node
	for i := range p {
		n := p[i].arity()
		args := slices.Clone(stack[len(stack)-n:])
		stack = append(stack[:len(stack)-n], &node{&p[i], args})
	}
	return stack[0]
}

// arity returns how many operands an operation takes.
func (o *op) arity() int {
	switch o.Code {
	case cNum, cText, cVersion, cWord, cBool, cName, cKnown, cFit, cNow:
		return 0
	case cMessage, cFirst, cMessages, cHas, cCall:
		return int(o.N)
	case cIn:
		return int(o.N) + 1
	case cNot, cNeg:
		return 1
	}
	return 2
}

// alternatives spreads n, or its denial, into lists of literals; nil when there are too many.
func alternatives(n *node, denied bool) [][]literal {
	switch {
	case n.Code == cNot:
		return alternatives(n.args[0], !denied)
	case n.Code == cAnd && !denied, n.Code == cOr && denied:
		return product(alternatives(n.args[0], denied), alternatives(n.args[1], denied))
	case n.Code == cAnd, n.Code == cOr:
		a, b := alternatives(n.args[0], denied), alternatives(n.args[1], denied)
		if a == nil || b == nil || len(a)+len(b) > maxAlternatives {
			return nil
		}
		return append(slices.Clone(a), b...)
	}
	return [][]literal{{{n, denied}}}
}

func product(a, b [][]literal) [][]literal {
	if len(a)*len(b) > maxAlternatives {
		return nil
	}
	var out [][]literal
	for _, x := range a {
		for _, y := range b {
			out = append(out, append(slices.Clone(x), y...))
		}
	}
	return out
}

// neverHolds reports whether the conditions contradict each other, or one itself.
func neverHolds(conditions ...program) bool {
	all := [][]literal{{}}
	for _, c := range conditions {
		all = product(all, alternatives(tree(c), false))
	}
	return all != nil && !slices.ContainsFunc(all, possible)
}

// limits is what a list of literals leaves to one name.
type limits struct {
	low, high         float64
	lowOpen, highOpen bool
	is, isNot         []string // words; is counts where it is not nil
	known, unknown    bool
}

// possible reports whether the literals may hold together, as far as it can tell.
func possible(list []literal) bool {
	names := map[string]*limits{}
	said := map[string]bool{} // statements that are not about one name, and whether they hold
	first := ""
	for _, l := range list {
		if !l.limit(names) {
			key := l.key()
			if holds, ok := said[key]; ok && holds == l.denied {
				return false
			}
			said[key] = !l.denied
		}
		if l.Code == cFirst && !l.denied && l.N == 1 && !strings.Contains(l.args[0].Str, "*") {
			if first != "" && first != l.args[0].Str {
				return false
			}
			first = l.args[0].Str
		}
	}
	for _, b := range names {
		if !b.possible() {
			return false
		}
	}
	return true
}

func (b *limits) possible() bool {
	if b.low > b.high || b.low == b.high && (b.lowOpen || b.highOpen) || b.known && b.unknown {
		return false
	}
	return b.is == nil || slices.ContainsFunc(b.is, func(w string) bool { return !slices.Contains(b.isNot, w) })
}

// key identifies a statement.
func (n *node) key() string {
	var out strings.Builder
	fmt.Fprintf(&out, "%d %s %g(", n.Code, n.Str, n.Num)
	for _, a := range n.args {
		out.WriteString(a.key())
	}
	return out.String() + ")"
}

// limit narrows what the literal leaves to its name; false when it is not about a single name.
func (l literal) limit(names map[string]*limits) bool {
	of := func(name string) *limits {
		b := names[name]
		if b == nil {
			b = &limits{low: math.Inf(-1), high: math.Inf(1)}
			names[name] = b
		}
		return b
	}
	switch l.Code {
	case cKnown:
		b := of(l.Str)
		b.known, b.unknown = b.known || !l.denied, b.unknown || l.denied
		return true
	case cName:
		b := of(l.Str)
		b.known = true
		b.word([]string{fmt.Sprint(!l.denied)}, false)
		return true
	case cIn, cEq, cNe, cLt, cLe, cGt, cGe:
		return l.compare(of)
	}
	return false
}

// word narrows a name to words, or away from them.
func (b *limits) word(words []string, denied bool) {
	switch {
	case denied:
		b.isNot = append(b.isNot, words...)
	case b.is == nil:
		b.is = words
	default:
		b.is = slices.DeleteFunc(slices.Clone(b.is), func(w string) bool { return !slices.Contains(words, w) })
	}
}

func (l literal) compare(of func(string) *limits) bool {
	name, rest := l.args[0], l.args[1:]
	code := l.Code
	if name.Code != cName && code != cIn && rest[0].Code == cName {
		name, rest = rest[0], l.args[:1]
		code = mirrored(code)
	}
	if name.Code != cName {
		return false
	}
	denied := l.denied
	if code == cNe {
		code, denied = cEq, !denied
	}
	var words []string
	for _, r := range rest {
		switch r.Code {
		case cWord, cText:
			words = append(words, strings.ToLower(r.Str))
		case cBool:
			words = append(words, fmt.Sprint(r.Num != 0))
		}
	}
	b := of(name.Str)
	b.known = true // a comparison with something unknown never holds, nor does its denial
	if len(words) == len(rest) && (code == cEq || code == cIn) {
		b.word(words, denied)
		return true
	}
	if rest[0].Code != cNum || code == cIn {
		return false
	}
	if kind, _ := lookupName(name.Str); !kind.Numeric() {
		return false // a version
	}
	if denied {
		code = opposite(code)
	}
	b.number(code, rest[0].Num)
	return true
}

// opposite returns the comparison that holds where c does not.
func opposite(c code) code {
	switch c {
	case cEq:
		return cNe
	case cLt:
		return cGe
	case cLe:
		return cGt
	case cGt:
		return cLe
	}
	return cLt
}

// mirrored returns the comparison with its sides exchanged.
func mirrored(c code) code {
	switch c {
	case cLt:
		return cGt
	case cLe:
		return cGe
	case cGt:
		return cLt
	case cGe:
		return cLe
	}
	return c
}

// number narrows a name to numbers.
func (b *limits) number(c code, x float64) {
	if c == cEq || c == cGe || c == cGt {
		if open := c == cGt; x > b.low || x == b.low && open {
			b.low, b.lowOpen = x, open
		}
	}
	if c == cEq || c == cLe || c == cLt {
		if open := c == cLt; x < b.high || x == b.high && open {
			b.high, b.highOpen = x, open
		}
	}
}

// rivals reports pairs of causes that one message is enough for, with nothing to tell them apart.
func (l *linter) rivals() {
	claims := make([][][]literal, len(l.kb.Causes))
	for i, c := range l.kb.Causes {
		claims[i] = bareClaims(c)
	}
	for i, a := range l.kb.Causes {
		for j, b := range l.kb.Causes[:i] {
			tie := a.Base == b.Base && len(a.Signs) == 0 && len(b.Signs) == 0 && a.Degraded == b.Degraded
			if !tie || a.Unknown || b.Unknown || !enginesMeet(a.Engine, b.Engine) {
				continue
			}
			if id := commonMessage(claims[i], claims[j]); id != "" {
				l.id = a.ID
				l.add("when", "%s claims the message %s as well, and neither base nor signs decide between them", b.ID, id)
			}
		}
	}
}

// bareClaims returns the alternatives of a cause's condition that need nothing but a message.
func bareClaims(c *knowledge.Cause) [][]literal {
	p, err := parse(c.When)
	if err != nil || check(p, fact.Bool, nil) != nil {
		return nil
	}
	return slices.DeleteFunc(alternatives(tree(p), false), func(list []literal) bool {
		return slices.ContainsFunc(list, func(x literal) bool {
			return x.denied || x.Code != cMessage && x.Code != cFirst
		})
	})
}

// commonMessage returns a message that an alternative of both needs.
func commonMessage(a, b [][]literal) string {
	for _, x := range a {
		for _, y := range b {
			if len(x) != 1 || len(y) != 1 {
				continue
			}
			for _, p := range x[0].args {
				for _, q := range y[0].args {
					if globMatch(p.Str, q.Str) || globMatch(q.Str, p.Str) {
						return p.Str
					}
				}
			}
		}
	}
	return ""
}

func enginesMeet(a, b string) bool {
	return slices.ContainsFunc(engines, func(e string) bool { return engineFits(a, e) && engineFits(b, e) })
}
