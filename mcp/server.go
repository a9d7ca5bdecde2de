package mcp

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/mcp/wire"
)

// Config is what the server stands on. All fields but Log are needed.
type Config struct {
	Version   string
	Lang      string // en or zh, where a call does not say
	Knowledge *knowledge.Base
	Roots     *Roots
	Schemas   map[string][]byte // the published JSON Schemas by name: report, event, facts
	Log       func(line string) // gets what is worth telling the operator
}

const instructions = `Use diagnose when a vLLM or PyTorch process ran out of memory, was killed, or did not start: give it the log, not an excerpt. ` +
	`Take its cause and its values over advice from memory; "unknown" is an answer too, and says what to collect next.`

// Serve answers one client until it hangs up.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	s := wire.Server{
		Name: "oomdoc", Title: "oomdoc, a doctor for GPU memory failures", Version: c.Version, Instructions: instructions,
		Tools: c.tools(), Prompts: prompts, Log: c.Log, Read: c.read,
		Templates: []wire.Template{{
			URI: explainURI + "{id}", Name: "explain", MIME: "text/plain",
			Description: "What a cause, remedy, message or fact is; search_knowledge finds ids",
		}},
	}
	for _, name := range []string{"report", "event", "facts"} {
		s.Resources = append(s.Resources, wire.Resource{
			URI: schemaURI + name, Name: name + " schema", MIME: "application/schema+json",
			Description: "JSON Schema of oomdoc." + name + "/v1",
		})
	}
	return s.Serve(ctx, in, out)
}

const (
	schemaURI  = "oomdoc://schema/"
	explainURI = "oomdoc://explain/"
)

// read returns the contents of a resource.
func (c Config) read(_ context.Context, uri string) (wire.Contents, bool, error) {
	if name, ok := strings.CutPrefix(uri, schemaURI); ok {
		text, ok := c.Schemas[name]
		return wire.Contents{URI: uri, MIME: "application/schema+json", Text: string(text)}, ok, nil
	}
	if id, ok := strings.CutPrefix(uri, explainURI); ok {
		text, err := c.page(id, c.Lang)
		return wire.Contents{URI: uri, MIME: "text/plain", Text: text}, err == nil, nil
	}
	return wire.Contents{}, false, nil
}

var logArgument = wire.PromptArgument{Name: "path", Description: "the log file", Required: true}

var prompts = []wire.Prompt{
	{
		Name: "diagnose-oom", Title: "Why did memory fail?", Description: "Diagnose a log and say what to do",
		Arguments: []wire.PromptArgument{logArgument},
		Fill: func(a map[string]string) string {
			return fmt.Sprintf("Call the tool diagnose with path %q. Say in plain words what failed, the arithmetic that proves it, the first remedy with its exact value, "+
				"and which popular advice would not help here and why. Where the cause is open, say so and ask for what it wants collected. Change nothing yet.", a["path"])
		},
	},
	{
		Name: "fix-launch-command", Title: "Fix the launch command", Description: "A launch command that fits, with its sums",
		Arguments: []wire.PromptArgument{logArgument},
		Fill: func(a map[string]string) string {
			return fmt.Sprintf("Call diagnose with path %q, then plan with the setting of its first remedy. Where the verdict is not \"fits\", plan the next remedy. "+
				"Give the whole corrected command, the sums of the verdict, and what it costs. Do not run it.", a["path"])
		},
	},
}
