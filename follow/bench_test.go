package follow

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkLatency measures the time from the write of a line to the call of the sink with it.
func BenchmarkLatency(b *testing.B) {
	for _, o := range []Options{{}, {Poll: true}} {
		b.Run(fmt.Sprintf("poll=%v", o.Poll), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "app.log")
			file, err := os.Create(path)
			if err != nil {
				b.Fatal(err)
			}
			defer file.Close()
			ctx, cancel := context.WithCancel(context.Background())
			got, done := make(chan time.Time, 1), make(chan error)
			go func() {
				done <- Follow(ctx, []string{path}, o, func(e Event) error {
					if len(e.Data) > 0 {
						got <- time.Now()
					}
					return nil
				})
			}()
			var took []time.Duration
			for b.Loop() {
				time.Sleep(7 * time.Millisecond) // lines come in their own time
				begin := time.Now()
				if _, err := file.WriteString("torch.OutOfMemoryError\n"); err != nil {
					b.Fatal(err)
				}
				took = append(took, (<-got).Sub(begin))
			}
			cancel()
			if err := <-done; err != nil {
				b.Fatal(err)
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
		})
	}
}

// The writer of BenchmarkManyFiles is a process of its own, so that its work is not counted.
const (
	writerDir  = "FOLLOW_TEST_WRITER_DIR"
	manyFiles  = 200
	manyPieces = 20 // a second
	pieceLines = 500
)

// BenchmarkManyFiles follows 200 files that grow by a megabyte a second each; an operation is one such
// second. cpu is the share of one core.
func BenchmarkManyFiles(b *testing.B) {
	if runtime.GOOS == "windows" {
		b.Skip("measures with getrusage")
	}
	for _, o := range []Options{{}, {Poll: true}} {
		b.Run(fmt.Sprintf("poll=%v", o.Poll), func(b *testing.B) {
			dir := b.TempDir()
			next := map[string]int{}
			var read, heap int64
			ctx, cancel := context.WithCancel(context.Background())
			done := make(chan error)
			go func() {
				done <- Follow(ctx, []string{filepath.Join(dir, "*.log")}, o, func(e Event) error {
					read += int64(len(e.Data))
					for range bytes.Count(e.Data, []byte("\n")) {
						next[e.File]++
					}
					return nil
				})
			}()
			b.ResetTimer()
			begin, cpu := time.Now(), cpuTime()
			writer := exec.Command(os.Args[0])
			writer.Env = append(os.Environ(), fmt.Sprintf("%s=%s", writerDir, dir), fmt.Sprintf("SECONDS=%d", b.N))
			if out, err := writer.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			wall := time.Since(begin)
			cpu = cpuTime() - cpu
			b.StopTimer()
			time.Sleep(300 * time.Millisecond)
			cancel()
			if err := <-done; err != nil {
				b.Fatal(err)
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap = int64(m.HeapInuse)
			want := b.N * manyPieces * pieceLines
			for f, n := range next {
				if n != want {
					b.Errorf("%s: %d lines are read of %d", f, n, want)
				}
			}
			if len(next) != manyFiles {
				b.Errorf("%d files are read", len(next))
			}
			b.ReportMetric(float64(read)/1e6/wall.Seconds(), "MB/s")
			b.ReportMetric(cpu.Seconds()/wall.Seconds(), "cpu")
			b.ReportMetric(float64(heap)/1e6, "heap-MB")
		})
	}
}

// writeMany is the writer.
func writeMany(dir string, seconds int) error {
	files := make([]*os.File, manyFiles)
	for i := range files {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("%03d.log", i)))
		if err != nil {
			return err
		}
		files[i] = f
	}
	piece := []byte(strings.Repeat(strings.Repeat("x", 99)+"\n", pieceLines))
	tick := time.NewTicker(time.Second / manyPieces)
	for range seconds * manyPieces {
		<-tick.C
		for _, f := range files {
			if _, err := f.Write(piece); err != nil {
				return err
			}
		}
	}
	return nil
}
