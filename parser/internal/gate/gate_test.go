package gate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/internal/loggen"
)

// bruteHits is what a gate must find, by the definition.
func bruteHits(texts []Text, log string) []Hit {
	var hits []Hit
	for i, t := range texts {
		if t.S == "" {
			continue
		}
		for at := 0; at+len(t.S) <= len(log); at++ {
			k := strings.Index(log[at:], t.S)
			if k < 0 {
				break
			}
			at += k
			hits = append(hits, newHit(at, int32(i)))
		}
	}
	slices.Sort(hits)
	return hits
}

// checkGate compares all ways of dividing the texts among lanes with brute force.
func checkGate(t *testing.T, texts []Text, log string) {
	t.Helper()
	want := bruteHits(texts, log)
	keep := Hit(1 << 62)
	for _, strides := range [][]int{{}, {1}, {3}, {7, 3}, {7, 3, 1}} {
		got := New(texts, strides...).AppendHits([]Hit{keep}, []byte(log))
		if got[0] != keep || !slices.Equal(got[1:], want) {
			t.Fatalf("texts %q\nlog %q\nstrides %v give %v\nwant %v", texts, log, strides, got[1:], want)
		}
	}
}

func texts(s ...string) []Text {
	out := make([]Text, len(s))
	for i := range s {
		out[i].S = s[i]
	}
	return out
}

func TestGate(t *testing.T) {
	for name, c := range map[string]struct {
		texts []Text
		log   string
	}{
		"nothing":            {nil, "some text"},
		"empty log":          {texts("out of memory"), ""},
		"empty text":         {texts("", "out of memory"), "out of memory"},
		"start and end":      {texts("out of memory"), "out of memory, out of memory"},
		"short":              {texts("out of memory", "Killed"), "Killed"},
		"one byte":           {texts("x", "out of memory"), "xxx out of memoryx"},
		"twice the same":     {texts("out of memory", "out of memory"), "CUDA out of memory"},
		"inside another":     {texts("CUDA out of memory", "out of memory", "memory", "a out"), "CUDA out of memory"},
		"itself, overlaid":   {texts("abababababab", "aaaa"), "abababababababab aaaaaaa"},
		"cut at the end":     {texts("out of memory"), "CUDA out of memor"},
		"cut at the start":   {texts("CUDA out of memory"), "UDA out of memory"},
		"another window":     {[]Text{{"CUDA out of memory", 6}, {"Killed", 5}}, "CUDA out of memory Killed, xxUDA out of memory"},
		"not only ASCII":     {texts("内存不足，无法分配", "\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff"), "错误：内存不足，无法分配\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00\xff\x00"},
		"longer than a step": {texts(strings.Repeat("ab", 300)), "a" + strings.Repeat("ab", 301)},
	} {
		t.Run(name, func(t *testing.T) { checkGate(t, c.texts, c.log) })
	}
}

// TestGateRandom uses a small alphabet, so that texts overlap, contain and nearly equal each other.
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
		alphabet := [...]string{"ab", "ab \n", "eGK:o", "abcdefghijklmnopqrstuvwxyz"}[r.IntN(4)]
		shortest := [...]int{1, 4, 6, 12}[r.IntN(4)]
		list := make([]Text, r.IntN(12))
		for i := range list {
			list[i].S = word(alphabet, shortest+r.IntN(14))
			list[i].At = uint8(r.IntN(len(list[i].S)))
		}
		var log strings.Builder
		for range r.IntN(20) {
			if len(list) > 0 && r.IntN(2) == 0 {
				log.WriteString(list[r.IntN(len(list))].S)
			} else {
				log.WriteString(word(alphabet, r.IntN(30)))
			}
		}
		checkGate(t, list, log.String())
	}
}

