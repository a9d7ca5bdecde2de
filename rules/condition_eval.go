package rules

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
)

// value is an operand; its Kind is NoKind while it is unknown.
type value struct {
	fact.Value
	line int // of the fact it comes from, 0 when computed
}

var unknown = value{}

func number(x float64) value {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return unknown
	}
	return value{Value: fact.Value{Kind: fact.Count, Num: x}}
}

func boolean(b bool) value {
	v := value{Value: fact.Value{Kind: fact.Bool}}
	if b {
		v.Num = 1
	}
	return v
}

func (v value) known() bool  { return v.Kind != fact.NoKind }
func (v value) isTrue() bool { return v.Kind == fact.Bool && v.Num != 0 }

// scope is what the names of an expression mean: one incident, and the planner's answers about it.
type scope struct {
	incident *parser.Incident
	engine   string // the incident's, or the one that remedies are spelled for where the log names none
	named    string // the engine that conditions are about: "" where neither the log nor the likeliest cause names one
	resource string // what ran out by the cause whose advice is weighed, "" where none is
	planner  Planner
	derived  map[string]value          // remembered figures
	fits     map[string]memory.Verdict // what fit() was told, by setting
}

func newScope(inc *parser.Incident, p Planner) *scope {
	return &scope{incident: inc, engine: inc.Engine, named: inc.Engine, planner: p, derived: map[string]value{}}
}

// holds reports whether a condition is true. An empty one is; one that does not compile is not.
func (s *scope) holds(src string) bool {
	return src == "" || s.value(src).isTrue()
}

// value evaluates an expression; one that does not compile is unknown.
func (s *scope) value(src string) value {
	p, err := compile(src)
	if err != nil {
		return unknown
	}
	return s.eval(p)
}

// eval runs a program. Programs whose types do not check are harmless: operands of the wrong kind
// make unknown values.
func (s *scope) eval(p program) value {
	var room [16]value
	stack := room[:0]
	pop := func(n int) []value {
		out := stack[len(stack)-n:]
		stack = stack[:len(stack)-n]
		return out
	}
	for i := range p {
		o := &p[i]
		var v value
		switch o.Code {
		case cNum:
			v = number(o.Num)
			v.Text = o.Str
		case cText, cWord:
			v = value{Value: fact.Value{Kind: fact.Text, Text: o.Str}}
		case cVersion:
			v = value{Value: fact.Value{Kind: fact.Version, Text: o.Str}}
		case cBool:
			v = boolean(o.Num != 0)
		case cName:
			v = s.name(o.Str)
		case cKnown:
			v = boolean(s.name(o.Str).known())
		case cFit:
			v = s.fit(o.Str)
		case cNow:
			v = s.now(o.Str)
		case cMessage:
			v = boolean(s.count(pop(int(o.N))) > 0)
		case cMessages:
			v = number(float64(s.count(pop(int(o.N)))))
		case cFirst:
			v = boolean(s.first(pop(int(o.N))))
		case cHas:
			v = s.has(o.Str, pop(int(o.N)))
		case cIn:
			args := pop(int(o.N) + 1)
			v = boolean(false)
			for _, a := range args[1:] {
				v = either(v, compare(cEq, args[0], a))
			}
		case cCall:
			v = call(o.Str, pop(int(o.N)))
		case cNot:
			if v = pop(1)[0]; v.known() {
				v = boolean(!v.isTrue())
			}
		case cNeg:
			if a := pop(1)[0]; a.known() {
				v = number(-a.Num)
			}
		case cAnd:
			args := pop(2)
			v = both(args[0], args[1])
		case cOr:
			args := pop(2)
			v = either(args[0], args[1])
		case cAdd, cSub, cMul, cDiv:
			args := pop(2)
			v = arithmetic(o.Code, args[0], args[1])
		default:
			args := pop(2)
			v = compare(o.Code, args[0], args[1])
		}
		stack = append(stack, v)
	}
	return stack[0]
}

// both is "and" with three values, either is "or".
func both(a, b value) value {
	switch {
	case a.known() && !a.isTrue(), b.known() && !b.isTrue():
		return boolean(false)
	case a.known() && b.known():
		return boolean(true)
	}
	return unknown
}

func either(a, b value) value {
	switch {
	case a.isTrue(), b.isTrue():
		return boolean(true)
	case a.known() && b.known():
		return boolean(false)
	}
	return unknown
}

