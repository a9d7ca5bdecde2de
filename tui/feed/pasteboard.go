package feed

import (
	"bytes"
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/logstore"
)

// Pasteboard is the Source of what is pasted or typed into the screen. Feed it from any goroutine.
type Pasteboard struct {
	Options oomdoc.Options
	pieces  chan piece
}

type piece struct {
	text         []byte
	end, restart bool
}

// NewPasteboard returns an empty one.
func NewPasteboard(opts oomdoc.Options) *Pasteboard {
	return &Pasteboard{Options: opts, pieces: make(chan piece, 16)}
}

// Feed adds text, which it keeps; end says that nothing more comes for now.
func (b *Pasteboard) Feed(text []byte, end bool) { b.pieces <- piece{text: text, end: end} }

// Restart forgets everything.
func (b *Pasteboard) Restart() { b.pieces <- piece{restart: true} }

// Restarted says that the source has forgotten everything.
type Restarted struct{}

// Run diagnoses what comes, while it comes.
func (b *Pasteboard) Run(ctx context.Context, send func(tea.Msg)) {
	var s *session
	var log *logstore.Log
	var stream interface{ Feed([]byte) }
	var cr, full bool
	begin := func() {
		s = &session{Session: oomdoc.NewSession(b.Options), send: send}
		log, cr, full = logstore.New("paste", nil), false, false
		stream = s.Stream("paste")
	}
	begin()
	opened := false
	for {
		var p piece
		wait := time.NewTimer(pause)
		select {
		case p = <-b.pieces:
		case <-wait.C:
			s.look()
			continue
		case <-ctx.Done():
			return
		}
		wait.Stop()
		if p.restart {
			log.Close()
			begin()
			opened = false
			send(Restarted{})
			continue
		}
		if !opened {
			send(Opened{log})
			opened = true
		}
		text := lineEnds(p.text, &cr)
		if room := MaxPaste - int(s.bytes); len(text) > room {
			text, full = text[:room], true
		}
		told := s.told
		s.feed(log, stream.Feed, text)
		if s.told != told || p.end {
			send(Pasted{Bytes: s.bytes, Full: full, Ended: p.end})
		}
		if p.end {
			send(Diagnosed{s.Now(), true})
			s.fresh = false
		}
	}
}

// lineEnds turns the carriage returns that terminals send for the ends of pasted lines into line
// feeds. cr remembers whether the last piece ended in one.
func lineEnds(p []byte, cr *bool) []byte {
	if len(p) == 0 {
		return p
	}
	if *cr && p[0] == '\n' {
		p = p[1:]
	}
	*cr = len(p) > 0 && p[len(p)-1] == '\r'
	p = bytes.ReplaceAll(p, []byte("\r\n"), []byte("\n"))
	return bytes.ReplaceAll(p, []byte("\r"), []byte("\n"))
}

// MaxPaste is how much a paste may hold, bytes.
const MaxPaste = 64 << 20

// Pasted says that a paste has begun, grown or ended. The screen that is behind it shows the diagnosis.
type Pasted struct {
	Bytes int64
	Ended bool
	Full  bool // more came than MaxPaste
}
