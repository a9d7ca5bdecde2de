package memory

import (
	"math"
	"strconv"
	"strings"
)

// Sizes in bytes.
const (
	mib = 1 << 20
	gib = 1 << 30
)

// amount is a quantity that may be unknown, with where it comes from.
type amount struct {
	v     float64
	ok    bool
	basis Basis
	line  int
	slack float64 // half of the last printed digit

	assumed bool // a default that no line states
}

func derived(v float64) amount   { return amount{v: v, ok: true, basis: Derived} }
func estimated(v float64) amount { return amount{v: v, ok: true, basis: Estimated} }
func assumed(v float64) amount   { return amount{v: v, ok: true, basis: Estimated, assumed: true} }

// or returns the first amount that is known.
func or(list ...amount) amount {
	for _, a := range list {
		if a.ok {
			return a
		}
	}
	return amount{}
}

// softer returns the weaker of two bases.
func softer(a, b Basis) Basis {
	rank := map[Basis]int{Stated: 0, "": 0, Derived: 1, Estimated: 2}
	if rank[a] >= rank[b] && a != "" {
		return a
	}
	return b
}

// plus adds a known shift to a known amount; the result is arithmetic, no longer what the log states.
func (a amount) plus(d float64, basis Basis) amount {
	if !a.ok || d == 0 {
		return a
	}
	return amount{v: a.v + d, ok: true, basis: softer(softer(a.basis, Derived), basis), slack: a.slack}
}

// size prints bytes the way the logs do: GiB with two decimals, MiB below one GiB.
func size(b float64) string {
	switch a := math.Abs(b); {
	case a >= 0.9995*gib || a < 5: // 0 is 0.00 GiB
		return fixed(b/gib, 2) + " GiB"
	case a >= mib:
		return trimmed(b/mib, 2) + " MiB"
	case a >= 1024:
		return trimmed(b/1024, 2) + " KiB"
	default:
		return count(b) + " B"
	}
}

// count prints a whole number with thousands separators.
func count(n float64) string {
	digits := strconv.FormatFloat(math.Abs(math.Round(n)), 'f', 0, 64)
	var sb strings.Builder
	if n < 0 {
		sb.WriteString("−")
	}
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			sb.WriteByte(',')
		}
		sb.WriteRune(d)
	}
	return sb.String()
}

// fixed prints a number with a fixed number of decimals and a true minus sign.
func fixed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return strings.Replace(s, "-", "−", 1)
}

// trimmed is fixed without trailing zeros.
func trimmed(x float64, decimals int) string {
	s := fixed(x, decimals)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// ceilTo and floorTo round to a multiple of step; a hair of tolerance keeps 0.29·100 at 29.
func ceilTo(x, step float64) float64  { return math.Ceil(x/step-1e-9) * step }
func floorTo(x, step float64) float64 { return math.Floor(x/step+1e-9) * step }

// hundredth rounds to the nearest 0.01 without the dust of binary fractions.
func hundredth(x float64) float64 { return math.Round(x*100) / 100 }
