package record

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"unicode"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/frame"
	"github.com/oomdoc/oomdoc/parser/internal/gate"
	"github.com/oomdoc/oomdoc/parser/internal/message"
	"github.com/oomdoc/oomdoc/parser/internal/settings"
	"github.com/oomdoc/oomdoc/parser/internal/speaker"
	"github.com/oomdoc/oomdoc/parser/template"
)

// The bounds of a paragraph.
const (
	maxParaLines = 64
	softLines    = 40 // from here on a paragraph ends at a line too short to have been wrapped
	maxParaBytes = 48 << 10
	minWrap      = 40 // columns: nobody wraps narrower
	maxWrap      = 400
	MaxText      = 2 << 10 // bytes kept of a message
)

// What the bounds leave out.
var (
	CutConfigs = "configurations within configurations: the later ones were not read"
	CutSteps   = "a wording that matches in very many ways was given up"
	CutText    = "the text of a message was cut at " + strconv.Itoa(MaxText>>10) + " KiB"
)

// Sink takes what a reader finds, in order.
type Sink interface {
	Message(t *message.Template, m message.Occurrence)
	Config(c message.Configuration)
	Quoted(q message.Quotation)            // a message that is not the process's own
	Gap(source int)                        // lines were passed over
	Periodic(source int, line []byte) bool // whether a statistics line need not be read
	LeftOut(at message.Pos, what string)   // a bound bit
}

// Reader puts the lines of a region together to paragraphs, a record and the lines that go on from
// it, and finds the catalogue's messages in them.
type Reader struct {
	ix      *index
	to      Sink
	source  int
	framer  frame.Framer
	matcher template.Matcher
	text    template.Text
	lines   []heldLine
	bytes   int
	widths  [64]int // of the last lines, a ring
	next    int
	hits    []gate.Hit
	found   []found
	joined  string       // the paragraph with its wraps taken out, for configurations; "" until one is met
	configs map[int]bool // where configurations begin in joined
	scanned int          // bytes read of them: they may contain each other
	speaker speaker.Tracker
	words   *speaker.Record // the paragraph, for whose words its messages are; nil until one is asked for
	ends    bool            // no line follows in the input,
	open    bool            // and the last one has no end
	held    []held          // what is said in a span whose end has not come
	quoted  struct {        // a message of the paragraph was not the process's own
		paragraph bool
		line      int
	}
	work int    // done so far, about in bytes read: what a stream's texts have credit for
	read int    // lines of the paragraph that were read before its end
	told []spot // what was found in them
}

// spot is a match in a paragraph, as it is told apart from others.
type spot struct {
	def        int32
	start, end int
}

type heldLine struct {
	frame.Line
	own     []byte
	context speaker.Context
}

// found is a match in the current paragraph.
type found struct {
	def        int32
	start, end int
	caps       []template.Capture
	config     fact.Facts // of a configuration; def is -1 then
	dialect    int32
	cut        bool // the text ends within it
}

// New makes a reader of a source, which tells what it finds to a sink.
func New(to Sink, source int) *Reader {
	return &Reader{ix: catalogueIndex(), to: to, source: source}
}

// Line takes the next line.
func (r *Reader) Line(no int, raw []byte) {
	r.work += lineWork + len(raw)
	r.framer.Frame(no, raw, r.add)
	if r.framer.Cut != "" {
		r.to.LeftOut(message.Pos{Source: r.source, Line: no}, r.framer.Cut)
		r.framer.Cut = ""
	}
}

// End says that no line follows; last, that the one before is the input's last; open, that its end is missing.
func (r *Reader) End(last, open bool) {
	r.ends, r.open = last, last && open
	r.Flush()
	r.settleSpan(r.speaker.Deny())
}

// Periodic reports whether a statistics line need not be read.
func (r *Reader) Periodic(line []byte) bool { return r.to.Periodic(r.source, line) }

// Work is what has been done so far, about in bytes read.
func (r *Reader) Work() int { return r.work }

// LeftOut notes that a bound left something out.
func (r *Reader) LeftOut(line int, what string) {
	r.to.LeftOut(message.Pos{Source: r.source, Line: line}, what)
}

// What is done beside reading bytes, in bytes that could be read meanwhile.
const (
	lineWork   = 50
	matchWork  = 500
	proseWork  = 2000 // words in front of a message, that may say whose it is
	configWork = 10_000
)

// Gap says that lines were passed over.
func (r *Reader) Gap() {
	r.Flush()
	r.settleSpan(r.speaker.Deny())
	r.speaker.Gap()
	r.to.Gap(r.source)
}

