package follow

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"time"
)

const (
	headSize = 1024
	tailSize = 256
)

// fileID is a file's number on its device; zero where the system gives none.
type fileID struct{ Dev, Ino uint64 }

// mark says how far a generation was read, and tells its content again: what stood at its beginning
// and just before the place.
type mark struct {
	ID   fileID    `json:"id"`
	Off  int64     `json:"offset"`
	Head string    `json:"head"` // of the first headSize bytes, or of all there are before Off
	Tail string    `json:"tail"` // of the last tailSize bytes before Off
	Time time.Time `json:"time"` // of the last change that was seen
}

func digest(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:12])
}

// in reports whether r has the mark's content where the mark had it.
func (m mark) in(r io.ReaderAt) bool {
	n := min(m.Off, tailSize)
	return m.begins(r) && has(r, m.Off-n, n, m.Tail)
}

// begins reports whether r begins as the mark's content does.
func (m mark) begins(r io.ReaderAt) bool {
	return m.Off > 0 && has(r, 0, min(m.Off, headSize), m.Head)
}

// has reports whether n bytes of r, headSize at most, are those that gave a digest.
func has(r io.ReaderAt, off, n int64, want string) bool {
	var b [headSize]byte
	got, _ := r.ReadAt(b[:n], off)
	return int64(got) == n && digest(b[:n]) == want
}

// headOf returns the first bytes of r, at most headSize.
func headOf(r io.ReaderAt) []byte {
	b := make([]byte, headSize)
	n, _ := r.ReadAt(b, 0)
	return b[:n]
}

// sameStart reports whether one of a and b begins with the other.
func sameStart(a, b []byte) bool {
	n := min(len(a), len(b))
	return n > 0 && bytes.Equal(a[:n], b[:n])
}
