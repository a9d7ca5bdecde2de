package input

import (
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A form that somebody else takes off is named, with how; bzip2 is read.
func TestOpenForms(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, bytes, text, complains string }{
		{"plain", hex.EncodeToString([]byte("BZh is no archive")), "BZh is no archive", ""},
		{"bzip2", "425a683931415926535933fc0cc50000045100001040000225a000310c00d0d3d1c84792517724538509033fc0cc50", "one line\n", ""},
		{"xz", "fd377a585a000004", "", "xzcat FILE | oomdoc"},
		{"zip", "504b03040a000000", "", "unzip -p FILE | oomdoc"},
		{"pickle", "8004952a00000000", "", "pickle"},
	} {
		raw, err := hex.DecodeString(c.bytes)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		in, _, err := Open(path, nil)
		if c.complains != "" {
			if err == nil || !strings.Contains(err.Error(), c.complains) {
				t.Errorf("%s: %v, want %q", c.name, err, c.complains)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text, err := io.ReadAll(in)
		if err != nil || string(text) != c.text {
			t.Errorf("%s: %q, %v", c.name, text, err)
		}
		in.Close()
	}
}
