package packaging

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// node is a YAML value.
type node = map[string]any

// walk calls visit with every object below a value.
func walk(v any, visit func(node)) {
	switch v := v.(type) {
	case node:
		visit(v)
		for _, x := range v {
			walk(x, visit)
		}
	case []any:
		for _, x := range v {
			walk(x, visit)
		}
	}
}

func words(v any) (out []string) {
	list, _ := v.([]any)
	for _, x := range list {
		s, _ := x.(string)
		out = append(out, s)
	}
	return out
}

// TestRecipes: what is mounted is a volume, what is installed lies where it is started from, and what is found first on
// PATH is the shim. The charts' own schemas are not here.
func TestRecipes(t *testing.T) {
	files, err := filepath.Glob("kubernetes/*.yaml")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v %v", files, err)
	}
	for _, file := range files {
		var doc node
		readYAML(t, file, &doc)
		volumes, mounts := map[string]bool{}, map[string][]string{}
		var installed, started, path []string
		walk(doc, func(n node) {
			for _, key := range []string{"volumes", "extraVolumes"} {
				list, _ := n[key].([]any)
				for _, v := range list {
					volumes[v.(node)["name"].(string)] = true
				}
			}
			for _, key := range []string{"volumeMounts", "extraVolumeMounts"} {
				list, _ := n[key].([]any)
				for _, v := range list {
					name, _ := v.(node)["name"].(string)
					at, _ := v.(node)["mountPath"].(string)
					mounts[name] = append(mounts[name], at)
				}
			}
			if args := words(n["args"]); len(args) > 3 && args[0] == "shim" {
				installed = args
			}
			if command := words(n["command"]); len(command) > 0 && strings.HasSuffix(command[0], "/oomdoc") {
				started = command
			}
			if n["name"] == "PATH" {
				path = strings.Split(n["value"].(string), ":")
			}
		})
		for name := range mounts {
			if !volumes[name] {
				t.Errorf("%s: %s is mounted and no volume", file, name)
			}
		}
		if strings.Contains(file, "ray-serve") {
			if installed != nil {
				t.Errorf("%s: Ray's workers are started by nobody's command", file)
			}
			continue
		}
		at := "/opt/oomdoc"
		if !slices.Equal(installed, []string{"shim", "install", at, "vllm"}) || len(mounts["oomdoc"]) != 2 || mounts["oomdoc"][0] != at || mounts["oomdoc"][1] != at {
			t.Errorf("%s: %v is installed, %v mounted", file, installed, mounts["oomdoc"])
		}
		if (started == nil) == (path == nil) {
			t.Errorf("%s: either the command or PATH leads to it: %v, %v", file, started, path)
		}
		if started != nil && !slices.Equal(started, []string{at + "/oomdoc", "run", "--", "vllm", "serve"}) {
			t.Errorf("%s: starts %v", file, started)
		}
		if path != nil && (path[0] != at || !slices.Contains(path, "/usr/local/bin") || !slices.Contains(path, "/usr/bin")) {
			t.Errorf("%s: PATH is %v", file, path)
		}
	}
}
