package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/memory"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// Schema is the version of the JSON report.
const Schema = "oomdoc.report/v1"

// JSON is the report for programs.
type JSON struct {
	Schema string `json:"schema"`
	Tool   struct {
		Version   string `json:"version"`
		Knowledge string `json:"knowledge"`
	} `json:"tool"`
	Source    SourceJSON          `json:"source"`
	Sources   []SourceJSON        `json:"sources,omitempty"` // when there are several
	Facts     map[string]FactJSON `json:"facts"`
	Incidents []IncidentJSON      `json:"incidents"`
	Quoted    []QuotedJSON        `json:"quoted,omitempty"` // messages that are not the log's own words
	Ended     []EndedJSON         `json:"ended,omitempty"`  // how processes ended, the one that ended its service first
	Cuts      []CutJSON           `json:"cuts,omitempty"`
}

// EndedJSON is how a process ended.
type EndedJSON struct {
	Origin string `json:"origin"`
	How    string `json:"how"` // exception, signal, shutdown, killed-by, finished, unexplained
	Line   int    `json:"line"`
	Source int    `json:"source,omitempty"`
	Text   string `json:"text"`
	Memory bool   `json:"memory"` // it ended of memory
}

// QuotedJSON is a message that stands in the input and was not taken as its own.
type QuotedJSON struct {
	Line    int    `json:"line"`
	Source  int    `json:"source,omitempty"`
	Message string `json:"message"`
	Genre   string `json:"genre"` // prompt, source, manual, test, diff, conversation, table, other
	Why     string `json:"why"`
}

// SourceJSON is one input.
type SourceJSON struct {
	Name  string `json:"name"`
	Lines int    `json:"lines"`
	Bytes int64  `json:"bytes"`
}

// FactJSON is a value with its unit and line; Source is set when it is not the first input.
type FactJSON struct {
	Value  any    `json:"value"`
	Unit   string `json:"unit"`
	Line   int    `json:"line"`
	Source int    `json:"source,omitempty"`
}

// CutJSON says what a bound left out.
type CutJSON struct {
	Source int    `json:"source,omitempty"`
	Line   int    `json:"line"`
	What   string `json:"what"`
	Count  int    `json:"count,omitempty"` // how often, when more than once; the line is the first
}

// IncidentJSON is one incident and its diagnosis.
type IncidentJSON struct {
	Severity    string      `json:"severity"` // failure, degraded
	Cause       CauseJSON   `json:"cause"`
	OtherCauses []CauseJSON `json:"other_causes"`
	Phase       string      `json:"phase"`
	Stage       string      `json:"stage,omitempty"` // of the engine's life or the training's: what was checked or allocated
	Process     ProcessJSON `json:"process"`         // that failed
	Engine      struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	} `json:"engine"`
	Origins   []string            `json:"origins"`
	FirstLine int                 `json:"first_line"`
	LastLine  int                 `json:"last_line"`
	Source    int                 `json:"source,omitempty"`
	Time      string              `json:"time,omitempty"`
	Repeats   int                 `json:"repeats,omitempty"` // runs that ended the same way, when more than one
	Facts     map[string]FactJSON `json:"facts"`
	Evidence  []EvidenceJSON      `json:"evidence"`
	Signs     []string            `json:"signs,omitempty"`
	Ledger    []LedgerJSON        `json:"ledger"`
	Remedies  []RemedyJSON        `json:"remedies"`
	DeadEnds  []DeadEndJSON       `json:"dead_ends"`
	Next      string              `json:"next,omitempty"`   // what to collect when the cause is open
	Ask       *AskJSON            `json:"ask,omitempty"`    // what would tell the first two causes apart
	Places    []PlaceJSON         `json:"places,omitempty"` // where memory was asked for, and the user's own line that led there
}

