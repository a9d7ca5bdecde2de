package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"oomdoc": main})
}

// TestScripts runs the command lines in testdata/script. $REPO is the root of the repository.
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", repo)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "random": random, "compress": compress, "truncate": truncate, "validjson": validJSON,
		},
	})
}

// exits STATUS COMMAND…: the command ends with this exit status.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARGUMENT…]")
	}
	err, got := ts.Exec(args[1], args[2:]...), 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// random FILE BYTES: a file of bytes without a meaning, the same ones each time.
func random(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	b := make([]byte, n)
	_, err = rand.NewChaCha8([32]byte{7}).Read(b)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}

// compress FILE OUTPUT: by gzip or Zstandard, as the output's name ends.
func compress(ts *testscript.TestScript, _ bool, args []string) {
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if filepath.Ext(args[1]) == ".zst" {
		z, err := zstd.NewWriter(&b)
		ts.Check(err)
		w = z
	}
	_, err := io.WriteString(w, ts.ReadFile(args[0]))
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), b.Bytes(), 0o644))
}

// truncate FILE BYTES: cuts a file off.
func truncate(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}

// validjson FILE: it is one JSON value. The file may be stdout.
func validJSON(ts *testscript.TestScript, neg bool, args []string) {
	if json.Valid([]byte(ts.ReadFile(args[0]))) == neg {
		ts.Fatalf("valid JSON: %v", !neg)
	}
}
