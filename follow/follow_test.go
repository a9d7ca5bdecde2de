package follow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestFromEnd(t *testing.T) {
	for name, c := range map[string]struct {
		there string
		last  int
		want  string
	}{
		"nothing of it":        {"a\nb\nc\n", 0, "new\n"},
		"two lines":            {"a\nb\nc\n", 2, "b\nc\nnew\n"},
		"more than there are":  {"a\nb\nc\n", 9, "a\nb\nc\nnew\n"},
		"an unfinished line":   {"a\nb\nc", 0, "cnew\n"},
		"with lines before it": {"a\nb\nc", 1, "b\ncnew\n"},
		"an empty file":        {"", 3, "new\n"},
		"a large file":         {strings.Repeat(strings.Repeat("x", 99)+"\n", 10_000) + "z\n", 1, "z\nnew\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAt(t, "app.log")
			a.f.opts = Options{FromEnd: true, LastLines: c.last}
			a.print(c.there)
			a.step(0)
			a.print("new\n")
			a.step(0)
			a.reads(a.path, c.want)
		})
	}
}

func TestFromEndOnlyForWhatIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.follow(Options{FromEnd: true})
	w.until("the notice", func() bool { return w.noticed("is not there yet") == 1 })
	w.print("a\n")
	w.reads(w.path, "a\n")
	w.rename(w.path + ".1")
	w.reopen()
	w.print("b\n")
	w.reads(w.path, "a\nb\n")
}

// TestVerbatim: bytes pass as they are, whatever they are.
func TestVerbatim(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(r.Uint32())
	}
	want := "\r\nCRLF\r\n\xff\xfe\x00b\xc3\x28\n\x1b[31mred\x1b[0m\n" + string(noise) + "\n" + strings.Repeat("a line without end ", 30_000)
	w := newWorld(t)
	w.follow(Options{})
	for rest := want; rest != ""; {
		n := min(len(rest), 1+r.IntN(40_000))
		w.print(rest[:n])
		rest = rest[n:]
		if r.IntN(3) == 0 {
			pauseFor(10)
		}
	}
	w.print("!\n")
	w.reads(w.path, want+"!\n")
}

// TestUnfinished: a progress bar, or the last word of a process, is not held back for ever.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.print("Killed")
	w.follow(Options{})
	w.reads(w.path, "Killed")
	w.print(" by\r")
	w.reads(w.path, "Killed by\r")
	w.print(" signal 9\nnext\n")
	w.reads(w.path, "Killed by\r signal 9\nnext\n")
}

func TestEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.print("a\nb")
	w.follow(Options{})
	w.reads(w.path, "a\n")
	w.must(w.stop())
	if got := w.text(w.path); got != "a\nb" {
		t.Errorf("given at the end: %q", got)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(1)
	refuse := errors.New("no more")
	if err := Follow(context.Background(), []string{w.path}, Options{}, func(Event) error { return refuse }); err != refuse {
		t.Errorf("the sink's error comes back as %v", err)
	}
	if err := Follow(context.Background(), []string{"a[b"}, Options{}, w.sink); !errors.Is(err, filepath.ErrBadPattern) {
		t.Errorf("a bad pattern gives %v", err)
	}
	bad := filepath.Join(w.dir, "checkpoint")
	w.must(os.WriteFile(bad, []byte("{"), 0o644))
	if err := Follow(context.Background(), []string{w.path}, Options{Checkpoint: bad}, w.sink); err == nil {
		t.Error("a checkpoint that is none gives no error")
	}
}

// TestLost: what is known to have been there and is gone is counted.
func TestLost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.print(strings.Repeat("twelve bytes", 2*slice/12) + "\n")
	w.pause.Lock()
	w.follow(Options{})
	w.until("the first call", func() bool { return w.calls.Load() > 0 })
	w.must(os.Truncate(w.path, 0))
	w.pause.Unlock()
	w.print("after\n")
	w.until("the line after", func() bool { return strings.HasSuffix(w.text(w.path), "\nafter\n") })
	if n := int64(len(w.text(w.path))-len("\nafter\n")) + w.lost; n != int64(2*slice/12*12+1) || w.lost == 0 {
		t.Errorf("%d bytes are given or lost, of which %d lost; %d were written", n, w.lost, 2*slice/12*12+1)
	}
}

func TestGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.print("a\n")
	w.follow(Options{})
	w.reads(w.path, "a\n")
	w.must(os.Remove(w.path))
	w.print("written to a file without a name\n")
	w.until("the notice", func() bool { return w.noticed("is gone") == 1 })
	w.reopen()
	w.print("b\n")
	w.reads(w.path, "a\nwritten to a file without a name\nb\n")
}

func TestDirectoryAppears(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.path = filepath.Join(w.dir, "not", "yet", "app.log")
	w.follow(Options{})
	pauseFor(30)
	w.must(os.MkdirAll(filepath.Dir(w.path), 0o755))
	w.print("a\n")
	w.reads(w.path, "a\n")
}

func TestDirectoryInstead(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(os.Mkdir(w.path, 0o755))
	w.follow(Options{})
	w.until("the notice", func() bool { return w.noticed("is a directory") == 1 })
	w.must(os.Remove(w.path))
	w.print("a\n")
	w.reads(w.path, "a\n")
	if n := w.noticed("is a directory"); n != 1 {
		t.Errorf("it is said %d times", n)
	}
}

func TestGlob(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b, c := filepath.Join(w.dir, "a.log"), filepath.Join(w.dir, "b.log"), filepath.Join(w.dir, "c.txt")
	w.must(os.WriteFile(a, []byte("a1\n"), 0o644))
	w.must(os.WriteFile(c, []byte("c1\n"), 0o644))
	w.follow(Options{}, filepath.Join(w.dir, "*.log"), c)
	w.reads(a, "a1\n")
	w.must(os.WriteFile(b, []byte("b1\n"), 0o644))
	w.reads(b, "b1\n")
	w.reads(c, "c1\n")
}

// TestGlobOfRotated: a pattern that matches old generations too reads nothing twice.
func TestGlobOfRotated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(os.WriteFile(w.path+".2", []byte(line(0)), 0o644))
	w.must(os.WriteFile(w.path+".1", []byte(line(1)), 0o644))
	w.next = 2
	w.write(3)
	w.follow(Options{}, w.path+"*")
	w.complete()
	for range 4 {
		for i := 5; i > 0; i-- {
			os.Rename(fmt.Sprintf("%s.%d", w.path, i), fmt.Sprintf("%s.%d", w.path, i+1))
		}
		w.rename(w.path + ".1")
		w.reopen()
		w.write(5)
		w.copyTo(w.path + ".copy1")
		w.must(os.Truncate(w.path, 0))
		w.write(5)
		w.caughtUp() // before the copy is overwritten
	}
	w.complete()
}

// TestOneFileTwoNames: it is read once, and each name on its own when they part.
func TestOneFileTwoNames(t *testing.T) {
	for _, link := range []func(old, name string) error{os.Link, os.Symlink} {
		w := newWorld(t)
		w.write(3)
		other := filepath.Join(w.dir, "other.log")
		w.must(link(w.path, other))
		w.follow(Options{}, w.path, other)
		w.complete()
		w.until("the notice", func() bool { return w.noticed("is the same file as "+w.path) == 1 })
		w.write(3)
		w.complete()
		w.must(os.Remove(other))
		w.must(os.WriteFile(other, []byte(line(w.next)), 0o644))
		w.next++
		w.complete()
	}
}

func TestCompressedIsNotFollowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(3)
	w.must(os.WriteFile(w.path+".9.gz", []byte("no gzip at all"), 0o644))
	w.follow(Options{}, w.path+"*")
	w.complete()
}

// TestOldGenerations: those that were there before are not read, also when they are renamed,
// compressed or written to again.
func TestOldGenerations(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(os.WriteFile(w.path+".1", []byte("old\n"), 0o644))
	w.must(os.WriteFile(w.path+".2", []byte("older\n"), 0o644))
	compress(w, w.path+".2")
	w.write(3)
	w.follow(Options{})
	w.complete()
	w.must(os.Rename(w.path+".2.gz", w.path+".3.gz"))
	w.must(os.Rename(w.path+".1", w.path+".2"))
	compress(w, w.path+".2")
	w.rename(w.path + ".1")
	w.reopen()
	w.write(3)
	w.complete()
}