func (r *Reader) add(l frame.Line) {
	blank := len(l.Text) == 0
	context, span := r.speaker.Line(&l)
	goesOn := len(r.lines) > 0 && r.lines[len(r.lines)-1].Partial
	other := l.Origin != "" && (len(r.lines) == 0 || l.Origin != r.lines[len(r.lines)-1].Origin && l.Origin != r.lines[len(r.lines)-1].Outer)
	if !goesOn && (blank || l.Head || other || r.full(&l) || bytes.HasPrefix(l.Text, tracebackHead)) {
		r.Flush()
	}
	if span != nil && span.State == speaker.Denied {
		r.settleSpan(span)
	} else if span != nil {
		defer r.settleSpan(span)
	}
	r.widths[r.next%len(r.widths)] = l.Width
	r.next++
	if blank && !(l.Head && l.Width >= minWrap) { // a prefix alone may be a record that was wrapped behind it
		return
	}
	h := heldLine{Line: l, context: context}
	if n := len(r.lines); n < cap(r.lines) {
		h.own = r.lines[:n+1][n].own[:0]
	}
	h.own = append(h.own, l.Text...)
	h.Text = h.own
	r.lines = append(r.lines, h)
	r.bytes += len(h.own)
}

// tracebackHead begins a record, also where the interpreter printed it without the logger's prefix.
var tracebackHead = []byte("Traceback (most recent call last)")

func (r *Reader) full(l *frame.Line) bool {
	n := len(r.lines)
	if n == 0 {
		return false
	}
	return n >= maxParaLines || r.bytes+len(l.Text) > maxParaBytes || n >= softLines && r.lines[n-1].Width < minWrap
}

// Flush ends the paragraph.
func (r *Reader) Flush() {
	if len(r.lines) == 0 {
		return
	}
	r.Peek()
	r.lines, r.bytes, r.read, r.told = r.lines[:0], 0, 0, r.told[:0]
	r.quoted.paragraph = false
}

// Peek matches the paragraph as far as it has come and hands what it finds to the builder, once.
func (r *Reader) Peek() {
	if r.read == len(r.lines) {
		return
	}
	again := r.read > 0
	from := r.read
	r.read = len(r.lines)
	r.joined, r.words, r.scanned = "", nil, 0
	clear(r.configs)
	r.squeeze()
	r.match()
	r.cutOff(r.ends)
	for i := range r.found {
		f := &r.found[i]
		at := spot{f.def, f.start, f.end}
		if again && slices.Contains(r.told, at) {
			continue
		}
		r.told = append(r.told, at)
		r.emit(f)
	}
	r.raised(from)
}

// squeeze makes the paragraph's text. A line end is a wrap when the line is as wide as the widest
// around it and not the only one of that width; else it is a plain line end.
func (r *Reader) squeeze() {
	r.text.Reset()
	column, same := 0, 0
	count := func(w int) {
		switch {
		case w > column:
			column, same = w, 1
		case w == column:
			same++
		}
	}
	for i := range min(r.next, len(r.widths)) {
		count(r.widths[i])
	}
	wrapped := column >= minWrap && column <= maxWrap && same >= 2
	gap := template.LineEnd
	for i := range r.lines {
		l := &r.lines[i]
		if gap == template.Wrap && l.Before {
			gap = template.Blank
		}
		r.text.Add(l.Text, gap)
		switch {
		case l.Partial || wrapped && l.Width >= column-1 && !l.After:
			gap = template.Wrap
		case wrapped && l.Width >= column-1:
			gap = template.Blank
		default:
			gap = template.LineEnd
		}
	}
}

// match finds all messages and configurations of the paragraph, in order.
func (r *Reader) match() {
	r.found = r.found[:0]
	r.hits = r.ix.leads.AppendHits(r.hits[:0], r.text.B)
	for i := 0; i < len(r.hits); {
		at := r.hits[i].Start()
		best := found{end: -1}
		for ; i < len(r.hits) && r.hits[i].Start() == at; i++ {
			l := r.ix.leadOf[r.hits[i].Text()]
			if l.definition >= 0 {
				r.try(l, at, &best)
			} else if facts := r.config(&settings.Dialects[l.program], at); len(facts) > 0 {
				r.found = append(r.found, found{def: -1, start: at, end: at, config: facts, dialect: l.program})
			}
		}
		if best.end > at {
			r.found = append(r.found, best)
		}
	}
	r.settle()
}

