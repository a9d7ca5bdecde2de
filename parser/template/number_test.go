package template

import "testing"

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		lines []string
		exact bool
		want  float64
		end   int // byte of the squeezed text at which it ends, −1 for none
	}{
		{[]string{"10.12 GB"}, false, 10.12, 5},
		{[]string{"1,234.5 MiB"}, false, 1234.5, 7},
		{[]string{"10.", "12 GB"}, false, 10.12, 5},
		{[]string{"10.1", "2 GB"}, false, 10.12, 5},
		{[]string{"1", "0.12 GB"}, false, 10.12, 5},
		{[]string{"5 GiB", "12"}, false, 5, 1},
		{[]string{"8192.", "12 files"}, true, 8192, 4}, // a sentence may end behind a count
		{[]string{"8192", "12 files"}, true, 8192, 4},
		{[]string{"1 2 GiB"}, false, 1, 1}, // two numbers
		{[]string{"GiB"}, false, 0, -1},
	} {
		var text Text
		for _, l := range c.lines {
			text.Add([]byte(l), LineEnd)
		}
		if v, _, end := number(&text, 0, c.exact); v != c.want || end != c.end {
			t.Errorf("%q: %v to %d, want %v to %d", c.lines, v, end, c.want, c.end)
		}
	}
}
