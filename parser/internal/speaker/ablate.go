//go:build ablate

package speaker

import "github.com/oomdoc/oomdoc/internal/heuristic"

func init() {
	for i := range Rules {
		heuristic.Rules = append(heuristic.Rules, Rules[i].Name)
	}
}
