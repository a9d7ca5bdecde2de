package follow

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// TestUnreadable: a file that cannot be opened yet is read once it can be.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(3)
	w.must(os.Chmod(w.path, 0))
	w.must(os.Chmod(filepath.Dir(w.dir), 0o755))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() {
		if os.Getuid() == 0 {
			runtime.LockOSThread() // and never unlocked: the thread, which is nobody now, ends with the goroutine
			syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0)
		}
		done <- Follow(ctx, []string{w.path}, Options{Interval: 10 * time.Millisecond}, w.sink)
	}()
	w.until("the notice", func() bool { return w.noticed("permission denied") == 1 })
	pauseFor(50)
	w.must(os.Chmod(w.path, 0o644))
	w.complete()
	cancel()
	w.must(<-done)
	if n := len(w.notices); n != 1 {
		t.Errorf("notices: %q", w.notices)
	}
}

func TestRemote(t *testing.T) {
	if remote(t.TempDir()) {
		t.Skip("SKIPPED: the temporary directory is on a network file system")
	}
	if remote("/nonexistent") || remote("/proc") {
		t.Error("taken for a network file system")
	}
}
