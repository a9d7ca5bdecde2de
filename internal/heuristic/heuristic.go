// Package heuristic names what is inferred in code, where no message says it, so that each can be switched off to see
// what it carries. In an ordinary build all are on, and asking costs nothing.
package heuristic

// The heuristics outside of the rules of package speaker, which bear names of their own.
const (
	CutSentence   = "the beginning of a sentence at a cut"
	CutClass      = "an exception's class at the log's open end"
	CutTraceback  = "a traceback without its exception"
	Clauses       = "clauses without their head"
	RaisedClass   = "a class at a traceback's end"
	NamedClass    = "a class on a line of its own"
	NegativePool  = "a negative remainder for the pool"
	Survived      = "the program says that it goes on"
	ExplainedKill = "a kill that an end explains"
	OtherEnds     = "exceptions that are none of memory"
	NearbyFailure = "a consequence belongs to what failed nearby"
	Behind        = "figures behind a failure complete it"
	Voices        = "a paragraph for each container"
	Threads       = "an engine for each core's pid"
	Ranks         = "ranks that fill the world"
	CalledLine    = "what a program's own line calls"
	Glued         = "a head glued to the line before"
	Wrapped       = "lines that a terminal wrapped"
	Bold          = "Markdown's marks around words"
	Prose         = "a command ends where its sentence goes on"
	Comments      = "comments in a configuration"
	Speaker       = "all rules of the speaker together"
)

// Names lists them.
var Names = []string{
	CutSentence, CutClass, CutTraceback, Clauses, RaisedClass, NamedClass, NegativePool, Survived, ExplainedKill, OtherEnds, NearbyFailure, Behind,
	Voices, Threads, Ranks, CalledLine, Glued, Wrapped, Bold, Prose, Comments, Speaker,
}
