package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/oomdoc/oomdoc/report"
)

// complain writes lines to standard error. They quote names of files, flags and settings, which anybody may have
// chosen: what could act on a terminal is taken out.
func complain(w io.Writer, lines string) {
	fmt.Fprintln(w, report.PrintableLines(strings.TrimRight(lines, "\n")))
}
