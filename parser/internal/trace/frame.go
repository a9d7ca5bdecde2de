package trace

// Frame is one frame of a traceback.
type Frame struct {
	File string // as printed
	Func string // without arguments
	Line int    // line of the log
}
