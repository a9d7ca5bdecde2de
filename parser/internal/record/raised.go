package record

import (
	"bytes"
	"strings"

	"github.com/oomdoc/oomdoc/internal/heuristic"

	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// raised tells of the exceptions that tracebacks end in, for how their processes ended.
func (p *paragraph) raised(from int) {
	if !heuristic.On(heuristic.OtherEnds) {
		return
	}
	for i := range p.lines[from:] {
		l := &p.lines[from+i]
		if !l.context.Traced() || !isException(l.Text) || l.context.Held() != nil {
			continue
		}
		text := l.Text[:min(len(l.Text), 300)]
		m := message.Occurrence{
			ID: message.Raised.ID, Class: message.Raised.Class, At: message.Pos{Source: p.source, Line: l.No}, LastLine: l.No,
			Origin: p.lines[0].Origin, Unit: p.unit, Time: p.lines[0].Time, Text: string(bytes.ToValidUTF8(text, []byte("?"))), Repeat: max(1, l.Repeat), Logged: l.Logger,
			Cut: p.open && from+i == len(p.lines)-1 && beginsFailure(l.Text),
		}
		p.to.Message(&message.Raised, m)
	}
}

// isException reports whether a line begins with the class of an exception, as an interpreter prints it.
func isException(text []byte) bool {
	n, last := 0, 0
	for n < len(text) && n < 100 && (text[n] == '.' || text[n] == '_' || isAlnum(text[n])) {
		if text[n] == '.' {
			last = n + 1
		}
		n++
	}
	name := text[last:n]
	if len(name) == 0 || reports[string(name)] || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	rest := text[n:]
	if len(rest) > 0 && rest[0] == '(' { // ray.exceptions.RayTaskError(ValueError): …
		if i := bytes.IndexByte(rest, ')'); i > 0 && i < 60 {
			rest = rest[i+1:]
		}
	}
	if len(rest) > 0 && rest[0] != ':' {
		return false
	}
	for _, end := range exceptionEnds {
		if bytes.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// beginsFailure reports whether an exception of no class of its own says nothing but what a failure of memory may begin
// with.
func beginsFailure(text []byte) bool {
	class, said, _ := bytes.Cut(text, []byte(":"))
	switch string(class) {
	case "ValueError", "RuntimeError", "AssertionError", "OSError", "Exception":
	default:
		return false
	}
	squeezed := strings.Join(strings.Fields(string(said)), "")
	for i := range message.All {
		if d := &message.All[i]; d.Class == message.ClassFailure || d.Class == message.ClassHint {
			for _, p := range d.Programs {
				if lead, first := p.Lead(); first && (strings.HasPrefix(lead, squeezed) || strings.HasPrefix(squeezed, lead)) {
					return true
				}
			}
		}
	}
	return false
}

// reports are the exceptions that tell of another process's end.
var reports = map[string]bool{
	"ChildFailedError": true, "CalledProcessError": true, "ProcessExitedException": true, "ProcessRaisedException": true, "TerminatedWorkerError": true,
	"BrokenProcessPool": true, "EngineDeadError": true, "RayActorError": true, "ActorDiedError": true, "WorkerCrashedError": true, "NodeDiedError": true,
	"LocalRayletDiedError": true, "WorkerLostError": true,
}

// exceptionEnds are how the names of exceptions end.
var exceptionEnds = [][]byte{
	[]byte("Error"), []byte("Exception"), []byte("Interrupt"), []byte("Exit"), []byte("Failure"), []byte("Failed"), []byte("Timeout"), []byte("Abort"), []byte("NotFound"), []byte("Expired"), []byte("Refused"),
}

func isAlnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }
