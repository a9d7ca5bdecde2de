package loggen

import (
	"fmt"
	"io"
	"strings"
)

// Worst are the inputs that ask most of a parser, by name. Each function writes the next lines.
var Worst = map[string]func(*sampler){
	"oom":       (*sampler).oom,
	"traceback": (*sampler).outOfMemoryTraceback,
	"oneline": func(s *sampler) {
		s.WriteString("prompt: '" + s.prose(40) + " CUDA out of memory. Tried to allocate 20.00 MiB. ")
	},
	"ranks":     (*sampler).rank,
	"newlines":  func(s *sampler) { s.WriteByte('\n') },
	"wrapped":   (*sampler).wrapped,
	"stats":     (*sampler).fullCache,
	"arguments": (*sampler).arguments,
}

// Reader returns size bytes of a worst input, or of a server's log where the name is "server", made as
// they are read.
func Reader(name string, size int64, seed uint64) io.Reader {
	if name == "server" {
		return io.LimitReader(&reader{newServer(seed), (*sampler).line}, size)
	}
	return io.LimitReader(&reader{newSampler(seed), Worst[name]}, size)
}

type reader struct {
	*sampler
	next func(*sampler)
}

func (r *reader) Read(p []byte) (int, error) {
	for r.Len() < len(p) {
		r.next(r.sampler)
	}
	return r.sampler.Read(p)
}

const allocator = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate %d.00 MiB. GPU %d has a total capacity of 79.15 GiB of which %d.31 MiB is free. Including non-PyTorch memory, this process has 78.80 GiB memory in use. Of the allocated memory 74.12 GiB is allocated by PyTorch, and %d.20 MiB is reserved by PyTorch but unallocated. If reserved but unallocated memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation."

func (s *sampler) sentence() string {
	return fmt.Sprintf(allocator, 2+s.r.IntN(4000), s.r.IntN(8), s.r.IntN(900), s.r.IntN(900))
}

// oom is one line, and the next one is another process's.
func (s *sampler) oom() {
	s.sec++
	fmt.Fprintf(s, "(Worker_TP%d pid=%d) ERROR %s [multiproc_executor.py:%d] %s\n", s.r.IntN(8), 400+s.r.IntN(8), s.stamp(), s.r.IntN(900), s.sentence())
}

func (s *sampler) outOfMemoryTraceback() {
	s.sec++
	head := fmt.Sprintf("(EngineCore_DP%d pid=%d) ERROR %s [core.py:710] ", s.r.IntN(4), 270+s.r.IntN(4), s.stamp())
	fmt.Fprintf(s, "%sTraceback (most recent call last):\n", head)
	for range 20 {
		fmt.Fprintf(s, "%s  File \"/usr/local/lib/python3.12/dist-packages/vllm/v1/%s.py\", line %d, in %s\n%s    %s\n", head,
			pick(s.r, "engine/core", "worker/gpu_worker", "worker/gpu_model_runner", "executor/abstract"), s.r.IntN(5000),
			pick(s.r, "execute_model", "profile_run", "_dummy_run", "capture_model", "load_model"), head,
			pick(s.r, "return func(*args, **kwargs)", "hidden_states = self.model(**inputs)", "self.model_runner.profile_run()"))
	}
	fmt.Fprintf(s, "%s%s\n", head, s.sentence())
}

// rank writes for ever new processes.
func (s *sampler) rank() {
	s.sec++
	fmt.Fprintf(s, "[rank%d]: %s\n", s.sec, pick(s.r, s.sentence(), "Traceback (most recent call last):",
		"  File \"/opt/train.py\", line 88, in train_step", "RuntimeError: NCCL Error 1: unhandled cuda error"))
}

// wrapped is messages without a line break of their own, wrapped at 80 columns.
func (s *sampler) wrapped() {
	t := s.sentence() + " " + s.prose(30) + " "
	t = strings.Repeat(t, 8)
	for len(t) > 80 {
		s.WriteString(t[:80])
		s.WriteByte('\n')
		t = t[80:]
	}
}

// fullCache is statistics of a server whose KV cache stays full.
func (s *sampler) fullCache() {
	s.sec += 10
	fmt.Fprintf(s, "(APIServer pid=1) INFO %s [loggers.py:127] Engine 000: Avg prompt throughput: %.1f tokens/s, Avg generation throughput: %.1f tokens/s, Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %.1f%%, Prefix cache hit rate: %.1f%%\n",
		s.stamp(), s.r.Float64()*9000, s.r.Float64()*5000, s.r.IntN(256), 1+s.r.IntN(40), 99+s.r.Float64(), s.r.Float64()*100)
}

// arguments is command lines, each of which could go on over many lines.
func (s *sampler) arguments() {
	fmt.Fprintf(s, "vllm serve org/model-%d --max-model-len %d \\\n  --gpu-memory-utilization 0.%d --max-num-seqs %d \\\n  --tensor-parallel-size %d\n",
		s.r.IntN(99), s.r.IntN(99999), s.r.IntN(99), s.r.IntN(999), s.r.IntN(8))
}
