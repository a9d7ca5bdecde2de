package follow

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// rotations are what can happen to a file without any of its lines becoming unreadable.
var rotations = map[string]func(w *world){
	"append": func(w *world) {
		for range 50 {
			w.write(5)
			pauseFor(2)
		}
	},
	"rename and create": func(w *world) {
		for r := range 5 {
			w.write(20)
			w.rename(fmt.Sprintf("%s.%d", w.path, r))
			w.reopen()
			pauseFor(20 * r)
		}
	},
	"shifted numbers": func(w *world) {
		for range 6 {
			for i := 5; i > 0; i-- {
				os.Rename(fmt.Sprintf("%s.%d", w.path, i), fmt.Sprintf("%s.%d", w.path, i+1))
			}
			w.write(20)
			w.rename(w.path + ".1")
			w.reopen()
			pauseFor(15)
		}
	},
	"late writes": func(w *world) {
		for r := range 3 {
			w.write(20)
			w.rename(fmt.Sprintf("%s.%d", w.path, r))
			w.create(w.path).Close()
			for range 10 {
				w.write(2)
				pauseFor(10)
			}
			w.reopen()
		}
	},
	"the writer never opens the new file": func(w *world) {
		w.write(20)
		w.rename(w.path + ".1")
		w.create(w.path).Close()
		pauseFor(50)
		w.write(20)
	},
	"fast": func(w *world) {
		for r := range 40 {
			for range 5 {
				w.write(200)
			}
			w.rename(fmt.Sprintf("%s.%d", w.path, r))
			w.reopen()
		}
	},
	"dated names": func(w *world) {
		for r := range 10 {
			w.write(20)
			w.rename(filepath.Join(w.dir, fmt.Sprintf("app-2026-01-02T03-04-%02d.000.log", r)))
			w.reopen()
		}
	},
	"copy and truncate": func(w *world) {
		for r := range 5 {
			w.write(50)
			pauseFor(10 * r)
			w.copyTo(fmt.Sprintf("%s.%d", w.path, r))
			w.must(os.Truncate(w.path, 0))
		}
		w.write(3)
	},
	"truncated and grown past the old size": func(w *world) {
		for r := range 4 {
			w.write(100)
			pauseFor(60)
			w.copyTo(fmt.Sprintf("%s.%d", w.path, r))
			w.must(os.Truncate(w.path, 0))
			w.write(150)
			pauseFor(60)
		}
	},
	"truncated to the same size": func(w *world) {
		for range 5 {
			w.write(10)
			w.caughtUp()
			w.must(os.Truncate(w.path, 0))
			w.write(10)
			w.caughtUp()
			w.must(os.Truncate(w.path, 0))
		}
	},
	"deleted and created": func(w *world) {
		for range 5 {
			w.write(20)
			w.caughtUp()
			w.must(os.Remove(w.path))
			w.reopen()
		}
	},
	"the number of a deleted file used again": func(w *world) {
		for r := range 20 {
			w.write(2)
			w.rename(w.path + ".1")
			w.reopen()
			if r%2 == 0 {
				w.caughtUp()
				w.must(os.Remove(w.path + ".1"))
			} else {
				w.caughtUp()
			}
		}
	},
	"link swapped": func(w *world) {
		w.write(3)
		for r := range 5 {
			target := fmt.Sprintf("%s.d%d", w.path, r)
			w.file.Close()
			w.file = w.create(target)
			w.must(os.Symlink(target, w.path+".lnk"))
			w.must(os.Rename(w.path+".lnk", w.path))
			for range 10 {
				w.write(2)
				pauseFor(10)
			}
		}
	},
	"link to a rotated file elsewhere": func(w *world) {
		pod := filepath.Join(w.dir, "pod")
		w.must(os.Mkdir(pod, 0o755))
		w.file = w.create(filepath.Join(pod, "0.log"))
		w.write(3)
		w.must(os.Symlink(filepath.Join(pod, "0.log"), w.path))
		for r := range 12 {
			w.must(os.Rename(filepath.Join(pod, "0.log"), filepath.Join(pod, fmt.Sprintf("0.log.20260102-0304%02d", r))))
			w.file.Close()
			w.file = w.create(filepath.Join(pod, "0.log"))
			w.write(10)
			pauseFor(5 * (r % 3))
		}
	},
	"replaced by a file written beside": func(w *world) {
		for range 5 {
			w.write(20)
			w.caughtUp()
			w.file.Close()
			w.file = w.create(w.path + ".new")
			w.write(3)
			w.must(os.Rename(w.path+".new", w.path))
		}
	},
	"replaced by a longer copy of itself": func(w *world) {
		for range 5 {
			w.write(30)
			w.caughtUp()
			w.file.Close()
			w.copyTo(w.path + ".tmp")
			w.file = w.create(w.path + ".tmp")
			w.write(3)
			w.must(os.Rename(w.path+".tmp", w.path))
		}
	},
	"a gap": func(w *world) {
		for r := range 4 {
			w.write(20)
			w.rename(fmt.Sprintf("%s.%d", w.path, r))
			pauseFor(80)
			w.reopen()
		}
	},
	"halves of a line": func(w *world) {
		for range 10 {
			l := line(w.next)
			w.next++
			w.print(l[:20])
			pauseFor(30)
			w.print(l[20:])
		}
	},
	"rotated within a line": func(w *world) {
		for r := range 5 {
			w.write(10)
			l := line(w.next)
			w.next++
			w.print(l[:20])
			pauseFor(30)
			w.rename(fmt.Sprintf("%s.%d", w.path, r))
			other := w.create(w.path)
			fmt.Fprint(other, line(w.next))
			w.next++
			pauseFor(30)
			w.print(l[20:])
			w.file.Close()
			w.file = other
		}
	},
	"copied and truncated within a line": func(w *world) {
		for r := range 5 {
			w.write(10)
			w.print(line(w.next)[:20])
			if r%2 == 0 {
				pauseFor(30)
			}
			w.print(line(w.next)[20:40])
			w.copyTo(fmt.Sprintf("%s.%d", w.path, r))
			f := w.create(fmt.Sprintf("%s.%d", w.path, r)) // so that the line is whole
			fmt.Fprint(f, line(w.next)[40:])
			f.Close()
			w.next++
			w.must(os.Truncate(w.path, 0))
			w.write(1)
			pauseFor(30)
		}
	},
	"directory replaced": func(w *world) {
		w.write(3)
		for r := range 3 {
			w.write(50)
			w.caughtUp()
			w.must(os.Rename(w.dir, fmt.Sprintf("%s.old%d", w.dir, r)))
			w.must(os.Mkdir(w.dir, 0o755))
			w.reopen()
		}
		w.write(50)
	},
	"moved to another directory": func(w *world) {
		old := filepath.Join(w.dir, "old")
		w.must(os.Mkdir(old, 0o755))
		for r := range 5 {
			w.write(20)
			w.caughtUp()
			w.rename(filepath.Join(old, fmt.Sprintf("app.log.%d", r)))
			w.reopen()
		}
	},
	"renamed away and back": func(w *world) {
		for range 5 {
			w.write(20)
			w.rename(w.path + ".1")
			pauseFor(30)
			w.write(5)
			w.must(os.Rename(w.path+".1", w.path))
			w.write(5)
			pauseFor(30)
		}
	},
	"renamed, then copied and truncated": func(w *world) {
		for r := range 10 {
			w.write(20)
			if r%2 == 0 {
				w.rename(fmt.Sprintf("%s.%d", w.path, r))
				w.reopen()
				continue
			}
			w.copyTo(fmt.Sprintf("%s.%d", w.path, r))
			pauseFor(20)
			w.must(os.Truncate(w.path, 0))
		}
	},
	"compressed at once": func(w *world) {
		for r := range 5 {
			w.write(200)
			to := fmt.Sprintf("%s.%d", w.path, r)
			w.rename(to)
			w.reopen()
			compress(w, to)
		}
	},
	"copied, compressed, truncated": func(w *world) {
		for r := range 5 {
			w.write(200)
			to := fmt.Sprintf("%s.%d", w.path, r)
			w.copyTo(to)
			w.must(os.Truncate(w.path, 0))
			compress(w, to)
			w.write(1)
			pauseFor(30)
		}
	},
	"a writer that does not append": func(w *world) {
		w.write(20)
		w.file.Close()
		f, err := os.OpenFile(w.path, os.O_WRONLY, 0)
		w.must(err)
		at := int64(20 * len(line(0)))
		for r := range 4 {
			w.copyTo(fmt.Sprintf("%s.%d", w.path, r))
			w.must(os.Truncate(w.path, 0))
			for range 5 {
				n, err := f.WriteAt([]byte(line(w.next)), at)
				w.must(err)
				w.next++
				at += int64(n)
			}
			pauseFor(40)
		}
		w.must(f.Close())
		w.file = nil
	},
	"appears later": func(w *world) { w.write(50) },
}

