//go:build darwin || freebsd

package follow

import (
	"os"
	"syscall"
)

func nameOf(*os.File) string { return "" }

// remote reports whether a directory is on a file system whose changes may come from elsewhere, and
// so without events.
func remote(dir string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return false
	}
	const local = 0x1000 // MNT_LOCAL, the same on all of them
	return uint64(s.Flags)&local == 0
}
