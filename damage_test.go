package oomdoc_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/rules"
)

var damageRounds = flag.Int("damage", 0, "variants of each case for each kind of damage; 0: few, and no table")

// certain is the confidence from which a wrong cause is a lie.
const certain = 0.8

// outcome is what became of a case's diagnosis.
type outcome int

const (
	kept    outcome = iota // one of the case's own causes, or nothing where there is none
	unsure                 // another cause, without certainty
	unknown                // memory trouble, no cause
	silent                 // nothing found
	wrong                  // another cause, with certainty
)

// undecided is the cause that says only whose memory it is: live tensors of this process, and not of
// what. For the causes that are not about such tensors it is as wrong as any other.
const undecided = "device-full"

var notOwnTensors = map[string]bool{
	"startup-free-memory": true, "no-kv-cache-memory": true, "kv-cache-below-max-len": true, "memory-profiling-changed": true, "kv-preemption": true, "kv-request-too-long": true,
	"fragmentation": true, "other-process-memory": true, "process-memory-limit": true, "free-but-refused": true, "host-ram-killed": true, "host-alloc-failed": true,
	"shm-too-small": true, "kernel-shared-memory": true, "unsupported-or-misconfig": true, "": true,
}

// subject is a case under damage: the log whose lines suffer, and what is right to say of it.
type subject struct {
	*golden
	lines    [][]dline
	causes   map[string]bool // of all its incidents
	decisive [][2]int        // first and last line of the deciding message, by stream
	whole    outcome         // what the whole log gives
}

func subjects(t *testing.T) []*subject {
	var out []*subject
	for _, g := range goldens(t) {
		s := &subject{golden: &g, causes: map[string]bool{}, decisive: make([][2]int, len(g.logs))}
		for _, log := range g.logs {
			s.lines = append(s.lines, dlines(utf8Of(log)))
		}
		d := g.diagnose(g.logs, whole)
		for i, f := range d.Findings {
			if f.Cause != nil {
				s.causes[f.Cause.ID] = true
			}
			if m := f.Incident.Messages[0]; i == 0 {
				s.decisive[m.At.Source] = [2]int{m.At.Line, m.LastLine}
			}
		}
		s.whole, _ = judge(d, s.causes)
		out = append(out, s)
	}
	return out
}

// judge compares a damaged log's diagnosis with what is right.
func judge(d *rules.Diagnosis, right ...map[string]bool) (outcome, string) {
	if len(d.Findings) == 0 {
		return silent, ""
	}
	f := d.Findings[0]
	if f.Cause == nil {
		return unknown, ""
	}
	said := fmt.Sprintf("%s %.2f", f.Cause.ID, f.Confidence)
	for _, r := range right {
		if r[f.Cause.ID] {
			return kept, said
		}
	}
	if f.Cause.ID == undecided {
		for _, r := range right {
			for id := range r {
				if !notOwnTensors[id] {
					return unknown, said
				}
			}
		}
	}
	for _, r := range right {
		if r[narrower[f.Cause.ID]] {
			return kept, said // right, if less exact
		}
		if f.Cause.Degraded && slices.ContainsFunc(f.Cause.LeadsTo, func(id string) bool { return r[id] }) {
			return kept, said // the warning that came before
		}
	}
	if f.Confidence >= certain {
		return wrong, said
	}
	return unsure, said
}

// intact reports whether the decisive message's lines are all there, in one piece.
func intact(log []dline, span [2]int) bool {
	if span[0] == 0 {
		return true
	}
	for i := range log {
		n := 0
		for i+n < len(log) && log[i+n].no == span[0]+n && span[0]+n <= span[1] {
			n++
		}
		if n == span[1]-span[0]+1 {
			return true
		}
	}
	return false
}

// tally counts the outcomes of a kind of damage, with the decisive lines there and gone.
type tally [2][wrong + 1]int

// TestDamage: a damaged log keeps its cause as long as what decides it is there, and never gets another
// certain one. go test . -run TestDamage -damage 18 -v prints the table of docs/robustness.md.
func TestDamage(t *testing.T) {
	all := subjects(t)
	rounds := *damageRounds
	present, stayed, variants := 0, 0, 0
	for k := range damages {
		kind := &damages[k]
		var sum tally
		for _, s := range all {
			own := seedOf(s.name, kind.name)
			seed, times := rand.New(rand.NewPCG(8, own)), rounds
			if rounds == 0 && own%5 == 0 {
				times = 1
			}
			for range times {
				at := seed.Uint64()
				r := rand.New(rand.NewPCG(at, 0))
				other := all[r.IntN(len(all))]
				logs, there := make([][]byte, len(s.logs)), true
				for i, lines := range s.lines {
					var left []dline
					left, logs[i] = kind.apply(r, lines, other.lines[0])
					there = there && intact(left, s.decisive[i])
				}
				right := []map[string]bool{s.causes}
				if kind.mixed {
					right = append(right, other.causes)
				}
				d := s.diagnose(logs, whole)
				o, said := judge(d, right...)
				if o == s.whole {
					o = kept // the whole log gives no more
				}
				if there {
					sum[0][o]++
				} else {
					sum[1][o]++
				}
				if o == wrong || kind.harmless && o != kept {
					t.Errorf("%s, %s (seed %#x): %q, want one of %v", s.name, kind.name, at, said, s.causes)
				}
			}
		}
		for _, n := range sum[0] {
			present += n
			variants += n
		}
		for _, n := range sum[1] {
			variants += n
		}
		stayed += sum[0][kept]
		if rounds > 0 {
			t.Logf("| %-45s |%s", kind.name, sum.row())
		}
	}
	t.Logf("%d variants; with the deciding lines there %d of %d keep their cause", variants, stayed, present)
	if float64(stayed) < 0.95*float64(present) {
		t.Errorf("with the deciding lines there only %d of %d keep their cause", stayed, present)
	}
}

func (c tally) row() string {
	var b strings.Builder
	for _, half := range c {
		for _, n := range half {
			fmt.Fprintf(&b, " %5d |", n)
		}
	}
	return b.String()
}
