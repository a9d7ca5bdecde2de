package oomdoc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// The allocator's sentence decides by its sums. Each row changes one figure of the same failure.
func TestVerdictsOfTheSentence(t *testing.T) {
	const total = 39.49 // GiB
	tests := []struct {
		name                         string
		free, other, allocated, idle float64 // GiB
		requested                    float64
		more                         string // clause before "Of the allocated memory"
		frames                       string
		want                         string
	}{
		{name: "live tensors", free: 0.01, allocated: 38.7, idle: 0.1, requested: 0.5, want: "device-full"},
		{name: "the same in a forward pass", free: 0.01, allocated: 38.7, idle: 0.1, requested: 0.5, frames: "forward", want: "training-activations"},
		{name: "the same in the first step", free: 0.01, allocated: 38.7, idle: 0.1, requested: 0.5, frames: "_init_group", want: "optimizer-states"},
		{name: "the same in the loss", free: 0.01, allocated: 36.7, idle: 0.1, requested: 4.5, frames: "cross_entropy", want: "logits-too-large"},
		{name: "the same in attention", free: 0.01, allocated: 36.7, idle: 0.1, requested: 4.5, frames: "eager_attention_forward", want: "attention-quadratic"},
		{name: "a neighbour", free: 0.01, other: 30, allocated: 8.7, idle: 0.1, requested: 0.5, want: "other-process-memory"},
		{name: "a neighbour in a forward pass", free: 0.01, other: 30, allocated: 8.7, idle: 0.1, requested: 0.5, frames: "forward", want: "other-process-memory"},
		{name: "in pieces", free: 0.01, allocated: 31, idle: 7.6, requested: 0.5, want: "fragmentation"},
		{name: "in pieces, in a forward pass", free: 0.01, allocated: 31, idle: 7.6, requested: 0.5, frames: "forward", want: "fragmentation"},
		{name: "a percent of pieces is none", free: 0.01, allocated: 38.3, idle: 0.5, requested: 0.1, frames: "forward", want: "training-activations"},
		{name: "a cap", free: 29, allocated: 9.4, idle: 0.1, requested: 2, more: "9.87 GiB allowed; ", want: "process-memory-limit"},
		{name: "a cap that is not reached", free: 0.01, other: 30, allocated: 8.7, idle: 0.1, requested: 0.5, more: "35.00 GiB allowed; ", want: "other-process-memory"},
		{name: "free all the same", free: 29, allocated: 9.4, idle: 0.1, requested: 2, want: "free-but-refused"},
		{name: "larger than the device", free: 29, allocated: 9.4, idle: 0.1, requested: 90, want: "oversized-allocation"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log strings.Builder
			if tt.frames != "" {
				log.WriteString("Traceback (most recent call last):\n")
				if tt.frames == "_init_group" {
					log.WriteString("  File \"/venv/site-packages/torch/optim/adamw.py\", line 200, in step\n")
				} else {
					log.WriteString("  File \"/venv/site-packages/torch/nn/modules/module.py\", line 1700, in _call_impl\n")
				}
				fmt.Fprintf(&log, "  File \"/venv/site-packages/thing.py\", line 10, in %s\n", tt.frames)
			}
			fmt.Fprintf(&log, "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %.2f GiB. GPU 0 has a total capacity of %.2f GiB of which %.2f GiB is free. ", tt.requested, total, tt.free)
			if tt.other > 0 {
				fmt.Fprintf(&log, "Process 812 has %.2f GiB memory in use. ", tt.other)
			}
			fmt.Fprintf(&log, "Including non-PyTorch memory, this process has %.2f GiB memory in use. %sOf the allocated memory %.2f GiB is allocated by PyTorch, and %.2f GiB is reserved by PyTorch but unallocated.\n",
				total-tt.free-tt.other, tt.more, tt.allocated, tt.idle)
			d, err := oomdoc.Diagnose("log", strings.NewReader(log.String()), oomdoc.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Findings) != 1 || d.Findings[0].Cause == nil {
				t.Fatalf("no cause: %+v", d.Findings)
			}
			if f := d.Findings[0]; f.Cause.ID != tt.want {
				t.Errorf("got %s (%.2f), want %s", f.Cause.ID, f.Confidence, tt.want)
			}
		})
	}
}
