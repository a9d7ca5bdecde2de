//go:build unix

package main

import (
	"os"
	"syscall"
)

// replaceWith becomes another program. It returns only where that fails.
func replaceWith(file string, args []string) error { return syscall.Exec(file, args, os.Environ()) }
