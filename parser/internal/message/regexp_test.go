package message

import (
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/template"
)

// asRegexp spells a program as a regular expression over raw text. Each item may have white space in
// front; figures and words have none inside.
func asRegexp(p template.Program) (*regexp.Regexp, []template.Inst) {
	var caps []template.Inst
	var spell func(pc, stop int) string
	spell = func(pc, stop int) string {
		var b strings.Builder
		for pc < stop && p[pc].Op != template.OpEnd {
			switch in := p[pc]; in.Op {
			case template.OpLit:
				for _, c := range in.S {
					b.WriteString(`\s*` + regexp.QuoteMeta(string(c)))
				}
				pc++
			case template.OpCap:
				caps = append(caps, in)
				b.WriteString(`\s*` + captureRegexp(in.Type, followed(p, pc+1)))
				pc++
			case template.OpSet:
				pc++
			case template.OpSplit:
				end := int(p[in.Y-1].X) // alternatives end in a jump behind the last
				b.WriteString("(?:" + spell(pc+1, int(in.Y)-1) + "|" + spell(int(in.Y), end) + ")")
				pc = end
			default:
				panic("a jump outside of alternatives")
			}
		}
		return b.String()
	}
	return regexp.MustCompile("^(?:" + spell(0, len(p)) + ")"), caps
}

// followed reports whether text must follow.
func followed(p template.Program, pc int) bool {
	for p[pc].Op == template.OpJump {
		pc = int(p[pc].X)
	}
	return p[pc].Op == template.OpLit
}

func captureRegexp(t template.Type, followed bool) string {
	const number = `([-+]?\d+(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]\d+)?)`
	lazy := ""
	if followed {
		lazy = "?"
	}
	switch t {
	case template.Size:
		return number + `\s*(?:bytes|byte|[KMGTP]iB|kB|[KMGT]B|[GM]ib|[KMG]i|[GMKB])`
	case template.Int:
		return `([-+]?\d+(?:,\d{3})*)`
	case template.Word:
		return "([^\\s,;()\\[\\]{}'\"`]+)"
	case template.Name:
		return "(?:'([^']{0,200})'|\"([^\"]{0,200})\"|`([^`]{0,200})`|([^'\"`\\n][^\\n]{0,199}" + lazy + "|))"
	case template.Any:
		return `([\s\S]{0,400}` + lazy + `)`
	case template.Rest:
		return `([\s\S]*)`
	}
	return number
}

func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// variants damages an example in ways after which both sides have to agree again.
func variants(r *rand.Rand, s string) []string {
	words := strings.Fields(s)
	out := []string{s, "ERROR x " + s, s + " and more (3 of 4).", strings.Join(words, "  "), strings.Join(words, "\n")}
	for range 6 {
		n, k := r.IntN(len(s)), r.IntN(len(words))
		out = append(out, s[:n], s[:n]+s[n+1:], s[:n]+"7"+s[n:], s[:n]+"é"+s[n:],
			strings.Join(append(append([]string{}, words[:k]...), words[k+1:]...), " "))
	}
	return out
}

// TestTemplatesAreRegexps: a message is found where a plain regular expression of its wording finds it,
// with the same figures, and nowhere else.
func TestTemplatesAreRegexps(t *testing.T) {
	var matcher template.Matcher
	compared, matched := 0, 0
	for i := range All {
		d := &All[i]
		id := fnv.New64a()
		id.Write([]byte(d.ID))
		r := rand.New(rand.NewPCG(3, id.Sum64())) // its own, so that a new message changes nothing for the others
		var texts []string
		for _, e := range d.Examples {
			texts = append(texts, variants(r, e)...)
		}
		for k, p := range d.Programs {
			re, caps := asRegexp(p)
			for _, s := range texts {
				var text template.Text
				for line := range strings.SplitSeq(s, "\n") {
					text.Add([]byte(line), template.LineEnd)
				}
				for at := 0; at < len(text.B); at++ {
					if _, first := p.Lead(); first {
						n := strings.Index(string(text.B[at:]), p[0].S)
						if n < 0 {
							break
						}
						at += n
					}
					raw := string(text.Raw[text.Pos[at]:])
					end, got := matcher.Match(p, &text, at)
					loc := re.FindStringSubmatchIndex(raw)
					if cutsIn(raw, loc) {
						continue
					}
					compared++
					if loc != nil && loc[1] < len(raw) && frame.IsDigit(raw[loc[1]-1]) && frame.IsDigit(raw[loc[1]]) {
						loc = nil // a template does not end within a number
					}
					if (end >= 0) != (loc != nil) {
						t.Errorf("%s, wording %d: template %v, expression %v\n%q\n%s", d.ID, k, end >= 0, loc != nil, raw, re)
						continue
					}
					if loc == nil {
						continue
					}
					matched++
					if want := at + len(squeezed(raw[:loc[1]])); end != want {
						t.Errorf("%s, wording %d: template ends at %q, expression at %q", d.ID, k, text.B[at:end], text.B[at:want])
						continue
					}
					compareCaptures(t, d.ID, raw, loc, caps, got)
				}
			}
		}
	}
	t.Logf("%d places compared, %d matches", compared, matched)
	if matched < 2000 {
		t.Errorf("only %d matches", matched)
	}
}

// cutsIn reports whether a group ends within a word or figure, which templates take whole: expressions
// without a look ahead cannot say so.
func cutsIn(raw string, loc []int) bool {
	inside := func(i int) bool {
		isAlnum := func(c byte) bool {
			return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
		}
		return i > 0 && i < len(raw) && isAlnum(raw[i-1]) && isAlnum(raw[i])
	}
	for g := 2; g < len(loc); g += 2 {
		if inside(loc[g+1]) && loc[g+1] > loc[g] {
			return true
		}
	}
	return false
}

// compareCaptures holds the named captures of a match against the groups of the expression.
func compareCaptures(t *testing.T, id, raw string, loc []int, caps []template.Inst, got []template.Capture) {
	t.Helper()
	g := 2
	for _, in := range caps {
		groups := 1
		if in.Type == template.Name {
			groups = 4
		}
		value, there := "", false
		for range groups {
			if loc[g] >= 0 && !there {
				value, there = raw[loc[g]:loc[g+1]], true
			}
			g += 2
		}
		if !there || in.S == "" {
			continue
		}
		if len(got) == 0 || got[0].Name != in.S {
			t.Errorf("%s: the expression captures %s = %q, the template %v", id, in.S, value, got)
			return
		}
		c := got[0]
		got = got[1:]
		switch {
		case !in.Type.Numeric():
			if squeezed(c.Text) != squeezed(value) {
				t.Errorf("%s: %s is %q, the expression says %q", id, in.S, c.Text, value)
			}
		case in.Type != template.Size:
			want, err := strconv.ParseFloat(strings.ReplaceAll(value, ",", ""), 64)
			unit := map[template.Type]float64{template.GiB: 1 << 30, template.MiB: 1 << 20, template.KiB: 1 << 10, template.Pages: 4096, template.GB10: 1e9, template.MB10: 1e6}[in.Type]
			if unit == 0 {
				unit = 1
			}
			if err != nil || c.Num != want*unit {
				t.Errorf("%s: %s is %v, the expression says %q", id, in.S, c.Num, value)
			}
		}
	}
	for len(got) > 0 && got[0].Type == template.Word && got[0].Name == "backend" { // set, not captured
		got = got[1:]
	}
	if len(got) > 0 {
		t.Errorf("%s: the template captures more: %v", id, got)
	}
}
