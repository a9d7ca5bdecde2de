package report

// Options changes how a diagnosis is written.
type Options struct {
	Lang    string // en or zh
	Width   int    // columns of the text report
	Color   bool   // ANSI colours in the text report
	Version string // of the program
	NoMask  bool   // what is made for sharing shows secrets too
}

// Styles of a terminal, as ANSI has them.
const (
	Bold  = "1"
	Dim   = "2"
	red   = "1;31"
	green = "32"
	amber = "33"
)

// Styled puts s into a style where there are colours; "" is no style.
func Styled(on bool, code, s string) string {
	if !on || code == "" || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}
