// Package gate finds a fixed set of texts in raw bytes, about as fast as memory is read.
//
// A text of gram+stride-1 bytes holds, wherever it stands, one whole gram at a multiple of stride. So the gate
// looks at every stride-th place only: it hashes the gram there and asks a table whether any text has such a
// one. No step waits for the one before it, which is what makes this faster than skipping by a table
// (Wu-Manber): a core has a dozen loads on their way at once. What a log is full of must not be looked for:
// whoever chooses the texts says which of their bytes are rare.
package gate

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Gate looks for texts. It is immutable and safe for concurrent use.
type Gate struct {
	texts []Text
	lanes []lane
	bytes []int32 // texts too short for any lane, looked for by one byte
}

// Text is what a gate looks for.
type Text struct {
	S  string
	At uint8 // where in it the window begins that the gate looks at first; see [Window]
}

// Hit is one occurrence of a text. Hits are ordered by their start, then by the text's index.
type Hit uint64

func newHit(start int, text int32) Hit { return Hit(start)<<32 | Hit(text) }

// Start is the index in the bytes scanned, Text the index of the text.
func (h Hit) Start() int { return int(h >> 32) }

// Text is the index of the text in those that the gate was made of.
func (h Hit) Text() int { return int(int32(h)) }

// Strides are the distances between the places that a gate can look at, longest first.
var Strides = [...]int{7, 3, 1}

// Gram is how many bytes are looked at together: wider ones are rarer, narrower ones allow longer strides.
func Gram(stride int) int {
	if stride == 7 {
		return 6
	}
	return 4
}

// Window is how long a text has to be for a stride.
func Window(stride int) int { return Gram(stride) + stride - 1 }

// lane looks for texts with one stride.
type lane struct {
	stride  int
	bits    bitTable
	bytes   byteTable
	heads   [1 << headBits]int32 // chains of entries, by the hash of a gram; 0 is the end
	entries []entry
}

// The tables tell by the hash of a gram whether any text has such a one. Both stay in the first-level cache: the
// one by bits has room for more, the one by bytes takes fewer steps.
type (
	bitTable  [1 << bitsBits / 64]uint64
	byteTable [1 << bytesBits]uint8
)

func (l *lane) set(gram uint64) {
	h := gram * fibonacci >> (64 - bitsBits)
	l.bits[h/64] |= 1 << (h % 64)
	l.bytes[gram*fibonacci>>(64-bytesBits)] = 1
}

func (l *lane) has(gram uint64) bool {
	h := gram * fibonacci >> (64 - bitsBits)
	return l.bits[h/64]>>(h%64)&1 != 0
}

// entry is one gram of a text.
type entry struct {
	gram uint64
	text int32
	off  int32 // where in the text the gram stands
	next int32
}

const (
	bitsBits  = 18
	bytesBits = 15
	headBits  = 12
	unroll    = 4                  // places that a step looks at
	block     = 4 << 10            // bytes between two looks at what was found
	read      = 8                  // bytes read at a place
	fibonacci = 0x9E3779B97F4A7C15 // for hashing
)

// gramAt returns the gram that b begins with, moved up so that nothing of the bytes behind it is left.
func gramAt(b []byte, stride int) uint64 {
	return binary.LittleEndian.Uint64(b) << (64 - 8*Gram(stride))
}

// New returns a gate for the texts, each looked for with the longest of the strides that it is long enough for
// from its At on.
func New(texts []Text, strides ...int) *Gate {
	g := &Gate{texts: texts, lanes: make([]lane, len(strides))}
	for i, s := range strides {
		l := &g.lanes[i]
		l.stride, l.entries = s, make([]entry, 1, 1+s*len(texts))
	}
	for i, t := range texts {
		k := slices.IndexFunc(strides, func(s int) bool { return len(t.S)-int(t.At) >= Window(s) })
		switch {
		case k >= 0:
			g.lanes[k].add(int32(i), t)
		case t.S != "":
			g.bytes = append(g.bytes, int32(i))
		}
	}
	return g
}

func (l *lane) add(text int32, t Text) {
	for off := int(t.At); off < int(t.At)+l.stride; off++ {
		var b [read]byte
		copy(b[:], t.S[off:])
		x := gramAt(b[:], l.stride)
		l.set(x)
		head := &l.heads[x*fibonacci>>(64-headBits)]
		l.entries = append(l.entries, entry{x, text, int32(off), *head})
		*head = int32(len(l.entries) - 1)
	}
}

