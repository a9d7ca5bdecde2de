package oomdoc_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/loggen"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// answers are the causes of a diagnosis with the facts of their incidents.
func answers(d *rules.Diagnosis) []string {
	var out []string
	for _, f := range d.Findings {
		id := "unknown"
		if f.Cause != nil {
			id = f.Cause.ID
		}
		var facts []string
		for _, name := range slices.Sorted(maps.Keys(f.Incident.Facts)) {
			facts = append(facts, fmt.Sprintf("%s=%v", name, f.Incident.Facts[name].Value))
		}
		out = append(out, id+" "+strings.Join(facts, " "))
	}
	slices.Sort(out)
	return out
}

// inHaystack puts a log at a random line of a server's log.
func inHaystack(log []byte, size int, r *rand.Rand) []byte {
	hay := loggen.Server(size, r.Uint64())
	at := r.IntN(len(hay))
	at += bytes.IndexByte(hay[at:], '\n') + 1
	return slices.Concat(hay[:at], log, []byte("\n"), hay[at:])
}

func checkHaystack(t testing.TB, log []byte, size int, r *rand.Rand) {
	bare, err := oomdoc.Diagnose("log", bytes.NewReader(log), oomdoc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range bare.Findings {
		if f.Incident.Engine == "pytorch" && f.Incident.Class == parser.ClassFailure && len(f.Incident.Frames) < 2 {
			t.Skip("a failure that does not say whose it is becomes the server's")
		}
	}
	found, err := oomdoc.Diagnose("log", bytes.NewReader(inHaystack(log, size, r)), oomdoc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := answers(bare), answers(found); !slices.Equal(a, b) {
		t.Errorf("alone   %s\nin a server's log %s", strings.Join(a, "\n        "), strings.Join(b, "\n        "))
	}
}

// TestHaystack: an incident's cause and facts stay when a server's log surrounds it.
func TestHaystack(t *testing.T) {
	r := rand.New(rand.NewPCG(64, 1))
	for _, g := range goldens(t) {
		if len(g.logs) != 1 {
			continue
		}
		t.Run(g.name, func(t *testing.T) { checkHaystack(t, g.logs[0], 200<<10, r) })
	}
}

// BenchmarkHaystack is the same at full size: go test . -run xxx -bench Haystack -benchtime 1x
func BenchmarkHaystack(b *testing.B) {
	r := rand.New(rand.NewPCG(64, 2))
	for b.Loop() {
		for _, g := range goldens(b) {
			if len(g.logs) == 1 {
				checkHaystack(b, g.logs[0], 64<<20, r)
			}
		}
	}
}
