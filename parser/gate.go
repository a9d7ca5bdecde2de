package parser

//go:generate go test -run ^TestBigrams$ . -args -write-bigrams

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
)

// gate finds the literals of the catalogue in raw bytes. It is immutable after [newGate] and safe for
// concurrent use.
//
// The method is Wu-Manber's: of every literal one window of fixed width is chosen, and the last four
// bytes of the text under a sliding window tell, through a small table, how far it can move without
// passing over any of them. Windows are chosen where the bytes are rare in server logs (the table in
// gate_bigrams.go). Literals too short for the window would make every step short; they are looked
// for apart, by their rarest byte.
type gate struct {
	lits  []string
	width int            // of the window; 0 when no literal is long enough for one
	off   []uint8        // per literal: where in it the window, or the rarest byte, stands
	next  []int32        // per literal: the next one in its chain, -1 at the end
	head  [1 << 10]int32 // chains of the literals with windows, by the hash of the window's end
	short []shortChain
	shift [1 << hashBits]uint8
}

// shortChain holds the literals found by one byte.
type shortChain struct {
	rare byte
	head int32
}

// gateHit is one occurrence of a literal.
type gateHit struct{ start, lit int32 }

func (h gateHit) key() int64 { return int64(h.start)<<32 | int64(h.lit) }

const (
	gram      = 4   // bytes that a step looks at
	maxWidth  = 12  // a wider window has longer steps, and fewer literals that are long enough
	hashBits  = 15  // 32 KiB of shifts stay in the first-level cache
	maxOffset = 200 // how far into a literal windows are looked for
)

// gramHash maps four bytes to their place in the table of shifts (Fibonacci hashing).
func gramHash(x uint32) uint32 { return (x * 0x9E3779B1) >> (32 - hashBits) }

func (g *gate) chainOf(hash uint32) *int32 { return &g.head[hash>>(hashBits-10)] }

// newGate returns a gate for literals of at least one byte; four and more are sensible, twelve and
// more fast.
func newGate(lits []string) *gate {
	g := &gate{lits: lits, off: make([]uint8, len(lits)), next: make([]int32, len(lits))}
	for i := range g.head {
		g.head[i] = -1
	}
	freq := byteFrequencies()
	g.width = chooseWidth(lits, &freq)
	if g.width > 0 {
		longest := uint8(g.width - gram + 1)
		for i := range g.shift {
			g.shift[i] = longest
		}
	}
	for i, l := range lits {
		switch {
		case l == "":
		case g.width > 0 && len(l) >= g.width:
			g.addWindow(int32(i))
		default:
			g.addShort(int32(i), rarestByte(l, &freq))
		}
	}
	return g
}

func (g *gate) addWindow(lit int32) {
	l := g.lits[lit]
	o := rarestWindow(l, g.width)
	g.off[lit] = uint8(o)
	win := l[o : o+g.width]
	last := g.width - gram
	for i := 0; i <= last; i++ {
		s := &g.shift[gramHash(gramAt(win, i))]
		*s = min(*s, uint8(last-i))
	}
	head := g.chainOf(gramHash(gramAt(win, last)))
	g.next[lit], *head = *head, lit
}

func (g *gate) addShort(lit int32, off int) {
	g.off[lit] = uint8(off)
	b := g.lits[lit][off]
	i := slices.IndexFunc(g.short, func(c shortChain) bool { return c.rare == b })
	if i < 0 {
		i = len(g.short)
		g.short = append(g.short, shortChain{b, -1})
	}
	g.next[lit], g.short[i].head = g.short[i].head, lit
}

