package oomdoc_test

import (
	"bytes"
	"flag"
	"fmt"
	"hash/fnv"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/loggen"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// answers are the causes of a diagnosis with the facts of their incidents.
func answers(d *rules.Diagnosis) (causes, facts []string) {
	for _, f := range d.Findings {
		id := "unknown"
		if f.Cause != nil {
			id = f.Cause.ID
		}
		var stated []string
		for _, name := range slices.Sorted(maps.Keys(f.Incident.Facts)) {
			stated = append(stated, fmt.Sprintf("%s=%v", name, f.Incident.Facts[name].Value))
		}
		causes, facts = append(causes, id), append(facts, strings.Join(stated, " "))
	}
	slices.Sort(causes)
	slices.Sort(facts)
	return causes, facts
}

// leavesOpen reports whether the lines of a failure tell that it is an engine's, and nothing of the phase. Then
// the engine's log around it has a say in its cause, and rightly so.
func leavesOpen(d *rules.Diagnosis) bool {
	return slices.ContainsFunc(d.Findings, func(f *rules.Finding) bool {
		inc := f.Incident
		return inc.Class == parser.ClassFailure && len(inc.Frames) < 2 && inc.Engine != "pytorch" && inc.Phase == "unknown"
	})
}

// haystack diagnoses a log alone and in a server's log, and returns the answers that differ, "" where none does.
func haystack(t testing.TB, log []byte, size int, seed uint64) (causes, facts string, open bool) {
	bare, err := oomdoc.Diagnose("log", bytes.NewReader(log), oomdoc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := oomdoc.Diagnose("log", bytes.NewReader(loggen.Around(log, size, seed)), oomdoc.Options{})
	if err != nil {
		t.Fatal(err)
	}
	bareCauses, bareFacts := answers(bare)
	foundCauses, foundFacts := answers(found)
	return difference(bareCauses, foundCauses), difference(bareFacts, foundFacts), leavesOpen(bare)
}

func difference(alone, found []string) string {
	if slices.Equal(alone, found) {
		return ""
	}
	return fmt.Sprintf("alone %q\nin a server's log %q", alone, found)
}

// seedOf gives each case a seed of its own, so that a new case changes nothing for the others.
func seedOf(names ...string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(strings.Join(names, "\n")))
	return h.Sum64()
}

// TestHaystack: an incident's cause and facts stay when a server's log surrounds it.
func TestHaystack(t *testing.T) {
	for _, g := range goldens(t) {
		if len(g.logs) != 1 {
			continue
		}
		t.Run(g.name, func(t *testing.T) {
			causes, facts, open := haystack(t, g.logs[0], 200<<10, seedOf(g.name))
			if facts != "" {
				t.Error(facts)
			}
			if causes != "" && !open {
				t.Error(causes)
			}
		})
	}
}

var (
	haystackLogs = flag.String("haystack.logs", "testdata/logs", "BenchmarkHaystack: directory with logs, */log.txt or */input.log at any depth")
	haystackSize = flag.Int("haystack.size", 64, "BenchmarkHaystack: MiB of the server's log around each")
	haystackSeed = flag.Uint64("haystack.seed", 2, "BenchmarkHaystack: seed")
)

// BenchmarkHaystack is the same at full size, and over other logs:
//
//	go test . -run xxx -bench Haystack -benchtime 1x -timeout 1h -haystack.logs DIR
func BenchmarkHaystack(b *testing.B) {
	logs := map[string][]byte{}
	err := filepath.WalkDir(*haystackLogs, func(path string, e fs.DirEntry, err error) error {
		if err == nil && (e.Name() == "log.txt" || e.Name() == "input.log") {
			logs[path], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil || len(logs) == 0 {
		b.Fatalf("%d logs in %s, %v", len(logs), *haystackLogs, err)
	}
	for b.Loop() {
		r := rand.New(rand.NewPCG(64, *haystackSeed))
		var count, moved int
		for _, path := range slices.Sorted(maps.Keys(logs)) {
			causes, facts, open := haystack(b, logs[path], *haystackSize<<20, r.Uint64())
			if facts != "" {
				b.Errorf("%s: facts %s", path, facts)
			}
			if open {
				count++
			}
			switch {
			case causes != "" && open:
				moved++
				b.Logf("%s: open, %s", path, causes)
			case causes != "":
				b.Errorf("%s: %s", path, causes)
			}
		}
		b.ReportMetric(float64(len(logs)), "logs")
		b.ReportMetric(float64(count), "open")
		b.ReportMetric(float64(moved), "open-moved")
	}
}