// compress replaces a file by its compressed form, as gzip and zstd do: the new file is complete when the
// old one goes.
func compress(w *world, path string) {
	b, err := os.ReadFile(path)
	w.must(err)
	ext, packed := ".gz", bytes.Buffer{}
	z := gzip.NewWriter(&packed)
	z.Write(b)
	w.must(z.Close())
	if strings.HasSuffix(path, "1") || strings.HasSuffix(path, "3") {
		e, err := zstd.NewWriter(nil)
		w.must(err)
		ext, packed = ".zst", *bytes.NewBuffer(e.EncodeAll(b, nil))
	}
	w.must(os.WriteFile(path+ext, packed.Bytes(), 0o644))
	w.must(os.Remove(path))
}

func TestRotation(t *testing.T) {
	for name, happen := range rotations {
		for _, poll := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, poll %v", name, poll), func(t *testing.T) {
				t.Parallel()
				if runtime.GOOS == "windows" && strings.Contains(name, "link") {
					t.Skip("links need privileges")
				}
				w := newWorld(t)
				if name != "appears later" && !strings.HasPrefix(name, "link to") {
					w.write(3)
				}
				w.follow(Options{Poll: poll})
				w.until("the beginning", func() bool { return w.noticed("not there")+w.next > 0 })
				w.caughtUp()
				happen(w)
				w.complete()
				if w.lost != 0 {
					t.Errorf("%d bytes are said to be lost", w.lost)
				}
			})
		}
	}
}

// TestStopped: what happens while nobody reads is found afterwards.
func TestStopped(t *testing.T) {
	for _, name := range []string{
		"rename and create", "shifted numbers", "late writes", "fast", "dated names", "copy and truncate",
		"compressed at once", "copied, compressed, truncated", "renamed, then copied and truncated", "link to a rotated file elsewhere",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if !strings.HasPrefix(name, "link to") {
				w.write(3)
			}
			w.follow(Options{})
			w.until("the beginning", func() bool { return w.noticed("not there")+w.next > 0 })
			w.caughtUp()
			w.pause.Lock()
			if w.file != nil {
				w.write(1) // the sink waits with this one
				pauseFor(30)
			}
			rotations[name](w)
			w.pause.Unlock()
			w.complete()
		})
	}
}