func gramAt(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// scan calls hit for each occurrence of a literal, in increasing order of its end, with the literal's
// index and the offset of its start. Overlaps and several literals at one place are all reported.
// b is below 2 GiB.
func (g *gate) scan(b []byte, hit func(lit, start int)) {
	var room [32]gateHit
	hits := g.appendHits(room[:0], b)
	end := func(h gateHit) int { return int(h.start) + len(g.lits[h.lit]) }
	slices.SortStableFunc(hits, func(x, y gateHit) int { return cmp.Compare(end(x), end(y)) })
	for _, h := range hits {
		hit(int(h.lit), int(h.start))
	}
}

// appendHits appends every occurrence of a literal in b to dst, sorted by start, then by literal.
// b is below 2 GiB; a literal across two calls' chunks is not seen.
func (g *gate) appendHits(dst []gateHit, b []byte) []gateHit {
	old := len(dst)
	if g.width > 0 {
		dst = g.appendWindows(dst, b)
	}
	for _, c := range g.short {
		dst = g.appendShort(dst, b, c)
	}
	slices.SortFunc(dst[old:], func(x, y gateHit) int { return cmp.Compare(x.key(), y.key()) })
	return dst
}

// appendWindows slides four windows through the four quarters of b in turn: a step waits for its
// table entry, and meanwhile the other three go on. p is where a window's last gram begins.
func (g *gate) appendWindows(dst []gateHit, b []byte) []gateHit {
	lo, hi := g.width-gram, len(b)-gram+1
	if hi <= lo {
		return dst
	}
	quarter := (hi - lo) / 4
	p0, p1, p2, p3 := lo, lo+quarter, lo+2*quarter, lo+3*quarter
	e0, e1, e2 := p1, p2, p3
	for p0 < e0 && p1 < e1 && p2 < e2 && p3 < hi {
		h0 := gramHash(binary.LittleEndian.Uint32(b[p0:]))
		h1 := gramHash(binary.LittleEndian.Uint32(b[p1:]))
		h2 := gramHash(binary.LittleEndian.Uint32(b[p2:]))
		h3 := gramHash(binary.LittleEndian.Uint32(b[p3:]))
		s0, s1, s2, s3 := g.shift[h0], g.shift[h1], g.shift[h2], g.shift[h3]
		if s0 == 0 {
			dst, s0 = g.verify(dst, b, p0, h0), 1
		}
		if s1 == 0 {
			dst, s1 = g.verify(dst, b, p1, h1), 1
		}
		if s2 == 0 {
			dst, s2 = g.verify(dst, b, p2, h2), 1
		}
		if s3 == 0 {
			dst, s3 = g.verify(dst, b, p3, h3), 1
		}
		p0 += int(s0)
		p1 += int(s1)
		p2 += int(s2)
		p3 += int(s3)
	}
	for _, r := range [4][2]int{{p0, e0}, {p1, e1}, {p2, e2}, {p3, hi}} {
		for p := r[0]; p < r[1]; {
			h := gramHash(binary.LittleEndian.Uint32(b[p:]))
			s := g.shift[h]
			if s == 0 {
				dst, s = g.verify(dst, b, p, h), 1
			}
			p += int(s)
		}
	}
	return dst
}

// verify compares the literals whose window may end with the gram at p.
func (g *gate) verify(dst []gateHit, b []byte, p int, hash uint32) []gateHit {
	for i := *g.chainOf(hash); i >= 0; i = g.next[i] {
		dst = g.appendIfThere(dst, b, p+gram-g.width-int(g.off[i]), i)
	}
	return dst
}

func (g *gate) appendShort(dst []gateHit, b []byte, c shortChain) []gateHit {
	for at := 0; ; at++ {
		k := bytes.IndexByte(b[at:], c.rare)
		if k < 0 {
			return dst
		}
		at += k
		for i := c.head; i >= 0; i = g.next[i] {
			dst = g.appendIfThere(dst, b, at-int(g.off[i]), i)
		}
	}
}

func (g *gate) appendIfThere(dst []gateHit, b []byte, start int, lit int32) []gateHit {
	l := g.lits[lit]
	if start >= 0 && start+len(l) <= len(b) && string(b[start:start+len(l)]) == l {
		dst = append(dst, gateHit{int32(start), lit})
	}
	return dst
}

// chooseWidth weighs longer steps for the long literals against one more pass for each rare byte
// of the literals that are shorter than the window. The costs are nanoseconds per byte of log.
func chooseWidth(lits []string, freq *[256]float64) int {
	const (
		step  = 2.0  // one step of the four streams, a stream's share
		pass  = 0.05 // bytes.IndexByte
		visit = 5.0  // stopping at an occurrence of the byte
	)
	best, width := 0.0, 0
	for w := gram; w <= maxWidth; w++ {
		cost, long := 0.0, false
		var seen [256]bool
		for _, l := range lits {
			if len(l) >= w {
				long = true
				continue
			}
			if l == "" {
				continue
			}
			if c := l[rarestByte(l, freq)]; !seen[c] {
				seen[c] = true
				cost += pass + visit*freq[c]
			}
		}
		if long {
			cost += step / float64(w-gram+1)
		}
		if w == gram || cost <= best {
			best, width = cost, w
			if !long {
				return 0
			}
		}
	}
	return width
}

// rarestWindow returns where in l the window stands that is expected to cost least: each of its grams
// shortens the step wherever the log has it, and the last one stops it for a comparison.
func rarestWindow(l string, width int) int {
	const compare = 8 // a stop, in lost bytes of step
	n := min(len(l), maxOffset) - gram + 1
	var pair [maxOffset]int
	for i := range n + gram - 2 {
		pair[i] = bigram(l[i], l[i+1])
	}
	var often [maxOffset]uint64 // per gram
	for i := range n {
		often[i] = power(pair[i] + pair[i+2])
	}
	best, off := ^uint64(0), 0
	last := width - gram
	for o := range n - last {
		cost := compare * often[o+last]
		for i, f := range often[o : o+last+1] {
			cost += uint64(i+1) * f
		}
		if cost < best {
			best, off = cost, o
		}
	}
	return off
}

func rarestByte(l string, freq *[256]float64) int {
	best := 0
	for i := 1; i < min(len(l), maxOffset); i++ {
		if freq[l[i]] < freq[l[best]] {
			best = i
		}
	}
	return best
}

// byteFrequencies returns the share of each byte in server logs.
func byteFrequencies() (freq [256]float64) {
	var count [bigramClasses]uint64
	total := uint64(0)
	for i := range len(bigrams) {
		n := power(int(bigrams[i] - '0'))
		count[i/bigramClasses] += n
		total += n
	}
	for b := range freq {
		freq[b] = float64(count[bigramClass(byte(b))]) / float64(total)
	}
	return freq
}

const bigramClasses = 96

// bigramClass numbers the printable ASCII characters from 0; all other bytes are one class.
func bigramClass(c byte) int {
	if c -= ' '; c < bigramClasses-1 {
		return int(c)
	}
	return bigramClasses - 1
}

// bigram returns 2·log₂ of how often b follows a in the sample that the table was made from.
func bigram(a, b byte) int {
	return int(bigrams[bigramClass(a)*bigramClasses+bigramClass(b)] - '0')
}

// power undoes the logarithm of the table.
func power(halves int) uint64 {
	if halves&1 == 0 {
		return 1 << (halves / 2)
	}
	return 1 << (halves / 2) * 181 >> 7 // √2
}
