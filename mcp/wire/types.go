package wire

import (
	"context"
	"encoding/json"
)

// Server is what is offered to a client. Its fields are not changed while it serves.
type Server struct {
	Name, Title, Version string
	Instructions         string // to the model: when to use the tools
	Tools                []Tool
	Prompts              []Prompt
	Resources            []Resource
	Templates            []Template

	// Read returns a resource that Resources or Templates announce; ok is false where there is none.
	Read func(ctx context.Context, uri string) (c Contents, ok bool, err error)

	// Log gets what is worth telling the operator, a line each; nil for nobody.
	Log func(line string)
}

// Tool is something that a model can call. All of ours only read.
type Tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Annotations  Annotations     `json:"annotations"`

	// Call carries the tool out. arguments is a JSON object. An error is told to the model, which can
	// try again: it says what is wrong and what to do.
	Call func(ctx context.Context, arguments json.RawMessage) (Answer, error) `json:"-"`
}

// Annotations tell a client what a tool may do.
type Annotations struct {
	ReadOnly    bool `json:"readOnlyHint"`
	Destructive bool `json:"destructiveHint"`
	Idempotent  bool `json:"idempotentHint"`
	OpenWorld   bool `json:"openWorldHint"`
}

// Answer is what a tool returns: for reading, and the same for programs, as the tool's OutputSchema has it.
type Answer struct {
	Text       string
	Structured any
}

// Prompt is a question with blanks that a user picks from a menu.
type Prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Description string           `json:"description"`
	Arguments   []PromptArgument `json:"arguments"`

	Fill func(arguments map[string]string) string `json:"-"`
}

// PromptArgument is a blank.
type PromptArgument struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Required    bool   `json:"required"`
}

// Resource is a document that a client can attach.
type Resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Description string `json:"description"`
	MIME        string `json:"mimeType"`
}

// Template announces resources by a pattern of RFC 6570.
type Template struct {
	URI         string `json:"uriTemplate"`
	Name        string `json:"name"`
	Description string `json:"description"`
	MIME        string `json:"mimeType"`
}

// Contents is the text of a resource.
type Contents struct {
	URI  string `json:"uri"`
	MIME string `json:"mimeType"`
	Text string `json:"text"`
}