// try runs a program at a hit. Of the matches of a place the strongest class wins, of equals the longest,
// of those the first.
func (r *Reader) try(l lead, at int, best *found) {
	r.work += matchWork
	d := &message.All[l.definition]
	start, end, caps := r.matcher.MatchAround(d.Programs[l.program], &r.text, at)
	if r.matcher.GaveUp {
		r.cut(at, CutSteps)
	}
	if end < 0 || d.Alone && !r.alone(start, end) {
		return
	}
	if best.end >= 0 {
		mine, its := claim[d.Class], claim[message.All[best.def].Class]
		if mine < its || mine == its && end <= best.end {
			return
		}
	}
	*best = found{def: l.definition, start: start, end: end, caps: append([]template.Capture(nil), caps...)}
}

// settle leaves one message where several overlap: the stronger class, of equals the longer one, of
// those the one that begins first. Some classes claim nothing, since they quote what they follow from or are a
// part of it; of them the shorter wording of what a longer one says in the same place goes.
func (r *Reader) settle() {
	sort.SliceStable(r.found, func(i, j int) bool { return r.found[i].start < r.found[j].start })
	kept := r.found[:0]
	last, reach := -1, 0 // the match in kept that claims the text, and where the longest in kept ends
	for _, f := range r.found {
		if f.def >= 0 && claim[message.All[f.def].Class] == 0 {
			if f.end > reach {
				kept, reach = append(kept, f), f.end
			}
			continue
		}
		if last >= 0 && f.def >= 0 && f.start < kept[last].end {
			old := &kept[last]
			mine, its := claim[message.All[f.def].Class], claim[message.All[old.def].Class]
			if mine > its || mine == its && f.end-f.start > old.end-old.start {
				*old = f
				reach = max(reach, f.end)
			}
			continue
		}
		kept, reach = append(kept, f), max(reach, f.end)
		if f.def >= 0 {
			last = len(kept) - 1
		}
	}
	r.found = kept
}

// claim orders the classes by how strongly a match keeps its text from others.
var claim = [...]int{message.ClassFact: 1, message.ClassEcho: 0, message.ClassHint: 2, message.ClassDegraded: 3, message.ClassFailure: 3, message.ClassBenign: 4, message.ClassClause: 0, message.ClassException: 0}

// alone reports whether B[start:end] is all of its line, but for the number that grep -n puts in front.
func (r *Reader) alone(start, end int) bool {
	line := r.text.LineOf(start)
	inFront := func(i int) bool { return i >= 0 && r.text.LineOf(i) == line }
	if inFront(start-2) && r.text.B[start-1] == ':' && frame.IsDigit(r.text.B[start-2]) {
		for start -= 2; inFront(start-1) && frame.IsDigit(r.text.B[start-1]); start-- {
		}
	}
	return !inFront(start-1) && (end == len(r.text.B) || r.text.LineOf(end) != r.text.LineOf(end-1))
}

// leads reports whether B[start:] begins its line.
func (r *Reader) leads(start int) bool {
	return start == 0 || r.text.LineOf(start-1) != r.text.LineOf(start)
}

// saysNoMore reports whether the log is cut in what an exception says, whose class ends at byte end.
func (r *Reader) saysNoMore(end int) bool {
	rest := r.text.B[end:]
	return len(rest) == 0 || (rest[0] == ':' || rest[0] == '(') && r.text.LineOf(end-1) == len(r.lines)-1
}

// standsAlone reports whether B[start:end] is all of its line, but for a colon behind it.
func (r *Reader) standsAlone(start, end int) bool {
	if end < len(r.text.B) && r.text.B[end] == ':' && r.text.LineOf(end) == r.text.LineOf(end-1) {
		end++
	}
	return r.alone(start, end)
}

// config reads the configuration whose literal stands at byte at of the squeezed text.
func (r *Reader) config(d *settings.Dialect, at int) fact.Facts {
	if r.scanned > 4*maxParaBytes {
		r.cut(at, CutConfigs)
		return nil
	}
	if r.joined == "" {
		r.joined = r.text.Joined()
	}
	start, ok := d.Begin(r.joined, r.text.JoinedPos(at))
	if !ok || r.configs[start] {
		return nil
	}
	if r.configs == nil {
		r.configs = map[int]bool{}
	}
	r.configs[start] = true
	facts, n, full := d.Read(r.joined[start:])
	if full {
		r.cut(at, settings.CutSettings)
	}
	r.work += configWork
	r.scanned += n
	return facts
}

// cut notes that a bound left something out at a byte of the paragraph's text.
func (r *Reader) cut(at int, what string) {
	r.to.LeftOut(message.Pos{Source: r.source, Line: r.lines[r.text.LineOf(at)].No}, what)
}

