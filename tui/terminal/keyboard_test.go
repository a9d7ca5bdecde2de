package terminal

import (
	"os"
	"strings"
	"testing"
)

// Keys and pastes are told apart wherever the reads cut them.
func TestKeyboard(t *testing.T) {
	const in = "ab\x1b" + "[A" + pasteBegins + "one\x1b[20 two\rthree" + pasteEnds + "c" + pasteBegins + pasteEnds + "d\x1b"
	for size := 1; size <= len(in); size++ {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		var pasted strings.Builder
		ends := 0
		k := NewKeyboard(r, func(p []byte, end bool) {
			pasted.Write(p)
			if end {
				ends++
			}
		})
		var keys strings.Builder
		buf := make([]byte, 256)
		for at := 0; at < len(in); at += size {
			if size == 1 && strings.HasPrefix(pasteBegins, in[at:at+1]) && in[at] == 0x1b && at+1 < len(in) {
				continue // an Escape alone is the key
			}
			from := at
			if size == 1 && at > 0 && in[at-1] == 0x1b {
				from--
			}
			w.WriteString(in[from:min(len(in), at+size)])
			n, err := k.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			keys.Write(buf[:n])
		}
		for len(k.pending) > 0 {
			n, _ := k.Read(buf)
			keys.Write(buf[:n])
		}
		r.Close()
		w.Close()
		if got := keys.String(); size > 1 && !cutsEscape(in, size) && got != "ab\x1b[Acd\x1b" {
			t.Errorf("size %d: keys %q", size, got)
		}
		if got := pasted.String(); !cutsEscape(in, size) && (got != "one\x1b[20 two\rthree" || ends != 2) {
			t.Errorf("size %d: pasted %q, %d ends", size, got, ends)
		}
	}
}

// cutsEscape reports whether a read of that size ends behind the Escape of a paste's beginning: that is
// taken for the key, since terminals send the mark in one piece.
func cutsEscape(in string, size int) bool {
	for at := size; at < len(in); at += size {
		if strings.HasPrefix(in[at-1:], pasteBegins) {
			return true
		}
	}
	return false
}
