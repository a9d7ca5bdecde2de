package oomdoc_test

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/oomdoc/oomdoc"

// rooms says which rooms a room may import: arrows run one way, from the bytes to the screen. Whatever
// holds a diagnosis in its hands (report, expect, live, tui) sees the types that it is made of. The root
// package puts the rooms together; programs, the live path and the screen stand above it.
var rooms = map[string]string{
	"fact":                     "",
	"internal/shell":           "",
	"internal/heuristic":       "",
	"parser":                   "fact parser/internal/frame parser/internal/message parser/internal/record parser/internal/scan parser/internal/settings parser/internal/story parser/internal/trace parser/internal/trend",
	"parser/template":          "",
	"parser/internal/gate":     "",
	"parser/internal/frame":    "internal/heuristic",
	"parser/internal/lazy":     "",
	"parser/internal/message":  "fact parser/template",
	"parser/internal/settings": "internal/heuristic fact internal/shell parser/internal/lazy",
	"parser/internal/scan":     "parser/internal/gate parser/internal/message",
	"parser/internal/record":   "internal/heuristic fact parser/template parser/internal/frame parser/internal/gate parser/internal/lazy parser/internal/message parser/internal/settings parser/internal/speaker",
	"parser/internal/speaker":  "internal/heuristic parser/internal/frame parser/internal/lazy",
	"parser/internal/story":    "internal/heuristic fact parser/internal/message parser/internal/trace parser/internal/trend",
	"parser/internal/trace":    "internal/heuristic",
	"parser/internal/trend":    "parser/internal/frame parser/internal/message",
	"memory":                   "fact parser memory/engine",
	"memory/engine":            "",
	"knowledge":                "",
	"rules":                    "fact parser memory knowledge internal/shell",
	"follow":                   "",
	"mask":                     "",
	"report":                   "fact rules parser memory knowledge mask",
	"live":                     "fact . rules report parser memory knowledge",
	"expect":                   "fact rules report parser memory knowledge",
	"internal/logstore":        "",
	"tui":                      "fact rules report live parser memory knowledge internal/logstore tui/cells tui/feed tui/quiet tui/terminal",
	"tui/cells":                "report",
	"tui/feed":                 ". rules knowledge follow live internal/logstore",
	"tui/terminal":             "",
	"tui/quiet":                "",
	".":                        "rules parser memory knowledge",
	"internal/input":           "",
	"internal/child":           "fact . rules parser",
	"internal/explain":         "fact . rules report parser memory/engine knowledge",
	"internal/plan":            "fact rules report memory knowledge",
	"mcp":                      ". mask report rules knowledge internal/explain internal/input internal/plan mcp/wire",
	"mcp/wire":                 "",
	"internal/shim":            "",
	"metrics":                  "live report rules parser memory",
	"docs/schema":              "",
	"cmd/oomdoc":               "*",
	"cmd/kubectl-oomdoc":       "fact . report rules parser",

	// What makes code or test logs; not in the program.
	"parser/catalogue":          "fact parser parser/template parser/internal/gate parser/internal/message internal/loggen",
	"parser/catalogue/gen":      "fact parser parser/catalogue parser/internal/message",
	"memory/engine/gen":         "memory/engine",
	"knowledge/internal/gen":    "knowledge knowledge/internal/schema",
	"knowledge/internal/schema": "knowledge internal/jsonschema",
	"internal/jsonschema":       "",
	"docs/schema/gen":           "fact live report internal/jsonschema",
	"internal/loggen":           "",
	"internal/loggen/write":     "internal/loggen",
	"internal/attack":           "",
	"docs/screens/svg":          "",
	"docs/site":                 "report knowledge internal/explain",
	"packaging":                 "",
}

// goList runs go list and returns its lines.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %v: %v", args, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// room is a package's path inside the module, "." for the root; ok is false for foreign packages.
func room(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func TestRoomsImportWhatTheyMay(t *testing.T) {
	for _, line := range goList(t, "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...") {
		words := strings.Fields(line)
		from, _ := room(words[0])
		may, ok := rooms[from]
		if !ok {
			t.Errorf("%s is in no room: say in arch_test.go what it may import", from)
			continue
		}
		for _, path := range words[1:] {
			to, ours := room(path)
			if ours && may != "*" && !slices.Contains(strings.Fields(may), to) {
				t.Errorf("%s imports %s, which it may not", from, to)
			}
			if speaks(path) {
				t.Errorf("%s imports %s: nothing here speaks to a network", from, path)
			}
		}
	}
}

// TestContributingNamesEveryRoom: whoever looks for a place finds each room there, and no room that is gone.
func TestContributingNamesEveryRoom(t *testing.T) {
	text, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ = bytes.Cut(text, []byte("## Where things are"))
	text, _, _ = bytes.Cut(text, []byte("\n## "))
	named := map[string]bool{".": true} // as oomdoc.go
	for _, m := range regexp.MustCompile("`([a-z/-]+)/`").FindAllSubmatch(text, -1) {
		name := string(m[1])
		named[name] = true
		if _, ok := rooms[name]; !ok {
			t.Errorf("CONTRIBUTING.md names %s/, which is no room", name)
		}
	}
	for name := range rooms {
		if !named[name] {
			t.Errorf("CONTRIBUTING.md does not say what lives in %s/", name)
		}
	}
}

// speaks reports whether a package of the standard library speaks to a network, or could.
func speaks(path string) bool {
	return path == "net" || path == "crypto/tls" || strings.HasPrefix(path, "net/") && path != "net/netip" && path != "net/url"
}

// TestNoNetworkInTheProgram: package net itself comes with pflag, for flags that are addresses; nothing
// that could use it does.
func TestNoNetworkInTheProgram(t *testing.T) {
	for _, line := range goList(t, "-deps", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./cmd/oomdoc", "./cmd/kubectl-oomdoc") {
		words := strings.Fields(line)
		switch from := words[0]; {
		case speaks(from) && from != "net":
			t.Errorf("the program contains %s", from)
		case slices.Contains(words[1:], "net") && from != "github.com/spf13/pflag":
			t.Errorf("%s brings package net into the program", from)
		case from == module+"/parser/catalogue" || strings.HasSuffix(from, "/gen"):
			t.Errorf("the program contains %s, which only makes code", from)
		}
	}
}
