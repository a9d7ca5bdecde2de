package main

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"kubectl-oomdoc": main})
}

// TestScripts runs the command against a kubectl that answers from files.
func TestScripts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: the fake kubectl is a shell script")
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("KUBECTL", filepath.Join(e.WorkDir, "kubectl"))
			return nil
		},
	})
}

func TestQuantity(t *testing.T) {
	for text, want := range map[string]float64{
		"16Gi": 16 << 30, "512Mi": 512 << 20, "2G": 2e9, "1073741824": 1 << 30, "1.5Gi": 1.5 * (1 << 30), "128974848000m": 128974848,
		"": 0, "Gi": 0, "-1Gi": 0, "12x": 0, "1e30": 0,
	} {
		got, ok := quantity(text)
		if ok != (want > 0) || ok && got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, ok, want)
		}
	}
}

func TestOutside(t *testing.T) {
	for _, tt := range []struct {
		end   *ended
		limit string
		id    string
		fact  float64
	}{
		{nil, "", "", 0},
		{&ended{Reason: "Completed"}, "16Gi", "", 0},
		{&ended{Reason: "Error", ExitCode: 1}, "16Gi", "", 0},
		{&ended{Reason: "Error", ExitCode: 137}, "", "child-killed", 0},
		{&ended{Reason: "OOMKilled", ExitCode: 137}, "16Gi", "kernel-memcg-events", 16 << 30},
		{&ended{Reason: "OOMKilled", ExitCode: 1}, "", "kernel-memcg-events", 0}, // another process of the container
	} {
		m, ok := outside(tt.end, tt.limit)
		if ok != (tt.id != "") || m.ID != tt.id || m.Facts["host_limit"].Num != tt.fact {
			t.Errorf("%+v, %s: %+v, %v", tt.end, tt.limit, m, ok)
		}
	}
}
