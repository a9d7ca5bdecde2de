package frame

import (
	"bytes"
	"slices"
	"strings"
)

// named takes off the name of a container, pod or file:
//
//	vllm-1  | …                    docker compose
//	pod-7d9f › container › …       stern
//	pod-7d9f container …           stern's older form, once something plain followed the names
//	job\tstep\t2025-10-08T…Z …     gh run view --log
//	server.log:12:…                grep
//	gpu-04: …                      pdsh
func (f *Framer) named(l *layers, b []byte) int {
	i := 0
	for i < len(b) && i <= 100 && (isAlnum(b[i]) || b[i] == '-' || b[i] == '_' || b[i] == '.' || b[i] == '@') {
		i++
	}
	if i == 0 || i >= len(b) || i > 100 {
		return 0
	}
	name := b[:i]
	switch b[i] {
	case ' ':
		gap := i + blanks(b[i:])
		if gap >= len(b) {
			return 0
		}
		if b[gap] == '|' && (gap+1 == len(b) || b[gap+1] == ' ') {
			return f.compose(l, name, b, gap+1)
		}
		if n := f.action(l, b); n > 0 {
			return n
		}
		return f.stern(l, name, b, gap)
	case '\t':
		return f.action(l, b)
	case ':':
		if n := f.grepped(name, b); n > 0 {
			return n
		}
		return f.launched(l, name, b)
	}
	return 0
}

// launched takes off the host that pdsh, and DeepSpeed with it, puts in front: "gpu-04: ". Its ranks are those of one job.
func (f *Framer) launched(l *layers, name, b []byte) int {
	rest := b[len(name)+1:]
	if !label1123(name) || !bytes.ContainsAny(name, "0123456789") || !hasPrefix(rest, " ") || !f.units[string(name)] && !f.isHead(rest) {
		return 0
	}
	learn(&f.units, name)
	l.enveloped = true
	return len(name) + 2
}

func (f *Framer) compose(l *layers, name, b []byte, end int) int {
	rest := b[end:]
	if _, n := level(name); n == len(name) && n > 0 {
		return 0
	}
	rest = rest[blanks(rest):]
	switch {
	case f.units[string(name)], f.isHead(rest):
	case counted(name) && (len(rest) == 0 || rest[0] == '|' || bytes.IndexByte(rest, '|') < 0 || bytes.Contains(rest, []byte("%|"))): // no table, but a progress bar
	default:
		return 0
	}
	learn(&f.units, name)
	f.from(l, gradeUnit, name)
	l.enveloped = true
	return end
}

// counted reports whether a name ends like compose's ("vllm-1", "vllm_1") or a swarm's ("vllm.1.x@node").
func counted(name []byte) bool {
	if bytes.IndexByte(name, '@') > 0 {
		return true
	}
	i := len(name)
	for i > 0 && IsDigit(name[i-1]) {
		i--
	}
	return i < len(name) && i > 1 && (name[i-1] == '-' || name[i-1] == '_')
}

// stern takes off the pod and the container; the second name begins at b[gap].
func (f *Framer) stern(l *layers, pod, b []byte, gap int) int {
	if !label1123(pod) || bytes.IndexByte(pod, '-') < 0 {
		return 0
	}
	const arrow = "› "
	if hasPrefix(b[gap:], arrow) {
		at := gap + len(arrow)
		n := token(b[at:], 64)
		if n == 0 {
			return 0
		}
		end := at + n
		end += blanks(b[end:])
		if hasPrefix(b[end:], "›") {
			end += len("›")
		}
		f.from(l, gradeUnit, inPod(pod, b[at:at+n]))
		l.enveloped = true
		return end
	}
	n := token(b[gap:], 64)
	if n == 0 || !label1123(b[gap:gap+n]) {
		return 0
	}
	end := gap + n
	pair := b[:end]
	rest := b[end:]
	rest = rest[blanks(rest):]
	if hasPrefix(rest, "›") {
		end = len(b) - len(rest) + len("›")
	} else if !replica(pod) && !f.units[string(pair)] && !f.isHead(rest) {
		return 0
	}
	learn(&f.units, pair)
	f.from(l, gradeUnit, inPod(pod, b[gap:gap+n]))
	l.enveloped = true
	return end
}

// inPod names a container of a pod.
func inPod(pod, container []byte) []byte {
	return slices.Concat(pod, []byte{'/'}, container)
}

// replica reports whether a pod's name ends as a Deployment's do ("vllm-7d9f4b6c8-x2kqj"): in two
// hashes of an alphabet that cannot spell words.
func replica(pod []byte) bool {
	i := bytes.LastIndexByte(pod, '-')
	j := bytes.LastIndexByte(pod[:max(i, 0)], '-')
	return j > 0 && len(pod)-i-1 == 5 && i-j-1 >= 6 && i-j-1 <= 10 && hashed(pod[i+1:]) && hashed(pod[j+1:i])
}

func hashed(b []byte) bool {
	for _, c := range b {
		if strings.IndexByte("bcdfghjklmnpqrstvwxz2456789", c) < 0 {
			return false
		}
	}
	return true
}

// label1123 reports whether a name could be a pod's or a container's.
func label1123(name []byte) bool {
	for _, c := range name {
		if (c < 'a' || c > 'z') && !IsDigit(c) && c != '-' {
			return false
		}
	}
	return len(name) > 0
}

// action takes off the job and the step of a GitHub Actions log as gh prints it; the time follows.
func (f *Framer) action(l *layers, b []byte) int {
	job := bytes.IndexByte(b[:min(len(b), 120)], '\t')
	if job < 0 {
		return 0
	}
	step := upTo(b[job+1:], "\t", 160)
	if step == 0 {
		return 0
	}
	end := job + 1 + step
	rest := bytes.TrimPrefix(b[end:], []byte("\ufeff"))
	if stamp(rest) == 0 {
		return 0
	}
	l.enveloped = true
	return len(b) - len(rest)
}

// logEndings are the file names that grep may put in front of a line of a log.
var logEndings = []string{".log", ".out", ".err", ".txt"}

// grepped takes off "server.log:12:" and "server.log:". Python's own "x.py:12: UserWarning" stays.
func (f *Framer) grepped(name, b []byte) int {
	for _, e := range logEndings {
		if !bytes.HasSuffix(name, []byte(e)) {
			continue
		}
		end := len(name) + 1
		if n := digitRun(b, end); n > 0 && end+n < len(b) && b[end+n] == ':' && !Shaped(b[end:], "00:00:00") {
			return end + n + 1
		}
		if f.isHead(b[end:]) {
			return end
		}
	}
	return 0
}
