package follow

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"testing"
)

// TestMain lets many tests run at once, since they wait most of the time; or it is the writer of a
// benchmark, or a follower of its own.
func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		seconds, _ := strconv.Atoi(os.Getenv("SECONDS"))
		if err := writeMany(dir, seconds); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if path := os.Getenv(followerOf); path != "" {
		if err := followAlone(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	flag.Parse()
	flag.Set("test.parallel", "12")
	os.Exit(m.Run())
}
