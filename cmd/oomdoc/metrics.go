package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc/follow"
	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/live"
	"github.com/oomdoc/oomdoc/metrics"
	"github.com/oomdoc/oomdoc/report"
	"github.com/oomdoc/oomdoc/rules"
)

// metricsFlags say where metrics go while logs are followed.
type metricsFlags struct {
	file     string
	interval time.Duration
}

func (f *metricsFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "metrics", "", "with -f: keep metrics for Prometheus in `FILE.prom`, for node_exporter's textfile collector")
	c.Flags().DurationVar(&f.interval, "metrics-interval", 15*time.Second, "with --metrics: write them this often")
}

func (f *metricsFlags) check() error {
	if f.file == "" {
		return nil
	}
	if f.interval < time.Second {
		return errors.New("--metrics-interval: must be a second or more")
	}
	if err := metrics.CheckFile(f.file); err != nil {
		return fmt.Errorf("--metrics %w", err)
	}
	return nil
}

// counting is what is counted while logs are followed; nil where nobody asked for metrics.
type counting struct {
	*metrics.Collector
	file string
	kept chan struct{} // closed when nobody else writes the file any more
}

// keep has the watcher's looks counted and the file written until ctx ends.
func (f *metricsFlags) keep(ctx context.Context, w *live.Watcher, kb *knowledge.Base, trouble func(error)) *counting {
	if f.file == "" {
		return nil
	}
	c := &counting{metrics.New(version(), kb.Version), f.file, make(chan struct{})}
	c.When = written
	w.Took = c.Took
	w.Looked = func(d *rules.Diagnosis, s live.Stats) { c.Look(d, &s) }
	go func() {
		defer close(c.kept)
		c.Keep(ctx, f.file, f.interval, trouble)
	}()
	return c
}

// end writes what the whole log says, once the context has ended.
func (c *counting) end(d *rules.Diagnosis) error {
	if c == nil {
		return nil
	}
	<-c.kept
	c.Look(d, nil)
	return c.WriteFile(c.file)
}

func (c *counting) followed(e follow.Event) {
	if c == nil {
		return
	}
	c.read(e.File, e.Data, e.Lost)
	if e.Rotated {
		c.Rotated()
	}
}

func (c *counting) read(source string, data []byte, lost int64) {
	if c != nil {
		c.Read(source, int64(len(data)), bytes.Count(data, []byte("\n")), lost)
	}
}

// written is when a file was written last. What was piped is written now.
func written(source string) time.Time {
	if info, err := os.Stat(source); err == nil && info.Mode().IsRegular() {
		return info.ModTime()
	}
	return time.Now()
}

// writeMetrics writes the metrics of finished logs.
func writeMetrics(w io.Writer, d *rules.Diagnosis, opts report.Options) error {
	c := metrics.New(opts.Version, d.Knowledge.Version)
	c.When = written
	for _, s := range d.Log.Sources {
		c.Read(s.Name, s.Bytes, s.Lines, 0)
	}
	c.Look(d, nil)
	_, err := c.WriteTo(w)
	return err
}
