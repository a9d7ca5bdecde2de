package oomdoc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// dline is a line of a damaged log; no is its number in the whole one, 0 when it is not from there or
// not whole.
type dline struct {
	no   int
	text string
}

func dlines(log []byte) []dline {
	var out []dline
	for i, s := range strings.Split(strings.TrimSuffix(string(log), "\n"), "\n") {
		out = append(out, dline{i + 1, s})
	}
	return out
}

// damage is a way in which logs suffer.
type damage struct {
	name string
	// harmless: nothing is lost, so the cause has to stay.
	harmless bool
	lines    func(r *rand.Rand, log, other []dline) []dline
	bytes    func(log []byte) []byte // an encoding, done last
	mixed    bool                    // holds the other log too, whose causes are as right
}

// each changes every line alike.
func each(change func(string) string) func(*rand.Rand, []dline, []dline) []dline {
	return func(_ *rand.Rand, log, _ []dline) []dline {
		out := make([]dline, len(log))
		for i, l := range log {
			out[i] = dline{l.no, change(l.text)}
		}
		return out
	}
}

// some keeps, changes or repeats lines one by one.
func some(change func(r *rand.Rand, l dline) []dline) func(*rand.Rand, []dline, []dline) []dline {
	return func(r *rand.Rand, log, _ []dline) []dline {
		var out []dline
		for _, l := range log {
			out = append(out, change(r, l)...)
		}
		return out
	}
}

// merge shuffles two logs into each other; each keeps its order. Lines come in runs, as writers flush.
func merge(r *rand.Rand, a, b []dline) []dline {
	var out []dline
	for len(a)+len(b) > 0 {
		from := &a
		if len(a) == 0 || len(b) > 0 && r.IntN(len(a)+len(b)) >= len(a) {
			from = &b
		}
		n := min(1+r.IntN(4), len(*from))
		out = append(out, (*from)[:n]...)
		*from = (*from)[n:]
	}
	return out
}

func prefixed(log []dline, prefix string) []dline {
	out := make([]dline, len(log))
	for i, l := range log {
		out[i] = dline{l.no, prefix + l.text}
	}
	return out
}

