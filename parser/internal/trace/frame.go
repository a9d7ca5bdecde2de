package trace

// Frame is one frame of a traceback.
type Frame struct {
	File string // as printed
	Func string // without arguments
	Line int    // line of the log
	At   int    // line of the file, 0 where it is not printed
	Code string // that line, "" where it is not printed
}