// AskJSON is a question whose answer parts two causes.
type AskJSON struct {
	Question string   `json:"question"`
	Parts    []string `json:"parts"` // the causes, the likelier first
	How      string   `json:"how,omitempty"`
}

// PlaceJSON is a line of a program.
type PlaceJSON struct {
	File string `json:"file"`
	At   int    `json:"at,omitempty"` // its line in the file
	Func string `json:"func"`
	Code string `json:"code,omitempty"`
	Line int    `json:"line"` // of the log
}

// CauseJSON is a cause and how sure it is.
type CauseJSON struct {
	ID          string  `json:"id"`
	Title       string  `json:"title"`
	Confidence  float64 `json:"confidence"`
	Headline    string  `json:"headline,omitempty"`
	Explanation string  `json:"explanation,omitempty"`
}

// ProcessJSON is a process as far as its lines name it.
type ProcessJSON struct {
	Name      string `json:"name"`
	PID       int    `json:"pid,omitempty"`
	Rank      *int   `json:"rank,omitempty"`
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
}

func processJSON(p parser.Process) ProcessJSON {
	j := ProcessJSON{Name: Printable(p.Name), PID: p.PID, Namespace: Printable(p.Namespace), Pod: Printable(p.Pod), Container: Printable(p.Container)}
	if p.Rank >= 0 {
		j.Rank = &p.Rank
	}
	return j
}

// EvidenceJSON is a line of the log.
type EvidenceJSON struct {
	Line    int    `json:"line"`
	Text    string `json:"text"`
	Message string `json:"message"`
	Source  int    `json:"source,omitempty"`
}

// LedgerJSON is where one GPU's memory went.
type LedgerJSON struct {
	GPU    int        `json:"gpu"`
	Total  int64      `json:"total"`
	Budget int64      `json:"budget"`
	Short  int64      `json:"short"`
	Parts  []PartJSON `json:"parts"`
}

// PartJSON is a share of it.
type PartJSON struct {
	Name  string       `json:"name"`
	Bytes int64        `json:"bytes"`
	Basis memory.Basis `json:"basis"`
	Line  int          `json:"line,omitempty"`
}

// NewLedgerJSON is a ledger as programs get it.
func NewLedgerJSON(l *memory.Ledger) LedgerJSON {
	j := LedgerJSON{l.GPU, int64(l.Total), int64(l.Budget), int64(l.Short), []PartJSON{}}
	for _, p := range l.Parts {
		j.Parts = append(j.Parts, PartJSON{p.Name, int64(p.Bytes), p.Basis, p.Line})
	}
	return j
}

// RemedyJSON is a ranked recommendation.
type RemedyJSON struct {
	Rank    int                `json:"rank"`
	ID      string             `json:"id"`
	Title   string             `json:"title"`
	Score   float64            `json:"score"`
	Verdict memory.Kind        `json:"verdict"`
	Basis   string             `json:"basis"`
	Sums    string             `json:"sums,omitempty"`
	Change  map[string]float64 `json:"change,omitempty"`
	Assumes map[string]float64 `json:"assumes,omitempty"` // defaults that the values and sums rest on and no line states
	Later   []LaterJSON        `json:"later,omitempty"`   // the stages that follow, in order
	Apply   map[string]string  `json:"apply,omitempty"`
	Why     string             `json:"why,omitempty"`
	Effect  string             `json:"effect,omitempty"`
	Cost    string             `json:"cost,omitempty"`
	Verify  string             `json:"verify,omitempty"`
	Worked  int                `json:"worked,omitempty"` // reported cases in which it worked
	Failed  int                `json:"failed,omitempty"`
	Sources []string           `json:"sources,omitempty"`
	Step    string             `json:"step,omitempty"`      // in words, where nothing can be pasted
	Suggest bool               `json:"suggested,omitempty"` // the log itself suggests it
}

// LaterJSON is what becomes of a stage that follows the one that failed.
type LaterJSON struct {
	Stage   memory.Stage `json:"stage"`
	Verdict memory.Kind  `json:"verdict"`
	Sums    string       `json:"sums"`
}

