package tui

import (
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/rules"
	"github.com/oomdoc/oomdoc/tui/cells"
)

// whatifView moves settings and shows at once what becomes of the memory.
type whatifView struct {
	state   *memory.State
	finding *rules.Finding
	sliders []slider
	at      int
}

// slider is a setting that can be moved.
type slider struct {
	name string
	was  float64
	now  float64
	soft bool // the log does not state the value: the engine's default
	step func(v float64, up bool) float64
	show func(v float64) string
}

// newWhatIf returns the what-if of the current incident, or of the run where nothing failed.
func newWhatIf(m *common) *whatifView {
	v := &whatifView{finding: m.current()}
	switch {
	case v.finding != nil:
		v.state = memory.FromIncident(v.finding.Incident)
	case m.diagnosis != nil:
		v.state = memory.NewState(m.diagnosis.Facts, "", "")
	default:
		return v
	}
	for _, s := range settings {
		was, basis, ok := v.state.Current(s.name)
		if !ok || math.IsNaN(was) {
			continue
		}
		s.was, s.now, s.soft = was, was, basis != memory.Stated
		v.sliders = append(v.sliders, s)
	}
	return v
}

func (v *whatifView) changed(m *common) { *v = *newWhatIf(m) }

// settings are what can be moved, in the order in which they are tried.
var settings = []slider{
	{name: "gpu_memory_utilization", step: byHundredth, show: func(v float64) string { return fmt.Sprintf("%.2f", v) }},
	{name: "max_model_len", step: lengths, show: grouped},
	{name: "max_num_seqs", step: doubling(1, 4096), show: grouped},
	{name: "max_num_batched_tokens", step: doubling(256, 1<<20), show: grouped},
	{name: "tensor_parallel_size", step: doubling(1, 16), show: grouped},
	{name: "kv_cache_dtype", step: kvWidths, show: func(v float64) string {
		if v == 1 {
			return "fp8"
		}
		return fmt.Sprintf("%.0f bit", 8*v)
	}},
	{name: "enforce_eager", step: func(_ float64, up bool) float64 { return map[bool]float64{true: 1}[up] },
		show: func(v float64) string { return map[bool]string{true: "on", false: "off"}[v != 0] }},
}

func grouped(v float64) string { return memory.Grouped(int(v)) }

func byHundredth(v float64, up bool) float64 {
	d := -0.01
	if up {
		d = 0.01
	}
	return math.Max(0.05, math.Min(0.99, math.Round((v+d)*100)/100))
}

// lengths steps by an eighth of the power of two below, in whole blocks: 16384, 18432, 20480, …
func lengths(v float64, up bool) float64 {
	if !up {
		v--
	}
	d := math.Max(16, math.Exp2(math.Floor(math.Log2(math.Max(v, 1))))/8)
	n := math.Floor(v/d) * d
	if up {
		n += d
	}
	return math.Max(128, math.Min(1<<23, n))
}

func doubling(low, high float64) func(float64, bool) float64 {
	return func(v float64, up bool) float64 {
		e := math.Log2(math.Max(v, 1))
		if up {
			return math.Min(high, math.Exp2(math.Floor(e)+1))
		}
		return math.Max(low, math.Exp2(math.Ceil(e)-1))
	}
}

func kvWidths(v float64, up bool) float64 {
	if up {
		return math.Min(4, v*2)
	}
	return math.Max(1, v/2)
}

// change is what has been moved.
func (v *whatifView) change() memory.Change {
	c := memory.Change{}
	for _, s := range v.sliders {
		if s.now != s.was {
			c[s.name] = s.now
		}
	}
	return c
}

func (v *whatifView) key(m *common, k tea.KeyMsg) tea.Cmd {
	if len(v.sliders) == 0 {
		return nil
	}
	s := &v.sliders[v.at]
	switch k.String() {
	case "right", "+", "=", "L":
		s.now = s.step(s.now, true)
	case "left", "-", "h", "H":
		s.now = s.step(s.now, false)
	case "r":
		for i := range v.sliders {
			v.sliders[i].now = v.sliders[i].was
		}
	case "0", "backspace":
		s.now = s.was
	case "f", "enter":
		if x, verdict := v.state.Fit(s.name); verdict.Kind != memory.Unknown && x > 0 {
			s.now = x
		}
	case "y":
		return m.copy(v.command(m))
	default:
		v.at, _ = scroll(v.at, len(v.sliders), 5, k)
	}
	return nil
}

