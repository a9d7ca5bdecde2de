package tui

import (
	"fmt"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// Options changes how the screen looks and speaks.
type Options struct {
	Lang    string // "en" or "zh"
	Color   bool
	Dark    bool // the terminal's background is known to be dark
	Version string
	Topics  func() []Topic
	World   *World // what the screen does outside of itself; nil does nothing, as in tests

	Board *Pasteboard // begin with a place to paste, which feeds this; nil: there is none
}

// Model is the state of the screen. It implements [tea.Model]; drive it with messages.
type Model struct {
	opts  Options
	theme theme
	w, h  int

	diagnosis *rules.Diagnosis
	final     bool
	progress  Progress
	live      liveHeader
	tapes     []*Tape
	finding   int // the incident that is shown
	stack     []view
	note      string // stands in the help bar until the next key
	mouse     bool
	help      bool

	interrupted bool // left by Ctrl-C
}

// view is one screen. The top one of a model's stack is drawn and gets the keys.
type view interface {
	key(m *Model, k tea.KeyMsg) tea.Cmd
	draw(m *Model, w, h int) []string
	hints(m *Model) []hint
}

// receiver is a view that takes messages other than keys.
type receiver interface {
	receive(m *Model, msg tea.Msg) tea.Cmd
}

// hint is a key of the help bar.
type hint struct{ keys, what string }

// New returns the model of an empty screen.
func New(opts Options) *Model {
	m := &Model{opts: opts, theme: newTheme(opts.Color, opts.Dark), w: 80, h: 24}
	m.stack = []view{&diagnosisView{}}
	if opts.Board != nil {
		m.stack = append(m.stack, newPasteView(m))
	}
	return m
}

// Diagnosis is what the screen shows, nil before anything was read.
func (m *Model) Diagnosis() *rules.Diagnosis { return m.diagnosis }

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if m.live.hold(msg) {
		return m, nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyMsg:
		return m, m.keys(msg)
	case tea.MouseMsg:
		return m, m.wheel(msg)
	case Opened:
		m.tapes = append(m.tapes, msg.Tape)
	case Progress:
		m.progress = msg
	case Diagnosed:
		m.take(msg)
	case Live:
		m.live.take(m, msg)
	case Notice:
		m.note = printable(msg.Text)
	case Failed:
		m.note = fmt.Sprintf(m.word("failed"), printable(msg.Err.Error()))
	case noteMsg:
		m.note = string(msg)
	case Pasted:
		if msg.Full {
			m.note = m.word("pasteFull")
		}
	case restarted:
		m.reset()
		return m, nil
	}
	var cmds []tea.Cmd
	for _, v := range m.stack {
		if r, ok := v.(receiver); ok {
			cmds = append(cmds, r.receive(m, msg))
		}
	}
	return m, tea.Batch(cmds...)
}

// noteMsg is a short message for the help bar.
type noteMsg string

// take shows a newer diagnosis. The incident that was looked at stays the one that is shown, unless a log is
// followed, a new one has come, and nobody has chosen what to look at.
func (m *Model) take(msg Diagnosed) {
	at, known := m.current(), map[incidentKey]bool{}
	if m.diagnosis != nil {
		for _, f := range m.diagnosis.Findings {
			known[keyOf(f)] = true
		}
	}
	m.diagnosis, m.final = msg.Diagnosis, msg.Final
	m.finding = 0
	if at == nil {
		return
	}
	fresh := -1
	for i, f := range m.diagnosis.Findings {
		if f.Incident.First == at.Incident.First && (m.finding == 0 || keyOf(f) == keyOf(at)) {
			m.finding = i
		}
		if fresh < 0 && !known[keyOf(f)] && m.supersedes(f, at) {
			fresh = i
		}
	}
	if m.live.now == nil || fresh < 0 {
		return
	}
	if d, ok := m.stack[0].(*diagnosisView); len(m.stack) > 1 || ok && d.steered() {
		m.note = fmt.Sprintf(m.word("liveNew"), report.Headline(m.diagnosis.Findings[fresh], m.opts.Lang))
		return
	}
	m.show(fresh)
}