// TestLeak: rotations do not pile up files or goroutines.
func TestLeak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("counts files in /proc")
	}
	files := func() int {
		e, _ := os.ReadDir("/proc/self/fd")
		return len(e)
	}
	w := newWorld(t)
	before := runtime.NumGoroutine()
	w.write(1)
	filesBefore := files()
	f := newFollower(Options{}, w.sink)
	f.watch = newWatcher(true)
	f.patterns = []pattern{newPattern(w.path)}
	w.must(f.expand(true))
	now, most := time.Now(), 0
	for r := range 1000 {
		w.write(1)
		if r%2 == 0 {
			w.rename(fmt.Sprintf("%s.%d", w.path, r%7))
			w.reopen()
		} else {
			w.copyTo(fmt.Sprintf("%s.%d", w.path, r%7))
			w.must(os.Truncate(w.path, 0))
		}
		now = now.Add(50 * time.Millisecond)
		for busy := true; busy; {
			var err error
			busy, err = f.tails[w.path].step(now)
			w.must(err)
		}
		most = max(most, files()-filesBefore)
	}
	w.complete()
	if tl := f.tails[w.path]; len(tl.known) > maxMarks || len(tl.judged) > 10 {
		t.Errorf("%d marks and %d judgements are kept", len(tl.known), len(tl.judged))
	}
	if most > 2*manyOpen {
		t.Errorf("%d files were open at a time", most)
	}
	f.close()
	if n := files() - filesBefore; n > 0 {
		t.Errorf("%d files are left open", n)
	}
	if n := runtime.NumGoroutine() - before; n > 0 {
		t.Errorf("%d goroutines are left", n)
	}
}

// TestGoroutines: nothing is left when Follow returns.
func TestGoroutines(t *testing.T) {
	before := runtime.NumGoroutine()
	w := newWorld(t)
	w.write(1)
	for range 5 {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
		w.must(Follow(ctx, []string{w.path, w.dir + "/*"}, Options{}, w.sink))
		cancel()
	}
	for end := time.Now().Add(2 * time.Second); runtime.NumGoroutine() > before && time.Now().Before(end); {
		pauseFor(5)
	}
	if n := runtime.NumGoroutine() - before; n > 0 {
		t.Errorf("%d goroutines are left", n)
	}
}

// at runs steps of a follower at made-up times.
type at struct {
	*world
	f   *follower
	now time.Time
}

func newAt(t *testing.T, patterns ...string) *at {
	w := newWorld(t)
	a := &at{w, newFollower(Options{}, w.sink), time.Now()}
	a.f.watch = newWatcher(true)
	for _, p := range patterns {
		a.f.patterns = append(a.f.patterns, newPattern(filepath.Join(w.dir, p)))
	}
	w.Cleanup(a.f.close)
	return a
}

func (a *at) step(after time.Duration) {
	a.Helper()
	a.now = a.now.Add(after)
	a.must(a.f.expand(a.f.order == nil))
	for _, t := range a.f.order {
		for busy := true; busy; {
			var err error
			busy, err = t.step(a.now)
			a.must(err)
		}
	}
}

// TestEndOfGeneration: a generation that ends within a line gets a newline, after a while.
func TestEndOfGeneration(t *testing.T) {
	a := newAt(t, "app.log")
	a.print("one\ntwo")
	a.step(0)
	a.rename(a.path + ".1")
	a.reopen()
	a.print("three\n")
	a.step(time.Second)
	a.reads(a.path, "one\nthree\n")
	a.step(lineEnd)
	a.reads(a.path, "one\nthree\ntwo\n")
}

// TestEndOfGivenLine: what was given of an unfinished line is not continued by another generation.
func TestEndOfGivenLine(t *testing.T) {
	a := newAt(t, "app.log")
	a.print("one\ntwo")
	a.step(0)
	a.step(settle)
	a.reads(a.path, "one\ntwo")
	old := a.file
	a.rename(a.path + ".1")
	a.file = nil
	a.print("three\n")
	a.step(settle)
	a.reads(a.path, "one\ntwo")
	old.WriteString(" and a half\n")
	old.Close()
	a.step(settle)
	a.reads(a.path, "one\ntwo and a half\nthree\n")

	a.step(linger) // the first generation is closed
	a.print("four")
	a.step(0)
	a.step(settle)
	a.reads(a.path, "one\ntwo and a half\nthree\nfour")
	a.rename(a.path + ".2")
	a.reopen()
	a.print("five\n")
	a.step(lineEnd)
	a.step(0)
	a.reads(a.path, "one\ntwo and a half\nthree\nfour\nfive\n")
}

// TestTruncatedWithinLine: the beginning of a line that was truncated away is given, and ended.
func TestTruncatedWithinLine(t *testing.T) {
	a := newAt(t, "app.log")
	a.print("one\ntwo")
	a.step(0)
	a.must(os.Truncate(a.path, 0))
	a.print("three\n")
	a.step(0)
	a.reads(a.path, "one\ntwo\nthree\n")
}

