package rules

import (
	"cmp"
	"strconv"
	"strings"
)

// version is a release in the order of PEP 440: 0.9.0.dev1 < 0.9.0rc1 < 0.9.0 < 0.9.0.post1 < 0.10.0.
type version struct {
	release []int
	pre     [2]int // a, b, rc as -3, -2, -1 with their number; 0 for a release
	post    int    // -1 when it is none
	dev     int    // maxDev when it is none
}

const maxDev = int(^uint(0) >> 1)

// parseVersion reads "0.6.3.post1", "v0.29.1rc1.dev4+gabc" and their like. The local part after + does
// not count. A build without tags, "0.1.dev1+g…", says nothing about its release and is none.
func parseVersion(s string) (version, bool) {
	v := version{post: -1, dev: maxDev}
	s = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(s), "v"))
	s, _, local := strings.Cut(s, "+")
	for first := true; s != ""; first = false {
		if !first {
			s = strings.TrimLeft(s, ".-_")
		}
		letters := strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
		if letters < 0 {
			letters = len(s)
		}
		tag := s[:letters]
		s = strings.TrimLeft(s[letters:], ".")
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		n, err := strconv.Atoi(s[:digits])
		if err != nil && (digits > 0 || tag == "") {
			return version{}, false
		}
		s = s[digits:]
		switch tag {
		case "":
			if v.pre[0] != 0 || v.post >= 0 || v.dev != maxDev {
				return version{}, false
			}
			v.release = append(v.release, n)
		case "a", "alpha":
			v.pre = [2]int{-3, n}
		case "b", "beta":
			v.pre = [2]int{-2, n}
		case "rc", "c", "pre", "preview":
			v.pre = [2]int{-1, n}
		case "post", "rev", "r":
			v.post = n
		case "dev":
			v.dev = n
		default:
			return version{}, false
		}
	}
	if len(v.release) == 0 {
		return version{}, false
	}
	untagged := v.dev != maxDev && local && len(v.release) == 2 && v.release[0] == 0 && v.release[1] == 1
	return v, !untagged
}

func validVersion(s string) bool {
	_, ok := parseVersion(s)
	return ok
}

// compareVersions orders two versions; ok is false when one of them is none.
func compareVersions(a, b string) (order int, ok bool) {
	v, okV := parseVersion(a)
	w, okW := parseVersion(b)
	if !okV || !okW {
		return 0, false
	}
	for i := range max(len(v.release), len(w.release)) {
		if c := cmp.Compare(at(v.release, i), at(w.release, i)); c != 0 {
			return c, true
		}
	}
	return cmp.Or(
		cmp.Compare(v.stage(), w.stage()),
		cmp.Compare(v.pre[1], w.pre[1]),
		cmp.Compare(v.post, w.post),
		cmp.Compare(v.dev, w.dev),
	), true
}

// stage is -4 for a development build of a release that has no pre-release tag.
func (v version) stage() int {
	if v.pre[0] == 0 && v.post < 0 && v.dev != maxDev {
		return -4
	}
	return v.pre[0]
}

func at(list []int, i int) int {
	if i < len(list) {
		return list[i]
	}
	return 0
}

// engineFits reports whether a list of engines, as causes and spellings name them, has one.
func engineFits(want, engine string) bool {
	if engine == "" {
		engine = "pytorch"
	}
	for name := range strings.SplitSeq(want, ",") {
		if name = strings.TrimSpace(name); name == "" || name == "any" || name == engine {
			return true
		}
	}
	return false
}
