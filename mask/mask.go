// Package mask takes out of a text what should not be shared with strangers: tokens and passwords,
// prompts, host names, addresses, user names, e-mails. What a reader needs to help stays: models,
// versions, hashes, sizes, devices.
//
//	m := mask.New()
//	shown := m.Text(line) // "… from <address-1>, HF_TOKEN=<key>"
//	m.Counts()            // [{key 1} {address 1}]
//
// A masker gives the same host, address, user or e-mail the same number each time, so that what the
// text says about several of them can still be read. Time is linear in the text.
package mask

import (
	"strconv"
	"strings"
)

// Kind is a kind of secret, and the word that stands for it: "<token>".
type Kind string

// The kinds, in the order in which they are counted.
const (
	PrivateKey  Kind = "private-key" // a PEM block
	Token       Kind = "token"       // known by its own shape
	Key         Kind = "key"         // the value of something called key, token, password
	Credentials Kind = "credentials" // user and password in a URL
	Prompt      Kind = "prompt"      // what a user said to the model
	Email       Kind = "email"
	User        Kind = "user"
	Host        Kind = "host"
	Address     Kind = "address" // IPv4 or IPv6
)

var kinds = []Kind{PrivateKey, Token, Key, Credentials, Prompt, Email, User, Host, Address}

// numbered kinds tell one from the other.
var numbered = map[Kind]bool{Email: true, User: true, Host: true, Address: true}

// maxNumbered bounds how many values of a kind are told apart; the others share the last number.
const maxNumbered = 1000

// Masker masks texts that belong together. The zero value is not ready; see New.
type Masker struct {
	counts map[Kind]int
	seen   map[Kind]map[string]int
}

// New returns a masker that has seen nothing.
func New() *Masker { return &Masker{map[Kind]int{}, map[Kind]map[string]int{}} }

// Count says how often something of a kind was masked.
type Count struct {
	Kind Kind
	N    int
}

// Counts returns what was masked so far, without the kinds of which there was nothing.
func (m *Masker) Counts() []Count {
	var out []Count
	for _, k := range kinds {
		if n := m.counts[k]; n > 0 {
			out = append(out, Count{k, n})
		}
	}
	return out
}

// Text returns s with its secrets replaced.
func (m *Masker) Text(s string) string {
	low := strings.ToLower(s)
	for i := range rules {
		if r := &rules[i]; r.may(low) {
			if t := m.apply(r, s); t != s {
				s, low = t, strings.ToLower(t)
			}
		}
	}
	return s
}

// may reports whether the rule can match a text, given in lower case: expressions are slow.
func (r *rule) may(low string) bool {
	for w := range strings.FieldsSeq(r.needs) {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

func (m *Masker) apply(r *rule, s string) string {
	matches := r.re().FindAllStringSubmatchIndex(s, -1)
	if matches == nil {
		return s
	}
	var b strings.Builder
	at := 0
	for _, loc := range matches {
		for g := 2; g < len(loc); g += 2 {
			i, j := loc[g], loc[g+1]
			if i < at || i == j || r.not != nil && r.not(s, i, j) || strings.HasPrefix(s[i:j], "<") && strings.HasSuffix(s[i:j], ">") {
				continue
			}
			b.WriteString(s[at:i])
			b.WriteString(m.stand(r.kind, s[i:j]))
			at = j
		}
	}
	b.WriteString(s[at:])
	return b.String()
}

// stand counts a secret and returns what stands for it.
func (m *Masker) stand(k Kind, secret string) string {
	m.counts[k]++
	if !numbered[k] {
		return "<" + string(k) + ">"
	}
	seen := m.seen[k]
	if seen == nil {
		seen = map[string]int{}
		m.seen[k] = seen
	}
	n, known := seen[secret]
	if !known {
		n = min(len(seen)+1, maxNumbered)
		if len(seen) < maxNumbered {
			seen[secret] = n
		}
	}
	return "<" + string(k) + "-" + strconv.Itoa(n) + ">"
}
