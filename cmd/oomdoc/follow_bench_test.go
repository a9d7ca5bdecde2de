//go:build unix

package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc/follow"
	"github.com/oomdoc/oomdoc/live"
)

// decisive is a line that an incident follows from; the figures make each another one.
const decisive = "ValueError: To serve at least one request with the models's max seq len (%d), (5.62 GiB KV cache is needed, which is larger than the available KV cache memory (3.12 GiB). Based on the available memory, the estimated maximum model length is 22736.\n"

const busyLine = `(APIServer pid=301) INFO:     10.9.0.17:40112 - "POST /v1/chat/completions HTTP/1.1" 200 OK` + "\n"

// BenchmarkEvent measures the time from the write of a decisive line to its event, with file events.
//
//	go test ./cmd/oomdoc -run - -bench Event -benchtime 300x
func BenchmarkEvent(b *testing.B) {
	path := filepath.Join(b.TempDir(), "server.log")
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for _, line := range []string{"INFO 06-11 09:00:00 [api_server.py:1034] vLLM API server version 0.9.1\n", busyLine} {
		file.WriteString(line)
	}
	told := make(chan struct{}, 16)
	w := live.New(nil, func(e live.Event) {
		if e.Kind == live.Incident && !e.Update {
			told <- struct{}{}
		}
	})
	ctx, stop := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	running.Go(func() {
		follow.Follow(ctx, []string{path}, follow.Options{}, func(e follow.Event) error {
			w.Feed(e.File, e.Data)
			return nil
		})
	})
	time.Sleep(300 * time.Millisecond)
	var took []time.Duration
	for i := range b.N {
		// A run of its own, so that it is an incident of its own.
		fmt.Fprintf(file, "INFO 06-11 09:00:00 [api_server.py:1034] vLLM API server version 0.9.1\n%s", busyLine)
		time.Sleep(time.Duration(20+i*7%60) * time.Millisecond)
		begun := time.Now()
		fmt.Fprintf(file, decisive, 40960+16*i)
		<-told
		took = append(took, time.Since(begun))
	}
	stop()
	running.Wait()
	w.Close()
	slices.Sort(took)
	b.ReportMetric(took[len(took)/2].Seconds()*1000, "p50-ms")
	b.ReportMetric(took[len(took)*99/100].Seconds()*1000, "p99-ms")
	b.ReportMetric(0, "ns/op")
}

var (
	loadFiles   = flag.Int("load.files", 200, "BenchmarkFollowLoad: files")
	loadRate    = flag.Float64("load.rate", 1, "BenchmarkFollowLoad: MB/s written to each")
	loadSeconds = flag.Int("load.seconds", 60, "BenchmarkFollowLoad: how long")
)

// BenchmarkFollowLoad lets the program follow many files that grow fast and print their lines, and fails when
// a line is lost or given twice. It says what the program takes: the most memory that it ever held, and
// processor time as a share of one processor. Both are the program's own, the writers are not in it.
//
//	go test ./cmd/oomdoc -run - -bench FollowLoad -benchtime 1x -load.seconds 20
func BenchmarkFollowLoad(b *testing.B) {
	dir := b.TempDir()
	c := exec.Command(program(b), "-f", "--print", "--format", "ndjson", dir+"/*.log")
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	var read atomic.Int64 // lines
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for in := bufio.NewReaderSize(out, 1<<20); ; {
			line, err := in.ReadSlice('\n')
			switch {
			case err != nil:
				return
			case string(line) == busyLine:
				read.Add(1)
			case len(line) > 1 && line[0] != '=': // between files
				b.Errorf("printed: %q", line)
			}
		}
	}()
	const lines = 1100 // in a block
	block := []byte(strings.Repeat(busyLine, lines))
	begun := time.Now()
	end := begun.Add(time.Duration(*loadSeconds) * time.Second)
	var written atomic.Int64
	var writers sync.WaitGroup
	for i := range *loadFiles {
		file, err := os.Create(filepath.Join(dir, fmt.Sprintf("rank%03d.log", i)))
		if err != nil {
			b.Fatal(err)
		}
		writers.Go(func() {
			defer file.Close()
			for n := 0.0; time.Now().Before(end); {
				if _, err := file.Write(block); err != nil {
					b.Error(err)
					return
				}
				written.Add(lines)
				n += float64(len(block))
				time.Sleep(time.Until(begun.Add(time.Duration(n / *loadRate * 1000))))
			}
		})
	}
	writers.Wait()
	took := time.Since(begun)
	for patience := time.Now().Add(30 * time.Second); read.Load() < written.Load() && time.Now().Before(patience); {
		time.Sleep(10 * time.Millisecond)
	}
	behind := time.Since(begun) - took
	time.Sleep(100 * time.Millisecond) // for what should not come
	c.Process.Signal(syscall.SIGTERM)
	<-ended
	c.Wait() // its status is that of the signal
	if read.Load() != written.Load() {
		b.Errorf("%d lines read, %d written", read.Load(), written.Load())
	}
	used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	b.ReportMetric(float64(written.Load())*float64(len(busyLine))/1e6/took.Seconds(), "MB/s")
	b.ReportMetric(used.Seconds()/(took+behind).Seconds(), "CPUs")
	b.ReportMetric(behind.Seconds(), "s-behind")
	if u, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		kib := u.Maxrss
		if runtime.GOOS == "darwin" { // bytes there
			kib /= 1024
		}
		b.ReportMetric(float64(kib)/1024, "MiB")
	}
	b.ReportMetric(0, "ns/op")
}