// DeadEndJSON is advice that does not help here.
type DeadEndJSON struct {
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Why     string   `json:"why"`
	Helps   string   `json:"helps,omitempty"`
	Sources []string `json:"sources,omitempty"`
	Suggest bool     `json:"suggested,omitempty"` // the log itself suggests it
}

// WriteJSON writes the report for programs.
func WriteJSON(w io.Writer, d *rules.Diagnosis, opts Options) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(NewJSON(d, opts)); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

// NewJSON builds the report for programs.
func NewJSON(d *rules.Diagnosis, opts Options) *JSON {
	j := &JSON{Schema: Schema, Facts: factsJSON(d.Facts), Incidents: []IncidentJSON{}}
	j.Tool.Version, j.Tool.Knowledge = opts.Version, d.Knowledge.Version
	for i, s := range d.Log.Sources {
		src := SourceJSON{Printable(s.Name), s.Lines, s.Bytes}
		if i == 0 {
			j.Source = src
		}
		if len(d.Log.Sources) > 1 {
			j.Sources = append(j.Sources, src)
		}
	}
	for _, q := range d.Log.Quoted {
		j.Quoted = append(j.Quoted, QuotedJSON{q.At.Line, q.At.Source, q.ID, q.Genre, quotedWhy(q.Why, opts.Lang)})
	}
	for _, e := range d.Log.Ended {
		j.Ended = append(j.Ended, EndedJSON{Printable(e.Origin), e.How, e.At.Line, e.At.Source, Printable(e.Text), e.Memory})
	}
	for _, c := range d.Log.Cuts {
		cut := CutJSON{Source: c.Source, Line: c.Line, What: c.What}
		if c.N > 1 {
			cut.Count = c.N
		}
		j.Cuts = append(j.Cuts, cut)
	}
	for _, f := range d.Findings {
		j.Incidents = append(j.Incidents, NewIncidentJSON(f, opts.Lang))
	}
	return j
}

// NewIncidentJSON is one incident as programs get it.
func NewIncidentJSON(f *rules.Finding, lang string) IncidentJSON {
	inc := f.Incident
	j := IncidentJSON{
		Severity: "failure", OtherCauses: []CauseJSON{}, Phase: inc.Phase, Origins: []string{}, FirstLine: inc.First.Line, LastLine: inc.Last.Line,
		Source: inc.First.Source, Time: Printable(inc.Time), Facts: factsJSON(inc.Facts), Evidence: []EvidenceJSON{}, Ledger: []LedgerJSON{},
		Remedies: []RemedyJSON{}, DeadEnds: []DeadEndJSON{},
	}
	j.Stage, j.Process = inc.Stage(), processJSON(inc.Process())
	if f.Degraded() {
		j.Severity = "degraded"
	}
	j.Cause = causeJSON(f, f.Cause, f.Confidence, lang, true)
	if Next(f, lang) != "" {
		j.Next = Next(f, lang)
	}
	if question, how := Question(f, lang); question != "" {
		j.Ask = &AskJSON{question, []string{f.Ask.Parts[0].ID, f.Ask.Parts[1].ID}, how}
	}
	asked, own := rules.Places(inc.Frames)
	for _, p := range []*rules.Place{asked, own} {
		if p != nil {
			j.Places = append(j.Places, PlaceJSON{Printable(p.File), p.At, Printable(p.Func), Printable(p.Code), p.Line})
		}
	}
	for _, o := range f.Others {
		j.OtherCauses = append(j.OtherCauses, causeJSON(f, o.Cause, o.Confidence, lang, false))
	}
	j.Engine.Name = inc.Engine
	if v, ok := inc.Fact("engine_version"); ok {
		j.Engine.Version = Printable(v.Text)
	}
	for _, o := range inc.Origins {
		j.Origins = append(j.Origins, Printable(o))
	}
	if inc.Repeats > 1 {
		j.Repeats = inc.Repeats
	}
	for _, m := range inc.Messages {
		if m.Class != parser.ClassFact {
			j.Evidence = append(j.Evidence, EvidenceJSON{m.At.Line, Printable(m.Text), m.ID, m.At.Source})
		}
	}
	for _, s := range f.Signs {
		if t := f.Fill(s.In(lang), lang); t != "" {
			j.Signs = append(j.Signs, Printable(t))
		}
	}
	for _, l := range f.Ledgers {
		j.Ledger = append(j.Ledger, NewLedgerJSON(&l))
	}
	for i := range f.Remedies {
		j.Remedies = append(j.Remedies, remedyJSON(f, &f.Remedies[i], i+1, lang))
	}
	for i := range f.DeadEnds {
		e := &f.DeadEnds[i]
		j.DeadEnds = append(j.DeadEnds, DeadEndJSON{e.ID, e.Title.In(lang), Printable(f.Fill(e.Why.In(lang), lang)), Printable(f.Fill(e.Helps.In(lang), lang)), e.Sources, e.Suggested})
	}
	return j
}

