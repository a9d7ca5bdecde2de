package tui

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc/internal/attack"
)

// attacks are what a log may hold to act on the terminal that shows it.
var attacks = append([]string{
	"\x1b]0;new title\x07", "\x1b]2;new title\x1b\\", "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://example.org\x1b\\link\x1b]8;;\x1b\\",
	"\x1b[2J\x1b[H", "\x1b[10;10H", "\x1b[31m", "\x1b[?1049l", "\x1b[?25h", "\x1b[6n", "\x1b[c", "\x1bP+q544e\x1b\\", "\x1bc", "\x1b(0",
	"\x1b_payload\x1b\\", "\x1b^private\x07", "\x1bX start of string \x1b\\", "\x1b[200~pasted\x1b[201~", "\x1b", "\x1b[", "\x1b]", "\x1b]52;c;unfinished",
	"\x9b31m", "\x9d0;c1 title\x9c", "\u009b2J", "\u009d52;c;ZXZpbA==\u009c", "\x90q\x9c",
	"\u202egnirts\u202c", "\u2066isolate\u2069", "\u200bzero\u200cwidth\u200d", "\ufeff", "\u061c", "\u2028line\u2029paragraph",
	"\b\b\b\b", "a\rb", "\v\f", "\x00nul", "\x07bell", "\x7f", "\xff\xfe\xfd", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80",
	"☁\ufe0f", "👩\u200d👩\u200d👧", "e" + strings.Repeat("\u0301", 40), "漢字かな", "\t\ttabs", "\u20dd", "\U000e0041\U000e0042", strings.Repeat("W", 3000),
}, attack.Texts...)

// hostile is a log in which every line, every fact and every name carries an attack.
func hostile() []byte {
	var b strings.Builder
	for i, a := range attacks {
		b.WriteString("INFO " + a + " step\n")
		if i%8 == 0 {
			b.WriteString("(EngineCore" + a + " pid=" + a + "77) ERROR vllm serve 'org/mod" + a + "el' --max-model-len 8192 " + a + "\n")
			b.WriteString("[rank" + a + "0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.10 GiB is free. Process 12" + a + " has 20.00 GiB memory in use.\n")
		}
	}
	b.WriteString("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.65 GiB of which 1.10 GiB is free." + strings.Join(attacks, " ") + "\n")
	return []byte(b.String())
}

// A log that attacks the terminal changes nothing outside its cells: in no view does anything of it
// reach the screen but printable text.
func TestHostile(t *testing.T) {
	m := opened(t, Options{Color: true}, hostile())
	m.logs[0].Name = "evil" + strings.Join(attacks[:8], "") + ".log"
	if m.current() == nil {
		t.Fatal("nothing was found")
	}
	walks := [][]string{
		{}, {"enter"}, {"d"}, {"w"}, {"tab", "j", "j", "j", "j"}, {"l"}, {"l", "W"}, {"l", "g", "pgdown", "pgdown"}, {"l", "right", "right"},
		{"l", "/", "step", "enter", "n"}, {"l", "&", "title"}, {"l", "&", "!step", "enter"}, {"x"}, {"i"}, {"y"}, {"l", "/", "step", "enter", "y"}, {"?"},
	}
	for _, size := range [][2]int{{80, 24}, {120, 40}, {40, 20}, {200, 60}} {
		send(m, tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, keys := range walks {
			press(m, keys...)
			view := checked(t, m)
			for _, mark := range []string{"ZXZpbA==", "new title", "c1 title"} {
				if i := strings.Index(ansi.Strip(view), mark); i >= 0 && strings.Contains(view, "]52;") {
					t.Errorf("after %q a command of the log stands on the screen: %q", keys, mark)
				}
			}
			for len(m.stack) > 1 {
				m.pop()
			}
			m.help = false
		}
	}
}

// The bytes that reach the terminal are printable text and what a screen is drawn with: colours, cursor
// moves, erasing, and the modes of the screen. No string command is among them, whatever the log holds.
func TestBytes(t *testing.T) {
	m := opened(t, Options{Color: true}, hostile())
	m.logs[0].Name = "evil" + strings.Join(attacks[:8], "") + ".log"
	var out bytes.Buffer
	p := tea.NewProgram(m, tea.WithOutput(&out), tea.WithInput(nil), tea.WithAltScreen(), tea.WithFPS(120), tea.WithoutSignalHandler())
	go func() {
		p.Send(tea.WindowSizeMsg{Width: 100, Height: 30})
		for _, k := range "jjjl/stepnNWGgqdqwqxqq" {
			msg := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{k}}
			if k == 'n' {
				p.Send(tea.KeyMsg{Type: tea.KeyEnter})
			}
			p.Send(msg)
			time.Sleep(20 * time.Millisecond) // for a picture between two keys
		}
	}()
	if _, err := p.Run(); err != nil {
		t.Fatal(err)
	}
	sequence := regexp.MustCompile(`^\x1b\[(\??[0-9;]*)([A-Za-z])`)
	for s := out.String(); s != ""; {
		if s[0] == 0x1b {
			c := sequence.FindStringSubmatch(s)
			if c == nil || !strings.Contains("mHJKABCDGhl", c[2]) || strings.Contains("hl", c[2]) && !strings.Contains("?25 ?1049 ?2004 ?1002 ?1003 ?1006", c[1]) {
				t.Fatalf("the terminal gets %q", s[:min(len(s), 40)])
			}
			s = s[len(c[0]):]
			continue
		}
		end := strings.IndexByte(s, 0x1b)
		if end < 0 {
			end = len(s)
		}
		if bad := foreign(strings.ReplaceAll(s[:end], "\r", "")); bad != "" {
			t.Fatalf("the terminal gets %q", bad)
		}
		s = s[end:]
	}
	if out.Len() < 5000 {
		t.Errorf("only %d bytes were drawn", out.Len())
	}
}

// FuzzView holds every screen against what holds for all of them, whatever the log says.
func FuzzView(f *testing.F) {
	f.Add([]byte("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"), 80, 24)
	f.Add(hostile(), 61, 17)
	f.Fuzz(func(t *testing.T, log []byte, w, h int) {
		if w < 1 || w > 300 || h < 1 || h > 100 || len(log) > 1<<16 {
			t.Skip()
		}
		m := opened(t, Options{Color: true}, log)
		send(m, tea.WindowSizeMsg{Width: w, Height: h})
		for _, k := range []string{"l", "W", "esc", "d", "esc", "enter", "esc", "w"} {
			checked(t, m)
			press(m, k)
		}
		checked(t, m)
	})
}
