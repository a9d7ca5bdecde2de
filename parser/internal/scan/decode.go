package scan

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// decoder turns the bytes of a source into UTF-8 text in front of the line splitter. A byte order
// mark chooses UTF-8 or UTF-16; NUL bytes (the hole that copytruncate leaves, UTF-16 without a
// mark) are dropped; everything else, invalid bytes too, passes untouched. The output does not
// depend on how the input was cut. The zero value is ready.
type decoder struct {
	mode encoding
	held [3]byte // an undecided byte order mark, or half a code unit
	n    int     // bytes in held
	high rune    // a high surrogate that waits for its partner
	out  []byte
}

type encoding uint8

const (
	undecided encoding = iota
	utf8Text
	utf16LE
	utf16BE
)

var byteOrderMarks = []struct {
	mark string
	mode encoding
}{{"\xef\xbb\xbf", utf8Text}, {"\xff\xfe", utf16LE}, {"\xfe\xff", utf16BE}}

// decode returns the text of the next bytes: p itself where nothing has to change, else memory that
// is valid until the next call.
func (d *decoder) decode(p []byte) []byte {
	d.out = d.out[:0]
	for d.mode == undecided && len(p) > 0 {
		d.held[d.n] = p[0]
		d.n++
		if d.n == 1 && !d.settle() && d.mode == utf8Text {
			d.n = 0 // the usual case: no mark, and p is still whole
			break
		}
		p = p[1:]
		if d.n > 1 {
			d.settle()
		}
		if d.mode == utf8Text {
			d.out = append(d.out, bytes.ReplaceAll(d.held[:d.n], []byte{0}, nil)...)
			d.n = 0
		}
	}
	switch d.mode {
	case utf16LE, utf16BE:
		d.units(p)
		return d.out
	}
	if len(d.out) == 0 && bytes.IndexByte(p, 0) < 0 {
		return p
	}
	for len(p) > 0 {
		i := bytes.IndexByte(p, 0)
		if i < 0 {
			i = len(p)
		}
		d.out = append(d.out, p[:i]...)
		p = p[min(i+1, len(p)):]
	}
	return d.out
}

// settle chooses the encoding once the held bytes allow it, and reports whether they are a mark,
// which it takes away.
func (d *decoder) settle() bool {
	begun := false
	for _, m := range byteOrderMarks {
		switch held := string(d.held[:d.n]); {
		case held == m.mark:
			d.mode, d.n = m.mode, 0
			return true
		case len(held) < len(m.mark) && m.mark[:len(held)] == held:
			begun = true
		}
	}
	if !begun {
		d.mode = utf8Text
	}
	return false
}

// units decodes UTF-16 into out.
func (d *decoder) units(p []byte) {
	for _, c := range p {
		if d.n == 0 {
			d.held[0], d.n = c, 1
			continue
		}
		d.n = 0
		unit := rune(d.held[0]) | rune(c)<<8
		if d.mode == utf16BE {
			unit = rune(d.held[0])<<8 | rune(c)
		}
		d.unit(unit)
	}
}

func (d *decoder) unit(u rune) {
	if d.high != 0 {
		r := utf16.DecodeRune(d.high, u)
		d.high = 0
		if r != utf8.RuneError {
			d.out = utf8.AppendRune(d.out, r)
			return
		}
		d.out = utf8.AppendRune(d.out, utf8.RuneError)
	}
	switch {
	case u >= 0xd800 && u < 0xdc00:
		d.high = u
	case u != 0:
		d.out = utf8.AppendRune(d.out, u) // a lone low surrogate becomes U+FFFD here
	}
}

// flush returns what was still held when the source ended.
func (d *decoder) flush() []byte {
	d.out = d.out[:0]
	switch {
	case d.mode == undecided:
		d.out = append(d.out, d.held[:d.n]...)
	case d.high != 0 || d.n > 0:
		d.out = utf8.AppendRune(d.out, utf8.RuneError)
	}
	d.n, d.high = 0, 0
	return d.out
}
