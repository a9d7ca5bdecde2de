package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent connects the official client to a server of its own.
func agent(t *testing.T, revision string, args ...string) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
	cmd := exec.Command("oomdoc", append([]string{"mcp"}, args...)...)
	cmd.Stderr = os.Stderr
	s, err := c.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("the server ended: %v", err)
		}
	})
	return s
}

const goldenCase = "../../testdata/logs/seed-002-startup-check/input.log"

func call(t *testing.T, s *mcp.ClientSession, tool string, arguments map[string]any) (text string, value map[string]any, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	value, _ = r.StructuredContent.(map[string]any)
	return r.Content[0].(*mcp.TextContent).Text, value, r.IsError
}

// TestAgent: the official client, on each revision of the protocol that it speaks.
func TestAgent(t *testing.T) {
	for _, revision := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			s := agent(t, revision, "--root", "../../testdata")
			if got := s.InitializeResult(); got.ProtocolVersion != revision || got.ServerInfo.Name != "oomdoc" || got.Instructions == "" {
				t.Errorf("%+v", got)
			}
			if revision < "2026-07-28" {
				if err := s.Ping(t.Context(), nil); err != nil {
					t.Error(err)
				}
			}
			tools, err := s.ListTools(t.Context(), nil)
			if err != nil || len(tools.Tools) != 5 {
				t.Fatalf("%v, %v", tools, err)
			}
			text, value, failed := call(t, s, "diagnose", map[string]any{"path": "logs/seed-002-startup-check/input.log"})
			if failed || !strings.Contains(text, "cause startup-free-memory") || value["schema"] != "oomdoc.report/v1" {
				t.Errorf("%v %s", failed, text)
			}
			if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "rm"}); err == nil {
				t.Error("a tool that is not there was called")
			}
			page, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "oomdoc://explain/kv-preemption"})
			if err != nil || !strings.Contains(page.Contents[0].Text, "kv-preemption") {
				t.Errorf("%v %v", page, err)
			}
			if _, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///etc/passwd"}); err == nil {
				t.Error("a file was read as a resource")
			}
			resources, err := s.ListResources(t.Context(), nil)
			if err != nil || len(resources.Resources) == 0 {
				t.Fatalf("%v %v", resources, err)
			}
			for _, r := range resources.Resources {
				c, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
				if err != nil || !json.Valid([]byte(c.Contents[0].Text)) {
					t.Errorf("%s: %v", r.URI, err)
				}
			}
			if list, err := s.ListResourceTemplates(t.Context(), nil); err != nil || len(list.ResourceTemplates) != 1 {
				t.Errorf("%v %v", list, err)
			}
			prompts, err := s.ListPrompts(t.Context(), nil)
			if err != nil || len(prompts.Prompts) != 2 {
				t.Fatalf("%v %v", prompts, err)
			}
			for _, p := range prompts.Prompts {
				r, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: p.Name, Arguments: map[string]string{"path": "x.log"}})
				if err != nil || !strings.Contains(r.Messages[0].Content.(*mcp.TextContent).Text, "x.log") {
					t.Errorf("%s: %v", p.Name, err)
				}
			}
		})
	}
}

