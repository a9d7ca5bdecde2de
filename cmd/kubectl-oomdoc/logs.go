package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/fact"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// atOnce bounds how many logs are read at the same time: each is a connection to the cluster.
const atOnce = 8

// read reads the logs of the containers, each by itself: nothing is mixed up that does not belong together.
func (o *options) read(ctx context.Context, containers []*container) {
	slots := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for _, c := range containers {
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if c.restarts > 0 {
				c.add(o.log(ctx, c, true))
			}
			if c.began && (c.now.Waiting == nil || c.restarts == 0) { // one that waits to start again has no other log
				c.add(o.log(ctx, c, false))
			}
		})
	}
	all.Wait()
}

func (c *container) add(d *rules.Diagnosis, err error) {
	if d != nil {
		c.found = append(c.found, d)
	}
	if err != nil {
		c.trouble = append(c.trouble, err)
	}
}

// log diagnoses one log of a container: that of the one before it, or its own. A log that is gone is no error where
// Kubernetes says how its container ended.
func (o *options) log(ctx context.Context, c *container, previous bool) (*rules.Diagnosis, error) {
	args := append([]string{"logs", c.pod, "--namespace", c.namespace, "--container", c.name, "--tail", strconv.Itoa(o.tail)}, o.kubectl...)
	end := c.now.Terminated
	if previous {
		args, end = append(args, "--previous"), c.last.Terminated
	}
	cmd := kubectl(ctx, args...)
	var complaint bytes.Buffer
	cmd.Stderr = &limited{&complaint, 4 << 10}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, fmt.Errorf("kubectl: %w", err)
	}
	session := oomdoc.NewSession(oomdoc.Options{})
	stream := session.Stream(c.String())
	_, err = io.Copy(feeder{stream}, out)
	if failed := cmd.Wait(); err == nil {
		err = failed
	}
	if text := strings.TrimSpace(complaint.String()); err != nil && text != "" {
		err = fmt.Errorf("%s", text)
	}
	if m, ok := outside(end, c.limit); ok {
		stream.Outside(m)
		if previous {
			err = nil
		}
	}
	stream.Close()
	return session.Close(), err
}

type feeder struct{ *parser.Stream }

func (f feeder) Write(p []byte) (int, error) {
	f.Feed(p)
	return len(p), nil
}

// outside is what Kubernetes says of the end of a container, where memory has a part in it.
func outside(e *ended, limit string) (parser.Message, bool) {
	if e == nil {
		return parser.Message{}, false
	}
	text := fmt.Sprintf("lastState.terminated: reason %s, exit code %d", e.Reason, e.ExitCode)
	m := parser.Message{ID: parser.ChildKilled, Text: text, Facts: fact.Facts{}}
	switch {
	case e.Reason == "OOMKilled":
		m.ID = parser.MemcgKilled
	case e.ExitCode != 137:
		return parser.Message{}, false
	}
	if n, ok := quantity(limit); ok {
		m.Text += ", memory limit " + limit
		m.Facts["host_limit"] = fact.Fact{Value: fact.Value{Kind: fact.Bytes, Num: n}}
	}
	return m, true
}

// units of Kubernetes' quantities.
// https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
var units = []struct {
	suffix string
	scale  float64
}{
	{"Ki", 1 << 10}, {"Mi", 1 << 20}, {"Gi", 1 << 30}, {"Ti", 1 << 40}, {"Pi", 1 << 50},
	{"m", 1e-3}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {"P", 1e15},
}

// quantity reads an amount of memory in bytes.
func quantity(s string) (float64, bool) {
	scale := 1.0
	for _, u := range units {
		if digits, ok := strings.CutSuffix(s, u.suffix); ok {
			s, scale = digits, u.scale
			break
		}
	}
	n, err := strconv.ParseFloat(s, 64)
	return n * scale, err == nil && n > 0 && n < 1e18
}

// limited keeps the beginning of what is written to it.
type limited struct {
	*bytes.Buffer
	most int
}

func (l *limited) Write(p []byte) (int, error) {
	l.Buffer.Write(p[:min(len(p), max(0, l.most-l.Len()))])
	return len(p), nil
}
