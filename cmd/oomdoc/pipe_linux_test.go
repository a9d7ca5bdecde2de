package main

import (
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/internal/loggen"
)

var pipeSize = flag.Int64("pipe.size", 64, "BenchmarkPipe: MiB of each input")

// BenchmarkPipe is whole processes that read a server's log and the worst inputs from a pipe, made as they are
// read: a line of 2 GiB lies nowhere.
//
//	go test ./cmd/oomdoc -run - -bench Pipe -benchtime 1x -timeout 1h -pipe.size 2048
//
// The time is the processor's, of the process alone: MB/s, and as a multiple of that for the server's log.
func BenchmarkPipe(b *testing.B) {
	size := *pipeSize << 20
	var ordinary float64
	for _, name := range append([]string{"server"}, slices.Sorted(maps.Keys(loggen.Worst))...) {
		b.Run(name, func(b *testing.B) {
			var seconds float64
			var peak int64
			for b.Loop() {
				c := exec.Command("oomdoc", "--format", "json") // TestMain puts it into the path
				in, err := c.StdinPipe()
				if err != nil {
					b.Fatal(err)
				}
				if err := c.Start(); err != nil {
					b.Fatal(err)
				}
				io.Copy(in, loggen.Reader(name, size, 3))
				peak = max(peak, residentPeak(c.Process.Pid))
				in.Close()
				c.Wait() // the status is the diagnosis
				if c.ProcessState.ExitCode() > 3 || c.ProcessState.ExitCode() < 0 {
					b.Fatal(c.ProcessState)
				}
				seconds += (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
			}
			seconds /= float64(b.N)
			if name == "server" {
				ordinary = seconds
			}
			b.ReportMetric(float64(size)/1e6/seconds, "MB/cpu-s")
			b.ReportMetric(seconds/ordinary, "×server")
			b.ReportMetric(float64(peak)/1024, "MiB-peak")
		})
	}
}

// residentPeak is the most memory that a living process has held, in KiB; what wait4 reports begins with its
// parent's.
func residentPeak(pid int) (kib int64) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if _, text, ok := strings.Cut(string(status), "VmHWM:"); ok {
		fmt.Sscan(text, &kib)
	}
	return kib
}
