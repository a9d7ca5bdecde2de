package follow

import (
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// compressed reports whether a name is that of a compressed file.
func compressed(name string) bool { return plainName(name) != name }

// plainName takes off the extension that compressors add.
func plainName(name string) string {
	switch ext := filepath.Ext(name); ext {
	case ".gz", ".bz2", ".zst", ".xz", ".lz4", ".Z":
		return strings.TrimSuffix(name, ext)
	}
	return name
}

// unpacked is the content of a compressed file. Reading forward is cheap; reading backward begins
// again.
type unpacked struct {
	file *os.File
	ext  string
	r    io.Reader
	free func()
	pos  int64
}

func decompress(file *os.File, name string) (*unpacked, error) {
	u := &unpacked{file: file, ext: filepath.Ext(name), free: func() {}}
	return u, u.rewind()
}

func (u *unpacked) rewind() error {
	if _, err := u.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	u.free()
	u.free, u.pos = func() {}, 0
	in := bufio.NewReaderSize(u.file, 64<<10)
	switch u.ext {
	case ".gz":
		r, err := gzip.NewReader(in)
		u.r = r
		return err
	case ".bz2":
		u.r = bzip2.NewReader(in)
		return nil
	case ".zst":
		r, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(64<<20))
		if err == nil {
			u.r, u.free = r, r.Close
		}
		return err
	}
	return errors.New("this compression is not supported")
}

func (u *unpacked) ReadAt(p []byte, off int64) (int, error) {
	if off < u.pos {
		if err := u.rewind(); err != nil {
			return 0, err
		}
	}
	n, err := io.CopyN(io.Discard, u.r, off-u.pos)
	u.pos += n
	if err != nil {
		return 0, err
	}
	m, err := io.ReadFull(u.r, p)
	u.pos += int64(m)
	if err == io.ErrUnexpectedEOF && m > 0 {
		_, err = u.r.Read(make([]byte, 1)) // the end, or was the file cut off?
		if err == nil {
			err = io.ErrNoProgress
		}
	}
	return m, err
}

func (u *unpacked) Close() error {
	u.free()
	return u.file.Close()
}
