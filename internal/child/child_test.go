package child

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/report"
)

func file(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

func TestCgroup(t *testing.T) {
	tests := []struct {
		name string
		fs   fstest.MapFS
		want usage
	}{
		{"none", fstest.MapFS{}, usage{}},
		{"v2, limit of the one above", fstest.MapFS{
			"proc/self/cgroup":                         file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.events":          file("low 0\noom 2\noom_kill 1\noom_group_kill 0\n"),
			"sys/fs/cgroup/a/b/memory.max":             file("max\n"),
			"sys/fs/cgroup/a/memory.max":               file("4096\n"),
			"sys/fs/cgroup/a/b/memory.peak":            file("4000\n"),
			"sys/fs/cgroup/memory.max/not-there/so-do": file(""),
		}, usage{true, 1, 4096, 4000}},
		{"v2 in a container: another path is mounted", fstest.MapFS{
			"proc/self/cgroup":            file("0::/kubepods/pod7/box\n"),
			"sys/fs/cgroup/memory.events": file("oom_kill 3\n"),
			"sys/fs/cgroup/memory.max":    file("8192\n"),
		}, usage{true, 3, 8192, 0}},
		{"v1", fstest.MapFS{
			"proc/self/cgroup": file("9:name=systemd:/x\n4:cpu,memory:/box\n0::/\n"),
			"sys/fs/cgroup/memory/box/memory.oom_control":        file("oom_kill_disable 0\nunder_oom 0\noom_kill 2\n"),
			"sys/fs/cgroup/memory/box/memory.limit_in_bytes":     file("9223372036854771712\n"),
			"sys/fs/cgroup/memory/box/memory.max_usage_in_bytes": file("77\n"),
		}, usage{true, 2, 0, 77}},
		{"v1 before 4.13 counts no kills", fstest.MapFS{
			"proc/self/cgroup":                            file("4:memory:/\n"),
			"sys/fs/cgroup/memory/memory.oom_control":     file("oom_kill_disable 0\nunder_oom 0\n"),
			"sys/fs/cgroup/memory/memory.limit_in_bytes":  file("5\n"),
			"sys/fs/cgroup/memory/memory.memsw.something": file("5\n"),
		}, usage{false, 0, 5, 0}},
	}
	for _, tt := range tests {
		if got := ownCgroup(tt.fs).read(); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// What a command that was killed without a word died of.
func TestLastWord(t *testing.T) {
	killed := ending{137, true}
	tests := []struct {
		name          string
		end           ending
		before, after usage
		cause         string
		says          string
	}{
		{"the cgroup counts a kill", killed, usage{counted: true, kills: 4}, usage{true, 5, 8 << 30, 8 << 30}, "host-ram-killed", "8.00 GiB"},
		{"a worker was killed, the command just failed", ending{1, false}, usage{counted: true}, usage{counted: true, kills: 1}, "host-ram-killed", ""},
		{"the cgroup counts none: someone else did it", killed, usage{counted: true, kills: 4}, usage{counted: true, kills: 4}, "", ""},
		{"nothing counts", killed, usage{}, usage{}, "host-ram-killed", ""},
		{"nothing counts, and no kill", ending{143, false}, usage{}, usage{}, "", ""},
	}
	for _, tt := range tests {
		w := newWatch(oomdoc.Options{})
		w.take(&output{}, []byte("INFO 03-04 05:06:07 [gpu_model_runner.py:1770] Starting to load model a/b...\nLoading"))
		d := w.close(tt.end, tt.before, tt.after)
		got := ""
		if len(d.Findings) > 0 && d.Findings[0].Cause != nil {
			got = d.Findings[0].Cause.ID
		}
		if got != tt.cause {
			t.Errorf("%s: cause %q, want %q", tt.name, got, tt.cause)
		} else if got != "" && !strings.Contains(report.Headline(d.Findings[0], "en")+report.Explanation(d.Findings[0], "en"), tt.says) {
			t.Errorf("%s: the report does not say %q:\n%s", tt.name, tt.says, report.Explanation(d.Findings[0], "en"))
		}
	}
}

// Lines of two outputs do not mix, wherever they are cut.
func TestWatchKeepsLines(t *testing.T) {
	const a = "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, which is larger than the available KV cache memory (3.12 GiB). Based on the available memory, the estimated maximum model length is 22736.\n"
	for cut := range len(a) {
		w := newWatch(oomdoc.Options{})
		one, two := &output{}, &output{}
		w.take(one, []byte(a[:cut]))
		w.take(two, []byte("an access line, and half of the ne"))
		w.take(one, []byte(a[cut:]))
		w.take(two, []byte("xt\n"))
		d := w.close(ending{status: 1}, usage{}, usage{})
		if len(d.Findings) != 1 || d.Findings[0].Cause == nil || d.Findings[0].Cause.ID != "kv-cache-below-max-len" {
			t.Fatalf("cut at %d: %d findings", cut, len(d.Findings))
		}
	}
}
