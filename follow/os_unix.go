//go:build unix

package follow

import (
	"os"
	"syscall"
)

// openFile opens a file for reading; a pipe does not make it wait.
func openFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}

// openFifo opens a pipe for writing too, where that is allowed: it has no end then, however often its
// writers come and go.
func openFifo(path string) (*os.File, error) {
	if f, err := os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0); err == nil {
		return f, nil
	}
	return openFile(path)
}

func identify(f *os.File) fileID {
	if info, err := f.Stat(); err == nil {
		if s, ok := info.Sys().(*syscall.Stat_t); ok {
			return fileID{uint64(s.Dev), uint64(s.Ino)}
		}
	}
	return fileID{}
}

// named reports whether the file still has a name.
func named(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return !ok || s.Nlink > 0
}
