// Package knowledge holds what oomdoc knows about memory failures: causes, remedies, dead ends and
// their sources, in English and Chinese. It is data and the plain types that hold it; what follows
// from it is decided in package rules.
package knowledge

// Text is a sentence in each language that oomdoc speaks. In some fields {fact} stands for a value.
type Text struct {
	En string `yaml:"en" json:"en"`
	Zh string `yaml:"zh" json:"zh"`
}

// In returns the text in a language, "en" or "zh", English where the other is missing.
func (t Text) In(lang string) string {
	if lang == "zh" && t.Zh != "" {
		return t.Zh
	}
	return t.En
}

// Cause is one way in which memory fails.
type Cause struct {
	ID        string `yaml:"id"`
	Resource  string `yaml:"resource,omitempty"`   // what ran out: device, host, shm, chip, pool, none; a lever on another is a dead end
	Engine    string `yaml:"engine"`               // vllm, pytorch, any; of several the first, whose spellings are shown where a log names none
	Extends   bool   `yaml:"extends,omitempty"`    // a site's entry: adds to the built-in one of this id instead of replacing it
	Degraded  bool   `yaml:"degraded,omitempty"`   // the server goes on, slowly
	NotMemory bool   `yaml:"not_memory,omitempty"` // it looks like memory and is not: the incident is dropped
	Unknown   bool   `yaml:"unknown,omitempty"`    // it speaks where no cause is established, and its condition holds, under the id "unknown"
	Title     Text   `yaml:"title"`                // a noun phrase of at most 80 characters
	Headline  Text   `yaml:"headline"`             // the answer in one sentence; {facts} allowed, text in […] is left out when one of its facts is unknown
	Explain   Text   `yaml:"explain"`              // the arithmetic behind it in this log; as Headline
	About     Text   `yaml:"about"`                // what happens and why: a paragraph
	Next      Text   `yaml:"next,omitempty"`       // what to collect when the log leaves this open

	When  string  `yaml:"when"`            // the condition without which it is no candidate
	Base  float64 `yaml:"base,omitempty"`  // log-odds once When holds; 0 is as likely as "unknown"
	Signs []Sign  `yaml:"signs,omitempty"` // what speaks for and against
	Sure  string  `yaml:"sure,omitempty"`  // the condition without which it is likely at most: what a certain answer rests on

	ConfusedWith []Neighbour `yaml:"confused_with,omitempty"`
	LeadsTo      []string    `yaml:"leads_to,omitempty"` // causes that tend to follow
	Remedies     []Use       `yaml:"remedies"`           // in order of preference where nothing else decides
	DeadEnds     []DeadEnd   `yaml:"dead_ends,omitempty"`
	Sources      []string    `yaml:"sources"`

	Example  string `yaml:"example,omitempty"`   // a log that must give this cause first
	NearMiss string `yaml:"near_miss,omitempty"` // a log that must not
}

// Sign is a piece of evidence.
type Sign struct {
	If    string  `yaml:"if"`              // a condition
	Adds  float64 `yaml:"adds"`            // log-odds it adds; negative speaks against
	Shows Text    `yaml:"shows,omitempty"` // what it shows, for the reader
}

// Neighbour is a cause that is easily taken for this one.
type Neighbour struct {
	ID   string `yaml:"id"`
	How  Text   `yaml:"how"`            // how to tell them apart
	Look string `yaml:"look,omitempty"` // the remedy id of the step that shows it
}

// Use recommends a remedy for a cause.
type Use struct {
	Use      string            `yaml:"use"`                // remedy id
	Set      map[string]string `yaml:"set,omitempty"`      // setting → expression, such as fit(max_model_len)
	If       string            `yaml:"if,omitempty"`       // condition under which it is offered
	Prefer   float64           `yaml:"prefer,omitempty"`   // moves it in the ranking; log-odds
	Why      Text              `yaml:"why,omitempty"`      // why it helps here, with {facts}
	Outcomes []Outcome         `yaml:"outcomes,omitempty"` // reported cases
}

// Outcome is a reported case in which the remedy was tried for the cause.
type Outcome struct {
	Worked bool   `yaml:"worked"`
	Source string `yaml:"source"`
	Note   string `yaml:"note,omitempty"`
}