// emit turns a match into a message for the builder.
func (r *Reader) emit(f *found) {
	first := &r.lines[r.text.LineOf(f.start)]
	at := message.Pos{Source: r.source, Line: first.No}
	lead := &r.lines[0] // the record's own prefixes
	if f.def == -1 {
		config, engine := f.config, settings.Dialects[f.dialect].Engine()
		for name, fact := range f.config {
			fact.Line, fact.Source, fact.Origin = at.Line, at.Source, lead.Origin
			f.config[name] = fact
		}
		c := message.Configuration{At: at, Origin: lead.Origin, Unit: lead.Unit, Engine: engine, Facts: config}
		r.say(first, f, nil, func() { r.to.Config(c) })
		return
	}
	d := &message.All[f.def]
	m := message.Occurrence{
		ID: d.ID, Class: d.Class, At: at, LastLine: r.lines[r.text.LineOf(f.end-1)].No,
		Origin: lead.Origin, Unit: lead.Unit, Time: lead.Time, Phase: d.Phase, Repeat: max(1, first.Repeat), Logged: first.Logger, Cut: f.cut,
	}
	if d.Class == message.ClassException || d.Class == message.ClassClause {
		m.Lead, m.Alone = r.leads(f.start), first.Indent == 0 && (r.standsAlone(f.start, f.end) || r.open && r.leads(f.start) && r.saysNoMore(f.end))
	}
	if d.Class != message.ClassFact || d.Periodic {
		m.Text = r.text.Slice(f.start, r.tail(f.end))
		if len(m.Text) > MaxText {
			r.cut(f.start, CutText)
		}
		m.Text = string(bytes.ToValidUTF8([]byte(m.Text[:min(len(m.Text), MaxText)]), []byte("?")))
	}
	for _, s := range d.Set {
		setFactValue(&m, s.Name, s.Value, 0)
	}
	for _, c := range f.caps {
		if takePart(&m.Part, c.Name, c.Text) {
			continue
		}
		info, _ := fact.Lookup(c.Name)
		if info.Kind == fact.Bytes && c.Num >= unknownSize && c.Name != "oom_requested" {
			continue
		}
		v := fact.Value{Kind: info.Kind, Num: c.Num, Text: c.Text}
		if info.Kind == fact.Version {
			v.Text = trimVersion(v.Text)
		}
		setFactValue(&m, c.Name, v, c.Slack)
	}
	if d.Periodic {
		m.Part.Number = r.engineBefore(f)
	}
	m.Part.Path = r.pathBefore(f)
	r.say(first, f, &m, func() { r.to.Message(d, m) })
}

// takePart keeps a capture that is no fact, and reports whether it is none.
func takePart(p *message.Part, name, text string) bool {
	if name[0] != '.' {
		return false
	}
	switch name {
	case ".func":
		p.Func = text
	case ".file":
		p.File = text
	case ".method":
		p.Method = text
	}
	return true
}

// tail is where the text that a message shows ends: a little behind the match, at a ruler at the latest.
func (r *Reader) tail(end int) int {
	last := min(end+300, len(r.text.B))
	for i := end; i < last; i++ {
		if r.text.Gaps[i] != template.LineEnd {
			continue
		}
		if !bytes.ContainsFunc(r.lines[r.text.LineOf(i)].Text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }) {
			return i
		}
	}
	return last
}

// engineBefore returns the number of the engine whose statistics these are: "Engine 003: Avg prompt …".
func (r *Reader) engineBefore(f *found) string {
	b := r.text.B[max(0, f.start-12):f.start]
	if i := bytes.LastIndex(b, []byte("Engine")); i >= 0 {
		return string(b[i+len("Engine"):])
	}
	return ""
}

// unknownSize is less than what the allocator prints for −1, "not available": 17179869184.00 GiB.
const unknownSize = float64(1 << 62)

func setFactValue(m *message.Occurrence, name string, v fact.Value, slack float64) {
	if m.Facts == nil {
		m.Facts = fact.Facts{}
	}
	if _, ok := m.Facts[name]; !ok {
		m.Facts[name] = fact.Fact{Value: v, Line: m.At.Line, Source: m.At.Source, Origin: m.Origin, Slack: slack}
	}
}

// pathBefore returns the path that stands directly in front of a match, as rich and old IPython print it.
func (r *Reader) pathBefore(f *found) string {
	i := f.start
	for i > 0 && (r.text.Gaps[i] == template.None || r.text.Gaps[i] == template.Wrap) && f.start-i < 300 {
		i--
	}
	return r.text.Slice(i, f.start)
}

// trimVersion takes off what a sentence puts around a version: "v0.9.1)." is 0.9.1.
func trimVersion(s string) string {
	b := bytes.TrimRight([]byte(s), ".,:;)")
	return string(bytes.TrimLeft(b, "v"))
}
