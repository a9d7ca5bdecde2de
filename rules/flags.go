package rules

import (
	"maps"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
)

// Flags writes settings as the flags of the engine's command line, in the spelling of the incident's
// version, and the log's own command with them in place, "" where the log shows none. Settings that
// the knowledge base spells nowhere are left out.
func Flags(inc *parser.Incident, kb *knowledge.Base, settings map[string]fact.Value) (flags, command string) {
	s := newScope(inc, noPlanner{})
	values := map[string]value{}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		values[name] = value{Value: settings[name]}
		if cli := s.flag(kb, name, settings[name]); cli != "" {
			parts = append(parts, cli)
		}
	}
	cli := strings.Join(parts, " ")
	if cli == "" {
		return "", ""
	}
	flags, _ = s.expand(cli, values)
	return flags, s.command(knowledge.Apply{CLI: cli}, values)
}

// flag finds how a setting is spelled: in the remedy that changes it alone. One that is switched on is
// spelled by its name alone.
func (s *scope) flag(kb *knowledge.Base, name string, v fact.Value) string {
	if v.Kind == fact.Bool && v.Num == 0 {
		return ""
	}
	for _, r := range kb.Remedies {
		if len(r.Settings) != 1 || r.Settings[0] != name {
			continue
		}
		a, _, ok := s.spelling(r)
		named := strings.Contains(a.CLI, "{"+name)
		fixed := !strings.ContainsRune(a.CLI, '{') && (v.Kind == fact.Bool || v.Text != "" && strings.Contains(a.CLI, v.Text))
		if ok && isFlags(a.CLI) && (named || fixed) {
			return a.CLI
		}
	}
	return ""
}
