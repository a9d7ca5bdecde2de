package knowledge

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// Position is a place in a YAML file, from 1.
type Position struct {
	File         string
	Line, Column int
}

// String returns file:line:column.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }

// Error is something wrong at a place in a YAML file.
type Error struct {
	At  Position
	Msg string
}

// Error returns "file:line:column: message".
func (e *Error) Error() string { return e.At.String() + ": " + e.Msg }

// decoder fills the types of this package from YAML nodes. It is stricter than the YAML library's
// own: an unknown or repeated key, an alias and a value of the wrong type are errors, each with its
// line and column, and it remembers where every value stands.
type decoder struct {
	file   string
	errs   []error
	places map[string]Position // by path, such as "signs[2].if"
}

func (d *decoder) errorf(n *yaml.Node, format string, args ...any) {
	d.errs = append(d.errs, &Error{d.at(n), fmt.Sprintf(format, args...)})
}

func (d *decoder) at(n *yaml.Node) Position { return Position{d.file, n.Line, n.Column} }

// value decodes n into v, which is at path.
func (d *decoder) value(n *yaml.Node, v reflect.Value, path string) {
	d.places[path] = d.at(n)
	switch v.Kind() {
	case reflect.Struct:
		d.object(n, v, path)
	case reflect.Map:
		if d.is(n, yaml.MappingNode, "a mapping") {
			v.Set(reflect.MakeMap(v.Type()))
			d.pairs(n, func(key string, val *yaml.Node) {
				e := reflect.New(v.Type().Elem()).Elem()
				d.value(val, e, join(path, key))
				v.SetMapIndex(reflect.ValueOf(key), e)
			})
		}
	case reflect.Slice:
		if d.is(n, yaml.SequenceNode, "a list") {
			v.Set(reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content)))
			for i, c := range n.Content {
				d.value(c, v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		}
	default:
		if d.is(n, yaml.ScalarNode, "a single value") {
			d.scalar(n, v)
		}
	}
}

func (d *decoder) object(n *yaml.Node, v reflect.Value, path string) {
	if !d.is(n, yaml.MappingNode, "a mapping") {
		return
	}
	d.pairs(n, func(key string, val *yaml.Node) {
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
			if name == key {
				d.value(val, v.Field(i), join(path, key))
				return
			}
		}
		d.errorf(val, "unknown field %q", key)
	})
}

// pairs calls f for each key of a mapping.
func (d *decoder) pairs(n *yaml.Node, f func(key string, val *yaml.Node)) {
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			d.errorf(key, "a key must be a plain word")
		case seen[key.Value]:
			d.errorf(key, "%q is given twice", key.Value)
		default:
			seen[key.Value] = true
			f(key.Value, n.Content[i+1])
		}
	}
}

func (d *decoder) scalar(n *yaml.Node, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		if i := strings.IndexFunc(n.Value, acts); i >= 0 {
			d.errorf(n, "%q is not printable", []rune(n.Value[i:])[0])
		}
		v.SetString(strings.TrimSpace(n.Value))
	case reflect.Bool:
		b, err := strconv.ParseBool(n.Value)
		if err != nil {
			d.errorf(n, "want true or false, got %q", n.Value)
		}
		v.SetBool(b)
	case reflect.Int:
		i, err := strconv.Atoi(n.Value)
		if err != nil {
			d.errorf(n, "want a whole number, got %q", n.Value)
		}
		v.SetInt(int64(i))
	case reflect.Float64:
		f, err := strconv.ParseFloat(n.Value, 64)
		if err != nil {
			d.errorf(n, "want a number, got %q", n.Value)
		}
		v.SetFloat(f)
	default:
		panic("knowledge: no YAML form for " + v.Type().String())
	}
}

// acts reports whether a character could act on a terminal, hide or reorder: knowledge is shown as it is.
func acts(r rune) bool {
	return r != ' ' && r != '\n' && r != '\t' && (unicode.IsSpace(r) || !unicode.IsGraphic(r)) ||
		unicode.In(r, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

func (d *decoder) is(n *yaml.Node, k yaml.Kind, want string) bool {
	if n.Kind == yaml.AliasNode {
		d.errorf(n, "aliases are not supported")
		return false
	}
	if n.Kind != k {
		d.errorf(n, "want %s", want)
	}
	return n.Kind == k
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