func causeJSON(f *rules.Finding, c *knowledge.Cause, confidence float64, lang string, full bool) CauseJSON {
	j := CauseJSON{ID: UnknownID, Title: label(lang, "unknown"), Confidence: round3(confidence)}
	if c != nil {
		j.ID, j.Title = c.ID, c.Title.In(lang)
	}
	if full {
		j.Headline = Headline(f, lang)
		j.Explanation = Explanation(f, lang)
	}
	return j
}

func remedyJSON(f *rules.Finding, r *rules.Remedy, rank int, lang string) RemedyJSON {
	j := RemedyJSON{
		Rank: rank, ID: r.ID, Title: r.Title.In(lang), Score: round3(r.Score), Verdict: r.Verdict.Kind, Basis: r.Basis, Sums: Printable(r.Verdict.Sums),
		Change: r.Change, Effect: f.Fill(r.Effect.In(lang), lang), Cost: f.Fill(r.Cost.In(lang), lang), Verify: f.Fill(r.Verify.In(lang), lang),
		Worked: r.Worked, Failed: r.Failed, Sources: r.Sources,
	}
	j.Step, j.Suggest = Printable(f.Fill(r.Say.In(lang), lang)), r.Suggested
	if j.Verdict == "" {
		j.Verdict = memory.Unknown
	}
	for _, l := range r.Verdict.Later {
		j.Later = append(j.Later, LaterJSON{l.Stage, l.Kind, Printable(l.Sums)})
	}
	j.Assumes, j.Why = r.Assumes, Why(f, r, lang)
	j.Apply = map[string]string{}
	for _, s := range r.Apply {
		if _, ok := j.Apply[s.Entry]; !ok {
			j.Apply[s.Entry] = Printable(s.Text)
		}
	}
	if r.Command != "" {
		j.Apply["command"] = Printable(r.Command)
	}
	return j
}

func factsJSON(facts fact.Facts) map[string]FactJSON {
	out := make(map[string]FactJSON, len(facts))
	for name, f := range facts {
		j := FactJSON{Unit: f.Kind.String(), Line: f.Line, Source: f.Source}
		switch {
		case f.Kind == fact.Bool:
			j.Value = f.Num != 0
		case f.Kind.Numeric() && f.Num == float64(int64(f.Num)):
			j.Value = int64(f.Num)
		case f.Kind == fact.Bytes:
			j.Value = int64(f.Num)
		case f.Kind.Numeric():
			j.Value = f.Num
		default:
			j.Value = Printable(f.Text)
			j.Unit = "text"
		}
		out[name] = j
	}
	return out
}

func round3(x float64) float64 { return float64(int64(x*1000+0.5)) / 1000 }
