package follow

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// TestLongLine: a line of 200 MB passes in pieces, whole, and the next line is a line again.
func TestLongLine(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 200 MB")
	}
	const pieces, size = 200, 1_000_000
	w := newWorld(t)
	f := newFollower(Options{}, func(e Event) error {
		if len(e.Data) > bufSize {
			t.Errorf("%d bytes at a time", len(e.Data))
		}
		w.lost += e.Lost
		w.next += bytes.Count(e.Data, []byte("x"))
		if i := bytes.IndexByte(e.Data, '\n'); i >= 0 {
			w.notices = append(w.notices, string(e.Data[i+1:]))
		}
		return nil
	})
	defer f.close()
	f.watch = newWatcher(true)
	f.patterns = []pattern{newPattern(w.path)}
	piece, now := strings.Repeat("x", size), time.Now()
	for i := range pieces {
		w.print(piece)
		if i == pieces-1 {
			w.print("\nend\n")
		}
		w.must(f.expand(i == 0))
		for busy := true; busy; {
			var err error
			busy, err = f.tails[w.path].step(now)
			w.must(err)
		}
		if g := f.tails[w.path].cur; cap(g.held) > bufSize {
			t.Fatalf("%d bytes are held", cap(g.held))
		}
	}
	if w.next != pieces*size || w.lost != 0 || len(w.notices) != 1 || w.notices[0] != "end\n" {
		t.Errorf("%d bytes of %d, %d lost, then %q", w.next, pieces*size, w.lost, w.notices)
	}
}

// TestTruncatedOften: what is truncated away before anybody could read it is gone; what is given is whole
// lines, each once, and the reading goes on.
func TestTruncatedOften(t *testing.T) {
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll %v", poll), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write(1)
			w.follow(Options{Poll: poll})
			w.caughtUp()
			for range 75 { // at 50 Hz
				w.write(3)
				pauseFor(20)
				w.must(os.Truncate(w.path, 0))
			}
			w.write(1)
			last := line(w.next - 1)
			w.until("the last line", func() bool { return strings.HasSuffix(w.text(w.path), last) })
			seen := map[string]bool{}
			for l := range strings.Lines(w.text(w.path)) {
				var n int
				if _, err := fmt.Sscanf(l, "L%d ", &n); err != nil || l != line(n) || seen[l] {
					t.Errorf("given: %q", l)
				}
				seen[l] = true
			}
		})
	}
}

// TestTimesOfFiles: clocks jump, and times of files stand still or go backward.
func TestTimesOfFiles(t *testing.T) {
	for name, set := range map[string]func(i int) time.Time{
		"the same":  func(int) time.Time { return time.Unix(1_700_000_000, 0) },
		"backward":  func(i int) time.Time { return time.Now().Add(-time.Duration(i) * time.Minute) },
		"to future": func(i int) time.Time { return time.Now().Add(time.Duration(i*i) * time.Hour) },
	} {
		for _, poll := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, poll %v", name, poll), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				i := 0
				touch := func(path string) {
					i++
					w.must(os.Chtimes(path, time.Time{}, set(i)))
				}
				w.write(3)
				w.follow(Options{Poll: poll})
				w.caughtUp()
				for r := range 6 {
					w.write(10)
					touch(w.path)
					pauseFor(15)
					to := fmt.Sprintf("%s.%d", w.path, r)
					if r%2 == 0 {
						w.rename(to)
						w.reopen()
					} else {
						w.copyTo(to)
						w.must(os.Truncate(w.path, 0))
						w.write(4)
					}
					touch(to)
					touch(w.path)
				}
				w.write(3)
				touch(w.path)
				w.complete()
			})
		}
	}
}
