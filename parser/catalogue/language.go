package catalogue

import (
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strconv"
	"strings"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"
)

// The grammar of a catalogue file. Positions are kept for error messages.
type file struct {
	Messages []*Message `parser:"@@*"`
}

// Message is one entry of the catalogue as written.
type Message struct {
	Pos     lexer.Position
	ID      string    `parser:"'message' @Word"`
	Class   string    `parser:"@Word '{'"`
	Clauses []*clause `parser:"@@* '}'"`

	Engine, Phase, Enters, Since, Until, Doc, Ends                    string
	Starts, Ready, Alone, Periodic, Beside, Kill, Survived, Traceback bool
	Wordings                                                          []*Wording
	Set                                                               []*Expect
	Examples                                                          []*Example
	Near                                                              []string
}

type clause struct {
	Pos       lexer.Position
	Engine    string   `parser:"  'engine' @Word"`
	Phase     string   `parser:"| 'phase' @Word"`
	Enters    string   `parser:"| 'enters' @Word"`
	Since     string   `parser:"| 'since' @Word"`
	Until     string   `parser:"| 'until' @Word"`
	Starts    bool     `parser:"| @'starts'"`
	Ready     bool     `parser:"| @'ready'"`
	Alone     bool     `parser:"| @'alone'"`
	Periodic  bool     `parser:"| @'periodic'"`
	Beside    bool     `parser:"| @'beside'"`
	Kill      bool     `parser:"| @'kill'"`
	Survived  bool     `parser:"| @'survived'"`
	Ends      string   `parser:"| 'ends' @Word"`
	Traceback bool     `parser:"| @'traceback'"`
	Match     string   `parser:"| 'match' @String"`
	Doc       string   `parser:"| 'doc' @String"`
	Near      string   `parser:"| 'near' @String"`
	Set       *Expect  `parser:"| 'set' @@"`
	Example   *Example `parser:"| 'example' @@"`
}

// Wording is one match clause.
type Wording struct {
	Pos  lexer.Position
	Text string
}

// Example is a line and the facts it must give.
type Example struct {
	Pos    lexer.Position
	Text   string    `parser:"@String"`
	Expect []*Expect `parser:"( '{' @@* '}' )?"`
}

// Expect is one fact = value.
type Expect struct {
	Pos   lexer.Position
	Fact  string `parser:"@Word '='"`
	Quote string `parser:"( @String"`
	Value string `parser:"| @Word"`
	Unit  string `parser:"  ( (?! Word '=') @Word )? )"`
}

var grammar = participle.MustBuild[file](
	participle.Lexer(lexer.MustSimple([]lexer.SimpleRule{
		{Name: "space", Pattern: `[\s,]+|#[^\n]*`},
		{Name: "String", Pattern: `"(\\.|[^"\\])*"`},
		{Name: "Word", Pattern: `[^\s"{}=,#]+`},
		{Name: "Punct", Pattern: `[{}=]`},
	})),
	participle.Elide("space"),
	participle.Unquote("String"),
	participle.UseLookahead(2),
)

// Parse reads one catalogue file. Errors name file, line and column.
func Parse(name string, text []byte) ([]*Message, error) {
	f, err := grammar.ParseBytes(name, text)
	if err != nil {
		return nil, err
	}
	for _, m := range f.Messages {
		if err := m.gather(); err != nil {
			return nil, err
		}
	}
	return f.Messages, nil
}

// Load reads all *.msg files of a folder, in the order of their names.
func Load(fsys fs.FS) ([]*Message, error) {
	names, err := fs.Glob(fsys, "*.msg")
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	var all []*Message
	seen := map[string]*Message{}
	for _, n := range names {
		text, err := fs.ReadFile(fsys, n)
		if err != nil {
			return nil, err
		}
		ms, err := Parse(path.Base(n), text)
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			if old := seen[m.ID]; old != nil {
				return nil, fmt.Errorf("%s: message %s stands at %s already", m.Pos, m.ID, old.Pos)
			}
			seen[m.ID] = m
		}
		all = append(all, ms...)
	}
	return all, nil
}

// gather sorts the clauses into the message's fields.
func (m *Message) gather() error {
	for _, c := range m.Clauses {
		for _, f := range []struct {
			to   *string
			from string
			name string
		}{{&m.Engine, c.Engine, "engine"}, {&m.Phase, c.Phase, "phase"}, {&m.Enters, c.Enters, "enters"}, {&m.Since, c.Since, "since"}, {&m.Until, c.Until, "until"}, {&m.Doc, c.Doc, "doc"}, {&m.Ends, c.Ends, "end"}} {
			if f.from == "" {
				continue
			}
			if *f.to != "" {
				return fmt.Errorf("%s: message %s has a second %s", c.Pos, m.ID, f.name)
			}
			*f.to = f.from
		}
		m.Starts = m.Starts || c.Starts
		m.Ready = m.Ready || c.Ready
		m.Alone = m.Alone || c.Alone
		m.Periodic = m.Periodic || c.Periodic
		m.Beside = m.Beside || c.Beside
		m.Kill = m.Kill || c.Kill
		m.Survived = m.Survived || c.Survived
		m.Traceback = m.Traceback || c.Traceback
		switch {
		case c.Match != "":
			m.Wordings = append(m.Wordings, &Wording{c.Pos, c.Match})
		case c.Near != "":
			m.Near = append(m.Near, c.Near)
		case c.Set != nil:
			m.Set = append(m.Set, c.Set)
		case c.Example != nil:
			m.Examples = append(m.Examples, c.Example)
		}
	}
	return nil
}

// Number returns the value in base units, or false when it is a word.
func (e *Expect) Number() (float64, bool) {
	if e.Quote != "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.ReplaceAll(e.Value, "_", ""), 64)
	if err != nil {
		switch e.Value {
		case "true":
			return 1, true
		case "false":
			return 0, true
		}
		return 0, false
	}
	if e.Unit == "" || e.Unit == "%" {
		return v, true
	}
	u, ok := units[e.Unit]
	return v * u, ok
}

// Word returns the value as text.
func (e *Expect) Word() string {
	if e.Quote != "" {
		return e.Quote
	}
	return e.Value
}

var units = map[string]float64{"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "kB": 1 << 10, "GB": 1e9, "MB": 1e6, "tokens": 1, "s": 1}
