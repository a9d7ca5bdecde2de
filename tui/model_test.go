package tui

import (
	"flag"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/logstore"
	"github.com/oomdoc/oomdoc/tui/feed"
)

var update = flag.Bool("update", false, "record the golden screens anew")

// cases are golden logs that between them have every kind of screen.
var cases = []string{
	"kv-below-max-len-terminal", "kv-below-max-len-v0-compose", "kv-below-max-len-docker-json", "graph-capture-progress",
	"cublas-handle", "fragmentation-varying-lengths", "host-alloc-cpu", "k8s-oomkilled", "kv-full-v1", "memory-leak-steps",
	"logits-torchrun", "healthy-v1",
}

// opened is a screen that has read a log to its end.
func opened(t testing.TB, opts Options, log []byte) *Model {
	t.Helper()
	if opts.Lang == "" {
		opts.Lang = "en"
	}
	opts.Topics = func() []Topic {
		return []Topic{
			{"kv-cache-below-max-len", "cause", "The KV cache cannot hold one request", func(int) string { return "first row\nsecond row\n" }},
			{"lower-max-model-len", "remedy", "Lower max_model_len", func(int) string { return "a page\n" }},
		}
	}
	m := New(opts)
	kept := logstore.New("server.log", nil)
	if _, err := kept.Write(log); err != nil {
		t.Fatal(err)
	}
	s := oomdoc.NewSession(oomdoc.Options{})
	s.Stream("server.log").Feed(log)
	send(m, feed.Opened{Log: kept}, feed.Diagnosed{Diagnosis: s.Close(), Final: true})
	return m
}

// send gives messages to a model and runs what commands follow from them.
func send(m *Model, list ...tea.Msg) {
	for _, msg := range list {
		_, cmd := m.Update(msg)
		for cmd != nil {
			next := cmd()
			batch, ok := next.(tea.BatchMsg)
			cmd = nil
			if ok {
				for _, c := range batch {
					if c != nil {
						send(m, c())
					}
				}
			} else if next != nil && next != tea.Quit() {
				_, cmd = m.Update(next)
			}
		}
	}
}

// press sends keys, by their names, or a text letter by letter.
func press(m *Model, names ...string) {
	special := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "esc": tea.KeyEsc, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
		"right": tea.KeyRight, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp, "end": tea.KeyEnd, "ctrl+r": tea.KeyCtrlR, "ctrl+c": tea.KeyCtrlC,
	}
	for _, name := range names {
		if k, ok := special[name]; ok {
			send(m, tea.KeyMsg{Type: k})
			continue
		}
		for _, r := range name {
			send(m, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		}
	}
}

func golden(t testing.TB, name string) []byte {
	t.Helper()
	log, err := os.ReadFile(filepath.Join("..", "testdata", "logs", name, "input.log"))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// looks are the terminals that the golden screens are drawn for.
var looks = []struct {
	name string
	opts Options
	w, h int
}{
	{"80x24", Options{}, 80, 24},
	{"120x40", Options{}, 120, 40},
	{"200x60", Options{}, 200, 60},
	{"40x20", Options{}, 40, 20},
	{"80x24 zh", Options{Lang: "zh"}, 80, 24},
	{"80x24 light, or not known to be dark", Options{Color: true}, 80, 24},
	{"80x24 dark", Options{Color: true, Dark: true}, 80, 24},
}

// The screens of golden logs are as recorded; -update records them. Without colours they are what
// NO_COLOR shows; in colour, escapes stand as ␛.
func TestGolden(t *testing.T) {
	for _, name := range cases {
		t.Run(name, func(t *testing.T) {
			log := golden(t, name)
			var got strings.Builder
			for _, l := range looks {
				m := opened(t, l.opts, log)
				send(m, tea.WindowSizeMsg{Width: l.w, Height: l.h})
				got.WriteString("== " + l.name + "\n" + strings.ReplaceAll(checked(t, m), "\x1b", "␛") + "\n")
			}
			m := opened(t, Options{}, log)
			for _, keys := range [][]string{{"enter"}, {"esc", "d"}, {"esc", "w"}, {"esc", "l"}} {
				press(m, keys...)
				got.WriteString("== 80x24 " + strings.Join(keys, " ") + "\n" + checked(t, m) + "\n")
			}
			file := filepath.Join("testdata", "golden", name+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("%s: the screen has changed (look at it, then: go test ./tui -update)\n%s", file, firstDifference(got.String(), string(want)))
			}
		})
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			w := ""
			if i < len(b) {
				w = b[i]
			}
			return " got " + a[i] + "\nwant " + w
		}
	}
	return "it ends early"
}

// checked is the screen, held against what holds for every screen: no row is wider than the terminal,
// there are as many as it has, and nothing but colours acts on it.
func checked(t testing.TB, m *Model) string {
	t.Helper()
	view := m.View()
	rows := strings.Split(view, "\n")
	if len(rows) != m.h {
		t.Errorf("%d rows on %d×%d", len(rows), m.w, m.h)
	}
	for i, r := range rows {
		if n := ansi.StringWidth(r); n > m.w {
			t.Errorf("row %d of %d×%d is %d cells wide: %q", i, m.w, m.h, n, r)
		}
	}
	if bad := foreign(view); bad != "" {
		t.Errorf("the screen holds %q", bad)
	}
	return view
}

// foreign returns the first thing in a screen that is neither printable nor a colour.
func foreign(view string) string {
	for i := 0; i < len(view); {
		if strings.HasPrefix(view[i:], "\x1b[") {
			k := i + 2
			for k < len(view) && (view[k] >= '0' && view[k] <= '9' || view[k] == ';') {
				k++
			}
			if k < len(view) && view[k] == 'm' {
				i = k + 1
				continue
			}
		}
		r := []rune(view[i:min(len(view), i+4)])[0]
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f || r == 0xfeff || r == 0x61c) {
			return view[i:min(len(view), i+16)]
		}
		i += len(string(r))
	}
	return ""
}

// Whatever keys are pressed on a terminal of whatever size, the screen stays within it.
func TestNeverExceeds(t *testing.T) {
	rnd := rand.New(rand.NewSource(7))
	keys := []string{"j", "k", "down", "up", "enter", "esc", "tab", "g", "G", "pgdown", "pgup", "l", "w", "x", "d", "i", "e", "E", "y", "?", "W", "right", "left",
		"/", "&", "n", "N", "KV", "!", "/a.*b/", "f", "r", "1", "3", "9", "m"}
	for _, name := range cases {
		m := opened(t, Options{Color: true, Lang: []string{"en", "zh"}[rnd.Intn(2)]}, golden(t, name))
		for range 150 {
			if rnd.Intn(4) == 0 {
				send(m, tea.WindowSizeMsg{Width: 1 + rnd.Intn(170), Height: 1 + rnd.Intn(60)})
			}
			press(m, keys[rnd.Intn(len(keys))])
			checked(t, m)
			if t.Failed() {
				t.Fatalf("in %s on %d×%d", name, m.w, m.h)
			}
		}
	}
}
