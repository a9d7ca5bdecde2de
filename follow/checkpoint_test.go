package follow

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestCheckpoint: a second follower goes on where the first one stopped, whatever happened between.
func TestCheckpoint(t *testing.T) {
	for name, meanwhile := range map[string]func(w *world, checkpoint string){
		"nothing": func(*world, string) {},
		"written": func(w *world, _ string) { w.write(20) },
		"renamed": func(w *world, _ string) {
			w.write(20)
			w.rename(w.path + ".1")
			w.reopen()
			w.write(20)
		},
		"renamed several times": func(w *world, _ string) {
			for r := range 4 {
				w.write(20)
				w.rename(fmt.Sprintf("%s.%d", w.path, r))
				w.reopen()
			}
		},
		"renamed and compressed": func(w *world, _ string) {
			for r := range 4 {
				w.write(20)
				w.rename(fmt.Sprintf("%s.%d", w.path, r))
				compress(w, fmt.Sprintf("%s.%d", w.path, r))
				w.reopen()
			}
		},
		"copied and truncated": func(w *world, _ string) {
			for r := range 3 {
				w.write(20)
				w.copyTo(fmt.Sprintf("%s.%d", w.path, r))
				w.must(os.Truncate(w.path, 0))
			}
			w.write(100)
		},
		"renamed and gone": func(w *world, _ string) {
			w.write(20)
			w.rename(w.path + ".1")
			w.file.Close()
			w.file = nil
		},
		"another device number": func(w *world, checkpoint string) {
			b, err := os.ReadFile(checkpoint)
			w.must(err)
			var c map[string]any
			w.must(json.Unmarshal(b, &c))
			for _, marks := range c["files"].(map[string]any) {
				for _, m := range marks.([]any) {
					m.(map[string]any)["id"] = map[string]int{"Dev": 77, "Ino": 88}
				}
			}
			b, err = json.Marshal(c)
			w.must(err)
			w.must(os.WriteFile(checkpoint, b, 0o644))
			w.write(20)
		},
		"an unfinished line": func(w *world, _ string) {
			w.print(line(w.next)[30:])
			w.next++
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			o := Options{Checkpoint: filepath.Join(w.dir, "checkpoint")}
			w.must(os.WriteFile(w.path+".99", []byte("an old generation\n"), 0o644))
			w.must(os.Chtimes(w.path+".99", time.Time{}, time.Now().Add(-time.Hour)))
			w.write(40)
			w.follow(o)
			w.complete()
			if name == "an unfinished line" {
				w.print(line(w.next)[:30])
				pauseFor(50)
			}
			w.must(w.stop())
			meanwhile(w, o.Checkpoint)
			w.follow(o)
			if name == "renamed and gone" {
				w.until("the notice", func() bool { return w.noticed("is not there yet") == 1 })
				w.reopen()
			}
			w.complete()
			w.write(5)
			w.complete()
		})
	}
}

// TestCheckpointKeepsOthers: the places of files that are not followed this time stay.
func TestCheckpointKeepsOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(3)
	other := filepath.Join(w.dir, "other.txt")
	w.must(os.WriteFile(other, []byte("other\n"), 0o644))
	o := Options{Checkpoint: filepath.Join(w.dir, "checkpoint")}
	for _, path := range []string{w.path, other, w.path, other} {
		w.follow(o, path)
		w.until("the file", func() bool { return w.text(path) != "" })
		pauseFor(30)
		w.must(w.stop())
	}
	w.reads(w.path, line(0)+line(1)+line(2))
	w.reads(other, "other\n")
}

func TestCheckpointCannotBeWritten(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("a directory cannot take the place of the file, but in another way")
	}
	w := newWorld(t)
	w.follow(Options{Checkpoint: filepath.Join(w.dir, "no", "such", "checkpoint")})
	w.write(3)
	w.complete()
	pauseFor(50)
	w.must(w.stop())
	if n := w.noticed("checkpoint cannot be written"); n != 1 {
		t.Errorf("it is said %d times", n)
	}
}
