package oomdoc_test

import (
	"fmt"
	"strings"

	"github.com/oomdoc/oomdoc"
)

func ExampleDiagnose() {
	log := "ValueError: Free memory on device (6.92/8.0 GiB) on startup is less than desired GPU memory utilization (0.9, 7.2 GiB).\n"
	d, err := oomdoc.Diagnose("server.log", strings.NewReader(log), oomdoc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	f := d.Findings[0]
	fmt.Println(f.Cause.ID, f.Remedies[0].Apply[0].Text)
	// Output: startup-free-memory --gpu-memory-utilization 0.86
}

func ExampleSession() {
	s := oomdoc.NewSession(oomdoc.Options{})
	for _, piece := range []string{"ValueError: No available mem", "ory for the cache blocks.\n"} {
		s.Feed([]byte(piece))
	}
	fmt.Println(s.Close().Findings[0].Cause.ID)
	// Output: no-kv-cache-memory
}
