package catalogue

import (
	"os"
	"testing"
)

// TestMessages checks every message of every file: go test ./parser/catalogue -run 'TestMessages/vllm-kv'
func TestMessages(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, e := range entries {
		name := e.Name()
		if len(name) < 4 || name[len(name)-4:] != ".msg" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name[:len(name)-4], func(t *testing.T) {
			ms, err := Parse(name, text)
			if err != nil {
				t.Fatal(err)
			}
			total += len(ms)
			for _, m := range ms {
				for _, err := range Check(m) {
					t.Error(err)
				}
			}
		})
	}
	if total < 200 {
		t.Errorf("only %d messages in the catalogue", total)
	}
	if _, err := Load(os.DirFS(".")); err != nil {
		t.Error(err)
	}
}
