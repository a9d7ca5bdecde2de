// Package lazy compiles regular expressions when they are first needed: most logs need few of them, and a
// small log is read in the time that compiling them all takes.
package lazy

import (
	"regexp"
	"sync"
)

// Regexp returns a function that compiles an expression at its first call. It panics then where the
// expression is wrong.
func Regexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
