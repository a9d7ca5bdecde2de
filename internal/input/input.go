// Package input opens what oomdoc reads: files, pipes, standard input, compressed or not, for reading once from
// beginning to end in constant memory.
package input

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/klauspost/compress/zstd"
)

// Input is an open log, decompressed. Closing it ends a read that waits.
type Input struct {
	io.Reader
	File  *os.File
	Plain bool // the file holds what is read as it is
}

// Close closes the file.
func (i *Input) Close() error { return i.File.Close() }

// Open opens an input by name, "-" for standard input, and takes off its compression. The label is what to
// call it; an error names it.
func Open(name string, stdin *os.File) (in *Input, label string, err error) {
	f, label := stdin, "stdin"
	if name != "-" {
		var err error
		if f, err = os.Open(name); err != nil {
			return nil, name, fmt.Errorf("%s: %w", name, Reason(err))
		}
		label = name
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, name, fmt.Errorf("%s: is a directory; name the files in it", name)
		}
	}
	widen(f)
	steadyHeap(f)
	if in, err = Decompress(f); err != nil {
		f.Close()
		return nil, label, fmt.Errorf("%s: %w", label, Reason(err))
	}
	return in, label, nil
}

// Regular reports whether f is a file with bytes at offsets, no pipe and no terminal.
func Regular(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// Reason takes the path and operation off an error that the caller names itself.
func Reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
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

// foreign are the first bytes of what holds a log, or none, in a form that others take off.
var foreign = []struct{ magic, advice string }{
	{"\xfd7zXZ\x00", "xz data: xzcat FILE | oomdoc"},
	{"PK\x03\x04", "a zip archive: unzip -p FILE | oomdoc"},
	{"7z\xbc\xaf\x27\x1c", "a 7-Zip archive: 7z x -so FILE | oomdoc"},
	{"\x80\x04\x95", "a Python pickle, and no log: give the text that the program printed"},
	{"\x80\x05\x95", "a Python pickle, and no log: give the text that the program printed"},
}

// Decompress takes the compression off an open file; it recognises gzip, bzip2 and Zstandard by their first bytes.
func Decompress(f *os.File) (*Input, error) {
	in := meter{r: f}
	b := bufio.NewReaderSize(&in, 64<<10)
	magic, err := b.Peek(10)
	if err != nil && err != io.EOF {
		return nil, err
	}
	for _, other := range foreign {
		if bytes.HasPrefix(magic, []byte(other.magic)) {
			return nil, errors.New(other.advice)
		}
	}
	switch {
	case len(magic) == 10 && bytes.HasPrefix(magic, []byte("BZh")) && string(magic[4:]) == "1AY&SY":
		return &Input{Reader: bounded(bzip2.NewReader(b), &in), File: f}, nil
	case len(magic) >= 2 && magic[0] == 0x1f && magic[1] == 0x8b:
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", err)
		}
		return &Input{Reader: bounded(z, &in), File: f}, nil
	case bytes.HasPrefix(magic, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(b, zstd.WithDecoderMaxMemory(256<<20))
		if err != nil {
			return nil, fmt.Errorf("zstd: %w", err)
		}
		return &Input{Reader: bounded(z.IOReadCloser(), &in), File: f}, nil
	}
	return &Input{Reader: b, File: f, Plain: true}, nil
}