// supersedes reports whether an incident that has just come is more worth a look than the one that is shown:
// what slows a server down is not, unless the failure is history.
func (m *Model) supersedes(f, shown *rules.Finding) bool {
	return !f.Degraded() || shown.Degraded() || m.live.now != nil && m.live.now.Ready
}

// incidentKey tells incidents apart: what is worked out stands on the line that it was worked out from.
type incidentKey struct {
	first parser.Pos
	id    string
}

func keyOf(f *rules.Finding) incidentKey {
	return incidentKey{f.Incident.First, f.Incident.Messages[0].ID}
}

// current is the finding that is shown, nil where there is none.
func (m *Model) current() *rules.Finding {
	if m.diagnosis == nil || m.finding >= len(m.diagnosis.Findings) {
		return nil
	}
	return m.diagnosis.Findings[m.finding]
}

func (m *Model) top() view { return m.stack[len(m.stack)-1] }

func (m *Model) push(v view) { m.stack = append(m.stack, v) }

// pop leaves a view; it reports whether there was one to go back to.
func (m *Model) pop() bool {
	if len(m.stack) == 1 {
		return false
	}
	m.stack = m.stack[:len(m.stack)-1]
	return true
}

// typing is a view in which letters are text, not commands, while it says so.
type typing interface{ typing() bool }

// keys takes apart what Bubble Tea joins: letters that come quickly are one message.
func (m *Model) keys(k tea.KeyMsg) tea.Cmd {
	if len(k.Runes) < 2 || k.Paste || k.Alt {
		return m.key(k)
	}
	var cmds []tea.Cmd
	for _, r := range k.Runes {
		cmds = append(cmds, m.key(tea.KeyMsg{Type: k.Type, Runes: []rune{r}}))
	}
	return tea.Sequence(cmds...)
}

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	m.note = ""
	switch k.String() {
	case "ctrl+c":
		m.interrupted = true
		return tea.Quit
	case "ctrl+z":
		return tea.Suspend
	}
	if t, ok := m.top().(typing); ok && t.typing() {
		return m.top().key(m, k)
	}
	if m.help {
		m.help = false
		return nil
	}
	switch k.String() {
	case "ctrl+r":
		return m.restart()
	case " ":
		if m.live.now != nil {
			return m.pause()
		}
		return m.top().key(m, k)
	case "?":
		m.help = true
	case "q":
		if !m.pop() {
			return tea.Quit
		}
	case "esc":
		m.pop()
	case "m":
		m.mouse = !m.mouse
		if m.mouse {
			m.note = m.word("mouseOn")
			return tea.EnableMouseCellMotion
		}
		m.note = m.word("mouseOff")
		return tea.DisableMouse
	case "Y":
		return m.copy(m.report())
	case "s":
		return m.save()
	case "w":
		m.open(newWhatIf(m))
	case "l":
		m.openLog()
	case "x":
		m.open(newExplain(m, ""))
	case "d":
		if m.current() != nil {
			m.open(&whyView{})
		}
	case "i":
		if m.diagnosis != nil && len(m.diagnosis.Findings) > 1 {
			m.open(&incidentsView{at: m.finding})
		}
	case "e", "E":
		m.step(k.String() == "e")
		return nil
	default:
		return m.top().key(m, k)
	}
	return nil
}

// open shows a view, once: a second what-if does not stand on the first.
func (m *Model) open(v view) {
	for i, old := range m.stack {
		if fmt.Sprintf("%T", old) == fmt.Sprintf("%T", v) {
			m.stack = m.stack[:i]
			break
		}
	}
	m.push(v)
}

