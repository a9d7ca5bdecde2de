package input

import (
	"os"
	"syscall"
)

const setPipeSize = 1031 // F_SETPIPE_SZ, linux/fcntl.h

// widen lets more of a pipe's bytes be on their way at once: with the usual 64 KiB both ends spend their time
// waiting for each other. A system or a file that does not allow it loses nothing.
func widen(f *os.File) {
	if info, err := f.Stat(); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		return
	}
	if c, err := f.SyscallConn(); err == nil {
		c.Control(func(fd uintptr) { syscall.Syscall(syscall.SYS_FCNTL, fd, setPipeSize, 1<<20) })
	}
}
