package frame

import "bytes"

// process takes off the prefix that a process puts in front of each of its lines:
// "(EngineCore_DP0 pid=18799) ", "(VllmWorker rank=1 pid=7) ", "(RayWorkerWrapper pid=2, ip=10.0.0.1) ",
// "(pid=12) ", "(raylet) ".
func (f *Framer) process(l *layers, b []byte) int {
	for _, name := range []string{"(raylet", "(gcs_server", "(autoscaler", "(log_monitor", "(dashboard"} {
		if hasPrefix(b, name) {
			end := upTo(b, ")", 80)
			if end == 0 || b[len(name)] != ')' && b[len(name)] != ',' && b[len(name)] != ' ' {
				return 0
			}
			f.from(l, gradeRank, b[1:end-1])
			return end
		}
	}
	at := bytes.Index(b[:min(len(b), 160)], []byte("pid="))
	if at < 1 || b[at-1] != ' ' && b[at-1] != '(' {
		return 0
	}
	name := bytes.TrimRight(b[1:at], " ")
	if bytes.ContainsAny(name, "=\"'") && !bytes.Contains(name, []byte("rank=")) ||
		bytes.Count(name, []byte("(")) != bytes.Count(name, []byte(")")) || bytes.Count(name, []byte(" ")) > 3 {
		return 0
	}
	i := at + len("pid=")
	n := digitRun(b, i)
	if n == 0 || n > 10 {
		return 0
	}
	i += n
	if hasPrefix(b[i:], ", ip=") {
		i += len(", ip=")
		for i < len(b) && (isAlnum(b[i]) || b[i] == '.' || b[i] == ':') {
			i++
		}
	}
	if i >= len(b) || b[i] != ')' {
		return 0
	}
	f.from(l, gradePID, b[1:i])
	return i + 1
}

// roles are the names torchrun gives to what it starts; rank and default count ranks.
var roles = []string{"rank", "default", "trainer", "worker", "node", "actor"}

// ranked takes off "[rank0]:", "[default1]:" (torchrun) and "[1,2]<stdout>:", "[1,2]:" (MPI).
func (f *Framer) ranked(l *layers, b []byte) int {
	for i, role := range roles {
		if !hasPrefix(b[1:], role) {
			continue
		}
		end := 1 + len(role)
		n := digitRun(b, end)
		if n == 0 || n > 6 || !hasPrefix(b[end+n:], "]:") {
			return 0
		}
		if i == 1 {
			f.rank(l, b[end:end+n])
		} else {
			f.from(l, gradeRank, b[1:end+n])
		}
		return end + n + 2
	}
	i := 1
	if hasPrefix(b[1:], "prterun-") {
		if i = 1 + upTo(b[1:], "@", 100); i == 1 {
			return 0
		}
	}
	job := digitRun(b, i)
	if job == 0 || i+job >= len(b) || b[i+job] != ',' {
		return 0
	}
	at := i + job + 1
	n := digitRun(b, at)
	if n == 0 || n > 6 {
		return 0
	}
	end := at + n
	for _, close := range []string{"]:", "]<stdout>:", "]<stderr>:", "]<stddiag>:"} {
		if hasPrefix(b[end:], close) {
			f.rank(l, b[at:end])
			return end + len(close)
		}
	}
	return 0
}

// rank notes the process as "rank3".
func (f *Framer) rank(l *layers, digits []byte) {
	var name [16]byte
	f.from(l, gradeRank, append(append(name[:0], "rank"...), digits...))
}
