package logstore

import (
	"bytes"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// A log gives back every line, by number and by offset, in both directions, however it was written.
func TestLog(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	var text bytes.Buffer
	var want []string
	for i := range 20000 {
		s := fmt.Sprintf("line %d %s", i+1, strings.Repeat("x", rnd.Intn(120)))
		if i%997 == 0 {
			s = ""
		}
		want = append(want, s)
		text.WriteString(s + "\n")
	}
	text.WriteString("without an end")
	want = append(want, "without an end")
	for _, at := range []*bytes.Reader{nil, bytes.NewReader(text.Bytes())} {
		log := New("x", nil)
		if at != nil {
			log = New("x", at)
		}
		for p := text.Bytes(); len(p) > 0; {
			n := min(len(p), 1+rnd.Intn(400<<10))
			if _, err := log.Write(p[:n]); err != nil {
				t.Fatal(err)
			}
			p = p[n:]
		}
		if got := log.Lines(); got != int64(len(want)) {
			t.Fatalf("%d lines, want %d", got, len(want))
		}
		for _, n := range []int{1, 2, 997, 998, 5000, 12345, 20000, 20001} {
			off := log.Offset(int64(n))
			lines := log.Forward(off, 3)
			for i, l := range lines {
				if got := strings.TrimSuffix(l.Text, "\n"); got != want[n-1+i] {
					t.Fatalf("line %d: %q, want %q", n+i, got, want[n-1+i])
				}
				if got := log.Number(l.Off); got != int64(n+i) {
					t.Fatalf("offset %d is line %d, want %d", l.Off, got, n+i)
				}
			}
			back := log.Backward(off, 3)
			for i, l := range back {
				if got := strings.TrimSuffix(l.Text, "\n"); got != want[n-1-len(back)+i] {
					t.Fatalf("before line %d: %q, want %q", n, got, want[n-1-len(back)+i])
				}
			}
		}
		var all []string
		for off := int64(0); ; {
			lines := log.Forward(off, 777)
			if len(lines) == 0 {
				break
			}
			for _, l := range lines {
				all = append(all, strings.TrimSuffix(l.Text, "\n"))
			}
			off = lines[len(lines)-1].End
		}
		if strings.Join(all, "\n") != strings.Join(want, "\n") {
			t.Fatal("reading forward does not give the log")
		}
		all = nil
		for off := log.Size(); ; {
			lines := log.Backward(off, 777)
			if len(lines) == 0 {
				break
			}
			for i := len(lines) - 1; i >= 0; i-- {
				all = append(all, strings.TrimSuffix(lines[i].Text, "\n"))
			}
			off = lines[0].Off
		}
		for i := range all {
			if all[i] != want[len(want)-1-i] {
				t.Fatalf("reading backward: %q, want %q", all[i], want[len(want)-1-i])
			}
		}
		log.Close()
	}
}

// A line without an end in sight comes in pieces, and no offset is skipped.
func TestLogLongLine(t *testing.T) {
	text := strings.Repeat("a", 3*longLine+100) + "\nend\n"
	log := New("x", nil)
	log.Write([]byte(text))
	lines := log.Forward(0, 10)
	next := int64(0)
	for _, l := range lines {
		if l.Off != next {
			t.Fatalf("a piece at %d, want %d", l.Off, next)
		}
		next = l.End
	}
	if next != int64(len(text)) || len(lines) != 5 {
		t.Fatalf("%d pieces to %d, want 5 to %d", len(lines), next, len(text))
	}
	if back := log.Backward(log.Size(), 1); strings.TrimSpace(back[0].Text) != "end" {
		t.Fatalf("%q", back[0].Text)
	}
	if off := log.Offset(2); off != int64(3*longLine+101) {
		t.Fatalf("line 2 at %d", off)
	}
}
