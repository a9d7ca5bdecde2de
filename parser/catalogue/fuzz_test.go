package catalogue

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzCatalogue: whatever stands in a file, reading it ends in messages or in an error with its place.
func FuzzCatalogue(f *testing.F) {
	paths, err := filepath.Glob("*.msg")
	if err != nil || len(paths) == 0 {
		f.Fatal("no catalogue files", err)
	}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text[:min(len(text), 2000)])
	}
	f.Add([]byte(`message a failure { match "[a|b][c|<d|e>] {kv_needed:gib} \] {:any}" doc "x" example "y" { kv_needed = 1 GiB } }`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 4096 {
			return
		}
		ms, err := Parse("f", text)
		if err != nil {
			if ms != nil {
				t.Error("messages beside an error")
			}
			return
		}
		for _, m := range ms {
			Check(m)
			for _, w := range m.Wordings {
				cs, err := Compile(w)
				if err != nil {
					continue
				}
				for _, c := range cs {
					if len(c.Program) < 2 || len(c.runs) == 0 {
						t.Errorf("%q gives %v", w.Text, c)
					}
				}
			}
		}
	})
}
