package mcp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/oomdoc/oomdoc/mask"
	"github.com/oomdoc/oomdoc/mcp/wire"
	"github.com/oomdoc/oomdoc/report"
)

// What is shown of a log around a line.
const (
	aroundDefault = 20
	aroundMost    = 200
	lineMost      = 2000 // bytes of a line
	lineRead      = 4000 // what is masked before the line is cut, so that no half of a secret is left
)

// logLine is a line of a log, masked.
type logLine struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func (c Config) logLines(ctx context.Context, raw json.RawMessage) (wire.Answer, error) {
	var p struct {
		Path   string `json:"path"`
		Line   int    `json:"line"`
		Before *int   `json:"before"`
		After  *int   `json:"after"`
	}
	if err := arguments(raw, &p); err != nil {
		return wire.Answer{}, err
	}
	if p.Line < 1 {
		return wire.Answer{}, errors.New("line counts from 1")
	}
	before, err := around(p.Before)
	if err != nil {
		return wire.Answer{}, fmt.Errorf("before: %w", err)
	}
	after, err := around(p.After)
	if err != nil {
		return wire.Answer{}, fmt.Errorf("after: %w", err)
	}
	log, err := c.open(p.Path)
	if err != nil {
		return wire.Answer{}, err
	}
	defer log.Close()
	found, last, err := readLines(patient{ctx, log}, max(1, p.Line-before), p.Line+after)
	if err != nil {
		return wire.Answer{}, fmt.Errorf("%s: %w", p.Path, err)
	}
	if len(found) == 0 {
		return wire.Answer{}, fmt.Errorf("%s has %d lines, no line %d", p.Path, last, p.Line)
	}
	m := mask.New()
	var text strings.Builder
	for i := range found {
		found[i].Text = cut(report.Printable(m.Text(found[i].Text)))
		fmt.Fprintf(&text, "%7d  %s\n", found[i].Line, found[i].Text)
	}
	return wire.Answer{Text: text.String(), Structured: map[string]any{"lines": found}}, nil
}

// around is how many lines beside the one asked for.
func around(n *int) (int, error) {
	switch {
	case n == nil:
		return aroundDefault, nil
	case *n < 0 || *n > aroundMost:
		return 0, fmt.Errorf("must lie between 0 and %d", aroundMost)
	}
	return *n, nil
}

// readLines returns the lines from the first to the last number, of long ones the beginning, and how many were read.
func readLines(r io.Reader, first, last int) (found []logLine, read int, err error) {
	b := bufio.NewReaderSize(r, 1<<20)
	for n := 1; n <= last; n++ {
		var line []byte
		var err error
		for more := true; more; {
			var part []byte
			part, err = b.ReadSlice('\n')
			if n >= first && len(line) < lineRead {
				line = append(line, part[:min(len(part), lineRead)]...)
			}
			if len(part) > 0 {
				read = n
			}
			more = err == bufio.ErrBufferFull
		}
		if err != nil && err != io.EOF {
			return nil, read, err
		}
		if n >= first && read == n {
			found = append(found, logLine{n, strings.TrimRight(string(line), "\r\n")})
		}
		if err == io.EOF {
			break
		}
	}
	return found, read, nil
}

// cut shortens a line between two characters.
func cut(s string) string {
	if len(s) <= lineMost {
		return s
	}
	end := lineMost
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
