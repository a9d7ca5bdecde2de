package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// frame is the least time between two pictures: 30 a second.
const frame = time.Second / 30

// paced draws a model at most once a frame. The first picture after a pause is drawn at once, so that a
// key is answered without waiting for a frame to end.
type paced struct {
	*Model
	now     func() time.Time
	drawn   time.Time
	view    string
	fresh   bool // the model has changed since view was drawn
	waiting bool // a drawMsg is on its way
}

// drawMsg says that the time of a picture that was put off has come.
type drawMsg struct{}

func (p *paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(drawMsg); ok {
		p.waiting = false
		return p, nil
	}
	_, cmd := p.Model.Update(msg)
	p.fresh = true
	if left := frame - p.now().Sub(p.drawn); left > 0 && !p.waiting {
		p.waiting = true
		cmd = tea.Batch(cmd, tea.Tick(left, func(time.Time) tea.Msg { return drawMsg{} }))
	}
	return p, cmd
}

func (p *paced) View() string {
	if now := p.now(); p.view == "" || p.fresh && now.Sub(p.drawn) >= frame {
		p.view, p.drawn, p.fresh = p.Model.View(), now, false
	}
	return p.view
}
