//go:build unix

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
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

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var (
	loadFiles   = flag.Int("load.files", 200, "BenchmarkFollowLoad: files")
	loadRate    = flag.Float64("load.rate", 1, "BenchmarkFollowLoad: MB/s written to each")
	loadSeconds = flag.Int("load.seconds", 60, "BenchmarkFollowLoad: how long")
)

// BenchmarkFollowLoad follows many files that grow fast, and fails when a byte is lost. It says what that
// takes: memory, and processor time as a share of one, the writers' included.
//
//	go test ./cmd/oomdoc -run - -bench FollowLoad -benchtime 1x -load.seconds 20
func BenchmarkFollowLoad(b *testing.B) {
	dir := b.TempDir()
	w := live.New(nil, func(live.Event) {})
	ctx, stop := context.WithCancel(b.Context())
	var running sync.WaitGroup
	running.Go(func() { w.Run(ctx) })
	var read atomic.Int64
	running.Go(func() {
		follow.Follow(ctx, []string{dir + "/*.log"}, follow.Options{}, func(e follow.Event) error {
			if e.Lost > 0 {
				b.Errorf("%s: %d bytes lost", e.File, e.Lost)
			}
			read.Add(int64(len(e.Data)))
			w.Feed(e.File, e.Data)
			return nil
		})
	})
	block := make([]byte, 0, 128<<10)
	for len(block) < 100<<10 {
		block = append(block, busyLine...)
	}
	begun, used := time.Now(), cpuTime()
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
				k, err := file.Write(block)
				if err != nil {
					b.Error(err)
					return
				}
				written.Add(int64(k))
				n += float64(k)
				time.Sleep(time.Until(begun.Add(time.Duration(n / *loadRate * 1000))))
			}
		})
	}
	var peak uint64
	for time.Now().Before(end) {
		time.Sleep(time.Second)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		peak = max(peak, m.Sys-m.HeapReleased)
	}
	writers.Wait()
	for patience := time.Now().Add(30 * time.Second); read.Load() < written.Load() && time.Now().Before(patience); {
		time.Sleep(10 * time.Millisecond)
	}
	if read.Load() != written.Load() {
		b.Errorf("%d bytes read, %d written", read.Load(), written.Load())
	}
	took := time.Since(begun).Seconds()
	b.ReportMetric(float64(written.Load())/1e6/took, "MB/s")
	b.ReportMetric((cpuTime()-used).Seconds()/took, "CPUs")
	b.ReportMetric(float64(peak)/(1<<20), "MiB")
	b.ReportMetric(0, "ns/op")
	stop()
	running.Wait()
}
