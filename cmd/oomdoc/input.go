package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/klauspost/compress/zstd"
)

// open opens an input by name, "-" for standard input, and takes off its compression.
func (a *app) open(name string) (io.ReadCloser, string, error) {
	f, label := a.stdin, "stdin"
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, name, fmt.Errorf("%s: %w", name, cause(err))
		}
		label = name
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, name, fmt.Errorf("%s: is a directory; name the files in it", name)
		}
	}
	widen(f)
	steadyHeap(f)
	in, err := decompress(f)
	if err != nil {
		f.Close()
		return nil, label, fmt.Errorf("%s: %w", label, cause(err))
	}
	return in, label, nil
}

// steadyHeap keeps memory the same for any size of log: what is alive is a few buffers, so that collecting
// earlier costs a millisecond per gigabyte. A small file is read without any collection. GOGC in the
// environment has the last word.
func steadyHeap(f *os.File) {
	info, err := f.Stat()
	small := err == nil && info.Mode().IsRegular() && info.Size() < 1<<20
	if !small && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50)
	}
}

// decompress recognises gzip and Zstandard by their first bytes.
func decompress(f *os.File) (io.ReadCloser, error) {
	in := meter{r: f}
	b := bufio.NewReaderSize(&in, 64<<10)
	magic, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return &input{bounded(z, &in), f}, nil
	case string(magic) == "\x28\xb5\x2f\xfd":
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		return &input{bounded(z.IOReadCloser(), &in), f}, nil
	}
	return &input{b, f}, nil
}

// input is a reader over a file.
type input struct {
	io.Reader
	file *os.File
}

func (i *input) Close() error { return i.file.Close() }