func compare(c code, a, b value) value {
	if !a.known() || !b.known() {
		return unknown
	}
	var order int
	switch {
	case a.Kind == fact.Version || b.Kind == fact.Version:
		var ok bool
		if order, ok = compareVersions(a.Text, b.Text); !ok {
			return unknown
		}
	case a.Kind == fact.Text:
		order = strings.Compare(strings.ToLower(a.Text), strings.ToLower(b.Text))
	case a.Num < b.Num:
		order = -1
	case a.Num > b.Num:
		order = 1
	}
	switch c {
	case cEq:
		return boolean(order == 0)
	case cNe:
		return boolean(order != 0)
	case cLt:
		return boolean(order < 0)
	case cLe:
		return boolean(order <= 0)
	case cGt:
		return boolean(order > 0)
	}
	return boolean(order >= 0)
}

func arithmetic(c code, a, b value) value {
	if !a.known() || !b.known() {
		return unknown
	}
	switch c {
	case cAdd:
		return number(a.Num + b.Num)
	case cSub:
		return number(a.Num - b.Num)
	case cMul:
		return number(a.Num * b.Num)
	}
	return number(a.Num / b.Num) // a division by zero is unknown
}

func call(name string, args []value) value {
	switch name {
	case "default":
		for _, a := range args {
			if a.known() {
				return a
			}
		}
		return unknown
	case "where":
		if args[0].isTrue() {
			return args[1]
		}
		return unknown
	}
	for _, a := range args {
		if !a.known() {
			return unknown
		}
	}
	x := args[0].Num
	switch name {
	case "min":
		for _, a := range args[1:] {
			x = min(x, a.Num)
		}
	case "max":
		for _, a := range args[1:] {
			x = max(x, a.Num)
		}
	case "abs":
		x = math.Abs(x)
	case "half":
		x = max(math.Floor(x/2), min(x, 1))
	case "floor_to":
		x = multiple(math.Floor, x, args[1].Num)
	case "ceil_to":
		x = multiple(math.Ceil, x, args[1].Num)
	default:
		return unknown
	}
	return number(x)
}

// multiple rounds x to a multiple of step. What is a multiple but for the noise of binary fractions
// stays one, and the result prints as short as the step: floor_to(0.8765, 0.01) is 0.87.
func multiple(round func(float64) float64, x, step float64) float64 {
	q := x / step
	if near := math.Round(q); math.Abs(q-near) < 1e-9*max(1, math.Abs(q)) {
		q = near
	}
	if inverse := math.Round(1 / step); step < 1 && math.Abs(inverse*step-1) < 1e-9 {
		return round(q) / inverse
	}
	return round(q) * step
}

// name returns what a name stands for.
func (s *scope) name(name string) value {
	if f, ok := s.incident.Fact(name); ok {
		return value{f.Value, f.Line}
	}
	inc := s.incident
	switch name {
	case "phase":
		return value{Value: fact.Value{Kind: fact.Text, Text: inc.Phase}}
	case "engine":
		return value{Value: fact.Value{Kind: fact.Text, Text: s.named}}
	case "class":
		return value{Value: fact.Value{Kind: fact.Text, Text: inc.Class.String()}}
	case "ready":
		return boolean(inc.Ready)
	case "killed":
		return boolean(inc.Killed)
	case "listed_pids":
		return s.listedPids()
	case "own_code", "own_place":
		code, at := ownCode(inc.Frames)
		if name == "own_place" {
			code = at
		}
		if code == "" {
			return unknown
		}
		return value{Value: fact.Value{Kind: fact.Text, Text: code}}
	case "resource":
		return value{Value: fact.Value{Kind: fact.Text, Text: s.resource}}
	case "origins":
		if inc.Class == parser.ClassFailure {
			return number(float64(len(inc.Failed)))
		}
		return number(float64(len(inc.Origins)))
	case "devices":
		if len(inc.Devices) == 0 {
			return unknown
		}
		return number(float64(len(inc.Devices)))
	case "repeats":
		return number(float64(max(inc.Repeats, 1)))
	case "same_file":
		return sameFile(inc.Frames)
	case "windows": // its paths stand in the traceback
		return boolean(slices.ContainsFunc(inc.Frames, func(f parser.Frame) bool { return strings.Contains(f.File, `\`) }))
	}
	if v, ok := s.derived[name]; ok {
		return v
	}
	d := lookupDerived(name)
	if d == nil {
		return unknown
	}
	s.derived[name] = unknown // a figure that needs itself is unknown
	v := s.value(d.Formula)
	if v.known() {
		v.Kind = d.Kind
	}
	s.derived[name] = v
	return v
}

// listedPids are the processes that the allocator's sentence lists beside this one.
func (s *scope) listedPids() value {
	if !s.name("neighbours").known() || !s.name("process_in_use").known() || len(s.incident.Messages) == 0 {
		return unknown
	}
	own := ""
	if v := s.name("own_pid"); v.known() {
		own = plain(v.Value, "")
	}
	var pids []string
	for _, m := range listed().FindAllStringSubmatch(s.incident.Messages[0].Text, maxListed) {
		if m[1] != own && !slices.Contains(pids, m[1]) {
			pids = append(pids, m[1])
		}
	}
	if len(pids) == 0 {
		return unknown
	}
	return value{Value: fact.Value{Kind: fact.Text, Text: strings.Join(pids, ",")}, line: s.incident.Messages[0].At.Line}
}

// maxListed bounds the processes that a command names.
const maxListed = 16

var listed = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`Process (\d{1,9}) has `) })

func (s *scope) fit(setting string) value {
	x, verdict := s.planner.Fit(s.incident, setting)
	if s.fits == nil {
		s.fits = map[string]memory.Verdict{}
	}
	s.fits[setting] = verdict
	if verdict.Kind == memory.Fits || verdict.Kind == memory.Borderline {
		return number(x)
	}
	return unknown
}

// now is the value of a setting in force: what the log states, else the engine's default.
func (s *scope) now(setting string) value {
	if v := s.name(setting); v.known() {
		return v
	}
	if x, ok := s.planner.Default(s.incident, setting); ok {
		return number(x)
	}
	return unknown
}

// count returns how many of the incident's messages have one of the ids.
func (s *scope) count(ids []value) int {
	n := 0
	for i := range s.incident.Messages {
		if m := &s.incident.Messages[i]; matchesAny(ids, m.ID) {
			n += max(m.Repeat, 1)
		}
	}
	for _, id := range s.incident.Clauses {
		if matchesAny(ids, id) {
			n++
		}
	}
	return n
}

func (s *scope) first(ids []value) bool {
	return len(s.incident.Messages) > 0 && matchesAny(ids, s.incident.Messages[0].ID)
}

func matchesAny(ids []value, id string) bool {
	return slices.ContainsFunc(ids, func(v value) bool { return globMatch(v.Text, id) })
}

// sameFile counts the frames of the innermost frame's file. In a model's file the attention of a layer
// stands deeper than the head above all layers.
func sameFile(frames []parser.Frame) value {
	last, ok := innermost(frames)
	if !ok {
		return unknown
	}
	n := 0
	for _, f := range frames {
		if f.File == last.File {
			n++
		}
	}
	return number(float64(n))
}

// has looks for one of the needles in the traceback, the messages' texts or a textual fact.
func (s *scope) has(subject string, needles []value) value {
	switch subject {
	case "frames":
		return boolean(slices.ContainsFunc(s.incident.Frames, func(f parser.Frame) bool {
			return slices.ContainsFunc(needles, func(n value) bool { return frameIs(f, n.Text) })
		}) || callsOne(s.incident.Frames, needles))
	case "innermost":
		f, ok := innermost(s.incident.Frames)
		return boolean(ok && slices.ContainsFunc(needles, func(n value) bool { return frameIs(f, n.Text) }) || callsOne(s.incident.Frames, needles))
	case "code":
		return boolean(slices.ContainsFunc(s.incident.Frames, func(f parser.Frame) bool { return containsAny(f.Code, needles) }))
	case "origin":
		return boolean(slices.ContainsFunc(s.incident.Origins, func(o string) bool { return containsAny(o, needles) }))
	case "text":
		return boolean(slices.ContainsFunc(s.incident.Messages, func(m parser.Message) bool {
			return containsAny(m.Text, needles)
		}))
	}
	v := s.name(subject)
	if !v.known() {
		return unknown
	}
	return boolean(containsAny(v.Text, needles))
}

func containsAny(text string, needles []value) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(needles, func(n value) bool { return strings.Contains(text, strings.ToLower(n.Text)) })
}

// callsOne reports whether the line at which a traceback ends calls one of the functions.
func callsOne(frames []parser.Frame, needles []value) bool {
	if len(frames) == 0 {
		return false
	}
	return slices.ContainsFunc(frames[len(frames)-1].Calls(), func(c string) bool {
		name := c[strings.LastIndexByte(c, '.')+1:]
		return slices.ContainsFunc(needles, func(n value) bool { return globMatch(n.Text, name) })
	})
}

// frameIs reports whether a frame is of that function, in which * stands for any text, in that file
// where the name is a path's end, or below that folder where it ends with a slash.
func frameIs(f parser.Frame, name string) bool {
	if strings.HasSuffix(name, "/") {
		return strings.Contains(strings.ReplaceAll(f.File, `\`, "/"), "/"+name)
	}
	if strings.Contains(name, "/") || strings.HasSuffix(name, ".py") {
		rest, ok := strings.CutSuffix(strings.ReplaceAll(f.File, `\`, "/"), name)
		return ok && (rest == "" || strings.HasSuffix(rest, "/") || strings.HasPrefix(name, "/"))
	}
	return f.Func == name || globMatch(name, f.Func[strings.LastIndexByte(f.Func, '.')+1:])
}