// TestAgentTools: what each tool says, and what it says to arguments that are wrong.
func TestAgentTools(t *testing.T) {
	dir := t.TempDir()
	secret := "(APIServer pid=7) ERROR login hf_" + strings.Repeat("aB3", 11) + " from 203.0.113.9\n"
	if err := os.WriteFile(filepath.Join(dir, "secret.log"), []byte(strings.Repeat("a line\n", 40)+secret), 0o644); err != nil {
		t.Fatal(err)
	}
	s := agent(t, "2025-11-25", "--root", "../../testdata/logs", "--root", dir)
	const log = "seed-002-startup-check/input.log"
	golden, err := os.ReadFile(goldenCase)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tool, arguments string
		failed          bool
		want            string
	}{
		{"diagnose", `{"path":"` + log + `"}`, false, "cause startup-free-memory"},
		{"diagnose", `{"path":"` + log + `","lang":"zh"}`, false, "显存"},
		{"diagnose", `{"paths":["` + log + `","secret.log"],"detail":"full"}`, false, "cause startup-free-memory"},
		{"diagnose", `{"text":` + asJSON(string(golden)) + `}`, false, "cause startup-free-memory"},
		{"diagnose", `{"text":"all is well"}`, false, "No memory failure"},
		{"diagnose", `{}`, true, "give either the path of a log or its text"},
		{"diagnose", `{"path":"` + log + `","text":"x"}`, true, "give either"},
		{"diagnose", `{"path":"../../go.mod"}`, true, "lies outside"},
		{"diagnose", `{"path":"none.log"}`, true, "no such file"},
		{"diagnose", `{"paths":["` + log + `","none.log"]}`, true, "none.log: no such file"},
		{"diagnose", `{"path":7}`, true, "the argument path must be a string, not a number"},
		{"diagnose", `{"pth":"x"}`, true, `unknown field "pth"`},
		{"diagnose", `{"path":"x","lang":"fr"}`, true, "must be en or zh"},
		{"diagnose", `{"path":"x","detail":"all"}`, true, "must be short or full"},
		{"plan", `{"path":"` + log + `","set":{"gpu_memory_utilization":0.8}}`, false, "6.92 GiB ≥ 0.80 × 8.00 GiB = 6.40 GiB"},
		{"plan", `{"path":"` + log + `","set":{"gpu_memory_utilization":"85%"}}`, false, "--gpu-memory-utilization 0.85"},
		{"plan", `{"path":"` + log + `","solve":"gpu_memory_utilization"}`, false, "0.86"},
		{"plan", `{"path":"` + log + `"}`, true, "give either settings"},
		{"plan", `{"path":"` + log + `","set":{"gpu_memory_utilisation":0.8}}`, true, "did you mean gpu_memory_utilization?"},
		{"plan", `{"path":"` + log + `","set":{"max_model_len":[1]}}`, true, "a value is a number"},
		{"plan", `{"text":"all is well","set":{"max_model_len":1}}`, true, "no figures to plan with"},
		{"explain", `{"id":"kv-preemption"}`, false, "kv-preemption"},
		{"explain", `{"id":"--max-model-len"}`, false, "max_model_len"},
		{"explain", `{"id":"kv-preemptoin"}`, true, "did you mean kv-preemption?"},
		{"search_knowledge", `{"query":"fragment"}`, false, "fragmentation"},
		{"search_knowledge", `{"query":"","kind":"facts"}`, false, "more: add a word"},
		{"search_knowledge", `{"query":"zzz"}`, true, "try fewer"},
		{"search_knowledge", `{"query":"","kind":"beasts"}`, true, "must be one of causes"},
		{"log_lines", `{"path":"` + log + `","line":37,"before":0,"after":0}`, false, "37  ERROR"},
		{"log_lines", `{"path":"secret.log","line":41}`, false, "<token>"},
		{"log_lines", `{"path":"secret.log","line":900}`, true, "has 41 lines, no line 900"},
		{"log_lines", `{"path":"secret.log","line":0}`, true, "line counts from 1"},
		{"log_lines", `{"path":"secret.log","line":1,"after":100000}`, true, "between 0 and 200"},
	} {
		var arguments map[string]any
		if err := json.Unmarshal([]byte(tt.arguments), &arguments); err != nil {
			t.Fatal(err)
		}
		text, value, failed := call(t, s, tt.tool, arguments)
		if failed != tt.failed || !strings.Contains(text, tt.want) {
			t.Errorf("%s %.200s: failed %v, %.300q; want %q", tt.tool, tt.arguments, failed, text, tt.want)
		}
		shown, _ := json.Marshal(value)
		if strings.Contains(text+string(shown), "203.0.113.9") || strings.Contains(text+string(shown), "aB3aB3") {
			t.Errorf("%s: a secret is shown: %s %s", tt.tool, text, shown)
		}
	}
}

