package metrics

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// CheckFile says what is wrong with the name of a file of metrics: the textfile collector reads *.prom only.
func CheckFile(name string) error {
	if !strings.HasSuffix(name, ".prom") {
		return fmt.Errorf("%s: the name must end in .prom, others are not read by node_exporter's textfile collector", name)
	}
	return nil
}

// WriteFile writes all metrics into a file beside the one that is named, then gives it its name: whoever reads
// it reads all of it.
func (c *Collector) WriteFile(name string) error {
	tmp := filepath.Join(filepath.Dir(name), filepath.Base(name)+".tmp."+strconv.Itoa(os.Getpid()))
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("metrics: %w", err)
	}
	_, err = c.WriteTo(f)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(tmp, name)
	}
	if err != nil {
		os.Remove(tmp)
		return fmt.Errorf("metrics: %w", err)
	}
	return nil
}

// Keep writes the file at once and at each interval until ctx ends: its age says whether anybody still does.
// Trouble is told once until it is over.
func (c *Collector) Keep(ctx context.Context, name string, interval time.Duration, trouble func(error)) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	failing := false
	for {
		err := c.WriteFile(name)
		if err != nil && !failing {
			trouble(err)
		}
		failing = err != nil
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