// step goes to the next or the previous incident, around the end.
func (m *Model) step(next bool) {
	if m.diagnosis == nil || len(m.diagnosis.Findings) == 0 {
		return
	}
	n := len(m.diagnosis.Findings)
	if next {
		m.show((m.finding + 1) % n)
	} else {
		m.show((m.finding + n - 1) % n)
	}
}

// show goes to an incident.
func (m *Model) show(i int) {
	m.finding = i
	for _, v := range m.stack {
		if s, ok := v.(interface{ changed(*Model) }); ok {
			s.changed(m)
		}
	}
}

// wheel turns the mouse wheel into keys.
func (m *Model) wheel(msg tea.MouseMsg) tea.Cmd {
	k := tea.KeyMsg{Type: tea.KeyDown}
	switch {
	case msg.Button == tea.MouseButtonWheelUp:
		k.Type = tea.KeyUp
	case msg.Button != tea.MouseButtonWheelDown:
		return nil
	}
	var cmd tea.Cmd
	for range 3 {
		cmd = m.top().key(m, k)
	}
	return cmd
}

// The smallest size that views are drawn for.
const leastWidth, leastHeight = 20, 8

// View implements tea.Model.
func (m *Model) View() string {
	w, h := m.w, m.h
	if w < 1 || h < 1 {
		return ""
	}
	// Views are drawn for a size that leaves them room, and clipped to the terminal's.
	var rows []string
	if m.help {
		rows = m.helpPage(max(w, leastWidth), max(h-1, leastHeight))
	} else {
		if len(m.stack) == 1 {
			rows = m.live.draw(m, max(w, leastWidth), h-1-leastHeight)
		}
		rows = append(rows, m.top().draw(m, max(w, leastWidth), max(h-1-len(rows), leastHeight))...)
	}
	rows = clip(rows, w, h-1)
	for len(rows) < h-1 {
		rows = append(rows, "")
	}
	rows = append(rows, m.bar(w))
	return strings.Join(rows, "\n")
}

// bar is the last row: a note, or the keys that fit.
func (m *Model) bar(w int) string {
	if m.note != "" {
		return m.theme.accent.Render(cut(printable(m.note), w))
	}
	list := append(m.top().hints(m), hint{"?", "help"})
	var out string
	for _, h := range list {
		item := m.theme.bold.Render(h.keys) + m.theme.dim.Render(" "+hints[h.what].In(m.opts.Lang))
		if cells(out)+cells(item)+2 > w {
			continue
		}
		if out != "" {
			out += "  "
		}
		out += item
	}
	return out
}

// header is the first row of a view: where one is, and how far reading has come.
func (m *Model) header(title string, w int) string {
	left := m.theme.heading.Render("oomdoc") + " "
	if title != "" {
		left += m.theme.bold.Render(printable(title))
	}
	var right []string
	if !m.final && m.progress.Bytes > 0 {
		s := m.word("reading") + " "
		if m.progress.Total > 0 {
			s += fmt.Sprintf("%d%%", min(100, 100*m.progress.Bytes/m.progress.Total))
		} else {
			s += memory.Format(float64(m.progress.Bytes))
		}
		right = append(right, m.theme.warn.Render(s))
	}
	if m.diagnosis != nil && len(m.diagnosis.Findings) > 1 {
		right = append(right, fmt.Sprintf("%s %d/%d", m.word("incident"), m.finding+1, len(m.diagnosis.Findings)))
	}
	return ends(left, strings.Join(right, " · "), w)
}

// name is what the log is called: the end of its path.
func (m *Model) name() string {
	switch len(m.tapes) {
	case 0:
		return ""
	case 1:
		return filepath.Base(m.tapes[0].Name)
	}
	return fmt.Sprintf("%s +%d", filepath.Base(m.tapes[0].Name), len(m.tapes)-1)
}

func (m *Model) base() *knowledge.Base {
	if m.diagnosis != nil && m.diagnosis.Knowledge != nil {
		return m.diagnosis.Knowledge
	}
	return knowledge.Builtin()
}
