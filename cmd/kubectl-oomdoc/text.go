package main

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// write prints a table of the containers, then the diagnoses, alike ones once.
func write(out io.Writer, containers []*container, opts report.Options) error {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "NAMESPACE\tPOD\tCONTAINER\tRESTARTS\tSTATE\tBEFORE\tLIMIT\tDIAGNOSIS")
	for _, c := range containers {
		cells := []string{c.namespace, c.pod, c.name, strconv.Itoa(c.restarts), c.now.word(), c.last.word(), c.limit, verdict(c)}
		for i := range cells {
			cells[i] = cmp.Or(report.Printable(cells[i]), "-")
		}
		fmt.Fprintln(table, strings.Join(cells, "\t"))
	}
	table.Flush()
	for _, g := range alike(containers) {
		fmt.Fprintf(&b, "\n── %s\n\n", report.Printable(strings.Join(g.names, ", ")))
		if err := report.WriteText(&b, g.diagnosis, opts); err != nil {
			return err
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// verdict is the diagnosis of a container in a word.
func verdict(c *container) string {
	_, f := c.finding()
	switch {
	case f == nil && len(c.trouble) > 0:
		return "not read"
	case f == nil:
		return ""
	case f.Cause == nil:
		return report.UnknownID
	}
	return f.Cause.ID
}

// group is containers that failed alike.
type group struct {
	names     []string
	diagnosis *rules.Diagnosis // of the first
}

// alike puts together what has the same cause, in the same phase, with the same remedy first: replicas fail alike.
func alike(containers []*container) []*group {
	var out []*group
	known := map[string]*group{}
	for _, c := range containers {
		d, f := c.finding()
		if f == nil {
			continue
		}
		remedy := ""
		if len(f.Remedies) > 0 {
			if r := &f.Remedies[0]; len(r.Apply) > 0 {
				remedy = r.Apply[0].Text
			}
		}
		key := strings.Join([]string{verdict(c), f.Incident.Phase, remedy}, "\x00")
		g := known[key]
		if g == nil {
			g = &group{diagnosis: d}
			known[key] = g
			out = append(out, g)
		}
		g.names = append(g.names, c.String())
	}
	return out
}
