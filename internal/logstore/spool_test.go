package logstore

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// A spool keeps no more than its bound; the oldest gives way, whole lines are read, numbers stay true.
func TestSpoolIsBounded(t *testing.T) {
	k := NewSpool(MaxKept)
	k.slots = memSlots + 8
	logs := []*Log{k.Log("a"), k.Log("b")}
	lines := []int{0, 0}
	rnd := rand.New(rand.NewSource(7))
	dropped := false
	for range 400 {
		i := rnd.Intn(2)
		var text bytes.Buffer
		for range 1 + rnd.Intn(1500) {
			lines[i]++
			fmt.Fprintf(&text, "%s %d %s\n", logs[i].Name, lines[i], strings.Repeat("x", rnd.Intn(90)))
		}
		if _, err := logs[i].Write(text.Bytes()); err != nil {
			t.Fatal(err)
		}
		held := 0
		for _, log := range logs {
			held += len(log.own.slots)
			first := log.First()
			dropped = dropped || first > 0
			got := log.Forward(0, 1)
			n := log.Number(first)
			if len(got) > 0 && !strings.HasPrefix(got[0].Text, fmt.Sprintf("%s %d ", log.Name, n)) {
				t.Fatalf("line %d is %.20q", n, got[0].Text)
			}
			if log.Offset(1) != first || log.Offset(n) != first || n > 1 && log.Offset(n/2) != first {
				t.Fatalf("line %d is the first at %d: %d, %d", n, first, log.Offset(1), log.Offset(n))
			}
			last := log.Backward(log.Size(), 1)
			if m := log.Lines(); m > 0 && !strings.HasPrefix(last[0].Text, fmt.Sprintf("%s %d ", log.Name, m)) {
				t.Fatalf("the last line, %d, is %.20q", m, last[0].Text)
			}
		}
		if held > k.slots {
			t.Fatalf("%d blocks are kept, %d may be", held, k.slots)
		}
	}
	if !dropped {
		t.Fatal("nothing gave way")
	}
	for _, log := range logs {
		n := int64(0)
		for off := log.Size(); off > log.First(); n += 500 {
			back := log.Backward(off, 500)
			if len(back) == 0 {
				t.Fatal("reading backward ends too early")
			}
			off = back[0].Off
		}
	}
}

// The file is for this user alone, and gone as soon as it is there; at the latest when all is closed.
func TestSpoolFileIsPrivate(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	k := NewSpool(MaxKept)
	a, b := k.Log("a"), k.Log("b")
	if _, err := a.Write(make([]byte, inMemory)); err != nil {
		t.Fatal(err)
	}
	if k.file != nil {
		t.Error("there is a file for what fits in memory")
	}
	if _, err := b.Write([]byte("one more\n")); err != nil {
		t.Fatal(err)
	}
	info, err := k.file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode != 0o600 {
		t.Errorf("mode %o", mode)
	}
	if left, _ := filepath.Glob(dir + "/*"); runtime.GOOS != "windows" && len(left) > 0 {
		t.Errorf("%q can be seen", left)
	}
	file := k.file
	a.Close()
	if got := b.Forward(0, 1); len(got) != 1 || got[0].Text != "one more\n" {
		t.Errorf("%v, when another is closed", got)
	}
	b.Close()
	if left, _ := filepath.Glob(dir + "/*"); len(left) > 0 {
		t.Errorf("%q is left", left)
	}
	if _, err := file.Stat(); err == nil {
		t.Error("the file is still open")
	}
	if _, err := b.Write([]byte("late")); err == nil {
		t.Error("a closed copy takes more")
	}
}

// What is closed makes room; where no file can be written, what came before stays.
func TestSpoolWithoutFile(t *testing.T) {
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "none"))
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	k := NewSpool(MaxKept)
	a, b := k.Log("a"), k.Log("b")
	full := bytes.Repeat([]byte("0123456\n"), inMemory/8)
	a.Write(full[:inMemory/2])
	b.Write(full[:inMemory/2])
	a.Close()
	if _, err := b.Write(full[:inMemory/2]); err != nil {
		t.Errorf("there is room: %v", err)
	}
	if _, err := b.Write(full[:8]); err == nil {
		t.Error("no error")
	}
	if got := b.Lines(); got != inMemory/8 {
		t.Errorf("%d lines", got)
	}
}
