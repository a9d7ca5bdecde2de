package parser

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser/internal/story"
)

// goldenLogs are the logs of the golden cases.
func goldenLogs(tb testing.TB) [][]byte {
	tb.Helper()
	paths, err := filepath.Glob("../testdata/logs/*/*.log")
	if err != nil || len(paths) == 0 {
		tb.Fatalf("no logs in testdata, %v", err)
	}
	var out [][]byte
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, b)
	}
	return out
}

// readChunked feeds a log in chunks of a size, 0 for all at once.
func readChunked(text []byte, size int) *Log {
	s := NewSession()
	st := s.Stream("x")
	for len(text) > 0 {
		n := len(text)
		if size > 0 {
			n = min(size, n)
		}
		st.Feed(append([]byte(nil), text[:n]...))
		text = text[n:]
	}
	return s.Close()
}

// checkLog holds what is true of every log that was read.
func checkLog(t *testing.T, text []byte, log *Log) {
	t.Helper()
	if len(log.Runs) == 0 || len(log.Runs) > story.MaxRuns {
		t.Errorf("%d runs", len(log.Runs))
	}
	lines := log.Sources[0].Lines
	for _, run := range log.Runs {
		if len(run.Incidents) > story.MaxIncidents {
			t.Errorf("%d incidents", len(run.Incidents))
		}
		for name, f := range run.Facts {
			if info, ok := fact.Lookup(name); !ok || info.Kind != f.Kind {
				t.Errorf("fact %s of kind %v", name, f.Kind)
			}
			if f.Line < 1 || f.Line > lines || f.Num != f.Num {
				t.Errorf("fact %s = %v at line %d of %d", name, f.Value, f.Line, lines)
			}
		}
		for _, inc := range run.Incidents {
			if len(inc.Messages) == 0 || len(inc.Messages) > story.MaxMessages+1 || len(inc.Frames) > story.MaxFrames || len(inc.Origins) > story.MaxOrigins {
				t.Errorf("incident with %d messages, %d frames, %d origins", len(inc.Messages), len(inc.Frames), len(inc.Origins))
			}
			for _, m := range inc.Messages {
				if m.At.Line < 1 || m.LastLine < m.At.Line || m.LastLine > lines || len(m.Text) > 3*2048 || !utf8.ValidString(m.Text) || m.Repeat < 1 {
					t.Errorf("message %s at %d–%d of %d lines, ×%d: %q", m.ID, m.At.Line, m.LastLine, lines, m.Repeat, m.Text)
				}
			}
		}
	}
	if int(log.Sources[0].Bytes) != len(text) {
		t.Errorf("%d bytes read of %d", log.Sources[0].Bytes, len(text))
	}
}

func FuzzSession(f *testing.F) {
	for _, log := range goldenLogs(f) {
		f.Add(log, 7)
	}
	f.Add([]byte("\xff\xfeV\x00a\x00l\x00"), 1)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		size = max(0, size%4096)
		if size > 0 && size < len(text)/512 {
			size = len(text) / 512 // not more than 512 pieces
		}
		log := readChunked(text, 0)
		checkLog(t, text, log)
		if again := readChunked(text, size); !reflect.DeepEqual(log, again) {
			t.Errorf("in pieces of %d bytes the log reads differently", size)
		}
	})
}

// FuzzMessage: each wording, its example damaged.
func FuzzMessage(f *testing.F) {
	all := Catalogue()
	for i, m := range all {
		for _, e := range m.Examples {
			f.Add(uint16(i), uint16(len(e)/2), uint8(1), "")
			f.Add(uint16(i), uint16(len(e)/3), uint8(0), "\n(Worker_TP1 pid=3) ")
		}
	}
	f.Fuzz(func(t *testing.T, id, at uint16, cut uint8, insert string) {
		m := all[int(id)%len(all)]
		for _, e := range m.Examples {
			n := int(at) % (len(e) + 1)
			text := []byte(e[:n] + insert + e[min(n+int(cut), len(e)):] + "\n")
			checkLog(t, text, readChunked(text, 0))
		}
	})
}

func FuzzTraceback(f *testing.F) {
	for _, seed := range []string{
		"  File \"/a/vllm/v1/worker/gpu_model_runner.py\", line 7, in load_model\n    x = y()\n        ^^^\n",
		"  File \"<string>\", line 1, in <module>\n  [Previous line repeated 990 more times]\n",
		"\nDuring handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n",
		"│ /a/b.py:12 in forward │\n│ ❱ 12 │ x │\n", "Cell In[3], line 2\n----> 2 trainer.train()\n\nFile /a/b.py:9, in f(x)\n",
	} {
		f.Add(seed, uint8(1), true)
		f.Add(seed, uint8(255), false)
	}
	f.Fuzz(func(t *testing.T, frames string, times uint8, head bool) {
		text := strings.Repeat(frames, int(times)%64+1) + "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"
		if head {
			text = "Traceback (most recent call last):\n" + text
		}
		checkLog(t, []byte(text), readChunked([]byte(text), 0))
	})
}
