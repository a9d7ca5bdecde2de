package child

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
)

// cgroup is where the kernel accounts the memory of this process and its children.
type cgroup struct {
	fs  fs.FS
	dir string // "" where there is none to read
	v1  bool
}

// usage is what a cgroup tells about memory. What it does not tell is 0.
type usage struct {
	counted     bool // it counts kills
	kills       int  // processes that an OOM killer ended
	limit, peak float64
}

// ownCgroup finds the cgroup of this process, in a container too, where the path it is told is not the
// one that is mounted. https://docs.kernel.org/admin-guide/cgroup-v2.html
func ownCgroup(root fs.FS) cgroup {
	own, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(own)) {
		_, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
		controllers, p, _ := strings.Cut(rest, ":")
		v1 := strings.Contains(","+controllers+",", ",memory,")
		if controllers != "" && !v1 {
			continue
		}
		mount, file := "sys/fs/cgroup", "memory.events"
		if v1 {
			mount, file = "sys/fs/cgroup/memory", "memory.oom_control"
		}
		for _, dir := range []string{path.Join(mount, p), mount} {
			if _, err := fs.Stat(root, path.Join(dir, file)); err == nil {
				return cgroup{root, dir, v1}
			}
		}
	}
	return cgroup{}
}

func (c cgroup) read() usage {
	if c.dir == "" {
		return usage{}
	}
	if c.v1 {
		u := usage{limit: c.bytes("memory.limit_in_bytes"), peak: c.bytes("memory.max_usage_in_bytes")}
		u.kills, u.counted = c.count("memory.oom_control")
		return u
	}
	u := usage{limit: c.limit(), peak: c.bytes("memory.peak")}
	u.kills, u.counted = c.count("memory.events")
	return u
}

// limit is the least of the cgroup and those above it.
func (c cgroup) limit() (least float64) {
	for dir := c.dir; dir != "." && dir != "sys/fs"; dir = path.Dir(dir) {
		if v := (cgroup{fs: c.fs, dir: dir}).bytes("memory.max"); v > 0 && (least == 0 || v < least) {
			least = v
		}
	}
	return least
}

// noLimit is less than what v1 says where there is no limit, and more than any machine has.
const noLimit = 1 << 60

// bytes reads a file that holds a number; "max" and no file are 0.
func (c cgroup) bytes(name string) float64 {
	b, _ := fs.ReadFile(c.fs, path.Join(c.dir, name))
	v, err := strconv.ParseFloat(strings.TrimSpace(string(b)), 64)
	if err != nil || v >= noLimit {
		return 0
	}
	return v
}

// count reads oom_kill from a file of names and numbers. Kernels before 4.13 do not have it.
func (c cgroup) count(name string) (int, bool) {
	b, _ := fs.ReadFile(c.fs, path.Join(c.dir, name))
	for line := range strings.Lines(string(b)) {
		if v, ok := strings.CutPrefix(line, "oom_kill "); ok {
			n, err := strconv.Atoi(strings.TrimSpace(v))
			return n, err == nil
		}
	}
	return 0, false
}

// ending is how a command ended.
type ending struct {
	status int
	killed bool // by SIGKILL, which leaves it no last word
}

// lastWord is what the system knows of the end of a command that its output cannot tell.
func lastWord(end ending, before, after usage) (parser.Message, bool) {
	number := func(k fact.Kind, v float64) fact.Fact { return fact.Fact{Value: fact.Value{Kind: k, Num: v}} }
	m := parser.Message{Facts: fact.Facts{"exit_code": number(fact.Count, float64(end.status))}}
	if after.limit > 0 {
		m.Facts["host_limit"] = number(fact.Bytes, after.limit)
	}
	if after.peak > 0 {
		m.Facts["host_used"] = number(fact.Bytes, after.peak)
	}
	kills := after.kills - before.kills
	switch {
	case after.counted && kills > 0:
		m.ID = parser.MemcgKilled
		m.Text = fmt.Sprintf("memory.events: oom_kill %d (while the command ran)", kills)
		return m, true
	case !after.counted && end.killed:
		m.ID = parser.ChildKilled
		m.Text = fmt.Sprintf("the command ended with status %d (SIGKILL)", end.status)
		return m, true
	}
	return parser.Message{}, false
}