// AppendHits appends every occurrence of a text in b to dst, in order. Overlaps and several texts at one
// place are all found; a text across two calls is not. b is below 2 GiB.
func (g *Gate) AppendHits(dst []Hit, b []byte) []Hit {
	old := len(dst)
	for i := range g.lanes {
		dst = g.appendLane(dst, b, &g.lanes[i])
	}
	for _, t := range g.bytes {
		dst = g.appendByte(dst, b, t)
	}
	slices.Sort(dst[old:])
	return dst
}

func (g *Gate) appendLane(dst []Hit, b []byte, l *lane) []Hit {
	var found [block / unroll]uint16
	at := 0
	for len(b)-at >= unroll*l.stride+read {
		n, used := l.places(b[at:min(len(b), at+block)], found[:])
		for _, p := range found[:n] {
			for k := range unroll {
				p := at + int(p) + k*l.stride
				if x := gramAt(b[p:], l.stride); l.has(x) {
					dst = g.verify(dst, b, p, l, x)
				}
			}
		}
		at += used
	}
	// The last places, where fewer bytes are left than are read at once.
	var rest [(unroll * 7) + 2*read]byte
	copy(rest[:], b[at:])
	for p := at; p+Gram(l.stride) <= len(b); p += l.stride {
		dst = g.verify(dst, b, p, l, gramAt(rest[p-at:], l.stride))
	}
	return dst
}

func (l *lane) places(b []byte, found []uint16) (n, used int) {
	switch l.stride {
	case 7:
		return bitPlaces[[7]byte](&l.bits, b, found)
	case 3:
		return bytePlaces[[3]byte](&l.bytes, b, found)
	default:
		return bytePlaces[[1]byte](&l.bytes, b, found)
	}
}

// stride is a lane's as the length of a type: so the compiler makes a kernel for each, with its own constants.
type stride interface{ [1]byte | [3]byte | [7]byte }

// bitPlaces writes to found at which steps a text may be, and returns how many and how much of b it has seen.
// It does not branch on what it finds: a wrong guess would cost more than all the rest.
func bitPlaces[S stride](seen *bitTable, b []byte, found []uint16) (n, used int) {
	const down = 64 - bitsBits
	s, all := len(*new(S)), len(b)
	for len(b) >= unroll*s+read && n < len(found) {
		h0 := gramAt(b, s) * fibonacci >> down
		h1 := gramAt(b[s:], s) * fibonacci >> down
		h2 := gramAt(b[2*s:], s) * fibonacci >> down
		h3 := gramAt(b[3*s:], s) * fibonacci >> down
		hit := seen[h0/64]>>(h0%64) | seen[h1/64]>>(h1%64) | seen[h2/64]>>(h2%64) | seen[h3/64]>>(h3%64)
		found[n] = uint16(all - len(b))
		n += int(hit & 1)
		b = b[unroll*s:]
	}
	return n, all - len(b)
}

// bytePlaces is bitPlaces with the table for few texts.
func bytePlaces[S stride](seen *byteTable, b []byte, found []uint16) (n, used int) {
	const down = 64 - bytesBits
	s, all := len(*new(S)), len(b)
	for len(b) >= unroll*s+read && n < len(found) {
		hit := seen[gramAt(b, s)*fibonacci>>down] | seen[gramAt(b[s:], s)*fibonacci>>down] |
			seen[gramAt(b[2*s:], s)*fibonacci>>down] | seen[gramAt(b[3*s:], s)*fibonacci>>down]
		found[n] = uint16(all - len(b))
		n += int(hit)
		b = b[unroll*s:]
	}
	return n, all - len(b)
}

// verify compares the texts that have a gram at p.
func (g *Gate) verify(dst []Hit, b []byte, p int, l *lane, gram uint64) []Hit {
	for i := l.heads[gram*fibonacci>>(64-headBits)]; i != 0; {
		e := &l.entries[i]
		if e.gram == gram {
			dst = g.appendIfThere(dst, b, p-int(e.off), e.text)
		}
		i = e.next
	}
	return dst
}

func (g *Gate) appendByte(dst []Hit, b []byte, text int32) []Hit {
	t := &g.texts[text]
	for at := 0; ; at++ {
		k := bytes.IndexByte(b[at:], t.S[t.At])
		if k < 0 {
			return dst
		}
		at += k
		dst = g.appendIfThere(dst, b, at-int(t.At), text)
	}
}

func (g *Gate) appendIfThere(dst []Hit, b []byte, start int, text int32) []Hit {
	t := g.texts[text].S
	if start >= 0 && start+len(t) <= len(b) && string(b[start:start+len(t)]) == t {
		dst = append(dst, newHit(start, text))
	}
	return dst
}
