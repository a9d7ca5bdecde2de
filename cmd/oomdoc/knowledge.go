package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/oomdoc/oomdoc/internal/input"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// setup is what a command needs that prints a report on standard output: how, and from what knowledge.
func (a *app) setup() (report.Options, *knowledge.Base, error) {
	opts, err := a.flags.options(a.stdout)
	if err != nil {
		return opts, nil, err
	}
	kb, err := a.knowledge()
	return opts, kb, err
}

// knowledge returns the built-in knowledge with the site's own on top: that of the configuration
// directory, where there is one, then that of each --knowledge in turn.
func (a *app) knowledge() (*knowledge.Base, error) {
	dirs := a.flags.knowledge
	if dir := configDir(os.Getenv); dir != "" {
		dirs = append([]string{dir}, dirs...)
	}
	kb := knowledge.Builtin()
	for _, dir := range dirs {
		merged, _, problems, err := overlay(kb, dir)
		if err != nil {
			return nil, err
		}
		if len(problems) > 0 {
			a.printProblems(problems)
			return nil, errReported
		}
		kb = merged
	}
	return kb, nil
}

// configDir is where a site's knowledge is looked for unasked: $XDG_CONFIG_HOME/oomdoc/knowledge, "" when
// it is not there.
func configDir(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) { // the XDG specification: a relative path is to be ignored
		home := getenv("HOME")
		if home == "" {
			return ""
		}
		base = filepath.Join(home, ".config")
	}
	dir := filepath.Join(base, "oomdoc", "knowledge")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// overlay reads the knowledge in dir, lays it over a base and returns both, with what is wrong with it,
// each problem with its place.
func overlay(base *knowledge.Base, dir string) (merged, site *knowledge.Base, problems []string, err error) {
	if info, err := os.Stat(dir); err != nil {
		return nil, nil, nil, fmt.Errorf("%s: %w", dir, input.Reason(err))
	} else if !info.IsDir() {
		return nil, nil, nil, fmt.Errorf("%s: not a directory", dir)
	}
	site, pos, err := knowledge.Load(os.DirFS(dir))
	if err != nil {
		return nil, nil, loadProblems(dir, err), nil
	}
	merged = knowledge.Merge(base, site)
	for _, p := range rules.Lint(merged, pos) {
		if p.At == (knowledge.Position{}) {
			continue // an entry of the base
		}
		p.At.File = filepath.Join(dir, p.At.File)
		problems = append(problems, p.String())
	}
	return merged, site, problems, nil
}

// loadProblems puts the directory before each of the joined errors.
func loadProblems(dir string, err error) []string {
	list := []error{err}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		list = joined.Unwrap()
	}
	var out []string
	for _, err := range list {
		if e := (*knowledge.Error)(nil); errors.As(err, &e) {
			at := e.At
			at.File = filepath.Join(dir, at.File)
			out = append(out, (&knowledge.Error{At: at, Msg: e.Msg}).Error())
		} else {
			out = append(out, dir+": "+err.Error())
		}
	}
	return out
}

func (a *app) printProblems(problems []string) {
	for _, p := range problems {
		complain(a.stderr, p)
	}
}
