package scan

import (
	"bytes"
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

// encode16 writes text as UTF-16 with a byte order mark.
func encode16(order binary.AppendByteOrder, text string) []byte {
	b := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

var decodeCases = []struct {
	name string
	in   []byte
	want string
}{
	{"plain", []byte("INFO one\nINFO two\n"), "INFO one\nINFO two\n"},
	{"empty", nil, ""},
	{"utf-8 mark", []byte("\xef\xbb\xbfINFO one\n"), "INFO one\n"},
	{"only a mark", []byte("\xef\xbb\xbf"), ""},
	{"half a mark at the end", []byte("\xef\xbb"), "\xef\xbb"},
	{"a byte that could begin a mark", []byte("\xff"), "\xff"},
	{"begins like a mark", []byte("\xef\xbbINFO"), "\xef\xbbINFO"},
	{"begins like UTF-16", []byte("\xffINFO"), "\xffINFO"},
	{"invalid bytes stay", []byte("a\x80\xc3(b\xfe"), "a\x80\xc3(b\xfe"},
	{"a mark inside stays", []byte("a\xef\xbb\xbfb"), "a\xef\xbb\xbfb"},
	{"a hole", []byte("one\n\x00\x00\x00\x00two\n"), "one\ntwo\n"},
	{"a hole first", []byte("\x00\x00one\n"), "one\n"},
	{"UTF-16 without a mark", []byte("I\x00N\x00\n\x00"), "IN\n"},
	{"little endian", encode16(binary.LittleEndian, "显存 OOM 🚀\r\n"), "显存 OOM 🚀\r\n"},
	{"big endian", encode16(binary.BigEndian, "显存 OOM 🚀\r\n"), "显存 OOM 🚀\r\n"},
	{"lone surrogates", []byte("\xff\xfe\x00\xd8a\x00\x00\xdcb\x00"), "\ufffda\ufffdb"},
	{"surrogate at the end", []byte("\xff\xfea\x00\x3d\xd8"), "a\ufffd"},
	{"odd byte at the end", []byte("\xff\xfea\x00b"), "a\ufffd"},
	{"NUL in UTF-16", encode16(binary.LittleEndian, "a\x00b"), "ab"},
}

// decodeIn decodes in chunks of n bytes.
func decodeIn(in []byte, n int) string {
	var d decoder
	var out []byte
	for len(in) > 0 {
		k := min(n, len(in))
		out = append(out, d.decode(in[:k])...)
		in = in[k:]
	}
	return string(append(out, d.flush()...))
}

func TestDecode(t *testing.T) {
	for _, c := range decodeCases {
		for n := 1; n <= len(c.in)+1; n++ {
			if got := decodeIn(c.in, n); got != c.want {
				t.Errorf("%s, chunks of %d: %q, want %q", c.name, n, got, c.want)
			}
		}
	}
}

func TestDecodeDoesNotCopyPlainText(t *testing.T) {
	var d decoder
	for _, p := range [][]byte{[]byte("INFO first chunk\n"), []byte("second \xff chunk\n")} {
		if got := d.decode(p); &got[0] != &p[0] || len(got) != len(p) {
			t.Errorf("decode(%q) gave other memory", p)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, c := range decodeCases {
		f.Add(c.in, 3)
	}
	f.Fuzz(func(t *testing.T, in []byte, n int) {
		whole := decodeIn(in, len(in)+1)
		if got := decodeIn(in, 1+(n&0xff)); got != whole {
			t.Errorf("%q in chunks of %d: %q, at once %q", in, 1+(n&0xff), got, whole)
		}
		if bytes.IndexByte([]byte(whole), 0) >= 0 {
			t.Errorf("%q: a NUL is left", in)
		}
	})
}
