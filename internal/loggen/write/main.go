// Command write prints a generated log: write NAME MIB [SEED]. NAME is server, or one of loggen's worst inputs.
package main

import (
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/oomdoc/oomdoc/internal/loggen"
)

func main() {
	args := append(os.Args[1:], "1")
	if len(args) < 3 {
		fail("usage: write NAME MIB [SEED]")
	}
	size, err := strconv.ParseInt(args[1], 10, 32)
	seed, err2 := strconv.ParseUint(args[2], 10, 64)
	if _, ok := loggen.Worst[args[0]]; err != nil || err2 != nil || !ok && args[0] != "server" {
		fail("write: no such log")
	}
	if _, err := io.Copy(os.Stdout, loggen.Reader(args[0], size<<20, seed)); err != nil {
		fail(err)
	}
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(2)
}
