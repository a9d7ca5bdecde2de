package input

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// zeros is an endless reader.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func TestBombs(t *testing.T) {
	pack := map[string]func(w io.Writer) io.WriteCloser{
		"gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"zst": func(w io.Writer) io.WriteCloser {
			z, err := zstd.NewWriter(w)
			if err != nil {
				t.Fatal(err)
			}
			return z
		},
	}
	read := func(name string, content io.Reader) (int64, error) {
		var packed bytes.Buffer
		w := pack[name](&packed)
		if _, err := io.Copy(w, content); err != nil {
			t.Fatal(err)
		}
		w.Close()
		path := filepath.Join(t.TempDir(), "x."+name)
		if err := os.WriteFile(path, packed.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		in, _, err := Open(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		return io.Copy(io.Discard, in)
	}
	for name := range pack {
		if n, err := read(name, io.LimitReader(zeros{}, freeBytes+64<<20)); err == nil || !strings.Contains(err.Error(), "no log compresses") || n > freeBytes+8<<20 {
			t.Errorf("%s: %d bytes of a bomb, %v", name, n, err)
		}
		log := strings.Repeat("INFO 10-08 20:33:48 [loggers.py:123] Avg prompt throughput: 12.3 tokens/s\n", 4096)
		if n, err := read(name, strings.NewReader(log)); err != nil || n != int64(len(log)) {
			t.Errorf("%s: %d bytes of a log, %v", name, n, err)
		}
	}
}
