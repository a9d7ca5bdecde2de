package scan

import (
	"bytes"
	"strconv"

	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/internal/message"
)

// The bounds of a stream.
const (
	MaxLine    = 64 << 10  // a longer line is cut where the stream's offset is a multiple of this
	history    = 256 << 10 // how far before and behind a hit its region may reach, bytes
	backFailed = 400       // lines before a failure: its traceback
	backFact   = 4         // lines before any other hit: the beginning of a wrapped message
	onFailed   = 60        // lines after a failure: clauses, chained exceptions, consequences
	onFact     = 6         // lines after any other hit: the end of a wrapped message
	onPeriodic = 3         // lines after statistics
	bridged    = 16        // lines between two regions that are read: hits are missed where wrapped lines cut their text
	onTrace    = 200       // lines after the head of a traceback, while it goes on
	crowd      = 16        // voices that are allowed for
	onConfig   = 40        // lines after a command line, which may go on over many
)

// What the bounds leave out.
var (
	CutLongLine = "a line longer than " + strconv.Itoa(MaxLine>>10) + " KiB was read in pieces"
	CutRepeats  = "the log says the same over and over: repetitions were not read"
)

// Sink takes what a stream has found worth reading.
type Sink interface {
	Line(no int, raw []byte)       // the next line of a region, without its end
	Gap()                          // lines were passed over since the last one
	Pass(no int, line []byte) bool // takes a statistics line that need not be read, or refuses it
	Traced() bool                  // a traceback goes on
	Voices() int                   // how many containers speak in turn
	Work() int                     // done so far, about in bytes read
	End(last, open bool)           // no line follows: the one before is the stream's last, and its end is missing
	LeftOut(line int, what string) // a bound bit
}

// Stream is one input. It finds the regions that matter, the lines around each hit of the gate, and hands
// their lines to a sink.
type Stream struct {
	sink     Sink
	gate     *gate.Gate
	texts    []message.GateText
	splitter splitter
	hits     []gate.Hit // memory for the next ones

	buf  []byte // the window at hand
	cuts []int  // in buf
	base int64  // bytes before buf

	hit     int // the hit at hand, and the beginning of its line
	hitLine int
	passed  int   // the statistics line before buf[passed] need not be read
	routine []int // numbers of the latest lines that were not read for it
	at, no  int   // a line begins at buf[at], its number is no
	taken   int   // lines up to buf[:taken] were read or passed over
	takenNo int   // number of the line at taken
	until   int   // last line of the latest region,
	traced  int   // and to which a traceback in it may go on
	limit   int   // it ends before buf[limit]: a line of gigabytes is but one line
	asker   int   // the gate's text that the latest region is due to
	settled int   // the reader's work that was charged to askers
	credit  []credit
	ended   size // once closed
}

// New begins a stream in which a gate looks for texts.
func New(g *gate.Gate, texts []message.GateText, sink Sink) *Stream {
	return &Stream{sink: sink, gate: g, texts: texts, no: 1, takenNo: 1}
}

// Feed takes the next bytes of the stream, cut anywhere.
func (s *Stream) Feed(p []byte) { s.add(s.splitter.decode(p)) }

func (s *Stream) add(p []byte) {
	for {
		p = s.splitter.fill(p)
		if w := s.splitter.window(); w.from < w.to {
			s.hits = s.gate.AppendHits(s.hits[:0], w.lines())
			w.hits = s.hits
			s.advance(w)
		}
		if drop := s.splitter.idle(); drop > 0 {
			s.forget(drop)
			s.splitter.move(s.splitter.buf, drop)
			s.buf, s.cuts = s.splitter.buf, s.splitter.cuts
		}
		if len(p) == 0 {
			return
		}
	}
}

// Close ends the stream.
func (s *Stream) Close() {
	if s.sink == nil {
		return
	}
	s.add(s.splitter.flush())
	open := s.splitter.end()
	if open {
		s.add(nil)
	}
	s.sink.End(s.taken >= len(s.buf), open)
	s.ended = size{s.no - 1 + s.lines(s.at, len(s.buf)), s.splitter.bytes}
	s.buf, s.hits, s.sink, s.splitter = nil, nil, nil, splitter{}
}

// size is how much has been read.
type size struct {
	lines int
	bytes int64
}

// Size tells how many lines and bytes have been read so far.
func (s *Stream) Size() (lines int, bytes int64) {
	if s.sink == nil {
		return s.ended.lines, s.ended.bytes
	}
	return s.no - 1 + s.lines(s.at, s.splitter.given), s.splitter.bytes
}

// advance gives the regions around a window's hits to the reader.
func (s *Stream) advance(w window) {
	s.buf, s.cuts = w.buf, w.cuts
	for _, c := range w.cuts {
		if c >= w.from {
			s.sink.LeftOut(s.no+s.lines(s.at, c), CutLongLine)
		}
	}
	s.hit, s.hitLine, s.passed = w.from, w.from, 0
	for _, h := range w.hits {
		at := w.from + h.Start()
		if at < s.taken {
			continue
		}
		if s.texts[h.Text()].Reach == message.ReachPeriodic && (at < s.passed || s.periodic(at)) {
			continue
		}
		if !s.inRegion() && !s.affords(h.Text(), at) {
			s.sink.LeftOut(s.number(s.lineOf(at)), CutRepeats)
			continue
		}
		s.region(at, h.Text())
	}
	s.takeUntil(w.to)
}

