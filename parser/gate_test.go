package parser

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// bruteHits is what a gate must find, by the definition.
func bruteHits(lits []string, text string) []gateHit {
	var hits []gateHit
	for i, l := range lits {
		if l == "" {
			continue
		}
		for at := 0; at+len(l) <= len(text); at++ {
			k := strings.Index(text[at:], l)
			if k < 0 {
				break
			}
			at += k
			hits = append(hits, gateHit{int32(at), int32(i)})
		}
	}
	slices.SortFunc(hits, func(x, y gateHit) int {
		return cmp.Or(cmp.Compare(x.start, y.start), cmp.Compare(x.lit, y.lit))
	})
	return hits
}

// checkGate compares both ways of scanning with brute force.
func checkGate(t *testing.T, lits []string, text string) {
	t.Helper()
	g := newGate(lits)
	want := bruteHits(lits, text)
	keep := gateHit{-1, -1}
	got := g.appendHits([]gateHit{keep}, []byte(text))
	if got[0] != keep || !slices.Equal(got[1:], want) {
		t.Fatalf("literals %q\ntext %q\nappendHits gives %v\nwant %v", lits, text, got[1:], want)
	}
	end, n := 0, 0
	g.scan([]byte(text), func(lit, start int) {
		h := gateHit{int32(start), int32(lit)}
		if !slices.Contains(want, h) {
			t.Fatalf("scan gives %v, which is not there", h)
		}
		if e := start + len(lits[lit]); e < end {
			t.Fatalf("scan gives end %d after end %d", e, end)
		} else {
			end = e
		}
		n++
	})
	if n != len(want) {
		t.Fatalf("scan gives %d hits, want %d", n, len(want))
	}
}

func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		lits []string
		text string
	}{
		"nothing":               {nil, "some text"},
		"empty text":            {[]string{"out of memory"}, ""},
		"empty literal":         {[]string{"", "out of memory"}, "out of memory"},
		"start and end":         {[]string{"out of memory"}, "out of memory, out of memory"},
		"below the window":      {[]string{"out of memory", "Killed"}, "Killed"},
		"one byte":              {[]string{"x", "out of memory"}, "xxx out of memoryx"},
		"twice the same":        {[]string{"out of memory", "out of memory"}, "CUDA out of memory"},
		"inside another":        {[]string{"CUDA out of memory", "out of memory", "memory", "a out"}, "CUDA out of memory"},
		"itself, overlaid":      {[]string{"abababababab", "aaaa"}, "abababababababab aaaaaaa"},
		"cut at the end":        {[]string{"out of memory"}, "CUDA out of memor"},
		"cut at the start":      {[]string{"CUDA out of memory"}, "UDA out of memory"},
		"not only ASCII":        {[]string{"内存不足，无法分配", "\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff"}, "错误：内存不足，无法分配\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00"},
		"longer than looked at": {[]string{strings.Repeat("ab", 300)}, "a" + strings.Repeat("ab", 301)},
	} {
		t.Run(name, func(t *testing.T) { checkGate(t, c.lits, c.text) })
	}
}

// TestGateRandom uses a small alphabet, so that literals overlap, contain and nearly equal each other.
func TestGateRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	word := func(alphabet string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	for range 3000 {
		alphabet := pick(r, "ab", "ab \n", "eGK:o", "abcdefghijklmnopqrstuvwxyz")
		shortest := pick(r, "\x04", "\x08", "\x0c", "\x01")[0]
		lits := make([]string, r.IntN(12))
		for i := range lits {
			lits[i] = word(alphabet, int(shortest)+r.IntN(14))
		}
		var text strings.Builder
		for range r.IntN(20) {
			if len(lits) > 0 && r.IntN(2) == 0 {
				text.WriteString(lits[r.IntN(len(lits))])
			} else {
				text.WriteString(word(alphabet, r.IntN(30)))
			}
		}
		checkGate(t, lits, text.String())
	}
}

// TestGateLog plants literals in log text, where the four streams meet among other places.
func TestGateLog(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	lits := append(sampleLiterals(300), "Killed", "Bus error", "OOM")
	text := sampleLog(200_000, 9)
	for q := range 5 {
		copy(text[min(q*len(text)/4, len(text)-20):], lits[q])
	}
	for range 500 {
		l := lits[r.IntN(len(lits))]
		copy(text[r.IntN(len(text)-len(l)):], l)
	}
	checkGate(t, lits, string(text))
}

