package message

import "github.com/oomdoc/oomdoc/fact"

// Pos is a place in the log.
type Pos struct{ Source, Line int }

// Occurrence is one message found in the log.
type Occurrence struct {
	ID       string
	Class    Class
	At       Pos
	LastLine int    // where a joined message ends
	Origin   string // "EngineCore_DP0 pid=18799", "rank0", ""
	Unit     string // the container, pod or unit that the line names first, or ""
	Time     string // as the line prints it
	Text     string // the message's own text: prefixes off, wraps joined, cut at 2 KiB
	Facts    fact.Facts
	Phase    string // the phase the message itself tells, or ""
	Repeat   int    // copies collapsed into this one (other ranks, Ray's "repeated 7x"), itself included

	Engine string // that alone prints it, "" where many do
	Logged bool   // a logger's head stood in front of its line
	Lead   bool   // it begins its line
	Alone  bool   // nothing else stands on its line
	Kill   bool   // it tells of a SIGKILL and not from whom
	Cut    bool   // the text ends within its sentence: it may have gone on as another
	Part   Part   // what stands in it beside facts
}

// Part is what a message holds that is no fact.
type Part struct {
	Func, File string // of a traceback's frame
	Number     string // of its line in the file; of the engine whose statistics these are: "Engine 003: Avg prompt …"
	Code       string // the line itself, where the traceback shows it
	Path       string // that stands directly in front of it, as rich and old IPython print it
	Method     string // of a worker, that an executor called
}

// Quotation is a message that stands in the log and is not the process's own word.
type Quotation struct {
	At    Pos
	ID    string // of the message
	Genre string // what it stands in: prompt, source, manual, test, diff, conversation, table, other
	Why   string // one clause
	Text  string
}

// Configuration is the settings that a line states.
type Configuration struct {
	At           Pos
	Origin, Unit string // as an Occurrence's
	Engine       string // whose settings they are, "" where many have such
	Facts        fact.Facts
}
