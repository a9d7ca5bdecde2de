// Package fact holds the figures and words that a log states, under their public names. It depends on
// nothing: every other room speaks of memory in these terms.
package fact

import "strconv"

// Kind is the type of a fact's value.
type Kind uint8

// The kinds. Bytes, Count, Tokens, Ratio and Seconds are numbers; Version and Text are strings.
const (
	NoKind  Kind = iota
	Bytes        // memory, in bytes
	Count        // a plain number
	Tokens       // a length in tokens
	Ratio        // a fraction, a factor or a percentage, as the fact's Doc says
	Seconds      // a time in seconds
	Text         // a word: a model's name, a data type
	Version      // a release, such as 0.9.1
	Bool         // true or false
)

// String returns the unit as it stands in the JSON report.
func (k Kind) String() string {
	return [...]string{"", "bytes", "count", "tokens", "ratio", "seconds", "text", "version", "bool"}[k]
}

// Numeric reports whether values of the kind are numbers.
func (k Kind) Numeric() bool { return k >= Bytes && k <= Seconds }

// Value is one value of a fact.
type Value struct {
	Kind Kind
	Num  float64 // for numeric kinds; 1 or 0 for Bool
	Text string  // for Text and Version
}

// String prints the value plainly: numbers in their base unit.
func (v Value) String() string {
	switch {
	case v.Kind.Numeric():
		return strconv.FormatFloat(v.Num, 'f', -1, 64)
	case v.Kind == Bool:
		return strconv.FormatBool(v.Num != 0)
	}
	return v.Text
}

// Fact is a value that a line of the log states.
type Fact struct {
	Value
	Line   int     // line number in its source, from 1
	Source int     // index into Log.Sources
	Origin string  // the process that said it, "" when the line names none
	Slack  float64 // half of the last printed digit, in the value's unit: 0.01 GiB printed is ±0.005 GiB; 0 when exact
}

// Facts maps public names (FactTable) to what the log states.
type Facts map[string]Fact

// Num returns a numeric fact's value and whether the log states it.
func (f Facts) Num(name string) (float64, bool) {
	v, ok := f[name]
	return v.Num, ok && (v.Kind.Numeric() || v.Kind == Bool)
}

// Text returns a textual fact's value, "" when the log does not state it.
func (f Facts) Text(name string) string { return f[name].Value.Text }

// FactInfo describes one public fact name.
type Info struct {
	Name string
	Kind Kind
	Doc  string // what it is, in one sentence, with its unit where the kind leaves it open
}

// LookupFact returns the description of a public fact name.
func Lookup(name string) (Info, bool) {
	i, ok := factIndex[name]
	if !ok {
		return Info{}, false
	}
	return Table[i], true
}

var factIndex = func() map[string]int {
	m := make(map[string]int, len(Table))
	for i, f := range Table {
		m[f.Name] = i
	}
	return m
}()
