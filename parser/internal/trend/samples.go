package trend

import "strings"

// Sample is what one statistics line of a serving engine says. Throughput is in tokens per second, usage
// in percent.
type Sample struct {
	Engine             int
	Running, Waiting   float64
	Prompt, Generation float64
	Usage, Preempted   float64
	Time               string // as the line prints it, for TimeOf
}

const (
	maxSamples    = 120
	maxSampleText = 400
)

// recent keeps the latest statistics lines as they are: they are only read when somebody asks.
type recent struct {
	lines [maxSamples][]byte
	n     int // that came in all
}

func (r *recent) add(lead string, line []byte) {
	l := &r.lines[r.n%maxSamples]
	*l = append(append((*l)[:0], lead...), line[:min(len(line), maxSampleText)]...)
	r.n++
}

// dated is the first time of day in a line, and the date that stands right before it.
func dated(line string) string {
	i := timeOfDay(line)
	if i < 0 {
		return ""
	}
	date := i
	for date > 0 && i-date < len("2006-01-02 ") && strings.IndexByte("0123456789-/ T", line[date-1]) >= 0 {
		date--
	}
	return strings.TrimSpace(line[date : i+len("00:00:00")])
}

// Samples returns what the latest statistics lines say, in order.
func (w *Monitor) Samples() []Sample {
	r := w.recent
	if r == nil {
		return nil
	}
	var out []Sample
	for i := max(0, r.n-maxSamples); i < r.n; i++ {
		line := r.lines[i%maxSamples]
		number := func(texts ...string) float64 {
			for _, text := range texts {
				if v, ok := NumberAfter(line, text); ok {
					return v
				}
			}
			return 0
		}
		out = append(out, Sample{
			Engine: int(number("Engine ")), Running: number("Running: "), Waiting: number("Waiting: ", "Pending: "),
			Prompt: number("prompt throughput: ", "prompt tput: "), Generation: number("generation throughput: ", "generation tput: "),
			Usage: number("usage: ", "KV cache used: "), Preempted: number("Preemptions: "),
			Time: dated(string(line)),
		})
	}
	return out
}
