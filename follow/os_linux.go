package follow

import (
	"os"
	"strconv"
	"strings"
	"syscall"
)

// nameOf returns the path that an open file has by now, "" when it has none.
func nameOf(f *os.File) string {
	p, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(int(f.Fd())))
	if err != nil || strings.HasSuffix(p, " (deleted)") {
		return ""
	}
	return p
}

// remote reports whether a directory is on a file system whose changes may come from elsewhere, and
// so without events. The numbers are those of statfs(2).
func remote(dir string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return false
	}
	switch uint32(s.Type) {
	case 0x6969, // NFS
		0x517B, 0xFF534D42, 0xFE534D42, // SMB, CIFS, SMB2
		0x65735546, // FUSE: sshfs, s3fs, virtiofs, Docker Desktop's mounts
		0x01021997, // 9p: Windows drives in WSL 2
		0x53464846, // Windows drives in WSL 1
		0x5346414F, // AFS
		0x00C36400, // Ceph
		0x0BD00BD0, // Lustre
		0x47504653, // GPFS
		0x19830326, // BeeGFS
		0x786F4256, // VirtualBox shared folders
		0xBACBACBC: // VMware shared folders
		return true
	}
	return false
}
