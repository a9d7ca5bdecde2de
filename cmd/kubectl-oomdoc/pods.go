package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/rules"
)

// container is one container of a pod, with what its logs say.
type container struct {
	namespace, pod, name string
	restarts             int
	limit                string // of memory, as it is written
	now, last            state  // how it is, and how it ended before
	began                bool   // it has a log

	found   []*rules.Diagnosis // of the log of the one before, where there is one, then of this one's
	trouble []error
}

func (c *container) String() string { return c.namespace + "/" + c.pod + "/" + c.name }

// finding is what to read first: what failed before what goes on slowly, the latest log first.
func (c *container) finding() (*rules.Diagnosis, *rules.Finding) {
	var d *rules.Diagnosis
	for _, x := range slices.Backward(c.found) {
		if len(x.Findings) > 0 && (d == nil || d.Findings[0].Degraded() && !x.Findings[0].Degraded()) {
			d = x
		}
	}
	if d == nil {
		return nil, nil
	}
	return d, d.Findings[0]
}

func (c *container) status() int {
	d, _ := c.finding()
	if d == nil {
		return rules.ExitNothing
	}
	return d.ExitStatus()
}

// state is how a container is, as Kubernetes says it.
type state struct {
	Waiting    *struct{ Reason string }
	Terminated *ended
}

type ended struct {
	Reason   string
	ExitCode int
	Message  string
}

// word is the state in a word.
func (s state) word() string {
	switch {
	case s.Terminated != nil:
		return cmp.Or(s.Terminated.Reason, "exit") + " " + strconv.Itoa(s.Terminated.ExitCode)
	case s.Waiting != nil:
		return s.Waiting.Reason
	}
	return ""
}

// podList is as much of kubectl's answer as is asked for.
type podList struct {
	Kind  string
	Items []pod
}

type pod struct {
	Metadata struct{ Name, Namespace string }
	Spec     struct{ InitContainers, Containers []containerSpec }
	Status   struct{ InitContainerStatuses, ContainerStatuses []containerStatus }
}

type containerSpec struct {
	Name      string
	Resources struct{ Limits map[string]string }
}

type containerStatus struct {
	Name             string
	RestartCount     int
	State, LastState state
	ContainerID      string
}

// containers asks kubectl which there are.
func (o *options) containers(ctx context.Context) ([]*container, error) {
	args := append([]string{"get", "pods", "-o", "json"}, o.kubectl...)
	if o.all {
		args = append(args, "--all-namespaces")
	} else if o.namespace != "" {
		args = append(args, "--namespace", o.namespace)
	}
	if o.selector != "" {
		args = append(args, "--selector", o.selector)
	}
	text, err := kubectl(ctx, append(args, o.pods...)...).Output()
	if err != nil {
		return nil, said(err)
	}
	var list podList
	err = json.Unmarshal(text, &list)
	if err == nil && list.Kind == "Pod" { // one pod by its name comes alone
		list.Items = make([]pod, 1)
		err = json.Unmarshal(text, &list.Items[0])
	}
	if err != nil {
		return nil, fmt.Errorf("kubectl get pods: its answer is not understood: %w", err)
	}
	var out []*container
	for _, p := range list.Items {
		statuses := append(p.Status.InitContainerStatuses, p.Status.ContainerStatuses...)
		for _, spec := range append(p.Spec.InitContainers, p.Spec.Containers...) {
			if o.container != "" && spec.Name != o.container {
				continue
			}
			c := &container{namespace: p.Metadata.Namespace, pod: p.Metadata.Name, name: spec.Name, limit: spec.Resources.Limits["memory"]}
			if i := slices.IndexFunc(statuses, func(s containerStatus) bool { return s.Name == spec.Name }); i >= 0 {
				s := statuses[i]
				c.restarts, c.now, c.last, c.began = s.RestartCount, s.State, s.LastState, s.ContainerID != ""
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// kubectl is the command that $KUBECTL names, or kubectl.
func kubectl(ctx context.Context, args ...string) *exec.Cmd {
	return exec.CommandContext(ctx, cmp.Or(os.Getenv("KUBECTL"), "kubectl"), args...)
}

// said is what a command that failed has said.
func said(err error) error {
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		if text := strings.TrimSpace(string(exit.Stderr)); text != "" {
			return errors.New(text)
		}
	}
	return fmt.Errorf("kubectl: %w", err)
}
