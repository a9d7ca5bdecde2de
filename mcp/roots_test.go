package mcp

import (
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRoots: what lies under a root is read, under whatever name; nothing else is, under whatever name.
func TestRoots(t *testing.T) {
	base := t.TempDir()
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	in := filepath.Join(base, "logs")
	write(t, filepath.Join(in, "a.log"), "a")
	write(t, filepath.Join(in, "sub", "b.log"), "b")
	write(t, filepath.Join(base, "logs-secret", "s.log"), "secret")
	write(t, filepath.Join(base, "other", "c.log"), "c")
	links := runtime.GOOS != "windows"
	if links {
		for name, to := range map[string]string{
			"inward": "sub/b.log", "absolute": filepath.Join(in, "a.log"), "across": filepath.Join(base, "other", "c.log"),
			"outward": filepath.Join(base, "logs-secret", "s.log"), "up": "../logs-secret", "dangling": "gone", "loop": "loop",
		} {
			if err := os.Symlink(to, filepath.Join(in, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	r, err := OpenRoots([]string{in, filepath.Join(base, "other")})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, tt := range []struct {
		path, want string // what is read, or what the error says
		link       bool
	}{
		{"a.log", "a", false},
		{"./sub/../a.log", "a", false},
		{filepath.Join(in, "sub", "b.log"), "b", false},
		{"c.log", "c", false},
		{"inward", "b", true},
		{"absolute", "a", true},
		{"across", "c", true},
		{"outward", "outside", true},
		{"up/s.log", "outside", true},
		{"dangling", "no such file", true},
		{"loop", "no such file", true},
		{"missing.log", "no such file", false},
		{"../logs-secret/s.log", "outside", false},
		{"../logs-secret/none.log", "outside", false},
		{filepath.Join(base, "logs-secret", "s.log"), "outside", false},
		{os.DevNull, "outside", false},
		{"", "path is empty", false},
		{"a.log\x00", "no such file", false},
		{"sub", "is a directory; name a log in it, such as b.log", false},
		{".", "is a directory", false},
	} {
		if tt.link && !links {
			continue
		}
		f, err := r.Open(tt.path)
		if err != nil {
			if !strings.Contains(err.Error(), tt.want) || len(tt.want) < 2 {
				t.Errorf("%q: %v, want %q", tt.path, err, tt.want)
			}
			continue
		}
		text, err := io.ReadAll(f)
		f.Close()
		if err != nil || string(text) != tt.want {
			t.Errorf("%q: read %q, %v, want %q", tt.path, text, err, tt.want)
		}
	}
}

// TestOnlyFiles: what could be waited for without end is not opened.
func TestOnlyFiles(t *testing.T) {
	if _, err := os.Stat("/dev/zero"); err != nil {
		t.Skip("SKIPPED: no devices here")
	}
	r, err := OpenRoots([]string{"/dev"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Open("/dev/zero"); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Errorf("%v", err)
	}
}

func TestNoSuchRoot(t *testing.T) {
	file := write(t, filepath.Join(t.TempDir(), "a.log"), "")
	for _, dir := range []string{file, file + ".none"} {
		if _, err := OpenRoots([]string{dir}); err == nil || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

func TestReadLines(t *testing.T) {
	long := strings.Repeat("x", 3<<20)
	for _, tt := range []struct {
		text        string
		first, last int
		want        string
		read        int
	}{
		{"a\nb\nc\n", 2, 3, "2 b|3 c", 3},
		{"a\nb\nc", 3, 9, "3 c", 3},
		{"a\n\nc\n", 1, 2, "1 a|2 ", 2},
		{"a\n", 2, 4, "", 1},
		{"", 1, 1, "", 0},
		{"a\r\nb", 1, 1, "1 a", 1},
		{long + "\nb\n", 2, 2, "2 b", 2},
		{long + "\nb\n", 1, 1, "1 " + long[:lineRead], 1},
	} {
		found, read, err := readLines(strings.NewReader(tt.text), tt.first, tt.last)
		var got []string
		for _, l := range found {
			got = append(got, strings.Join([]string{string(rune('0' + l.Line)), l.Text}, " "))
		}
		if s := strings.Join(got, "|"); err != nil || s != tt.want || read != tt.read {
			t.Errorf("%.20q, %d to %d: %.40q of %d, %v; want %.40q of %d", tt.text, tt.first, tt.last, s, read, err, tt.want, tt.read)
		}
	}
}

func TestCut(t *testing.T) {
	if got := cut(strings.Repeat("a", lineMost-1) + "üü"); got != strings.Repeat("a", lineMost-1)+"…" {
		t.Errorf("%q", got[len(got)-8:])
	}
}
