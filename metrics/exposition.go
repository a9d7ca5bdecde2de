package metrics

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/report"
)

// family is a metric with its samples.
type family struct {
	name, kind, help string
	samples          map[string]float64 // by their labels, as they are written
}

// add puts a value under labels: names and values in turn. Values under the same labels are summed up.
func (f *family) add(value float64, labels ...string) {
	if f.samples == nil {
		f.samples = map[string]float64{}
	}
	f.samples[render(labels)] += value
}

// render writes labels.
func render(labels []string) string {
	var parts []string
	for i := 0; i < len(labels); i += 2 {
		parts = append(parts, labels[i]+`="`+escape(labels[i+1])+`"`)
	}
	return strings.Join(parts, ",")
}

// escape writes the value of a label. It may come from a log: what could act on a reader is taken out.
func escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(report.Printable(s))
}

// write writes the family; one without samples is left out.
func (f *family) write(b *strings.Builder) {
	if len(f.samples) == 0 {
		return
	}
	b.WriteString("# HELP " + f.name + " " + f.help + "\n# TYPE " + f.name + " " + f.kind + "\n")
	for _, labels := range slices.Sorted(maps.Keys(f.samples)) {
		name := f.name
		if labels != "" {
			name += "{" + labels + "}"
		}
		b.WriteString(name + " " + number(f.samples[labels]) + "\n")
	}
}

func number(v float64) string {
	if v == float64(int64(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// bounds are those of the histogram, in seconds.
var bounds = []float64{0.001, 0.005, 0.025, 0.1, 0.5, 2.5}

// histogram counts durations.
type histogram struct {
	counts [7]int // by the bound that they lie below, the rest last
	sum    float64
}

func (h *histogram) observe(seconds float64) {
	i, _ := slices.BinarySearch(bounds, seconds)
	h.counts[i]++
	h.sum += seconds
}

func (h *histogram) write(b *strings.Builder, name, help string) {
	total := 0
	for _, n := range h.counts {
		total += n
	}
	if total == 0 {
		return
	}
	b.WriteString("# HELP " + name + " " + help + "\n# TYPE " + name + " histogram\n")
	below := 0
	for i, bound := range bounds {
		below += h.counts[i]
		b.WriteString(name + `_bucket{le="` + number(bound) + `"} ` + strconv.Itoa(below) + "\n")
	}
	b.WriteString(name + `_bucket{le="+Inf"} ` + strconv.Itoa(total) + "\n")
	b.WriteString(name + "_sum " + number(h.sum) + "\n" + name + "_count " + strconv.Itoa(total) + "\n")
}
