package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/internal/input"
	"github.com/oomdoc/oomdoc/mask"
	"github.com/oomdoc/oomdoc/mcp/wire"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// The schemas of the tools. Each word of them is read by a model in every conversation: they are short.
const (
	diagnoseIn = `{"type":"object","additionalProperties":false,"properties":{
		"path":{"type":"string","description":"log file; .gz and .zst as they are"},
		"paths":{"type":"array","items":{"type":"string"},"maxItems":64,"description":"files of one job, e.g. its ranks"},
		"text":{"type":"string","description":"the log itself, where it is in no file"},
		"lang":{"enum":["en","zh"]},
		"detail":{"enum":["short","full"],"description":"short (default): 3 incidents, 5 remedies"}}}`
	diagnoseOut = `{"type":"object","required":["schema","incidents"],"properties":{
		"schema":{"const":"oomdoc.report/v1"},
		"incidents":{"type":"array","items":{"type":"object","required":["severity","cause","remedies","dead_ends"]}},
		"facts":{"type":"object"}}}`
	planIn = `{"type":"object","additionalProperties":false,"properties":{
		"path":{"type":"string"},"text":{"type":"string"},
		"set":{"type":"object","description":"e.g. {\"max_model_len\":32768,\"kv_cache_dtype\":\"fp8\"}"},
		"solve":{"type":"string","description":"setting to find the fitting value of, instead of set"},
		"lang":{"enum":["en","zh"]}}}`
	planOut = `{"type":"object","required":["schema","set","verdict","before","after"],"properties":{
		"schema":{"const":"oomdoc.plan/v1"},
		"verdict":{"enum":["fits","borderline","short","unknown"]},
		"margin":{"type":"integer","description":"bytes left; negative: missing"},
		"command":{"type":"string"}}}`
	explainIn    = `{"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"string"},"lang":{"enum":["en","zh"]}}}`
	explainOut   = `{"type":"object","required":["id","page"],"properties":{"id":{"type":"string"},"page":{"type":"string"}}}`
	knowledgeIn  = `{"type":"object","additionalProperties":false,"required":["query"],"properties":{"query":{"type":"string"},"kind":{"enum":["causes","remedies","messages","facts"]}}}`
	knowledgeOut = `{"type":"object","required":["found"],"properties":{"found":{"type":"array","items":{"type":"object","required":["id","kind","title"]}},"left_out":{"type":"integer"}}}`
	linesIn      = `{"type":"object","additionalProperties":false,"required":["path","line"],"properties":{
		"path":{"type":"string"},"line":{"type":"integer","minimum":1},
		"before":{"type":"integer","minimum":0,"maximum":200,"default":20},"after":{"type":"integer","minimum":0,"maximum":200,"default":20}}}`
	linesOut = `{"type":"object","required":["lines"],"properties":{"lines":{"type":"array","items":{"type":"object","required":["line","text"]}}}}`
)

func (c Config) tools() []wire.Tool {
	tool := func(name, title, description, in, out string, call func(context.Context, json.RawMessage) (wire.Answer, error)) wire.Tool {
		return wire.Tool{
			Name: name, Title: title, Description: description, InputSchema: compact(in), OutputSchema: compact(out),
			Annotations: wire.Annotations{ReadOnly: true, Idempotent: true}, Call: call,
		}
	}
	return []wire.Tool{
		tool("diagnose", "Diagnose a log", "Why memory failed in a vLLM or PyTorch log: the cause with its arithmetic and lines, remedies with values, best first, and advice that would not help. Give path, paths or text.", diagnoseIn, diagnoseOut, c.diagnose),
		tool("plan", "What if", "What becomes of the memory of the logged run when settings change: verdict, sums, GPU ledgers before and after, corrected command. Give set or solve.", planIn, planOut, c.plan),
		tool("explain", "Explain an id", "What a cause, remedy, message, fact or flag is, how to tell it apart, with reported cases and sources.", explainIn, explainOut, c.explain),
		tool("search_knowledge", "Find ids", "Ids in whose id or title all words of the query occur.", knowledgeIn, knowledgeOut, c.search),
		tool("log_lines", "Lines of a log", "Lines around a line that a diagnosis names, secrets masked.", linesIn, linesOut, c.logLines),
	}
}

