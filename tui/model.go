package tui

import (
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
	"github.com/oomdoc/oomdoc/tui/feed"
)

// Model is the state of the screen. It implements [tea.Model]; drive it with messages.
type Model struct {
	common
	mouse       bool
	interrupted bool // left by Ctrl-C
}

// receiver is a view that takes messages other than keys.
type receiver interface {
	receive(m *common, msg tea.Msg) tea.Cmd
}

// New returns the model of an empty screen.
func New(opts Options) *Model {
	m := &Model{common: common{opts: opts, look: look{newTheme(opts.Color, opts.Dark), opts.Lang}, w: 80, h: 24}}
	m.stack = []view{&diagnosisView{}}
	if opts.Board != nil {
		m.stack = append(m.stack, newPasteView(&m.common))
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
	case feed.Opened:
		m.logs = append(m.logs, msg.Log)
	case feed.Progress:
		m.progress = msg
	case feed.Diagnosed:
		m.take(msg)
	case feed.Live:
		if lost := m.live.take(msg, m.logs); lost > 0 {
			m.note = fmt.Sprintf(m.word("notKept"), memory.Format(float64(lost)))
		}
	case feed.Notice:
		m.note = cells.Printable(msg.Text)
	case feed.Failed:
		m.note = fmt.Sprintf(m.word("failed"), cells.Printable(msg.Err.Error()))
	case noteMsg:
		m.note = string(msg)
	case feed.Pasted:
		if msg.Full {
			m.note = m.word("pasteFull")
		}
	case feed.Restarted:
		m.reset()
		return m, nil
	}
	var cmds []tea.Cmd
	for _, v := range m.stack {
		if r, ok := v.(receiver); ok {
			cmds = append(cmds, r.receive(&m.common, msg))
		}
	}
	return m, tea.Batch(cmds...)
}

// take shows a newer diagnosis. The incident that was looked at stays the one that is shown, unless a log is
// followed, a new one has come, and nobody has chosen what to look at.
func (m *Model) take(msg feed.Diagnosed) {
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
		m.note = fmt.Sprintf(m.word("liveNew"), report.Headline(m.diagnosis.Findings[fresh], m.lang))
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
		return m.top().key(&m.common, k)
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
		return m.top().key(&m.common, k)
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
		m.open(newWhatIf(&m.common))
	case "l":
		m.openLog()
	case "x":
		m.open(newExplain(&m.common, ""))
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
		return m.top().key(&m.common, k)
	}
	return nil
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
		cmd = m.top().key(&m.common, k)
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
			f := m.current()
			accounted := f != nil && len(drawn(f.Ledgers)) > 0
			rows = m.live.draw(&m.look, max(w, leastWidth), h-1-leastHeight, m.h, accounted)
		}
		rows = append(rows, m.top().draw(&m.common, max(w, leastWidth), max(h-1-len(rows), leastHeight))...)
	}
	rows = cells.Clip(rows, w, h-1)
	for len(rows) < h-1 {
		rows = append(rows, "")
	}
	rows = append(rows, m.bar(w))
	return strings.Join(rows, "\n")
}

// bar is the last row: a note, or the keys that fit.
func (m *Model) bar(w int) string {
	if m.note != "" {
		return m.theme.accent.Render(cells.Cut(cells.Printable(m.note), w))
	}
	list := append(m.top().hints(&m.common), hint{"?", "help"})
	var out string
	for _, h := range list {
		item := m.theme.bold.Render(h.keys) + m.theme.dim.Render(" "+hints[h.what].In(m.lang))
		if cells.Width(out)+cells.Width(item)+2 > w {
			continue
		}
		if out != "" {
			out += "  "
		}
		out += item
	}
	return out
}

// reset is the screen as it was before anything was pasted.
func (m *Model) reset() {
	fresh := New(m.opts)
	fresh.w, fresh.h, fresh.mouse = m.w, m.h, m.mouse
	*m = *fresh
}

// pause stops the screen, or shows what has happened meanwhile.
func (m *Model) pause() tea.Cmd {
	h := &m.live
	h.paused = !h.paused
	if h.paused {
		return nil
	}
	var cmds []tea.Cmd
	if h.diagnosed != nil {
		_, cmd := m.Update(*h.diagnosed)
		cmds = append(cmds, cmd)
	}
	if h.latest != nil {
		_, cmd := m.Update(*h.latest)
		cmds = append(cmds, cmd)
	}
	h.diagnosed, h.latest = nil, nil
	return tea.Batch(cmds...)
}

// openLog shows the log around the line that justifies what the cursor of the diagnosis is on.
func (m *Model) openLog() {
	if d, ok := m.stack[0].(*diagnosisView); ok {
		openLog(&m.common, d.shown(&m.common))
	}
}
