package tui

import (
	"io"
	"os"
	"runtime"
	"sync"
)

// inMemory is how much of a log that cannot be read twice (a pipe, a paste, a compressed file) is kept
// in memory before it goes to a file.
const inMemory = 8 << 20

// spool keeps bytes for reading them again: the first of them in memory, then all in a temporary file
// that only this user can read and that has no name any more where the system allows that. Where no
// file can be written, what came so far stays readable.
type spool struct {
	mu   sync.RWMutex
	mem  []byte
	file *os.File
	size int64
	err  error
}

func (s *spool) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	if s.file == nil && len(s.mem)+len(p) <= inMemory {
		s.mem = append(s.mem, p...)
		return len(p), nil
	}
	if s.file == nil {
		if s.err = s.toFile(); s.err != nil {
			return 0, s.err
		}
	}
	n, err := s.file.WriteAt(p, s.size)
	s.size += int64(n)
	s.err = err
	return n, err
}

func (s *spool) toFile() error {
	f, err := os.CreateTemp("", "oomdoc-*") // mode 0600
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" {
		os.Remove(f.Name())
	}
	if _, err := f.WriteAt(s.mem, 0); err != nil {
		f.Close()
		return err
	}
	s.file, s.size, s.mem = f, int64(len(s.mem)), nil
	return nil
}

func (s *spool) ReadAt(p []byte, off int64) (int, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.file != nil {
		return s.file.ReadAt(p, off)
	}
	if off >= int64(len(s.mem)) {
		return 0, io.EOF
	}
	n := copy(p, s.mem[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close forgets the bytes.
func (s *spool) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mem = nil
	if s.file == nil {
		return nil
	}
	name := s.file.Name()
	err := s.file.Close()
	if runtime.GOOS == "windows" {
		os.Remove(name)
	}
	return err
}
