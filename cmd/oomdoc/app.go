package main

import (
	"errors"
	"io"
	"os"
)

// app is what the subcommands share.
type app struct {
	stdin          *os.File
	stdout, stderr io.Writer
	status         int // exit status of a run without an error
	flags          flags
}

// errReported is returned when the reason has been printed already.
var errReported = errors.New("reported")
