package memory

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc/fact"
)

// accounting is how one generation of vLLM does its sums.
type accounting struct {
	v1           bool    // the V1 engine
	othersInside bool    // other processes' memory is charged to this budget
	startupCheck bool    // refuses when free memory at start < utilization × total
	graphsInside bool    // an estimate of CUDA graph memory is taken off the budget
	undated      bool    // whether that is so cannot be told
	estimateInA  bool    // the printed activation peak already holds that estimate
	concurrency  bool    // the printed tokens are concurrency × max_model_len
	utilization  float64 // the default
	swap         float64 // the default host memory per GPU for swapped blocks, bytes
}

// release is a vLLM version as comparable numbers: 0.6.3.post1 is {0, 6, 3, 1}.
type release [4]int

// parseRelease reads the leading numbers of a version; what follows (rc1, .dev5+g1234) is left out,
// so that a build before a release counts as the release.
func parseRelease(s string) (release, bool) {
	var r release
	fields := strings.SplitN(strings.TrimPrefix(strings.TrimSpace(s), "v"), ".", 5)
	for i := 0; i < len(fields) && i < 4; i++ {
		text := fields[i]
		if i == 3 {
			text = strings.TrimPrefix(text, "post")
		}
		end := 0
		for end < len(text) && end < 6 && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		if end == 0 {
			return r, i >= 2
		}
		r[i], _ = strconv.Atoi(text[:end])
		if end < len(text) {
			return r, i >= 1
		}
	}
	return r, len(fields) >= 2
}

func (r release) before(o release) bool {
	for i := range r {
		if r[i] != o[i] {
			return r[i] < o[i]
		}
	}
	return false
}

// accountingOf returns the sums of a version; where the log does not state one, those of the
// generation that prints such facts. Boundaries: vLLM sources, tags 0.1.0 to 0.29.
func accountingOf(f fact.Facts) accounting {
	r, known := parseRelease(f.Text("engine_version"))
	if !known {
		r = inferRelease(f)
	}
	since := func(minor, patch int) bool { return !r.before(release{0, minor, patch}) }

	a := accounting{utilization: 0.90, v1: since(8, 0), swap: 4 * gib}
	switch {
	case since(11, 0):
	case hasAny(f, "kv_needed", "startup_free", "kv_cache_tokens", "estimated_max_model_len"):
		a.v1 = true
	case hasAny(f, "num_cpu_blocks", "kv_capacity_tokens"):
		a.v1 = false
	}
	if a.v1 {
		a.othersInside = !since(9, 1)
		a.startupCheck = since(9, 1)
	} else {
		a.othersInside = since(2, 5) && !since(3, 1) || since(6, 4) && !since(6, 5)
	}
	a.graphsInside = since(20, 0)
	a.undated = !known && a.v1 && !hasAny(f, "cudagraph_estimated", "weights_and_non_torch")
	a.concurrency = since(20, 1)
	a.estimateInA = since(27, 0) || hasAny(f, "weights_and_non_torch")
	if since(20, 0) {
		a.utilization = 0.92
	}
	return a
}

// inferRelease returns an early release of the generation whose facts the log states.
func inferRelease(f fact.Facts) release {
	switch {
	case hasAny(f, "weights_and_non_torch"):
		return release{0, 27, 0}
	case hasAny(f, "cudagraph_estimated"):
		return release{0, 20, 0} // 0.18 and 0.19 print it without using it; the newer ones are far more common
	case hasAny(f, "startup_free", "estimated_max_model_len"):
		return release{0, 9, 1}
	case hasAny(f, "kv_needed"):
		return release{0, 8, 0}
	case hasAny(f, "peak_torch"):
		return release{0, 6, 4}
	case hasAny(f, "activation_peak"):
		return release{0, 6, 5}
	case hasAny(f, "num_cpu_blocks"):
		return release{0, 5, 0}
	}
	return release{0, 9, 1}
}

func hasAny(f fact.Facts, names ...string) bool {
	for _, n := range names {
		if _, ok := f[n]; ok {
			return true
		}
	}
	return false
}
