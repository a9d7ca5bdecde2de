// Command svg draws what tmux capture-pane -e prints, of a terminal of so many columns and rows, as a
// picture.
//
//	tmux capture-pane -e -p | svg 80 24 >screen.svg
package main

import (
	"bufio"
	"fmt"
	"html"
	"os"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A cell of the picture, in pixels.
const (
	wide, high = 9, 20
	margin     = 14
)

// colors are the terminal's sixteen on a dark background.
var colors = []string{
	"#1c1f26", "#d95468", "#6fbf73", "#d0a35c", "#5b8fd9", "#b079c7", "#4fb3bf", "#c7ccd6",
	"#5c6370", "#ff6b7f", "#8fd694", "#f0c674", "#7eb0ff", "#d19ae8", "#74d6e0", "#f2f4f8",
}

const ground, ink = "#14161b", "#d7dae0"

// style is how a run of cells is drawn.
type style struct {
	color               int // −1: the terminal's own
	bold, faint, invert bool
}

// sgr changes the style by the parameters of an escape sequence.
func (s *style) sgr(params string) {
	for p := range strings.SplitSeq(params, ";") {
		switch n, _ := strconv.Atoi(p); {
		case n == 0:
			*s = style{color: -1}
		case n == 1:
			s.bold = true
		case n == 2:
			s.faint = true
		case n == 7:
			s.invert = true
		case n == 22:
			s.bold, s.faint = false, false
		case n == 27:
			s.invert = false
		case n >= 30 && n <= 37:
			s.color = n - 30
		case n == 39:
			s.color = -1
		case n >= 90 && n <= 97:
			s.color = n - 90 + 8
		}
	}
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "svg COLUMNS ROWS")
		os.Exit(2)
	}
	columns, _ := strconv.Atoi(os.Args[1])
	rows, _ := strconv.Atoi(os.Args[2])
	w, h := columns*wide+2*margin, rows*high+2*margin
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, 'Noto Sans Mono CJK SC', monospace" font-size="15" fill="%s">`+"\n", w, h, ink)
	fmt.Fprintf(out, `<rect width="%d" height="%d" rx="8" fill="%s"/>`+"\n", w, h, ground)
	in := bufio.NewScanner(os.Stdin)
	s := style{color: -1}
	for y := 0; y < rows && in.Scan(); y++ {
		row(out, in.Text(), y, &s)
	}
	fmt.Fprintln(out, "</svg>")
}

// row draws a row of the terminal: a text for each run of one style.
func row(out *bufio.Writer, line string, y int, s *style) {
	x := 0
	for line != "" {
		if rest, ok := strings.CutPrefix(line, "\x1b["); ok {
			end := strings.IndexByte(rest, 'm')
			if end < 0 {
				return
			}
			s.sgr(rest[:end])
			line = rest[end+1:]
			continue
		}
		end := strings.IndexByte(line, 0x1b)
		if end < 0 {
			end = len(line)
		} else if end == 0 {
			line = line[1:]
			continue
		}
		x += run(out, line[:end], x, y, *s)
		line = line[end:]
	}
}

// run draws a text and returns its width in cells. Its length is given, so that no font moves a column;
// solid blocks are drawn as what they are.
func run(out *bufio.Writer, text string, x, y int, s style) int {
	n := ansi.StringWidth(text)
	px, py := margin+x*wide, margin+y*high
	fill := ink
	if s.color >= 0 {
		fill = colors[s.color]
	}
	if s.invert {
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", px, py, n*wide, high, fill)
		fill = ground
	}
	opacity := ""
	if s.faint {
		opacity = ` opacity="0.6"`
	}
	if blocks := strings.Trim(text, "█"); blocks == "" && n > 0 {
		fmt.Fprintf(out, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`+"\n", px, py+3, n*wide, high-5, fill)
		return n
	}
	if strings.TrimSpace(text) == "" {
		return n
	}
	weight := ""
	if s.bold {
		weight = ` font-weight="bold"`
	}
	fmt.Fprintf(out, `<text x="%d" y="%d" textLength="%d" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="%s"%s%s>%s</text>`+"\n",
		px, py+15, n*wide, fill, weight, opacity, html.EscapeString(text))
	return n
}
