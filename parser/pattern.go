package parser

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first needed: most logs need few of them, and a
// small one is read in the time that compiling them all takes.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
