package story

import "slices"

// momentary are the figures of an allocator's sentence: of one moment, one device and one process.
var momentary = []string{
	"oom_requested", "gpu_total", "gpu_free", "process_in_use", "torch_allocated", "torch_reserved_unallocated", "torch_reserved_total",
	"private_pool", "allowed", "other_processes", "mps_other", "host_requested",
}

// dropOtherMoments keeps the sentence of one failure from being completed with the figures of another,
// which the run has stated before or later.
func (i *Incident) dropOtherMoments() {
	if !slices.ContainsFunc(momentary, func(name string) bool { _, ok := i.Facts[name]; return ok }) {
		return
	}
	for _, name := range momentary {
		delete(i.Before, name)
	}
}