func asJSON(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// TestAgentKeepsItsSchemas: the official client checks answers against the output schemas where it is the
// server; here it is done by hand for the fields that are promised.
func TestAgentKeepsItsSchemas(t *testing.T) {
	s := agent(t, "2026-07-28", "--root", "../../testdata/logs")
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	arguments := map[string]map[string]any{
		"diagnose":         {"path": "seed-002-startup-check/input.log"},
		"plan":             {"path": "seed-002-startup-check/input.log", "set": map[string]any{"max_model_len": 1024}},
		"explain":          {"id": "fp8-kv-cache"},
		"search_knowledge": {"query": "kv"},
		"log_lines":        {"path": "seed-002-startup-check/input.log", "line": 3},
	}
	for _, tool := range tools.Tools {
		if a := tool.Annotations; !a.ReadOnlyHint || *a.DestructiveHint || *a.OpenWorldHint || !a.IdempotentHint {
			t.Errorf("%s: %+v", tool.Name, a)
		}
		_, value, failed := call(t, s, tool.Name, arguments[tool.Name])
		if failed {
			t.Errorf("%s failed", tool.Name)
		}
		schema := tool.OutputSchema.(map[string]any)
		for _, name := range schema["required"].([]any) {
			if _, ok := value[name.(string)]; !ok {
				t.Errorf("%s: %v is missing in %v", tool.Name, name, slices.Sorted(maps.Keys(value)))
			}
		}
	}
}

// maxTokens bounds what the list of tools costs in every conversation.
const maxTokens = 1500

// TestAgentToolsAreShort counts tokens as a pessimist: each run of letters costs one for every six of
// them, each digit and each other sign one.
func TestAgentToolsAreShort(t *testing.T) {
	s := agent(t, "2025-11-25")
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	read, all := 0, 0
	for _, tool := range tools.Tools {
		in, _ := json.Marshal(tool.InputSchema)
		read += tokens(tool.Name + " " + tool.Description + " " + string(in))
		whole, _ := json.Marshal(tool)
		all += tokens(string(whole))
	}
	t.Logf("%d tokens are read by a model, %d with output schemas and annotations", read, all)
	if read > maxTokens {
		t.Errorf("the tools cost %d tokens, at most %d", read, maxTokens)
	}
}

var pieces = regexp.MustCompile(`[A-Za-z]+|[0-9]|[^\sA-Za-z0-9]+`)

func tokens(s string) int {
	n := 0
	for _, piece := range pieces.FindAllString(s, -1) {
		n += (len(piece) + 5) / 6
	}
	return n
}

// TestAgentThatHangsUp: the server ends in order when its client closes its stream, and when it reads no more.
func TestAgentThatHangsUp(t *testing.T) {
	for name, shell := range map[string]string{
		"closes its stream": `echo "$PING" | { oomdoc mcp; echo "status $?" >&2; } >/dev/null`,
		"reads no more":     `yes "$PING" | head -n 20000 | { oomdoc mcp; echo "status $?" >&2; } | head -n 1 >/dev/null`,
	} {
		cmd := exec.Command("sh", "-c", shell)
		cmd.Env = append(os.Environ(), `PING={"jsonrpc":"2.0","id":1,"method":"ping"}`)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "status 0\n" {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
}

// TestAgentPackaging: the files for clients name what is there.
func TestAgentPackaging(t *testing.T) {
	read := func(name string, into any) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join("../../packaging/mcp", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var config struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	read(".mcp.json", &config)
	if o := config.Servers["oomdoc"]; o.Command != "oomdoc" || !slices.Equal(o.Args, []string{"mcp"}) {
		t.Errorf("%+v", o)
	}
	var server struct {
		Name     string
		Packages []struct {
			Identifier       string
			PackageArguments []struct{ Value string }
		}
	}
	read("server.json", &server)
	if server.Packages[0].Identifier != "oomdoc" || server.Packages[0].PackageArguments[0].Value != "mcp" {
		t.Errorf("%+v", server)
	}
	var bundle struct {
		Server struct {
			Config struct{ Args []string } `json:"mcp_config"`
		}
		Tools []struct{ Name string }
	}
	read("manifest.json", &bundle)
	if a := bundle.Server.Config.Args; len(a) != 3 || a[0] != "mcp" || a[1] != "--root" {
		t.Errorf("%v", a)
	}
	tools, err := agent(t, "2025-11-25").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var here, there []string
	for _, tool := range tools.Tools {
		here = append(here, tool.Name)
	}
	for _, tool := range bundle.Tools {
		there = append(there, tool.Name)
	}
	if !slices.Equal(here, there) {
		t.Errorf("the bundle names %v, there are %v", there, here)
	}
}
