package oomdoc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// TestFirstValuesSatisfyTheEngine works the engine's own checks out anew, from the facts alone, for every
// golden log whose first remedy has a value: free ≥ utilization × total, and a request's KV cache ≤ what is there.
func TestFirstValuesSatisfyTheEngine(t *testing.T) {
	logs, err := filepath.Glob("testdata/logs/*/input.log")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, path := range logs {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		d, err := oomdoc.Diagnose(path, f, oomdoc.Options{})
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Findings) == 0 || d.Findings[0].Cause == nil {
			continue
		}
		finding := d.Findings[0]
		num := func(name string) (float64, bool) {
			fact, ok := finding.Incident.Fact(name)
			return fact.Num, ok
		}
		for _, r := range finding.Remedies {
			switch u, set := r.Change["gpu_memory_utilization"]; {
			case set && finding.Cause.ID == "startup-free-memory":
				total, ok := num("startup_total")
				free, ok2 := num("startup_free")
				if ok && ok2 {
					checked++
					if u*total > free*1.001 {
						t.Errorf("%s: utilization %v wants %v of %v bytes, %v is free", path, u, u*total, total, free)
					}
				}
			}
			length, set := r.Change["max_model_len"]
			if !set || finding.Cause.ID != "kv-cache-below-max-len" {
				continue
			}
			if capacity, ok := num("kv_capacity_tokens"); ok {
				checked++
				if length > capacity {
					t.Errorf("%s: %v tokens, the cache holds %v", path, length, capacity)
				}
			}
			estimate, ok := num("estimated_max_model_len")
			need, ok2 := num("kv_needed")
			old, ok3 := num("max_model_len")
			if ok && ok2 && ok3 && old > 0 {
				checked++
				rounding := 5.4e6 / (need / old) // half of the last printed digit of a figure in GiB
				if length > estimate || estimate-length > 2*16+2*rounding {
					t.Errorf("%s: %v tokens, the engine's own estimate is %v", path, length, estimate)
				}
			}
		}
	}
	if checked < 5 {
		t.Errorf("only %d values were checked", checked)
	}
}
