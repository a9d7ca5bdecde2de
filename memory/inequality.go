package memory

// An inequality is one condition that the engine or the device sets.
type inequality struct {
	margin float64 // bytes left over
	above  float64 // from here on it surely holds
	below  float64 // under −below it surely does not
	basis  Basis
	sums   string
	open   bool // holds at best as far as the log tells
	tokens bool // the margin is in tokens: the bytes of a token are not known
}

// step is the inequality of a stage.
type step struct {
	stage Stage
	inequality
}

func (q inequality) kind() Kind {
	switch {
	case q.margin < -q.below-0.5: // a tolerance for binary fractions
		return Short
	case q.margin < q.above-0.5 || q.open:
		return Borderline
	}
	return Fits
}

// worse orders kinds: fits, borderline, unknown, short.
func worse(a, b Kind) bool {
	rank := map[Kind]int{Fits: 0, Borderline: 1, Unknown: 2, Short: 3}
	return rank[a] > rank[b]
}

// judge folds the steps into a verdict: the worst decides, and of those that are alike the stage that failed, else the
// first. It shows its sums.
func judge(list []step, own Stage) Verdict {
	v := Verdict{Kind: Unknown}
	for i, q := range list {
		k := q.kind()
		if i == 0 || worse(k, v.Kind) || k == v.Kind && q.stage == own && v.Stage != own {
			v.Kind, v.Margin, v.Sums, v.Stage = k, q.margin, q.sums, q.stage
			if q.tokens {
				v.Margin = 0
			}
		}
		v.Basis = softer(v.Basis, q.basis)
	}
	return v
}

// said is the step as a verdict has it.
func (q step) said() Step {
	out := Step{Stage: q.stage, Kind: q.kind(), Margin: q.margin, Basis: q.basis, Sums: q.sums}
	if q.tokens {
		out.Margin = 0
	}
	return out
}

// noiseOf is how far two boots of one configuration lie apart, by the kind of card: whole-device
// readings move with the desktop, and on unified memory with the host's page cache.
func noiseOf(total amount) float64 {
	t := total.v / gib
	switch {
	case !total.ok:
		return 0.1 * gib
	case t > 118 && t < 125: // GB10
		return 0.7 * gib
	case t > 70, t > 39 && t < 40, t > 44 && t < 45, t > 31.7 && t < 31.8, t > 15.7 && t < 15.85, t > 14.5 && t < 14.8, t > 21.9 && t < 22.3:
		return 0.02 * gib // server cards: A100, L40S, V100, T4, L4, A10
	}
	return 0.1 * gib
}

// sign is the relation between a sum and what it is held against.
func sign(margin float64) string {
	if margin < 0 {
		return "<"
	}
	return "≥"
}

func relation(x float64) string {
	if x > 0 {
		return ">"
	}
	return "≤"
}

// relationTo is the sign between a need and what there is for it.
func relationTo(margin float64) string {
	if margin < 0 {
		return ">"
	}
	return "≤"
}

// sumLine shows free + gained against needed; what a change costs stands on the other side.
func sumLine(free, gain, need float64) string {
	have, want := size(free), size(need)
	switch {
	case gain > 0.5*mib:
		have += " + " + size(gain) + " = " + size(free+gain)
	case gain < -0.5*mib:
		want += " + " + size(-gain) + " = " + size(need-gain)
	}
	return have + " " + sign(free+gain-need) + " " + want
}