// TestGateLog plants texts in a log, where blocks meet among other places.
func TestGateLog(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	list := append(sampleTexts(300), texts("Killed", "Bus error", "OOM")...)
	log := loggen.Server(200_000, 9)
	for at := 0; at+block < len(log); at += block {
		copy(log[at+block-1-r.IntN(30):], list[r.IntN(len(list))].S)
	}
	for range 500 {
		s := list[r.IntN(len(list))].S
		copy(log[r.IntN(len(log)-len(s)):], s)
	}
	checkGate(t, list, string(log))
}

func TestGateNoAllocation(t *testing.T) {
	g := New(append(sampleTexts(100), texts("Killed", "OOM")...), 7, 3)
	line := []byte("some text before it: Killed, and " + sampleTexts(1)[0].S)
	hits := make([]Hit, 0, 8)
	if a := testing.AllocsPerRun(100, func() { hits = g.AppendHits(hits[:0], line) }); a != 0 {
		t.Errorf("the scan of a line allocates %v times", a)
	}
	if len(hits) == 0 {
		t.Error("nothing found")
	}
}

func FuzzGate(f *testing.F) {
	f.Add("out of memory\nKilled\nmemory", "CUDA out of memory\nKilled")
	f.Add("aaaa\naaaaaaaaaaaaa\nbaaaaaaaaaaaa", "baaaaaaaaaaaaaaaaaaaaaaaa")
	f.Fuzz(func(t *testing.T, list, log string) {
		if len(list)+len(log) > 4096 {
			return
		}
		checkGate(t, texts(strings.Split(list, "\n")...), log)
	})
}

// sampleTexts composes n different texts of at least 8 bytes from the words that memory messages are made
// of, many of which also stand in healthy lines.
func sampleTexts(n int) []Text {
	r := rand.New(rand.NewPCG(uint64(n), 11))
	words := strings.Fields("out of memory CUDA HIP allocate allocated Tried to GPU KV cache blocks available Available free total capacity GiB MiB reserved by PyTorch but unallocated is less than desired utilization max_model_len model weights Loading took seconds profiling engine core Engine failed process died killed SIGKILL Error: in while the for no not enough usage request requests preempted tokens number maximum length larger graph capture captured warming up sampler NCCL WARN Cuda failure worker rank torch.OutOfMemoryError")
	seen := map[string]bool{}
	var list []Text
	for len(list) < n {
		var l []string
		for range 2 + r.IntN(5) {
			l = append(l, words[r.IntN(len(words))])
		}
		s := strings.Join(l, " ")
		if len(s) >= 8 && !seen[s] {
			seen[s] = true
			list = append(list, Text{S: s})
		}
	}
	return list
}

func BenchmarkGate(b *testing.B) {
	log := loggen.Server(16<<20, 5)
	for _, n := range []int{100, 300, 600} {
		for _, strides := range [][]int{{7, 3}, {3}, {1}} {
			b.Run(fmt.Sprintf("texts=%d/strides=%v", n, strides), func(b *testing.B) { bench(b, sampleTexts(n), log, strides...) })
		}
	}
}

// BenchmarkGateDense is the worst case: every line holds several texts.
func BenchmarkGateDense(b *testing.B) {
	list := sampleTexts(300)
	var line strings.Builder
	for _, t := range list[:6] {
		line.WriteString(t.S + " ")
	}
	bench(b, list, []byte(strings.Repeat(line.String()+"\n", 1<<20/200)), 7, 3)
}

func bench(b *testing.B, list []Text, log []byte, strides ...int) {
	g := New(list, strides...)
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	var hits []Hit
	n := 0
	for b.Loop() {
		for chunk := range slices.Chunk(log, 1<<20) {
			hits = g.AppendHits(hits[:0], chunk)
			n += len(hits)
		}
	}
	b.ReportMetric(float64(n)/float64(b.N), "hits")
}

func BenchmarkNew(b *testing.B) {
	list := sampleTexts(600)
	b.ReportAllocs()
	for b.Loop() {
		New(list, 7, 3)
	}
}