// DeadEnd is a remedy, or popular advice that is none, that does not help for this cause.
type DeadEnd struct {
	Use     string   `yaml:"use,omitempty"`    // remedy or myth id
	If      string   `yaml:"if,omitempty"`     // condition under which it is a dead end; always when empty
	Unless  string   `yaml:"unless,omitempty"` // condition under which it is none
	Why     Text     `yaml:"why"`              // the reason, with {facts}
	Helps   Text     `yaml:"helps,omitempty"`  // when it does help
	Sources []string `yaml:"sources,omitempty"`
}

// Remedy is something to do. A myth is a remedy that helps nowhere, or does not exist.
type Remedy struct {
	ID       string    `yaml:"id"`
	Extends  bool      `yaml:"extends,omitempty"` // a site's entry: adds to the built-in one of this id instead of replacing it
	Myth     bool      `yaml:"myth,omitempty"`
	Title    Text      `yaml:"title"`               // imperative, at most 60 characters
	Effect   Text      `yaml:"effect"`              // what it changes
	If       string    `yaml:"if,omitempty"`        // condition without which it makes no sense, whatever the cause
	Else     Text      `yaml:"else,omitempty"`      // why it is a dead end where a cause has it and the condition does not hold
	Cost     Text      `yaml:"cost,omitempty"`      // what one pays
	CostRank int       `yaml:"cost_rank,omitempty"` // 0 nothing, 1 little, 2 speed or some capacity, 3 quality or much speed, 4 money, 5 another machine or model
	Verify   Text      `yaml:"verify,omitempty"`    // which line to look for afterwards
	Settings []string  `yaml:"settings,omitempty"`  // facts that it changes, such as max_model_len
	Moves    string    `yaml:"moves,omitempty"`     // up, down: a value that does not lie strictly beyond the one in force is none
	Frees    []string  `yaml:"frees,omitempty"`     // the resources that it acts on, as Cause.Resource has them; any when empty
	Useless  []DeadEnd `yaml:"useless,omitempty"`   // where it does nothing, whatever the cause; use is empty
	Known    int       `yaml:"known,omitempty"`     // how often it is passed on: labelled cases in which it was tried or would mislead
	Hint     string    `yaml:"hint,omitempty"`      // condition under which the log itself suggests it
	Look     bool      `yaml:"look,omitempty"`      // it changes nothing and shows which cause it is
	Say      Text      `yaml:"say,omitempty"`       // the step in words, with {facts}, where no spelling can be pasted
	Apply    []Apply   `yaml:"apply,omitempty"`     // spellings; the first that fits engine, version and entry point is shown
	Sources  []string  `yaml:"sources,omitempty"`
}

// Apply spells a remedy for an engine and a range of its versions. {setting} stands for the value in
// its base unit, {setting:gib} for memory in GiB; other braces are the text's own.
type Apply struct {
	Engine  string `yaml:"engine,omitempty"` // vllm, sglang, pytorch, host; any when empty
	Since   string `yaml:"since,omitempty"`  // first version that has it
	Until   string `yaml:"until,omitempty"`  // last version that has it
	If      string `yaml:"if,omitempty"`     // condition under which it is spelled so; always when empty
	CLI     string `yaml:"cli,omitempty"`    // flags of the server's command line; compose and Kubernetes args follow from it
	Python  string `yaml:"python,omitempty"` // keyword arguments of LLM(...)
	Code    string `yaml:"code,omitempty"`   // PyTorch code
	Call    string `yaml:"call,omitempty"`   // keywords of a call, torch.load(map_location="cpu"): the program's own line with them in place, where the traceback shows one
	Trainer string `yaml:"trainer,omitempty"`
	Env     string `yaml:"env,omitempty"`   // NAME=value
	Shell   string `yaml:"shell,omitempty"` // a command to run
	Docker  string `yaml:"docker,omitempty"`
	K8s     string `yaml:"k8s,omitempty"`
}

// Base is all the knowledge, by id.
type Base struct {
	Version  string
	Causes   []*Cause
	Remedies []*Remedy
}

// Cause returns the cause of that id, or nil.
func (b *Base) Cause(id string) *Cause {
	for _, c := range b.Causes {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Remedy returns the remedy of that id, or nil.
func (b *Base) Remedy(id string) *Remedy {
	for _, r := range b.Remedies {
		if r.ID == id {
			return r
		}
	}
	return nil
}
