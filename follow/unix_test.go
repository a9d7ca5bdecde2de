//go:build unix

package follow

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestFifo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(syscall.Mkfifo(w.path, 0o644))
	w.follow(Options{})
	pauseFor(50)
	for i := range 3 { // writers come and go
		f, err := os.OpenFile(w.path, os.O_WRONLY, 0)
		w.must(err)
		fmt.Fprintf(f, "%d", i)
		pauseFor(20)
		fmt.Fprintf(f, " lines\n%s", strings.Repeat("x", 100_000)+"\n")
		f.Close()
	}
	x := strings.Repeat("x", 100_000)
	w.reads(w.path, "0 lines\n"+x+"\n1 lines\n"+x+"\n2 lines\n"+x+"\n")
	w.must(os.Remove(w.path))
	w.print("a file now\n")
	w.until("the file", func() bool { return strings.HasSuffix(w.text(w.path), "\na file now\n") })
}

// TestLogrotate runs the real program with the directives that differ in what they do to the file.
func TestLogrotate(t *testing.T) {
	logrotate, err := exec.LookPath("logrotate")
	if err != nil {
		t.Skip("SKIPPED: logrotate is not installed")
	}
	for _, directives := range []string{
		"create", "nocreate", "copytruncate", "create\ncompress", "create\ncompress\ndelaycompress", "copytruncate\ncompress",
		"create\ndateext\ndateformat -%Y%m%d-%s", "create\nolddir old", "copytruncate\ndateext\ndateformat .%s\ncompress",
	} {
		for _, stopped := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, stopped %v", strings.ReplaceAll(directives, "\n", " "), stopped), func(t *testing.T) {
				t.Parallel()
				if stopped && strings.Contains(directives, "olddir") {
					t.Skip("a generation that was moved away before it was seen cannot be found")
				}
				w := newWorld(t)
				w.must(os.Mkdir(filepath.Join(w.dir, "old"), 0o755))
				conf, state := filepath.Join(w.dir, "conf"), filepath.Join(w.dir, "state")
				w.must(os.WriteFile(conf, fmt.Appendf(nil, "%s {\nrotate 9\n%s\n}\n", w.path, directives), 0o644))
				w.write(3)
				w.follow(Options{})
				w.complete()
				if stopped {
					w.pause.Lock()
					w.write(1)
					pauseFor(30)
				}
				for r := range 3 {
					w.write(50)
					if strings.Contains(directives, "dateext") && r > 0 {
						pauseFor(1000) // or the names are the same
					}
					out, err := exec.Command(logrotate, "-f", "-s", state, conf).CombinedOutput()
					if err != nil {
						t.Fatalf("logrotate: %v\n%s", err, out)
					}
					if !stopped || !strings.HasSuffix(directives, "\ncompress") {
						w.write(5) // the writer still has its old file; compressed and removed, nobody could read it
					}
					if !strings.Contains(directives, "copytruncate") {
						w.reopen()
					}
					pauseFor(20)
				}
				if stopped {
					w.pause.Unlock()
				}
				w.complete()
			})
		}
	}
}
