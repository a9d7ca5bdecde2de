// Package quiet keeps the program from asking the terminal for its background colour while it starts.
//
// Bubble Tea v1 asks in its init function, on every terminal and whether or not a screen is opened,
// and waits for up to five seconds where none answers. termenv, which does the asking, leaves a
// terminal alone in continuous integration; so the environment says that this is what it is until
// [Restore] is called.
//
// The order is certain: Go initialises the first package by import path whose imports are ready. This
// one imports os alone; termenv needs text/template, which needs os and sorts behind this path.
package quiet

import "os"

const variable = "CI"

// CI is what the variable was when the program started.
var CI, set = os.LookupEnv(variable)

func init() {
	if CI == "" {
		os.Setenv(variable, "1")
	}
}

// Restore gives the variable back its value.
func Restore() {
	switch {
	case CI != "":
	case set:
		os.Setenv(variable, "")
	default:
		os.Unsetenv(variable)
	}
}
