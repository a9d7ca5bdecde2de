//go:build ablate

package heuristic

// Off is the heuristic, or the rule of package speaker, that is switched off.
var Off string

// On reports whether a heuristic is in use.
func On(name string) bool { return name != Off }

// Rules are the names of the rules by which package speaker tells whose words a message is.
var Rules []string