func foreign(log []dline) []dline {
	out := make([]dline, len(log))
	for i, l := range log {
		out[i] = dline{0, l.text}
	}
	return out
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// utf8Of decodes a log in UTF-16: what damages lines works on text.
func utf8Of(log []byte) []byte {
	if !bytes.HasPrefix(log, []byte("\xff\xfe")) {
		return log
	}
	var units []uint16
	for i := 2; i+1 < len(log); i += 2 {
		units = append(units, uint16(log[i])|uint16(log[i+1])<<8)
	}
	return []byte(string(utf16.Decode(units)))
}

func utf16Bytes(text []byte, big bool) []byte {
	var out []byte
	for _, u := range append([]uint16{0xfeff}, utf16.Encode([]rune(string(text)))...) {
		if big {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return out
}

var damages = []damage{
	{name: "cut off behind a line", lines: func(r *rand.Rand, log, _ []dline) []dline { return log[:r.IntN(len(log))] }},
	{name: "cut off within a line", lines: func(r *rand.Rand, log, _ []dline) []dline {
		n := r.IntN(len(log))
		out := append([]dline(nil), log[:n]...)
		return append(out, dline{0, log[n].text[:r.IntN(len(log[n].text)+1)]})
	}},
	{name: "begins at a line", lines: func(r *rand.Rand, log, _ []dline) []dline { return log[r.IntN(len(log)):] }},
	{name: "begins within a line", lines: func(r *rand.Rand, log, _ []dline) []dline {
		n := r.IntN(len(log))
		out := []dline{{0, log[n].text[r.IntN(len(log[n].text)+1):]}}
		return append(out, log[n+1:]...)
	}},
	{name: "a piece of it", lines: func(r *rand.Rand, log, _ []dline) []dline {
		i := r.IntN(len(log))
		return log[i : i+r.IntN(len(log)-i)+1]
	}},
	{name: "a hole in it", lines: func(r *rand.Rand, log, _ []dline) []dline {
		i := r.IntN(len(log))
		return append(append([]dline(nil), log[:i]...), log[i+r.IntN(len(log)-i):]...)
	}},
	{name: "10 % of the lines lost", lines: some(func(r *rand.Rand, l dline) []dline {
		if r.IntN(10) == 0 {
			return nil
		}
		return []dline{l}
	})},
	{name: "10 % of the lines cut short", lines: some(func(r *rand.Rand, l dline) []dline {
		if r.IntN(10) == 0 {
			return []dline{{0, l.text[:r.IntN(len(l.text)+1)]}}
		}
		return []dline{l}
	})},
	{name: "10 % of the lines twice", lines: some(func(r *rand.Rand, l dline) []dline {
		if r.IntN(10) == 0 {
			return []dline{l, l}
		}
		return []dline{l}
	})},
	{name: "the whole log twice", harmless: true, lines: func(_ *rand.Rand, log, _ []dline) []dline { return append(append([]dline(nil), log...), log...) }},
	{name: "lines out of order", lines: func(r *rand.Rand, log, _ []dline) []dline {
		out := append([]dline(nil), log...)
		for i := 1; i < len(out); i++ {
			if r.IntN(5) == 0 {
				out[i-1], out[i] = out[i], out[i-1]
			}
		}
		return out
	}},
	{name: "two logs, one after the other", mixed: true, lines: func(_ *rand.Rand, log, other []dline) []dline {
		return append(append([]dline(nil), log...), foreign(other)...)
	}},
	{name: "two logs interleaved", mixed: true, lines: func(r *rand.Rand, log, other []dline) []dline { return merge(r, log, foreign(other)) }},
	{name: "two containers interleaved", mixed: true, lines: func(r *rand.Rand, log, other []dline) []dline {
		return merge(r, prefixed(log, "vllm-1  | "), prefixed(foreign(other), "trainer-1  | "))
	}},
	{name: "two ranks interleaved", lines: func(r *rand.Rand, log, _ []dline) []dline {
		other := append([]dline(nil), log...)
		for i := range other {
			other[i].text = strings.ReplaceAll(other[i].text, "pid=", "pid=9")
		}
		return merge(r, prefixed(log, "[rank0]: "), prefixed(other, "[rank1]: "))
	}},
	{name: "bytes of Latin-1 between the words", lines: some(func(r *rand.Rand, l dline) []dline {
		if r.IntN(4) == 0 {
			return []dline{l, {0, "Gr\xf6\xdfe ge\xe4ndert: \xab\xfc\xbb"}}
		}
		return []dline{l}
	})},
	{name: "a byte of Latin-1 within 10 % of the lines", lines: some(func(r *rand.Rand, l dline) []dline {
		if r.IntN(10) == 0 {
			n := r.IntN(len(l.text) + 1)
			return []dline{{0, l.text[:n] + "\xe9" + l.text[n:]}}
		}
		return []dline{l}
	})},
	{name: "a hole of NUL bytes", harmless: true, lines: func(r *rand.Rand, log, _ []dline) []dline {
		out := append([]dline(nil), log...)
		n := r.IntN(len(out))
		out[n].text = strings.Repeat("\x00", 64) + out[n].text
		return out
	}},
	{name: "CRLF", harmless: true, lines: each(func(s string) string { return strings.TrimSuffix(s, "\r") + "\r" })},
	{name: "UTF-16, little-endian", harmless: true, bytes: func(b []byte) []byte { return utf16Bytes(b, false) }},
	{name: "UTF-16, big-endian", harmless: true, bytes: func(b []byte) []byte { return utf16Bytes(b, true) }},
	{name: "indented", harmless: true, lines: each(func(s string) string { return "    " + s })},
	{name: "quoted", harmless: true, lines: each(func(s string) string { return "> " + s })},
	{name: "in a fence", harmless: true, lines: func(_ *rand.Rand, log, _ []dline) []dline {
		out := append([]dline{{0, "```text"}}, log...)
		return append(out, dline{0, "```"})
	}},
	{name: "in blanks", harmless: true, lines: each(func(s string) string { return s + "  \t" })},
	{name: "in docker's JSON", harmless: true, lines: each(func(s string) string {
		return `{"log":` + quoted(s+"\n") + `,"stream":"stderr","time":"2026-03-04T05:06:07.123456789Z"}`
	})},
	{name: "in journald's JSON", harmless: true, lines: each(func(s string) string {
		return `{"_PID":"81","SYSLOG_IDENTIFIER":"vllm","MESSAGE":` + quoted(s) + `,"PRIORITY":"6"}`
	})},
	{name: "in CRI's prefix", harmless: true, lines: each(func(s string) string { return "2026-03-04T05:06:07.123456789Z stderr F " + s })},
	{name: "in kubectl's prefix", harmless: true, lines: each(func(s string) string { return "[pod/vllm-7d9f4b6c8-x2kqp/server] " + s })},
	{name: "in stern's prefix", harmless: true, lines: each(func(s string) string { return "vllm-7d9f4b6c8-x2kqp server › " + s })},
	{name: "in compose's prefix", harmless: true, lines: each(func(s string) string { return "vllm-1  | " + s })},
	{name: "in journald's prefix", harmless: true, lines: each(func(s string) string { return "Mar 04 05:06:07 gpu1 vllm[123]: " + s })},
	{name: "in syslog's prefix", harmless: true, lines: each(func(s string) string { return "<30>1 2026-03-04T05:06:07Z gpu1 vllm 123 - - " + s })},
	{name: "in GitHub Actions' prefix", harmless: true, lines: each(func(s string) string { return "2026-03-04T05:06:07.0000000Z " + s })},
	{name: "in BuildKit's prefix", harmless: true, lines: each(func(s string) string { return "#12 301.4 " + s })},
	{name: "in Ray's prefix", harmless: true, lines: each(func(s string) string { return "(train_fn pid=2, ip=10.0.0.1) " + s })},
	{name: "in torchrun's prefix", harmless: true, lines: each(func(s string) string { return "[rank0]: " + s })},
	{name: "in MPI's prefix", harmless: true, lines: each(func(s string) string { return "[1,0]<stderr>:" + s })},
	{name: "in colours", harmless: true, lines: each(func(s string) string { return "\x1b[0;31m" + s + "\x1b[0m" })},
	{name: "found by grep -n", harmless: true, lines: func(_ *rand.Rand, log, _ []dline) []dline {
		out := make([]dline, len(log))
		for i, l := range log {
			out[i] = dline{l.no, fmt.Sprintf("%d:%s", i+1, l.text)}
		}
		return out
	}},
}

// apply makes the damaged log.
func (d *damage) apply(r *rand.Rand, log, other []dline) ([]dline, []byte) {
	if d.lines != nil {
		log = d.lines(r, log, other)
	}
	var b strings.Builder
	for _, l := range log {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	text := []byte(b.String())
	if d.bytes != nil {
		text = d.bytes(text)
	}
	return log, text
}