func compact(schema string) json.RawMessage {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(schema)); err != nil {
		panic(err) // a constant of this file
	}
	return b.Bytes()
}

// arguments reads a tool's arguments; what is unknown or of the wrong type is said to the model.
func arguments(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(into)
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return fmt.Errorf("the argument %s must be a %s, not a %s", wrong.Field, jsonType(wrong.Type.Kind().String()), wrong.Value)
	}
	if err != nil {
		return fmt.Errorf("the arguments: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// jsonType is the word for a Go type that a model knows.
func jsonType(kind string) string {
	switch kind {
	case "int":
		return "whole number"
	case "slice":
		return "list"
	case "map", "struct":
		return "JSON object"
	}
	return kind
}

// language checks a lang argument.
func (c Config) language(lang string) (string, error) {
	switch lang {
	case "":
		return c.Lang, nil
	case "en", "zh":
		return lang, nil
	}
	return "", fmt.Errorf("lang %q: must be en or zh", lang)
}

// logInput names a log: a path or several, or the text.
type logInput struct {
	paths []string
	text  string
}

func (in logInput) check() error {
	if (len(in.paths) == 0) == (in.text == "") {
		return errors.New("give either the path of a log or its text")
	}
	return nil
}

// diagnosis reads a log. A file that cannot be read is an error: an agent that is told of a part takes it for the whole.
func (c Config) diagnosis(ctx context.Context, in logInput) (*rules.Diagnosis, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	session := oomdoc.NewSession(oomdoc.Options{Knowledge: c.Knowledge})
	if in.text != "" {
		if err := session.Stream("text").ReadAll(patient{ctx, strings.NewReader(in.text)}); err != nil {
			return nil, err
		}
	}
	for _, path := range in.paths {
		log, err := c.open(path)
		if err != nil {
			return nil, err
		}
		err = session.Stream(path).ReadAll(patient{ctx, log})
		log.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return session.Close(), nil
}

func (c Config) open(path string) (io.ReadCloser, error) {
	f, err := c.Roots.Open(path)
	if err != nil {
		return nil, err
	}
	log, err := input.Decompress(f)
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return log, nil
}

// patient is a reader that ends when nobody waits for the answer any more.
type patient struct {
	ctx context.Context
	r   io.Reader
}

func (p patient) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	return p.r.Read(b)
}

// unwrapped is wide enough that no line of a report is broken: a secret is masked in one piece.
const unwrapped = 2000

// What a short answer holds.
const (
	shortIncidents = 3
	shortRemedies  = 5
)

func (c Config) diagnose(ctx context.Context, raw json.RawMessage) (wire.Answer, error) {
	var p struct {
		Path   string   `json:"path"`
		Paths  []string `json:"paths"`
		Text   string   `json:"text"`
		Lang   string   `json:"lang"`
		Detail string   `json:"detail"`
	}
	if err := arguments(raw, &p); err != nil {
		return wire.Answer{}, err
	}
	lang, err := c.language(p.Lang)
	if err != nil {
		return wire.Answer{}, err
	}
	if p.Detail != "" && p.Detail != "short" && p.Detail != "full" {
		return wire.Answer{}, fmt.Errorf("detail %q: must be short or full", p.Detail)
	}
	if p.Path != "" {
		p.Paths = append([]string{p.Path}, p.Paths...)
	}
	d, err := c.diagnosis(ctx, logInput{p.Paths, p.Text})
	if err != nil {
		return wire.Answer{}, err
	}
	opts := report.Options{Lang: lang, Width: unwrapped, Version: c.Version}
	var text strings.Builder
	if err := report.WriteText(&text, d, opts); err != nil {
		return wire.Answer{}, err
	}
	j := report.NewJSON(d, opts)
	if p.Detail != "full" {
		shorten(j)
	}
	m := mask.New()
	shown := m.Text(text.String())
	value, err := masked(m, j)
	return wire.Answer{Text: shown, Structured: value}, err
}

// shorten keeps what is read first.
func shorten(j *report.JSON) {
	j.Incidents = j.Incidents[:min(len(j.Incidents), shortIncidents)]
	for i := range j.Incidents {
		inc := &j.Incidents[i]
		inc.Remedies = inc.Remedies[:min(len(inc.Remedies), shortRemedies)]
		inc.DeadEnds = inc.DeadEnds[:min(len(inc.DeadEnds), shortRemedies)]
	}
}
