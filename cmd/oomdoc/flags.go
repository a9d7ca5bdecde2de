package main

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/oomdoc/oomdoc/report"
)

// flags are the options that the subcommands share.
type flags struct {
	format    string
	noMask    bool
	color     string
	lang      string
	width     int
	knowledge []string // directories
}

func (f *flags) add(c *cobra.Command) {
	p := c.PersistentFlags()
	p.StringVar(&f.color, "color", "auto", "colours in the text: auto, always or never")
	p.StringVar(&f.lang, "lang", "", "language of the report: en or zh (default from LC_ALL, LC_MESSAGES, LANG)")
	p.IntVar(&f.width, "width", 0, "columns of the text (default the terminal's, at most 100)")
	p.StringArrayVar(&f.knowledge, "knowledge", nil, "`directory` with causes and remedies of your own; repeatable")
}

// addFormat is for the commands that print JSON too.
func (f *flags) addFormat(c *cobra.Command) {
	c.Flags().StringVar(&f.format, "format", "text", "what to print: text or json")
}

func oneOf(name, value string, choices ...string) error {
	for _, c := range choices {
		if value == c {
			return nil
		}
	}
	return fmt.Errorf("--%s %s: must be one of %s", name, value, strings.Join(choices, ", "))
}

// options checks the flags and fills in what the environment decides.
func (f *flags) options(out io.Writer) (report.Options, error) {
	if err := oneOf("format", f.format, "text", "json", "markdown", "issue", "github", "metrics"); err != nil {
		return report.Options{}, err
	}
	if err := oneOf("color", f.color, "auto", "always", "never"); err != nil {
		return report.Options{}, err
	}
	lang := f.lang
	if lang == "" {
		lang = environmentLang(os.Getenv)
	}
	if err := oneOf("lang", lang, "en", "zh"); err != nil {
		return report.Options{}, err
	}
	o := report.Options{Lang: lang, Width: f.width, Version: version(), NoMask: f.noMask}
	columns, terminal := terminalWidth(out)
	if o.Width == 0 {
		o.Width = 80
		if terminal {
			o.Width = min(columns, 100)
		}
	}
	o.Color = useColor(f.color, terminal, os.Getenv)
	return o, nil
}

// environmentLang takes the language from the locale, as POSIX orders the variables.
func environmentLang(getenv func(string) string) string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			if strings.HasPrefix(strings.ToLower(v), "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}

// useColor follows --color, then NO_COLOR, CLICOLOR_FORCE and the terminal.
func useColor(flag string, terminal bool, getenv func(string) string) bool {
	switch {
	case flag == "always":
		return true
	case flag == "never" || getenv("NO_COLOR") != "":
		return false
	case getenv("CLICOLOR_FORCE") != "" && getenv("CLICOLOR_FORCE") != "0":
		return true
	}
	return terminal && getenv("TERM") != "dumb"
}

// terminalWidth returns the columns of the terminal out is, if it is one.
func terminalWidth(out io.Writer) (int, bool) {
	f, ok := out.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w <= 0 {
		if w, _ = strconv.Atoi(os.Getenv("COLUMNS")); w <= 0 {
			w = 80
		}
	}
	return w, true
}

// version is the module's version, as the build recorded it.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
