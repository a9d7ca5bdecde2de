package follow

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var modelSeed = flag.Uint64("model-seed", 0, "run TestModel with this seed only")

// TestModel does what writers and rotators do, in random order, and compares what was given with what
// was written: every line once, those of a generation in order. Random steps that would make lines
// unreadable for anyone (deleting, or replacing by a new file) wait until they were read.
func TestModel(t *testing.T) {
	seeds := []uint64{1, 2, 3, uint64(time.Now().UnixNano())}
	if *modelSeed != 0 {
		seeds = []uint64{*modelSeed}
	}
	for i, seed := range seeds {
		for _, poll := range []bool{false, true} {
			t.Run(fmt.Sprintf("%d, poll %v", i, poll), func(t *testing.T) {
				t.Parallel()
				t.Logf("again with: go test ./follow -run TestModel -model-seed %d", seed)
				model{newWorld(t), rand.New(rand.NewPCG(seed, 1))}.run(Options{Poll: poll})
			})
		}
	}
}

type model struct {
	*world
	*rand.Rand
}

func (m model) run(o Options) {
	gen, lines := 0, 0 // the lines are numbered within their generation
	written := map[string]bool{}
	line := func() string {
		s := fmt.Sprintf("g%d n%d %s\n", gen, lines, strings.Repeat("x", m.IntN(80)))
		lines++
		written[s] = true
		return s
	}
	begin := func() { gen, lines = gen+1, 0 }
	m.print(line())
	m.follow(o)
	var log []string
	backups := 0
	backup := func() string {
		backups++
		return fmt.Sprintf("%s.%d", m.path, backups)
	}
	caughtUp := func() {
		m.until("the reader: "+strings.Join(log, ", "), func() bool { return strings.Count(m.all(), "\n") >= len(written) })
	}
	caughtUp()
	steps := []struct {
		name string
		do   func()
	}{
		{"write", func() { m.print(line()) }},
		{"write much", func() {
			var b strings.Builder
			for range m.IntN(400) {
				b.WriteString(line())
			}
			m.print(b.String())
		}},
		{"write in two", func() {
			l := line()
			at := m.IntN(len(l))
			m.print(l[:at])
			pauseFor(m.IntN(20))
			m.print(l[at:])
		}},
		{"wait", func() { pauseFor(m.IntN(30)) }},
		{"rename", func() { m.rename(backup()); begin(); m.reopen() }},
		{"rename, write late", func() {
			m.rename(backup())
			m.create(m.path).Close()
			for range m.IntN(5) {
				m.print(line())
				pauseFor(m.IntN(15))
			}
			begin()
			m.reopen()
		}},
		{"rename within a line", func() {
			l := line()
			m.print(l[:5])
			m.rename(backup())
			old := m.file
			begin()
			m.file = m.create(m.path)
			m.print(line())
			pauseFor(m.IntN(20))
			old.WriteString(l[5:])
			old.Close()
		}},
		{"copy and truncate", func() { m.copyTo(backup()); pauseFor(m.IntN(20)); m.must(os.Truncate(m.path, 0)); begin() }},
		{"rename and compress", func() {
			to := backup()
			m.rename(to)
			begin()
			m.reopen()
			pauseFor(m.IntN(10))
			compress(m.world, to)
		}},
		{"delete", func() { caughtUp(); m.must(os.Remove(m.path)); pauseFor(m.IntN(20)); begin(); m.reopen() }},
		{"replace", func() {
			caughtUp()
			m.file.Close()
			begin()
			m.file = m.create(m.path + ".new")
			m.print(line())
			m.must(os.Rename(m.path+".new", m.path))
		}},
		{"swap a link", func() {
			caughtUp()
			m.file.Close()
			begin()
			target := fmt.Sprintf("%s.d%d", m.path, gen)
			m.file = m.create(target)
			m.must(os.Symlink(target, m.path+".lnk"))
			m.must(os.Rename(m.path+".lnk", m.path))
		}},
		{"clean up", func() {
			caughtUp()
			for i := range backups {
				os.Remove(fmt.Sprintf("%s.%d", m.path, i))
			}
		}},
	}
	for range 120 {
		s := steps[m.IntN(len(steps))]
		log = append(log, s.name)
		s.do()
	}
	caughtUp()
	pauseFor(100)

	next := map[string]int{}
	re := regexp.MustCompile(`^g(\d+) n(\d+) x*\n$`)
	for l := range strings.Lines(m.all()) {
		f := re.FindStringSubmatch(l)
		if f == nil || !written[l] {
			m.Fatalf("given but not written, or given again: %q\n%v", l, log)
		}
		delete(written, l)
		if n, _ := strconv.Atoi(f[2]); n != next[f[1]] {
			m.Errorf("line %d of generation %s comes where %d should\n%v", n, f[1], next[f[1]], log)
		}
		next[f[1]]++
	}
	if len(written) > 0 {
		m.Errorf("%d lines are lost\n%v", len(written), log)
	}
}
