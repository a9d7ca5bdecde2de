package memory

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/fact"
)

// TestWhatIfs holds the planner against answers that were worked out by hand: testdata/whatifs.txt.
func TestWhatIfs(t *testing.T) {
	text, err := os.ReadFile("testdata/whatifs.txt")
	if err != nil {
		t.Fatal(err)
	}
	var s *State
	n := 0
	for i, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case words[0] == "facts":
			s = factsState(t, words[1:])
		case words[0] == "solve":
			n++
			x, v := s.Fit(words[1])
			if f, _ := fact.Lookup(words[1]); f.Kind == fact.Bytes {
				x /= gib
			}
			if got := strconv.FormatFloat(x, 'f', -1, 64); words[2] == "none" != (v.Kind == Unknown || v.Kind == Short) || words[2] != "none" && got != words[2] {
				t.Errorf("line %d: %s: %s, %s %s", i+1, line, got, v.Kind, v.Sums)
			}
		default:
			n++
			checkWhatIf(t, i+1, s, words)
		}
	}
	if n < 120 {
		t.Errorf("%d what-ifs", n)
	}
}

// factsState makes a state of name=value words, sizes in GiB.
func factsState(t *testing.T, words []string) *State {
	var pairs []any
	phase := ""
	for _, w := range words {
		name, value, _ := strings.Cut(w, "=")
		if name == "phase" {
			phase = value
			continue
		}
		info, ok := fact.Lookup(name)
		if !ok {
			t.Fatalf("no fact %s", name)
		}
		x, err := strconv.ParseFloat(value, 64)
		switch {
		case info.Kind == fact.Bool:
			pairs = append(pairs, name, value == "true" || value == "1")
		case err != nil || info.Kind == fact.Version || info.Kind == fact.Text:
			pairs = append(pairs, name, value)
		default:
			pairs = append(pairs, name, x)
		}
	}
	return NewState(facts(pairs...), "vllm", phase)
}

func checkWhatIf(t *testing.T, line int, s *State, words []string) {
	name, value, _ := strings.Cut(words[0], "=")
	x, err := strconv.ParseFloat(value, 64)
	if err != nil {
		t.Fatalf("line %d: %v", line, err)
	}
	if f, _ := fact.Lookup(name); f.Kind == fact.Bytes {
		x *= gib
	}
	c := Change{name: x}
	v := s.WhatIf(c)
	if !slices.Contains(strings.Split(words[1], "|"), string(v.Kind)) {
		t.Errorf("line %d: %s is %s at %s: %s; want %s", line, words[0], v.Kind, v.Stage, v.Sums, words[1])
	}
	for _, w := range words[2:] {
		key, want, _ := strings.Cut(w, "=")
		got := ""
		switch key {
		case "stage":
			got = string(v.Stage)
		case "refused":
			if v.Refused {
				continue
			}
		case "assumes":
			if _, ok := v.Assumes[want]; ok {
				continue
			}
		case "tokens":
			got = "?"
			if n := s.Cache(c).Tokens; n > 0 {
				got = strconv.FormatFloat(n, 'f', 0, 64)
			}
			if a, err := strconv.ParseFloat(want, 64); err == nil && got != "?" && math.Abs(s.Cache(c).Tokens-a) <= 16 {
				continue
			}
		}
		if got != want || key == "refused" || key == "assumes" {
			t.Errorf("line %d: %s: %s is %q, want %q: %s", line, words[0], key, got, want, v.Sums)
		}
	}
	// What fits stays so in every later stage that the figures reach.
	for _, q := range v.Later {
		if v.Kind == Fits && q.Kind != Fits {
			t.Errorf("line %d: %s fits, though %s is %s: %s", line, words[0], q.Stage, q.Kind, q.Sums)
		}
	}
}
