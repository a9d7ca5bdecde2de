package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// stateless is the revision from which every request says for itself which revision it follows.
const stateless = "2026-07-28"

// revisions are those that are spoken, newest first.
var revisions = []string{stateless, "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// The keys of _meta.
const (
	metaVersion = "io.modelcontextprotocol/protocolVersion"
	metaServer  = "io.modelcontextprotocol/serverInfo"
)

// lifetime is how long a client may keep what a running server cannot change, in milliseconds.
const lifetime = 3_600_000

type object = map[string]any

// dispatch carries out a request and returns its result.
func (c *session) dispatch(ctx context.Context, r *request) (any, error) {
	modern, err := revision(r)
	if err != nil {
		return nil, err
	}
	result, err := c.method(ctx, r, modern)
	if err != nil || !modern {
		return result, err
	}
	full := object{"resultType": "complete", "_meta": object{metaServer: c.info()}}
	if cacheable[r.method] {
		full["ttlMs"], full["cacheScope"] = lifetime, "private" // a site's own knowledge is the site's
	}
	maps.Copy(full, result)
	return full, nil
}

// cacheable are the methods whose results say how long they are good.
var cacheable = map[string]bool{
	"server/discover": true, "tools/list": true, "prompts/list": true, "resources/list": true,
	"resources/templates/list": true, "resources/read": true,
}

// revision reports whether a request follows the stateless revision.
func revision(r *request) (modern bool, err error) {
	var p struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	if r.params != nil {
		if err := json.Unmarshal(r.params, &p); err != nil {
			return false, failure(codeInvalidParams, "params must be an object: %v", err)
		}
	}
	raw, ok := p.Meta[metaVersion]
	if !ok {
		return false, nil
	}
	var v string
	if err := json.Unmarshal(raw, &v); err != nil || v != stateless {
		return false, &Error{codeUnsupportedVersion, "unsupported protocol version", object{"supported": revisions, "requested": v}}
	}
	return true, nil
}

func (c *session) info() object {
	return object{"name": c.Name, "title": c.Title, "version": c.Version}
}

var capabilities = object{"tools": object{}, "prompts": object{}, "resources": object{}}

func (c *session) method(ctx context.Context, r *request, modern bool) (object, error) {
	switch {
	case r.method == "server/discover" && modern:
		return object{"supportedVersions": revisions, "capabilities": capabilities, "instructions": c.Instructions}, nil
	case r.method == "initialize" && !modern:
		return c.initialize(r)
	case r.method == "ping" && !modern:
		return object{}, nil
	}
	switch r.method {
	case "tools/list":
		return object{"tools": c.Tools}, onePage(r)
	case "prompts/list":
		return object{"prompts": c.Prompts}, onePage(r)
	case "resources/list":
		return object{"resources": c.Resources}, onePage(r)
	case "resources/templates/list":
		return object{"resourceTemplates": c.Templates}, onePage(r)
	case "tools/call":
		return c.call(ctx, r)
	case "prompts/get":
		return c.prompt(r)
	case "resources/read":
		return c.resource(ctx, r, modern)
	}
	return nil, failure(codeMethodNotFound, "there is no method %.100q", r.method)
}

func (c *session) initialize(r *request) (object, error) {
	var p struct {
		Version string `json:"protocolVersion"`
	}
	if err := decode(r, &p); err != nil {
		return nil, err
	}
	if !slices.Contains(revisions[1:], p.Version) {
		p.Version = revisions[1] // the client decides whether it can live with that
	}
	return object{
		"protocolVersion": p.Version, "capabilities": capabilities, "serverInfo": c.info(), "instructions": c.Instructions,
	}, nil
}

// onePage refuses a cursor: every list has one page.
func onePage(r *request) error {
	var p struct {
		Cursor string `json:"cursor"`
	}
	if err := decode(r, &p); err != nil {
		return err
	}
	if p.Cursor != "" {
		return failure(codeInvalidParams, "no list here has a second page")
	}
	return nil
}

func (c *session) call(ctx context.Context, r *request) (object, error) {
	var p struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if err := decode(r, &p); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(c.Tools, func(t Tool) bool { return t.Name == p.Name })
	if i < 0 {
		return nil, failure(codeInvalidParams, "there is no tool %.100q; there are %s", p.Name, names(c.Tools, func(t Tool) string { return t.Name }))
	}
	if p.Arguments == nil || string(p.Arguments) == "null" {
		p.Arguments = json.RawMessage("{}")
	}
	answer, err := c.Tools[i].Call(ctx, p.Arguments)
	if err != nil {
		return object{"content": text(err.Error()), "isError": true}, nil
	}
	return object{"content": text(answer.Text), "structuredContent": answer.Structured, "isError": false}, nil
}

func text(s string) []object { return []object{{"type": "text", "text": s}} }

func (c *session) prompt(r *request) (object, error) {
	var p struct {
		Name      string            `json:"name"`
		Arguments map[string]string `json:"arguments"`
	}
	if err := decode(r, &p); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(c.Prompts, func(t Prompt) bool { return t.Name == p.Name })
	if i < 0 {
		return nil, failure(codeInvalidParams, "there is no prompt %.100q; there are %s", p.Name, names(c.Prompts, func(t Prompt) string { return t.Name }))
	}
	for _, a := range c.Prompts[i].Arguments {
		if a.Required && strings.TrimSpace(p.Arguments[a.Name]) == "" {
			return nil, failure(codeInvalidParams, "the prompt %s needs %s: %s", p.Name, a.Name, a.Description)
		}
	}
	message := object{"role": "user", "content": text(c.Prompts[i].Fill(p.Arguments))[0]}
	return object{"description": c.Prompts[i].Description, "messages": []object{message}}, nil
}

func (c *session) resource(ctx context.Context, r *request, modern bool) (object, error) {
	var p struct {
		URI string `json:"uri"`
	}
	if err := decode(r, &p); err != nil {
		return nil, err
	}
	contents, ok, err := c.Read(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	if !ok {
		code := codeResourceNotFound
		if modern {
			code = codeInvalidParams
		}
		return nil, &Error{code, fmt.Sprintf("there is no resource %.200q", p.URI), object{"uri": p.URI}}
	}
	return object{"contents": []Contents{contents}}, nil
}

// decode reads the parameters of a request.
func decode(r *request, into any) error {
	if r.params == nil {
		return nil
	}
	if err := json.Unmarshal(r.params, into); err != nil {
		return failure(codeInvalidParams, "%s: %v", r.method, err)
	}
	return nil
}

func names[T any](list []T, name func(T) string) string {
	var out []string
	for _, x := range list {
		out = append(out, name(x))
	}
	return strings.Join(out, ", ")
}
