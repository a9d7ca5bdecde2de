package engine

import "strconv"

// Profile is an engine as one process ran it: which rules hold is decided by these. Their zero values
// are what is not known.
type Profile struct {
	*Sheet
	Release    Release
	Dated      bool   // the release is stated, or what the log shows dates it
	Generation string // v0, v1
	Runner     string // V1, V2
	Entry      string // llm, server
	Card       string // name of the card
	CardGiB    float64
	Chunked    bool
}

// Rule returns the rule of a list that holds. Its Is is "" where none does.
func (p *Profile) Rule(list string) Rule {
	if p.Sheet != nil {
		for _, r := range p.Rules[list] {
			if p.holds(r) {
				return r
			}
		}
	}
	return Rule{}
}

func (p *Profile) holds(r Rule) bool {
	switch {
	case !p.Release.Within(r.Since, r.Until),
		r.Generation != "" && r.Generation != p.Generation,
		r.Runner != "" && r.Runner != p.Runner,
		r.Entry != "" && r.Entry != p.Entry,
		r.Chunked != "" && !p.Chunked,
		p.CardGiB < r.CardGiB,
		r.Not != "" && r.Not == p.Card:
		return false
	}
	return true
}

// Is returns what holds of a list, "" where nothing is known.
func (p *Profile) Is(list string) string { return p.Rule(list).Is }

// Number is the value of a rule that is a number.
func (p *Profile) Number(list string) (float64, bool) {
	x, err := strconv.ParseFloat(p.Is(list), 64)
	return x, err == nil
}
