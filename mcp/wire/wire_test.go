package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
)

// testServer has a tool that answers, one that fails, one that panics and one that waits to be cancelled.
func testServer() *Server {
	tool := func(name string, call func(context.Context, json.RawMessage) (Answer, error)) Tool {
		return Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`), OutputSchema: json.RawMessage(`{"type":"object"}`), Call: call}
	}
	return &Server{
		Name: "test", Version: "v1",
		Tools: []Tool{
			tool("echo", func(_ context.Context, a json.RawMessage) (Answer, error) {
				return Answer{Text: string(a), Structured: map[string]int{"n": 1}}, nil
			}),
			tool("fail", func(context.Context, json.RawMessage) (Answer, error) { return Answer{}, errors.New("no such file") }),
			tool("panic", func(context.Context, json.RawMessage) (Answer, error) { panic("a fault") }),
			tool("wait", func(ctx context.Context, _ json.RawMessage) (Answer, error) {
				<-ctx.Done()
				return Answer{}, ctx.Err()
			}),
		},
		Prompts: []Prompt{{Name: "ask", Arguments: []PromptArgument{{Name: "path", Required: true}}, Fill: func(a map[string]string) string { return "read " + a["path"] }}},
		Read: func(_ context.Context, uri string) (Contents, bool, error) {
			return Contents{URI: uri, Text: "page"}, uri == "x://page", nil
		},
	}
}

const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// TestAnswers: what is sent, and what must stand in the answers. Want "" is no answer.
func TestAnswers(t *testing.T) {
	for _, tt := range []struct{ name, send, want string }{
		{"older client", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}`, `"protocolVersion":"2024-11-05"`},
		{"unknown revision", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01"}}`, `"protocolVersion":"2025-11-25"`},
		{"stateless revision is not initialized", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2026-07-28"}}`, `"protocolVersion":"2025-11-25"`},
		{"discover", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`, `"cacheScope":"private"`},
		{"discover without a revision", `{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, `-32601`},
		{"a revision to come", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01"}}}`, `"error":{"code":-32022,"message":"unsupported protocol version","data":{"requested":"2030-01-01","supported":["2026-07-28"`},
		{"ping", `{"jsonrpc":"2.0","id":"a","method":"ping"}`, `{"jsonrpc":"2.0","id":"a","result":{}}`},
		{"ping is gone", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + meta + `}}`, `-32601`},
		{"call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"ü"}}}`, `"text":"{\"a\":\"ü\"}"`},
		{"call without arguments", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`, `"text":"{}"`},
		{"stateless call", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",` + meta + `}}`, `"resultType":"complete","structuredContent":{"n":1}`},
		{"a call is not kept", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo",` + meta + `}}`, `{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","title":"","version":"v1"}},"content"`},
		{"failing tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fail"}}`, `"isError":true`},
		{"fault", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"panic"}}`, `"error":{"code":-32603`},
		{"no such tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rm"}}`, `"error":{"code":-32602,"message":"there is no tool \"rm\"; there are echo`},
		{"prompt", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ask","arguments":{"path":"a.log"}}}`, `"text":"read a.log"`},
		{"prompt with a blank", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"ask"}}`, `-32602`},
		{"no such prompt", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"x"}}`, `-32602`},
		{"resource", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x://page"}}`, `"text":"page"`},
		{"no such resource, as before", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x://"}}`, `-32002`},
		{"no such resource", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x://",` + meta + `}}`, `-32602`},
		{"second page", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`, `-32602`},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel"}`, `"error":{"code":-32601`},
		{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/else"}`, ``},
		{"a response that nobody asked for", `{"jsonrpc":"2.0","id":1,"result":{}}`, ``},
		{"empty lines", "\n\r\n  \n", ``},
		{"no JSON", `{"jsonrpc":`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`},
		{"no JSON at all", "\x00\xff\x1b[2J", `-32700`},
		{"deep", strings.Repeat(`{"a":`, 20000), `-32700`},
		{"no object", `17`, `-32600`},
		{"no revision of JSON-RPC", `{"id":1,"method":"ping"}`, `"id":1,"error":{"code":-32600`},
		{"no method", `{"jsonrpc":"2.0","id":1}`, `-32600`},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `-32600`},
		{"an id that is null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `-32600`},
		{"parameters that are none", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}`, `-32602`},
		{"parameters of another type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}`, `-32602`},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", maxMessage) + `"}`, `longer than 16 MiB`},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{}]`, `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":null,"error":{"code":-32600`},
		{"batch of nothing", `[]`, `-32600`},
		{"broken batch", `[{]`, `-32700`},
		{"batch of notifications", `[{"jsonrpc":"2.0","method":"notifications/x"}]`, ``},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			// A question after it is answered, whatever came before.
			in := tt.send + "\n" + `{"jsonrpc":"2.0","id":"last","method":"ping"}`
			if err := testServer().Serve(context.Background(), strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			var got []string
			for line := range strings.Lines(out.String()) {
				if !json.Valid([]byte(line)) {
					t.Errorf("not JSON: %.200s", line)
				}
				if !strings.Contains(line, `"id":"last"`) {
					got = append(got, line)
				}
			}
			if strings.Count(out.String(), `"id":"last"`) != 1 {
				t.Error("the question after it was not answered")
			}
			if want := min(1, len(tt.want)); len(got) != want || want == 1 && !strings.Contains(got[0], tt.want) {
				t.Errorf("answered %.600q, want %q", got, tt.want)
			}
		})
	}
}

// TestToolsKeepTheirOrder: a client may take another order for another list.
func TestToolsKeepTheirOrder(t *testing.T) {
	var out strings.Builder
	in := strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`+"\n", 3)
	if err := testServer().Serve(context.Background(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(strings.Lines(out.String()))
	if len(lines) != 3 || lines[0] != lines[1] || lines[1] != lines[2] {
		t.Errorf("%q", lines)
	}
}

// client is a stream that the test writes and one that it reads.
type client struct {
	in    *io.PipeWriter
	lines chan string
	done  chan error
}

func connect(ctx context.Context, s *Server) *client {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{inW, make(chan string, 100), make(chan error, 1)}
	go func() {
		c.done <- s.Serve(ctx, inR, outW)
		outW.Close()
	}()
	go func() {
		d := json.NewDecoder(outR)
		for {
			var line json.RawMessage
			if d.Decode(&line) != nil {
				close(c.lines)
				return
			}
			c.lines <- string(line)
		}
	}()
	return c
}

func (c *client) say(line string) { fmt.Fprintln(c.in, line) }

// TestNobodyWaits: a tool that takes its time holds up no other question, and can be cancelled; what was
// cancelled is not answered.
func TestNobodyWaits(t *testing.T) {
	c := connect(t.Context(), testServer())
	c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`)
	c.say(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
	if got := <-c.lines; !strings.Contains(got, `"id":2`) {
		t.Errorf("got %s", got)
	}
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":3}`)
	c.in.Close()
	if err := <-c.done; err != nil {
		t.Error(err)
	}
	if got, ok := <-c.lines; ok {
		t.Errorf("what was cancelled was answered: %s", got)
	}
}

// TestEnds: when the context ends, so does the server, whatever it waits for.
func TestEnds(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	c := connect(ctx, testServer())
	c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"wait"}}`)
	stop()
	if err := <-c.done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// deaf fails from the second write on, as a client that has gone.
type deaf struct {
	mu sync.Mutex
	n  int
}

func (d *deaf) Write(p []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.n++; d.n > 1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestClientThatHangsUp(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	go fmt.Fprint(w, strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n", 3)) // and the stream stays open
	if err := testServer().Serve(t.Context(), r, &deaf{}); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v", err)
	}
}

func FuzzServe(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":null}}`)
	f.Add(`[{"jsonrpc":"2.0","id":1,"method":"ping"},[]]`)
	f.Add("{}\n{\"id\":[\n")
	f.Fuzz(func(t *testing.T, in string) {
		if strings.Contains(in, "wait") {
			t.Skip("it waits to be cancelled")
		}
		var out strings.Builder
		if err := testServer().Serve(t.Context(), strings.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if !json.Valid([]byte(line)) {
				t.Errorf("not JSON: %q", line)
			}
		}
	})
}
