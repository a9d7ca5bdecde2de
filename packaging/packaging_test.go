// Package packaging tests what is shipped: that builds are the same bit by bit and know their version, and
// that the files of other programs name what is there.
package packaging

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestBuilds: two clones in two directories give the same file, which knows the tag that it was built at,
// although GOFLAGS says that it should not.
func TestBuilds(t *testing.T) {
	if os.Getenv("RELEASE_TESTS") == "" {
		t.Skip("SKIPPED: builds everything anew; .ci/packages runs it with RELEASE_TESTS set")
	}
	if _, err := os.Stat("../.git"); err != nil {
		t.Skip("SKIPPED: this is no clone of the repository")
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("CGO_ENABLED", "0")
	const version = "v0.98.7"
	var sums []string
	for i := range 2 {
		dir := filepath.Join(t.TempDir(), fmt.Sprint("clone", strings.Repeat("-other", i)))
		command(t, "..", "git", "clone", "--quiet", "--shared", ".", dir)
		command(t, dir, "git", "-c", "user.name=t", "-c", "user.email=t@t", "tag", version)
		bin := filepath.Join(t.TempDir(), "oomdoc"+map[bool]string{true: ".exe"}[runtime.GOOS == "windows"])
		command(t, dir, "go", append(append([]string{"build"}, releaseFlags(t)...), "-o", bin, "./cmd/oomdoc")...)
		if got := command(t, dir, bin, "--version"); got != "oomdoc "+version {
			t.Errorf("--version says %q, want oomdoc %s", got, version)
		}
		text, err := os.ReadFile(bin)
		if err != nil {
			t.Fatal(err)
		}
		sums = append(sums, fmt.Sprintf("%x", sha256.Sum256(text)))
	}
	if sums[0] != sums[1] {
		t.Errorf("two builds differ: %v", sums)
	}
}

// releaser is as much of the release's configuration as is held against the repository.
type releaser struct {
	Builds []struct {
		Main, Binary   string
		Flags, Ldflags []string
		Goos, Goarch   []string
	}
	NFPMs []struct {
		Formats  []string
		Contents []struct{ Src, Dst string }
	}
}

func readYAML(t *testing.T, name string, into any) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// releaseFlags are the flags that a release is built with.
func releaseFlags(t *testing.T) []string {
	t.Helper()
	var r releaser
	readYAML(t, "../.goreleaser.yaml", &r)
	b := r.Builds[0]
	return append(b.Flags, "-ldflags", strings.Join(b.Ldflags, " "))
}

func TestRelease(t *testing.T) {
	var r releaser
	readYAML(t, "../.goreleaser.yaml", &r)
	for _, b := range r.Builds {
		if _, err := os.Stat(filepath.Join("..", b.Main, "main.go")); err != nil {
			t.Errorf("%s: %v", b.Binary, err)
		}
		if strings.Join(b.Flags, " ") != "-trimpath -buildvcs=true" {
			t.Errorf("%s is built with %v", b.Binary, b.Flags)
		}
		if got := strings.Join(append(b.Goos, b.Goarch...), " "); got != "linux darwin windows amd64 arm64" {
			t.Errorf("%s is built for %s", b.Binary, got)
		}
	}
	if got := strings.Join(r.NFPMs[0].Formats, " "); got != "deb rpm apk" {
		t.Errorf("packages: %s", got)
	}
	image, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range append(r.Builds[0].Flags, "FROM scratch", "USER 65534") {
		if !strings.Contains(string(image), flag) {
			t.Errorf("the Dockerfile has no %s", flag)
		}
	}
	workflows, err := filepath.Glob("../.github/workflows/*.yml")
	if err != nil || len(workflows) == 0 {
		t.Fatalf("%v %v", workflows, err)
	}
	for _, name := range workflows {
		var w struct {
			Permissions map[string]string
			Jobs        map[string]struct{ Steps []struct{ Uses, Run string } }
		}
		readYAML(t, name, &w)
		if w.Permissions["contents"] != "read" || len(w.Permissions) != 1 {
			t.Errorf("%s: what every job may do is %v", name, w.Permissions)
		}
		for job, j := range w.Jobs {
			for _, s := range j.Steps {
				if (s.Uses == "") == (s.Run == "") || s.Uses != "" && !strings.Contains(s.Uses, "@") {
					t.Errorf("%s, %s: a step uses %q and runs %q", name, job, s.Uses, s.Run)
				}
			}
		}
	}
}
