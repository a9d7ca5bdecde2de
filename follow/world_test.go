package follow

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// world is a directory with a followed file in it, its writer, and what the follower has said.
type world struct {
	testing.TB
	dir, path string
	file      *os.File // the writer's; it appends
	next      int      // number of the next line

	mu      sync.Mutex
	got     map[string]*strings.Builder // by file
	notices []string
	lost    int64
	rotated int
	pause   sync.RWMutex // held by a test, the sink waits
	calls   atomic.Int32 // of the sink
	stop    func() error
}

func newWorld(t testing.TB) *world {
	w := &world{TB: t, dir: t.TempDir(), got: map[string]*strings.Builder{}}
	w.path = filepath.Join(w.dir, "app.log")
	return w
}

// follow starts a follower of the patterns, of the world's file if there are none.
func (w *world) follow(o Options, patterns ...string) {
	w.Helper()
	if o.Interval == 0 {
		o.Interval = 10 * time.Millisecond
	}
	if len(patterns) == 0 {
		patterns = []string{w.path}
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Follow(ctx, patterns, o, w.sink) }()
	w.stop = sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	w.Cleanup(func() {
		if err := w.stop(); err != nil {
			w.Errorf("Follow ends with %v", err)
		}
		if w.file != nil {
			w.file.Close()
		}
	})
}

func (w *world) sink(e Event) error {
	w.calls.Add(1)
	w.pause.RLock()
	defer w.pause.RUnlock()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.got[e.File] == nil {
		w.got[e.File] = &strings.Builder{}
	}
	w.got[e.File].Write(e.Data)
	w.lost += e.Lost
	if e.Rotated {
		w.rotated++
	}
	if e.Notice != "" {
		w.notices = append(w.notices, e.File+": "+e.Notice)
	}
	return nil
}

// text is what was given of a file so far.
func (w *world) text(file string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b := w.got[file]; b != nil {
		return b.String()
	}
	return ""
}

// all is what was given of all files.
func (w *world) all() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var s string
	for _, b := range w.got {
		s += b.String()
	}
	return s
}

func (w *world) noticed(text string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, s := range w.notices {
		if strings.Contains(s, text) {
			n++
		}
	}
	return n
}

// until waits for a condition.
func (w *world) until(what string, ok func() bool) {
	w.Helper()
	for end := time.Now().Add(10 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.Fatalf("waited 10 s for %s; notices: %q", what, w.notices)
		}
	}
}

// reads waits until a file's text is want, and a little longer for what should not come.
func (w *world) reads(file, want string) {
	w.Helper()
	for end := time.Now().Add(10 * time.Second); w.text(file) != want && time.Now().Before(end); {
		time.Sleep(2 * time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	if got := w.text(file); got != want {
		w.Fatalf("got  %q\nwant %q\nnotices %q", short(got), short(want), w.notices)
	}
}

func short(s string) string {
	if len(s) > 2000 {
		return s[:1000] + "…" + s[len(s)-1000:]
	}
	return s
}

// line is the text of a numbered line.
func line(n int) string { return fmt.Sprintf("L%07d %s\n", n, strings.Repeat("x", 60)) }

// write appends n numbered lines to the file, which it creates.
func (w *world) write(n int) {
	w.Helper()
	var b strings.Builder
	for range n {
		b.WriteString(line(w.next))
		w.next++
	}
	w.print(b.String())
}

// print appends text to the file.
func (w *world) print(s string) {
	w.Helper()
	if w.file == nil {
		w.file = w.create(w.path)
	}
	if _, err := w.file.WriteString(s); err != nil {
		w.Fatal(err)
	}
}

func (w *world) create(path string) *os.File {
	w.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		w.Fatal(err)
	}
	return f
}

// reopen lets the writer go on in a new file at the path.
func (w *world) reopen() {
	w.file.Close()
	w.file = nil
	w.print("")
}

// caughtUp waits until as many lines have been given as were written.
func (w *world) caughtUp() {
	w.Helper()
	w.until("the reader", func() bool { return strings.Count(w.all(), "\n") >= w.next })
}

// complete waits until exactly the lines written so far have been given, in any order.
func (w *world) complete() {
	w.Helper()
	sorted := func() string {
		l := strings.SplitAfter(w.all(), "\n")
		slices.Sort(l)
		return strings.Join(l, "")
	}
	var want strings.Builder
	for i := range w.next {
		want.WriteString(line(i))
	}
	for end := time.Now().Add(10 * time.Second); sorted() != want.String() && time.Now().Before(end); {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(100 * time.Millisecond)
	if sorted() == want.String() {
		return
	}
	count := map[string]int{}
	for _, l := range strings.SplitAfter(w.all(), "\n") {
		count[l]++
	}
	delete(count, "")
	lost, doubled := 0, 0
	for i := range w.next {
		switch n := count[line(i)]; {
		case n == 0:
			lost++
			if lost == 1 {
				w.Logf("the first lost line is %d", i)
			}
		case n > 1:
			doubled++
		}
		delete(count, line(i))
	}
	w.Fatalf("of %d lines %d are lost, %d doubled; foreign: %d; notices %q", w.next, lost, doubled, len(count), w.notices)
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) rename(to string) { w.Helper(); w.must(os.Rename(w.path, to)) }

func (w *world) copyTo(to string) {
	w.Helper()
	b, err := os.ReadFile(w.path)
	w.must(err)
	w.must(os.WriteFile(to, b, 0o644))
}

func pauseFor(ms int) { time.Sleep(time.Duration(ms) * time.Millisecond) }
