//go:build unix

package follow

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
)

// followerOf names the file that the test binary follows instead of running tests.
const followerOf = "FOLLOW_TEST_FOLLOW"

// followAlone prints what is given of a file, until it is told to end.
func followAlone(path string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return Follow(ctx, []string{path}, Options{}, func(e Event) error {
		_, err := os.Stdout.Write(e.Data)
		return err
	})
}

// TestSuspended: a follower that was stopped (SIGSTOP) while the file was rotated three times has lost
// nothing when it goes on.
func TestSuspended(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(3)
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), followerOf+"="+w.path)
	out, err := c.StdoutPipe()
	w.must(err)
	w.must(c.Start())
	lines := make(chan string, 1000)
	go func() {
		defer close(lines)
		for in := bufio.NewReader(out); ; {
			l, err := in.ReadString('\n')
			if err != nil {
				return
			}
			lines <- l
		}
	}()
	for range 3 {
		<-lines
	}
	w.must(c.Process.Signal(syscall.SIGSTOP))
	for r := range 3 {
		w.write(40)
		w.rename(fmt.Sprintf("%s.%d", w.path, r))
		w.write(10) // late
		w.reopen()
		pauseFor(300)
	}
	w.write(5)
	w.must(c.Process.Signal(syscall.SIGCONT))
	seen := map[string]int{}
	for range w.next - 3 {
		seen[<-lines]++
	}
	w.must(c.Process.Signal(syscall.SIGTERM))
	var more []string
	for l := range lines {
		more = append(more, l)
	}
	if err := c.Wait(); err != nil || len(more) > 0 {
		t.Errorf("%v; more than was written: %q", err, strings.Join(more, ""))
	}
	for i := 3; i < w.next; i++ {
		if n := seen[line(i)]; n != 1 {
			t.Errorf("line %d is given %d times", i, n)
		}
	}
}
