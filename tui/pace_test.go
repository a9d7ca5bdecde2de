package tui

import (
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// However many messages come, pictures are a frame apart, and the last state is drawn.
func TestPace(t *testing.T) {
	m := opened(t, Options{}, golden(t, "kv-below-max-len-terminal"))
	clock := time.Unix(0, 0)
	p := &paced{Model: m, now: func() time.Time { return clock }}
	last, pictures := p.View(), 0
	for i := range 600 { // a key a millisecond
		clock = clock.Add(time.Millisecond)
		p.Update(tea.KeyMsg{Type: []tea.KeyType{tea.KeyDown, tea.KeyUp}[i/7%2]})
		if v := p.View(); v != last {
			last, pictures = v, pictures+1
		}
	}
	if pictures == 0 || pictures > 19 {
		t.Errorf("%d pictures in 0.6 s", pictures)
	}
	clock = clock.Add(frame)
	p.Update(drawMsg{})
	if p.View() != m.View() {
		t.Error("the last state is not drawn")
	}
}