// command is what to run for the settings as they stand: the log's own command, or the flags.
func (v *whatifView) command(m *common) string {
	if v.finding == nil {
		return ""
	}
	values := map[string]fact.Value{}
	for name, x := range v.change() {
		info, _ := fact.Lookup(name)
		val := fact.Value{Kind: info.Kind, Num: x}
		if info.Kind == fact.Text {
			val.Text = map[bool]string{true: "fp8", false: "auto"}[x == 1]
		}
		values[name] = val
	}
	flags, command := rules.Flags(v.finding.Incident, m.base(), values)
	if command != "" {
		return command
	}
	return flags
}

func (v *whatifView) hints(*common) []hint {
	return []hint{{"q", "back"}, {"j/k", "move"}, {"←→", "change"}, {"f", "fit"}, {"y", "copy"}, {"r", "reset"}}
}

func (v *whatifView) draw(m *common, w, h int) []string {
	out := []string{m.header(m.word("whatif")+" · "+m.name(), w)}
	if len(v.sliders) == 0 {
		return append(append(out, ""), cells.Wrap(m.word("noWhatif"), w, 4)...)
	}
	verdict := v.state.WhatIf(v.change())
	out = append(out, m.outcome(verdict, w)...)
	out = append(out, "")
	list := verdict.Ledgers
	if len(drawn(list)) == 0 {
		list = v.state.Ledgers()
	}
	if len(list) > 1 {
		list = list[:1]
	}
	if h >= len(v.sliders)+10 {
		out = append(out, m.ledgerRows(list, w, 4+h/20)...)
		out = append(out, "")
	} else {
		out = append(out, m.ledgerRows(list, w, 2)...)
	}
	for i, s := range v.sliders {
		out = append(out, m.sliderRow(s, i == v.at, min(w, 100)))
	}
	if c := v.command(m); c != "" {
		out = append(out, "", m.rule(m.word("apply"), "y", w))
		for _, r := range cells.Wrap(cells.Printable(c), w-2, max(2, h-len(out)-1)) {
			out = append(out, "  "+m.theme.good.Render(r))
		}
	}
	return out
}

// outcome is the verdict of a change in words and sums.
func (k *look) outcome(v memory.Verdict, w int) []string {
	word := k.verdictWord(v.Kind)
	if word == "" {
		word = k.theme.dim.Render("? " + k.word("unknown"))
	}
	if v.Basis == memory.Estimated && v.Kind != memory.Unknown {
		word += k.theme.dim.Render(" (" + k.word("estimate") + ")")
	}
	out := []string{word}
	for _, r := range cells.Wrap(v.Sums, w-2, 2) {
		out = append(out, "  "+r)
	}
	return out
}

// sliderRow draws a setting: its name, where it stands on its range, its value, and what it was.
func (k *look) sliderRow(s slider, selected bool, w int) string {
	mark, style := "  ", k.theme.plain
	if selected {
		mark, style = k.theme.accent.Render("▸ "), k.theme.bold
	}
	was := k.word("asIs")
	if s.now != s.was {
		was = s.show(s.was) + " →"
	} else if s.soft {
		was = "≈"
	}
	value := style.Render(s.show(s.now))
	if s.now != s.was {
		value = k.theme.warn.Render(s.show(s.now))
	}
	name := cells.Fill(s.name, 23)
	left := mark + style.Render(name) + " "
	right := cells.Fill(strings.Repeat(" ", max(0, 10-cells.Width(was)))+k.theme.dim.Render(was), 10) + " " + value
	room := w - cells.Width(left) - 24
	if room < 8 {
		return cells.Ends(left, value, w)
	}
	return cells.Cut(left+k.track(s, min(room, 32))+" "+right, w)
}

// track is the range of a setting with a mark where it stands and one where it was.
func (k *look) track(s slider, w int) string {
	low, high := s.was, s.was
	for range 200 {
		low = s.step(low, false)
	}
	for range 200 {
		high = s.step(high, true)
	}
	scale := func(x float64) float64 { return x }
	if high > 64*math.Max(low, 1) || low >= 1 && high/low > 8 {
		scale = func(x float64) float64 { return math.Log2(math.Max(x, 1)) }
		high = math.Min(high, 16*math.Max(s.was, s.now))
		low = math.Max(low, math.Min(s.was, s.now)/64)
	}
	at := func(x float64) int {
		if high <= low {
			return 0
		}
		f := (scale(x) - scale(low)) / (scale(high) - scale(low))
		return max(0, min(w-1, int(math.Round(f*float64(w-1)))))
	}
	row := []rune(strings.Repeat("─", w))
	row[at(s.was)] = '┼'
	i := at(s.now)
	row[i] = '●'
	return k.theme.dim.Render(string(row[:i])) + k.theme.accent.Render("●") + k.theme.dim.Render(string(row[i+1:]))
}