// periodic takes a statistics line without reading it, and reports whether it could: it cannot where
// something follows from the line, or where it belongs to a region.
func (s *Stream) periodic(hit int) bool {
	start, end := s.lineOf(hit), hit+bytes.IndexByte(s.buf[hit:], '\n')
	if s.inRegion() { // the last region may reach to this line
		s.takeUntil(start)
		if s.taken == start && s.inRegion() {
			return false
		}
	}
	if !s.sink.Pass(s.number(start), s.buf[start:end]) {
		return false
	}
	s.passed = end
	if len(s.routine) >= 2*backFailed {
		s.routine = append(s.routine[:0], s.routine[backFailed:]...)
	}
	s.routine = append(s.routine, s.no)
	return true
}

// lineOf returns where the line of a hit begins. Hits come in order, and a line may hold many.
func (s *Stream) lineOf(hit int) int {
	if k := bytes.LastIndexByte(s.buf[s.hit:hit], '\n'); k >= 0 {
		s.hitLine = s.hit + k + 1
	}
	s.hit = hit
	return s.hitLine
}

// region reads the lines around a hit: what precedes it, its own line, and marks what follows.
func (s *Stream) region(hit, text int) {
	back, on := s.around(text)
	line := s.lineOf(hit)
	s.takeUntil(line)
	if !s.affords(text, hit) {
		s.sink.LeftOut(s.number(line), CutRepeats)
		return
	}
	s.asker = text
	if s.taken < line {
		s.number(line)
		start := s.before(line, back)
		if back+bridged < backFailed && s.before(line, back+bridged) == s.taken {
			start = s.taken
		}
		if start > s.taken {
			s.sink.Gap()
			s.taken, s.takenNo = start, s.no-s.lines(start, line)
		}
		s.take(line)
	}
	s.take(line + 1)
	if s.texts[text].Reach == message.ReachTraceback {
		s.traced, on = max(s.traced, s.takenNo-1+on), onFact
	}
	s.until, s.limit = max(s.until, s.takenNo-1+on), max(s.limit, line+history)
}

// before returns where the line begins that is so many lines before one, what has been taken left out.
func (s *Stream) before(line, lines int) int {
	start := line
	for k := 0; k < lines && start > s.taken; k++ {
		prev := bytes.LastIndexByte(s.buf[:start-1], '\n') + 1
		if line-prev > history {
			break
		}
		start = max(prev, s.taken)
	}
	return start
}

// inRegion reports whether the latest region goes on at the next line to take.
func (s *Stream) inRegion() bool {
	return (s.takenNo <= s.until || s.takenNo <= s.traced && s.sink.Traced()) && s.taken < s.limit
}

// number returns the number of the line that begins at buf[line]. It is cheap for lines near the one asked for before.
func (s *Stream) number(line int) int {
	if line < s.at {
		s.no -= s.lines(line, s.at)
	} else {
		s.no += s.lines(s.at, line)
	}
	s.at = line
	return s.no
}

// around tells how many lines before and after a hit belong to its region: where several speak, others' too.
func (s *Stream) around(text int) (back, on int) {
	back, on = backFact, onFact
	switch s.texts[text].Reach {
	case message.ReachFailure:
		back, on = backFailed, onFailed
	case message.ReachTraceback:
		on = onTrace
	case message.ReachConfig:
		on = onConfig
	case message.ReachPeriodic:
		on = onPeriodic
	}
	return back, on * min(s.sink.Voices(), crowd)
}

// takeUntil reads the lines before buf[end] that belong to the latest region.
func (s *Stream) takeUntil(end int) {
	for s.taken < end && s.inRegion() {
		s.takeLine()
	}
}

// take reads all lines that begin before buf[end].
func (s *Stream) take(end int) {
	for s.taken < end {
		s.takeLine()
	}
}

// takeLine reads a line, but for a statistics line that counts already.
func (s *Stream) takeLine() {
	e := s.taken + bytes.IndexByte(s.buf[s.taken:], '\n')
	for len(s.routine) > 0 && s.routine[0] < s.takenNo {
		s.routine = s.routine[1:]
	}
	if len(s.routine) > 0 && s.routine[0] == s.takenNo {
		s.routine = s.routine[1:]
	} else {
		s.sink.Line(s.takenNo, s.buf[s.taken:e])
	}
	s.takenNo += s.lines(s.taken, e+1)
	s.taken = e + 1
}

// lines counts the line ends of the input in buf[i:j].
func (s *Stream) lines(i, j int) int {
	n := bytes.Count(s.buf[i:j], newline)
	for _, c := range s.cuts {
		if c >= i && c < j {
			n--
		}
	}
	return n
}

var newline = []byte{'\n'}

// forget drops the beginning of the window, which no region can reach any more.
func (s *Stream) forget(drop int) {
	s.base += int64(drop)
	s.no += s.lines(s.at, max(s.at, drop))
	s.at = max(s.at, drop) - drop
	s.limit = max(s.limit, drop) - drop
	if s.taken < drop { // its number is out of date: the next region sets it
		s.taken, s.takenNo, s.traced = 0, s.until+1, 0
	} else {
		s.taken -= drop
	}
}
