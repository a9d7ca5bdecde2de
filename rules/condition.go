package rules

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
)

// The condition language. A condition is an expression over what an incident says:
//
//	gpu_free > 2 GiB and not message("torch-device-oom-*")
//	phase in (profile, warmup) or frames has any ("profile_run", "gpu_worker.py")
//	known(kv_needed) and kv_available < 10% * kv_needed
//	engine_version >= 0.9.1 and engine_version < 0.10.0
//
// The names are the facts of fact.Table, the derived figures of this package (Derived) and
//
//	phase engine class   words: phase == profile
//	ready                the engine was serving
//	origins repeats      how many processes said it, how many runs ended this way
//	devices              how many different devices they named
//	same_file            how many frames are of the innermost file but PyTorch's own: the nesting of a model
//	windows              whether the traceback has paths of Windows
//	listed_pids          the other processes that the allocator lists, with commas, where it tells them from this one
//	own_code own_place   the innermost line of the program's own code that the traceback shows, and its file and line
//	resource             a word: what ran out by the cause whose advice is weighed
//	frames               the traceback: function names, * for any text, the end of a file's path, or a folder/
//	innermost            the same for its last frame outside PyTorch
//	code                 the lines of the program that the traceback shows
//	origin               the processes that said it
//	text                 the text of the incident's messages
//
// A fact that the log does not state is unknown, and so is what is computed from it. Logic has three
// values: unknown and false is false, unknown or true is true, not unknown is unknown; a condition
// counts only where it is true. The same language computes the values of settings: fit(max_model_len),
// floor_to(0.9 * kv_cache_tokens, 16), half(now(max_num_seqs)), where now() is the value in force, the engine's default
// where no line states one.
//
// An expression is compiled to postfix code, which is both the form that is evaluated and the one
// that go generate writes down for the built-in knowledge, so that a start of the program parses
// nothing.

// code says what an operation does. Operations with n take that many operands.
type code uint8

const (
	cNum      code = iota // Num; Str as written
	cText                 // Str
	cVersion              // Str
	cWord                 // Str, a phase, engine or class
	cBool                 // Num
	cName                 // Str: fact, derived figure or property of the incident
	cKnown                // Str: is the name known
	cMessage              // n texts: does the incident have one of these messages
	cFirst                // n texts: is the decisive message one of these
	cMessages             // n texts: how many of these messages, repeats included
	cHas                  // Str: the subject; n texts: does it have one of these
	cIn                   // a value and n others: is it one of these
	cCall                 // Str: the function; n arguments
	cFit                  // Str: the setting
	cNow                  // Str: the setting
	cNot
	cNeg
	cAnd
	cOr
	cAdd
	cSub
	cMul
	cDiv
	cEq
	cNe
	cLt
	cLe
	cGt
	cGe
)

// op is one operation of a compiled expression.
type op struct {
	Code code
	N    uint16 // operands, where their number varies
	Pos  uint16 // offset in the source, for messages
	Num  float64
	Str  string
}

// program is a compiled expression in postfix order.
type program []op

// generated is a compiled expression of the built-in knowledge.
type generated struct {
	src  string
	code program
}

//go:generate go test -run TestGenerated -update .

// maxSource bounds a condition; positions in it are 16 bits wide.
const maxSource = 8 << 10

// compiled remembers what compile returned for expressions that are not generated: a site's own.
var compiled sync.Map // string → program

// compile returns the code of an expression. It does not check its types.
func compile(src string) (program, error) {
	if i, ok := slices.BinarySearchFunc(generatedConditions, src, func(g generated, s string) int {
		return strings.Compare(g.src, s)
	}); ok {
		return generatedConditions[i].code, nil
	}
	if p, ok := compiled.Load(src); ok {
		return p.(program), nil
	}
	p, err := parse(src)
	if err != nil {
		return nil, err
	}
	compiled.Store(src, p)
	return p, nil
}

// Error is something wrong with an expression.
type Error struct {
	Offset int // in the source, in bytes
	Msg    string
}

func (e *Error) Error() string { return fmt.Sprintf("column %d: %s", e.Offset+1, e.Msg) }

func errorAt(offset uint16, format string, args ...any) *Error {
	return &Error{int(offset), fmt.Sprintf(format, args...)}
}

// property is a name that belongs to the incident itself.
type property struct {
	name  string
	kind  fact.Kind
	words []string // what a word may be
}

// Resources are what may run out: the memory of a device, a share of it that one process may have, the KV
// cache's pool, the host's memory, shared memory, a multiprocessor's own; or no memory at all.
var Resources = []string{"device", "limit", "pool", "host", "shm", "chip", "none"}

var engines = []string{"vllm", "sglang", "tgi", "trtllm", "llamacpp", "jax", "pytorch"}

var properties = []property{
	{"phase", fact.Text, parser.Phases},
	{"engine", fact.Text, engines},
	{"class", fact.Text, []string{"failure", "degraded", "hint"}},
	{"ready", fact.Bool, nil},
	{"killed", fact.Bool, nil},
	{"resource", fact.Text, Resources},
	{"listed_pids", fact.Text, nil},
	{"own_code", fact.Text, nil},
	{"own_place", fact.Text, nil},
	{"origins", fact.Count, nil},
	{"devices", fact.Count, nil},
	{"repeats", fact.Count, nil},
	{"same_file", fact.Count, nil},
	{"windows", fact.Bool, nil},
}

func lookupProperty(name string) *property {
	for i := range properties {
		if properties[i].name == name {
			return &properties[i]
		}
	}
	return nil
}

// lookupName returns the kind of a fact, derived figure or property.
func lookupName(name string) (fact.Kind, bool) {
	if f, ok := fact.Lookup(name); ok {
		return f.Kind, true
	}
	if d := lookupDerived(name); d != nil {
		return d.Kind, true
	}
	if p := lookupProperty(name); p != nil {
		return p.kind, true
	}
	return fact.NoKind, false
}

// allWords lists what phase, engine and class may be.
func allWords() []string {
	var out []string
	for _, p := range properties {
		out = append(out, p.words...)
	}
	return out
}

// Near returns the candidates that a name may be a slip of, at most a third of its letters away, the
// nearest first.
func Near(name string, candidates []string) []string {
	limit := max(1, len(name)/3)
	near := make([][]string, limit+1) // by distance
	for _, c := range candidates {
		if d := distance(name, c, limit); d <= limit {
			near[d] = append(near[d], c)
		}
	}
	return slices.Concat(near...)
}

// nearest returns the candidate that is fewest edits away from name, "" when none is near.
func nearest(name string, candidates []string) string {
	if near := Near(name, candidates); len(near) > 0 {
		return near[0]
	}
	return ""
}

// distance is the Levenshtein distance of a and b, or limit+1 when it is more than limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// didYouMean names the candidate nearest to a wrong name.
func didYouMean(name string, candidates []string) string {
	if n := nearest(name, candidates); n != "" {
		return fmt.Sprintf("; did you mean %s?", n)
	}
	return ""
}

// allNames lists every name an expression may use.
func allNames() []string {
	var out []string
	for _, f := range fact.Table {
		out = append(out, f.Name)
	}
	for _, d := range Derived {
		out = append(out, d.Name)
	}
	for _, p := range properties {
		out = append(out, p.name)
	}
	return out
}
