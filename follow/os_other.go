//go:build unix && !linux && !darwin && !freebsd

package follow

import "os"

func nameOf(*os.File) string { return "" }

func remote(string) bool { return false }
