package engine

import (
	"strconv"
	"strings"
)

// Release is a version as comparable numbers: 0.6.3.post1 is {0, 6, 3, 1}.
type Release [4]int

// ParseRelease reads the leading numbers of a version; what follows (rc1, .dev5+g1234) is left out, so
// that a build before a release counts as the release. A build without tags, "0.1.dev4000+g…", says
// nothing about its release and is none.
func ParseRelease(s string) (Release, bool) {
	var r Release
	s = strings.TrimPrefix(strings.TrimSpace(s), "v")
	if strings.HasPrefix(s, "0.1.dev") || strings.HasPrefix(s, "0.0.") || strings.HasPrefix(s, "0.1.1.dev") {
		return r, false
	}
	fields := strings.SplitN(s, ".", 5)
	for i := 0; i < len(fields) && i < 4; i++ {
		text := fields[i]
		if i == 3 {
			text = strings.TrimPrefix(text, "post")
		}
		end := 0
		for end < len(text) && end < 6 && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		if end == 0 {
			return r, i >= 2
		}
		r[i], _ = strconv.Atoi(text[:end])
		if end < len(text) {
			return r, i >= 1
		}
	}
	return r, len(fields) >= 2
}

// Before reports whether r is older than o.
func (r Release) Before(o Release) bool {
	for i := range r {
		if r[i] != o[i] {
			return r[i] < o[i]
		}
	}
	return false
}

// Within reports whether since ≤ r ≤ until, where "" is no bound. A release's post-releases belong to it.
func (r Release) Within(since, until string) bool {
	if s, ok := ParseRelease(since); ok && r.Before(s) {
		return false
	}
	if u, ok := ParseRelease(until); ok && u.Before(r) {
		return u[3] == 0 && Release{u[0], u[1], u[2], r[3]} == r
	}
	return true
}

// String writes the release as its project does.
func (r Release) String() string {
	t := strconv.Itoa(r[0]) + "." + strconv.Itoa(r[1]) + "." + strconv.Itoa(r[2])
	if r[3] > 0 {
		t += ".post" + strconv.Itoa(r[3])
	}
	return t
}
