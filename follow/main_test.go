package follow

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets many tests run at once: they wait most of the time.
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.parallel", "12")
	os.Exit(m.Run())
}
