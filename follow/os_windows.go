package follow

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"unsafe"
)

// openFile opens a file so that others may rename and delete it meanwhile, which os.Open does not
// allow.
func openFile(path string) (*os.File, error) {
	p, err := syscall.UTF16PtrFromString(path)
	if err == nil {
		var h syscall.Handle
		h, err = syscall.CreateFile(p, syscall.GENERIC_READ,
			syscall.FILE_SHARE_READ|syscall.FILE_SHARE_WRITE|syscall.FILE_SHARE_DELETE, nil,
			syscall.OPEN_EXISTING, syscall.FILE_ATTRIBUTE_NORMAL, 0)
		if err == nil {
			return os.NewFile(uintptr(h), path), nil
		}
	}
	return nil, &os.PathError{Op: "open", Path: path, Err: err}
}

func openFifo(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func identify(f *os.File) fileID {
	d, ok := handleInfo(f)
	if !ok {
		return fileID{}
	}
	return fileID{uint64(d.VolumeSerialNumber), uint64(d.FileIndexHigh)<<32 | uint64(d.FileIndexLow)}
}

// named reports whether the file still has a name.
func named(f *os.File) bool {
	d, ok := handleInfo(f)
	return ok && d.NumberOfLinks > 0
}

func handleInfo(f *os.File) (d syscall.ByHandleFileInformation, ok bool) {
	err := syscall.GetFileInformationByHandle(syscall.Handle(f.Fd()), &d)
	return d, err == nil
}

func nameOf(*os.File) string { return "" }

var getDriveType = syscall.NewLazyDLL("kernel32.dll").NewProc("GetDriveTypeW")

// remote reports whether a directory is on a network drive.
func remote(dir string) bool {
	const driveRemote = 4
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	root, err := syscall.UTF16PtrFromString(filepath.VolumeName(abs) + `\`)
	if err != nil {
		return false
	}
	kind, _, _ := getDriveType.Call(uintptr(unsafe.Pointer(root)))
	return kind == driveRemote
}