func TestGateNoAllocation(t *testing.T) {
	g := newGate(append(sampleLiterals(100), "Killed"))
	line := []byte("some text before it: Killed, and " + sampleLiterals(1)[0])
	n := 0
	if a := testing.AllocsPerRun(100, func() { g.scan(line, func(int, int) { n++ }) }); a != 0 {
		t.Errorf("scan of a line allocates %v times", a)
	}
	if n == 0 {
		t.Error("nothing found")
	}
}

// TestGateWidth: a short literal is not worth shorter steps for all the others.
func TestGateWidth(t *testing.T) {
	long := sampleLiterals(100)
	long = slices.DeleteFunc(long, func(l string) bool { return len(l) < maxWidth })
	if w := newGate(append(long, "Killed")).width; w != maxWidth {
		t.Errorf("with one short literal the window is %d wide, want %d", w, maxWidth)
	}
	if g := newGate([]string{"Killed"}); g.width != 0 || len(g.short) != 1 {
		t.Errorf("one short literal gives %d chains and a window of %d", len(g.short), g.width)
	}
}

func FuzzGate(f *testing.F) {
	f.Add("out of memory\nKilled\nmemory", "CUDA out of memory\nKilled")
	f.Add("aaaa\naaaaaaaaaaaaa\nbaaaaaaaaaaaa", "baaaaaaaaaaaaaaaaaaaaaaaa")
	f.Fuzz(func(t *testing.T, lits, text string) {
		if len(lits)+len(text) > 4096 {
			return
		}
		checkGate(t, strings.Split(lits, "\n"), text)
	})
}

// sampleLiterals composes n different literals of at least 8 bytes from the words that memory
// messages are made of, many of which also stand in healthy lines.
func sampleLiterals(n int) []string {
	r := rand.New(rand.NewPCG(uint64(n), 11))
	words := strings.Fields("out of memory CUDA HIP allocate allocated Tried to GPU KV cache blocks available Available free total capacity GiB MiB reserved by PyTorch but unallocated is less than desired utilization max_model_len model weights Loading took seconds profiling engine core Engine failed process died killed SIGKILL Error: in while the for no not enough usage request requests preempted tokens number maximum length larger graph capture captured warming up sampler NCCL WARN Cuda failure worker rank torch.OutOfMemoryError")
	seen := map[string]bool{}
	var lits []string
	for len(lits) < n {
		var l []string
		for range 2 + r.IntN(5) {
			l = append(l, words[r.IntN(len(words))])
		}
		s := strings.Join(l, " ")
		if len(s) >= 8 && !seen[s] {
			seen[s] = true
			lits = append(lits, s)
		}
	}
	return lits
}

func BenchmarkGate(b *testing.B) {
	text := sampleLog(16<<20, 5)
	run := func(name string, lits []string) {
		b.Run(name, func(b *testing.B) {
			g := newGate(lits)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var hits []gateHit
			n := 0
			for b.Loop() {
				for chunk := range slices.Chunk(text, 1<<20) {
					hits = g.appendHits(hits[:0], chunk)
					n += len(hits)
				}
			}
			b.ReportMetric(float64(g.width), "width")
			b.ReportMetric(float64(n)/float64(b.N), "hits")
		})
	}
	for _, n := range []int{100, 300, 600} {
		lits := sampleLiterals(n)
		run(fmt.Sprint("literals=", n), lits)
		long := slices.DeleteFunc(slices.Clone(lits), func(l string) bool { return len(l) < 12 })
		run(fmt.Sprint("long=", n), long)
		run(fmt.Sprint("short+long=", n), append(long, "Killed", "OOMKilled", "Bus error", "MemoryError"))
	}
}

// BenchmarkGateDense is the worst case: every line holds several literals.
func BenchmarkGateDense(b *testing.B) {
	lits := sampleLiterals(300)
	text := []byte(strings.Repeat(strings.Join(lits[:6], " ")+"\n", 1<<20/200))
	g := newGate(lits)
	b.SetBytes(int64(len(text)))
	var hits []gateHit
	for b.Loop() {
		hits = g.appendHits(hits[:0], text)
	}
	b.ReportMetric(float64(len(hits)), "hits")
}

func BenchmarkGateLine(b *testing.B) {
	g := newGate(sampleLiterals(300))
	line, _, _ := bytes.Cut(sampleLog(1, 2), []byte("\n"))
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		g.scan(line, func(int, int) {})
	}
}

func BenchmarkNewGate(b *testing.B) {
	lits := sampleLiterals(600)
	b.ReportAllocs()
	for b.Loop() {
		newGate(lits)
	}
}