// TestRelease: files without a name, and paths that are gone, are let go of.
func TestRelease(t *testing.T) {
	a := newAt(t, "app.log", "*.txt")
	a.print("a\n")
	txt := filepath.Join(a.dir, "b.txt")
	a.must(os.WriteFile(txt, []byte("b\n"), 0o644))
	a.step(0)
	a.must(os.Remove(a.path))
	a.must(os.Remove(txt))
	a.step(time.Second)
	tl, tx := a.f.tails[a.path], a.f.tails[txt]
	if tl.cur == nil || tx.cur == nil {
		t.Fatal("let go of at once")
	}
	a.step(gone)
	a.step(0)
	if len(tl.gens) != 0 || len(tx.gens) != 0 {
		t.Error("still open a minute later")
	}
	if tl.forgotten(a.now) != true || !tx.glob || tl.glob {
		t.Error("not forgotten")
	}
	a.reopen()
	a.print("c\n")
	a.step(0)
	a.reads(a.path, "a\nc\n")
}

func TestRotatedName(t *testing.T) {
	for _, c := range []struct {
		base, name string
		want       bool
	}{
		{"app.log", "app.log.1", true},
		{"app.log", "app.log.12.gz", true},
		{"app.log", "app.log-20260102", true},
		{"app.log", "app.log-20260102.zst", true},
		{"app.log", "app.log.2026-01-02T03-04", true},
		{"app.log", "app.log.old", true},
		{"app.log", "app.log.bak.gz", true},
		{"app.log", "app-2026-01-02T03-04-05.006.log", true},
		{"app.log", "app-2026-01-02T03-04-05.006.log.gz", true},
		{"0.log", "0.log.20260102-030405", true},
		{"app.log", "app.log", false},
		{"app.log", "app.log.gz", false},
		{"app.log", "app.log.new", false},
		{"app.log", "app.log.lock", false},
		{"app.log", "app.log2", false},
		{"app.log", "app-1.log", false},
		{"app.log", "app-20260102.txt", false},
		{"app", "app12345678", false},
		{"app", "app.", false},
		{"worker.log", "worker-12.log", false},
	} {
		if got := rotatedName(c.base, c.name); got != c.want {
			t.Errorf("rotatedName(%q, %q) = %v", c.base, c.name, got)
		}
	}
}

func TestLastLines(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		text := make([]byte, r.IntN(60))
		for i := range text {
			text[i] = "ab\n"[r.IntN(3)]
		}
		n := r.IntN(6)
		lines := bytes.SplitAfter(text, []byte("\n")) // the last one is unfinished or empty
		want := bytes.Join(lines[max(0, len(lines)-1-n):], nil)
		from := lastLines(bytes.NewReader(text), int64(len(text)), n, make([]byte, 1+r.IntN(8)))
		if got := text[from:]; !bytes.Equal(got, want) {
			t.Fatalf("the last %d lines of %q: %q, want %q", n, text, got, want)
		}
	}
}

// FuzzTake: however the bytes come, they are given in order and once, in whole lines below maxLine.
func FuzzTake(f *testing.F) {
	f.Add([]byte("a\nbc\n\nd"), uint64(1))
	f.Add(bytes.Repeat([]byte("long "), 30_000), uint64(2))
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		if len(bytes.Trim(text[:min(len(text), tailSize)], "\x00")) == 0 {
			return // a hole is left out
		}
		r := rand.New(rand.NewPCG(seed, 1))
		var g generation
		var got []byte
		for rest := text; len(rest) > 0; {
			n := 1 + r.IntN(len(rest))
			g.take(slices.Concat(g.held, rest[:n]), func(b []byte) error {
				if b[len(b)-1] != '\n' && len(b) < maxLine {
					t.Fatalf("%d bytes are given within a line", len(b))
				}
				got = append(got, b...)
				return nil
			})
			if len(g.held) >= maxLine {
				t.Fatalf("%d bytes are held", len(g.held))
			}
			rest = rest[n:]
		}
		if all := slices.Concat(got, g.held); !bytes.Equal(all, text) {
			t.Fatalf("given and held: %q, want %q", all, text)
		}
		if want := text[:min(len(got), headSize)]; !bytes.Equal(g.head, want) || !bytes.HasSuffix(got, g.tail) || len(g.tail) != min(tailSize, len(got)) {
			t.Fatalf("head %q, tail %q of %q", g.head, g.tail, got)
		}
	})
}
