package expect

import (
	"math"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/rules"
)

var sizes = map[string]float64{"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}

// parseFact reads NAME = VALUE [UNIT] [± SLACK].
func parseFact(s *scanner) (check, error) {
	w, err := s.next("the name of a fact")
	if err != nil {
		return nil, err
	}
	info, ok := fact.Lookup(w.text)
	if !ok {
		return nil, s.bad("no fact is called %q", w.text)
	}
	if eq, err := s.next("="); err != nil {
		return nil, err
	} else if eq.text != "=" {
		return nil, s.bad("= must stand here")
	}
	if !info.Kind.Numeric() {
		return parseWords(s, info)
	}
	want, slack, err := parseAmount(s, info.Kind)
	if err != nil {
		return nil, err
	}
	return factCheck(info.Name, func(v fact.Value) bool { return math.Abs(v.Num-want) <= slack*(1+1e-9) }), nil
}

func parseWords(s *scanner, info fact.Info) (check, error) {
	if _, err := s.next("a value"); err != nil {
		return nil, err
	}
	words := []string{s.last.text}
	for !s.done() {
		w, _ := s.next("")
		words = append(words, w.text)
	}
	want := strings.Join(words, " ")
	if info.Kind == fact.Bool && want != "true" && want != "false" {
		return nil, s.bad("%s is true or false", info.Name)
	}
	return factCheck(info.Name, func(v fact.Value) bool { return strings.Join(strings.Fields(v.String()), " ") == want }), nil
}

// parseAmount reads a number with its unit and what it may be off by, both in the base unit.
func parseAmount(s *scanner, kind fact.Kind) (amount, slack float64, err error) {
	w, err := s.next("a number")
	if err != nil {
		return 0, 0, err
	}
	amount, slack, ok := number(w.text)
	if !ok {
		return 0, 0, s.bad("%q is no number", w.text)
	}
	scale := 1.0
	if kind == fact.Bytes {
		if scale, err = unit(s); err != nil {
			return 0, 0, err
		}
	} else if !s.done() && s.words[0].text == kind.String() {
		s.keywords(kind.String())
	}
	if s.keywords("±") {
		w, err := s.next("what the value may be off by")
		if err != nil {
			return 0, 0, err
		}
		if slack, _, ok = number(w.text); !ok || slack < 0 {
			return 0, 0, s.bad("%q is no number", w.text)
		}
		if kind == fact.Bytes && !s.done() {
			other, err := unit(s)
			return amount * scale, slack * other, err
		}
	}
	return amount * scale, slack * scale, nil
}

func unit(s *scanner) (float64, error) {
	w, err := s.next("a unit")
	if err != nil {
		return 0, err
	}
	size, ok := sizes[w.text]
	if !ok {
		return 0, s.bad("memory is given in bytes, KiB, MiB, GiB or TiB, not in %q", w.text)
	}
	return size, nil
}

// number reads a decimal number, thousands separators allowed, and half of its last digit.
func number(text string) (n, half float64, ok bool) {
	plain := strings.ReplaceAll(text, ",", "")
	n, err := strconv.ParseFloat(plain, 64)
	if err != nil || strings.ContainsAny(plain, "eExXpPnN_") {
		return 0, 0, false
	}
	_, decimals, _ := strings.Cut(plain, ".")
	return n, 0.5 * math.Pow10(-len(decimals)), true
}

// fact looks at the incident first, then at what its run and the latest run stated.
func factCheck(name string, holds func(fact.Value) bool) check {
	return func(d *rules.Diagnosis) (string, bool) {
		v, ok := d.Facts[name]
		if len(d.Findings) > 0 {
			if f, known := d.Findings[0].Incident.Fact(name); known {
				v, ok = f, true
			}
		}
		if !ok {
			return "the log does not state it", false
		}
		return rules.Format(v.Value, "en") + " in line " + strconv.Itoa(v.Line), holds(v.Value)
	}
}
