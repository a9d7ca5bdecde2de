package parser_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc/parser"
)

func read(text string) *parser.Log {
	s := parser.NewSession()
	s.Feed([]byte(text))
	return s.Close()
}

// story is a log in a line per run: its incidents, decisive messages first.
func story(log *parser.Log) string {
	var runs []string
	for _, run := range log.Runs {
		var incidents []string
		for _, inc := range run.Incidents {
			var ids []string
			for _, m := range inc.Messages {
				ids = append(ids, m.ID)
			}
			incidents = append(incidents, fmt.Sprintf("%s, said %d×, in %d", strings.Join(ids, "+"), inc.Messages[0].Repeat, inc.Repeats))
		}
		runs = append(runs, strings.Join(incidents, "; "))
	}
	return strings.Join(runs, " | ")
}

const (
	serverStarts = "INFO 06-01 08:00:00 [api_server.py:1896] vLLM API server version 0.10.2\n"
	notServable  = "ValueError: To serve at least one request with the models's max seq len (65536), (9.00 GiB KV cache is needed, which is larger than the available KV cache memory (4.50 GiB). Based on the available memory, the estimated maximum model length is 32768.\n"
	engineDied   = "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n"
	torchOOM     = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.25 GiB. GPU 0 has a total capacity of 39.39 GiB of which 1.06 GiB is free. Including non-PyTorch memory, this process has 38.31 GiB memory in use. Of the allocated memory 36.90 GiB is allocated by PyTorch, and 512.00 MiB is reserved by PyTorch but unallocated.\n"
)

func TestStory(t *testing.T) {
	busy := strings.Repeat("INFO:     10.2.0.9:40112 - \"POST /v1/completions HTTP/1.1\" 200 OK\n", 2100)
	ready := "INFO:     Application startup complete.\n"
	for _, c := range []struct{ name, log, want string }{
		{"nothing happened", serverStarts, ""},
		{"a failure and what follows from it", serverStarts + notServable + engineDied,
			"kv-too-small-v1+core-init-failed, said 1×, in 1"},
		{"a consequence printed first", serverStarts + engineDied + notServable,
			"kv-too-small-v1+core-init-failed, said 1×, in 1"},
		{"the same from two ranks", serverStarts + "(Worker_TP0 pid=31) " + notServable + "(Worker_TP1 pid=32) " + notServable,
			"kv-too-small-v1, said 2×, in 1"},
		{"a restart that ends the same way is said once", serverStarts + notServable + serverStarts + notServable,
			"kv-too-small-v1, said 2×, in 2 | "},
		{"a restart that ends another way", serverStarts + notServable + serverStarts + torchOOM,
			"kv-too-small-v1, said 1×, in 1 | torch-device-oom, said 1×, in 1"},
		{"two failures far apart", serverStarts + torchOOM + busy + notServable,
			"torch-device-oom, said 1×, in 1; kv-too-small-v1, said 1×, in 1"},
		{"the run went on in between", serverStarts + torchOOM + ready + strings.Replace(torchOOM, "3.25", "2.25", 1),
			"torch-device-oom, said 1×, in 1; torch-device-oom, said 1×, in 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := story(read(c.log)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Whose log it is shows in the names of its processes too, where nothing else of the engine is left.
func TestEngineByItsProcesses(t *testing.T) {
	for origin, want := range map[string]string{
		"(EngineCore_DP0 pid=61) ":                 "vllm",
		"(Worker_TP3 pid=64) ":                     "vllm",
		"(Worker_EP0 pid=65) ":                     "vllm",
		"(Worker_main pid=66) ":                    "pytorch",
		"(RayWorkerWrapper pid=70, ip=10.0.0.8) ":  "vllm",
		"(VllmWorkerProcess pid=71) ":              "vllm",
		"(WorkerDict pid=72) ":                     "pytorch",
		"(main_task pid=73) (EngineCore is away) ": "pytorch",
		"": "pytorch",
	} {
		log := read(origin + torchOOM)
		if len(log.Runs) != 1 || len(log.Runs[0].Incidents) != 1 {
			t.Fatalf("%q: got %s", origin, story(log))
		}
		if got := log.Runs[0].Incidents[0].Engine; got != want {
			t.Errorf("%q: engine %q, want %q", origin, got, want)
		}
	}
}

// A traceback cut to its last frames tells where vLLM was if they are of a device's context.
func TestPhaseInDeviceContext(t *testing.T) {
	frame := "%s  File \"/opt/venv/lib/python3.12/site-packages/torch/utils/_device.py\", line 109, in __torch_function__\n%s    return func(*args, **kwargs)\n"
	for _, c := range []struct{ origin, before, want string }{
		{"(EngineCore_DP0 pid=61) ", "", "model_load"},
		{"(EngineCore_DP0 pid=61) ", "(EngineCore_DP0 pid=61) INFO 06-01 08:00:20 [gpu_model_runner.py:2338] Model loading took 12.5000 GiB and 9.5 seconds\n", "profile"},
		{"", "", "unknown"}, // a script with a default device
	} {
		log := read(c.before + fmt.Sprintf(frame, c.origin, c.origin) + c.origin + torchOOM)
		if got := log.Runs[0].Incidents[0].Phase; got != c.want {
			t.Errorf("%q after %q: %s, want %s", c.origin, c.before, got, c.want)
		}
	}
}

// What a sentence goes on with belongs to the incident that took its figures, whichever of the incident's
// messages stands first, and ends where the engine begins something new.
func TestSentence(t *testing.T) {
	loading := "ERROR 06-01 08:00:30 [gpu_model_runner.py:4818] Failed to load model - not enough GPU memory. Try lowering --gpu-memory-utilization to free memory for weights, increasing --tensor-parallel-size, or using --quantization. (original error: " +
		strings.TrimPrefix(torchOOM, "torch.OutOfMemoryError: ")
	noBlocks := "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.\n"
	rich := "[06/01/25 08:00:30] ERROR    failed: CUDA out of memory.       runner.py:118\n" +
		"                             Tried to allocate 2.25 GiB. GPU 0              \n" +
		"                             has a total capacity of 23.65 GiB              \n" +
		"                             of which 640.12 MiB is free. Of                \n" +
		"                             the allocated memory 2.71 GiB is               \n" +
		"                             allocated by PyTorch                           \n"
	again := "INFO 06-01 08:02:00 [model_runner.py:1115] Model loading took 6.2500 GiB and 7.5 seconds\n" +
		"INFO 06-01 08:03:00 [executor_base.py:118] Maximum concurrency for 4096 tokens per request: 3.50x\n"
	for _, c := range []struct {
		name, log, fact string
		want            float64 // 0: not stated
	}{
		{"the allocator's behind vLLM's own", loading, "torch_allocated", 36.90 * (1 << 30)},
		{"the same of another moment", torchOOM + strings.Replace(loading, "36.90", "12.50", 1), "torch_allocated", 36.90 * (1 << 30)},
		{"wrapped beside a column with the place", rich, "torch_allocated", 2.71 * (1 << 30)},
		{"an attempt that came later", noBlocks + again, "max_concurrency", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, ok := read(c.log).Runs[0].Incidents[0].Facts.Num(c.fact)
			if ok != (c.want != 0) || math.Abs(got-c.want) > 1 {
				t.Errorf("%s = %v, stated %v; want %v", c.fact, got, ok, c.want)
			}
		})
	}
}

// Of what several processes or moments state, the run keeps what VOCABULARY's name means.
func TestLearn(t *testing.T) {
	unset := "WARNING 06-01 08:00:05 [vllm.py:1400] Current vLLM config is not set.\n"
	chunked := "INFO 06-01 08:00:05 [scheduler.py:222] Chunked prefill is enabled with max_num_batched_tokens=%d.\n"
	kv := "INFO 06-01 08:00:20 [kv_cache_utils.py:864] GPU KV cache size: %s tokens\n"
	stats := "INFO 06-01 08:09:00 [loggers.py:123] Engine 000: Avg prompt throughput: 80.0 tokens/s, Avg generation throughput: 950.0 tokens/s, Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %.1f%%, Prefix cache hit rate: 0.0%%\n"
	for _, c := range []struct {
		name, log, fact string
		want            float64
	}{
		{"the engine's size of a step", fmt.Sprintf(chunked, 8192), "max_num_batched_tokens", 8192},
		{"a default configuration's", fmt.Sprintf(chunked, 8192) + unset + fmt.Sprintf(chunked, 2048), "max_num_batched_tokens", 8192},
		{"one of two workers asked too early", "(Worker_TP0 pid=7) " + unset + "(Worker_TP1 pid=8) " + fmt.Sprintf(chunked, 8192) + "(Worker_TP0 pid=7) " + fmt.Sprintf(chunked, 2048), "max_num_batched_tokens", 8192},
		{"the first rank", fmt.Sprintf(kv+kv, "120,000", "119,872"), "kv_cache_tokens", 120000},
		{"a later start", fmt.Sprintf(kv, "120,000") + serverStarts + fmt.Sprintf(kv, "90,000"), "kv_cache_tokens", 90000},
		{"at the fullest", fmt.Sprintf(stats+stats+stats, 10, 0, 31.0, 60, 4, 98.5, 30, 9, 40.0), "waiting_reqs", 4},
		{"the peak", fmt.Sprintf(stats+stats, 60, 4, 98.5, 30, 9, 40.0), "kv_usage_percent_peak", 98.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs := read(serverStarts + c.log).Runs
			if got, ok := runs[len(runs)-1].Facts.Num(c.fact); !ok || got != c.want {
				t.Errorf("%s = %v (%v), want %v", c.fact, got, ok, c.want)
			}
		})
	}
}

// A message shows its own words and little of what follows, and is said once where two wordings fit.
func TestShownText(t *testing.T) {
	log := read(torchOOM + "[2026-01-02 03:04:05,678] [ERROR] [launch.py:322:sigkill_handler] ['python', 'train.py'] exits with return code = 1\n" +
		strings.Repeat("=", 60) + "\n  Resources used\n")
	var echoes []string
	for _, m := range log.Runs[0].Incidents[0].Messages[1:] {
		echoes = append(echoes, m.Text)
	}
	if want := "exits with return code = 1"; len(echoes) != 1 || echoes[0] != want {
		t.Errorf("got %q, want %q alone", echoes, want)
	}
}

// What other processes print beside a failure is not the failure's.
func TestNeighbours(t *testing.T) {
	frame := "  File \"/opt/venv/lib/python3.12/site-packages/acme/%s.py\", line 7, in %s\n    pass\n"
	other := "Traceback (most recent call last):\n" + fmt.Sprintf(frame+frame, "serve", "handle", "serve", "answer") + "KeyError: 'choices'\n"
	own := fmt.Sprintf(frame+frame, "train", "main", "train", "step")
	filler := strings.Repeat("INFO:     10.2.0.9:40112 - \"POST /v1/completions HTTP/1.1\" 200 OK\n", 20)
	logger := "ERROR 06-01 08:09:09 [serving_chat.py:88] "
	logged := logger + strings.ReplaceAll(strings.TrimSpace(other), "\n", "\n"+logger) + "\n"
	serves := serverStarts + "INFO:     Application startup complete.\n"
	statistics := "INFO 06-01 08:10:%02d [loggers.py:127] Engine 000: Avg prompt throughput: 10.0 tokens/s, Avg generation throughput: 90.0 tokens/s, Running: 2 reqs, Waiting: 0 reqs, GPU KV cache usage: 3.1%%, Prefix cache hit rate: 0.0%%\n"
	goesOn := fmt.Sprintf(statistics+statistics, 11, 21)
	for _, c := range []struct{ name, log, frames, engine, facts string }{
		{"its traceback behind it", torchOOM + own, "main step", "pytorch", ""},
		{"and another's", torchOOM + own + "Done.\n" + other, "main step", "pytorch", ""},
		{"another's alone, further down", torchOOM + filler + other, "", "pytorch", ""},
		{"an engine's own message in another's traceback", other[:strings.Index(other, "KeyError")] + notServable, "handle answer", "vllm", "max_model_len"},
		{"a start below it", torchOOM + "INFO 06-01 08:00:09 [gpu_model_runner.py:1801] Starting to load model acme/tiny-7b...\n", "", "vllm", "!model"},
		{"behind a logger's traceback", logged + torchOOM, "", "", ""},
		{"before one", torchOOM + logged, "", "", ""},
		{"a server that it ended", serves + torchOOM, "", "vllm", ""},
		{"a server that outlives it", serves + torchOOM + goesOn, "", "pytorch", ""},
		{"a last line of the server's", serves + torchOOM + fmt.Sprintf(statistics, 11), "", "vllm", ""},
		{"the server's own sentence, and it goes on", serves + logger + torchOOM + goesOn, "", "vllm", ""},
		{"its worker's, and it goes on", serves + "(EngineCore_DP0 pid=31) " + torchOOM + goesOn, "", "vllm", ""},
		{"the rest of a prefixed sentence without the prefix", "(Worker_TP0 pid=31) torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.25 GiB.\n\nGPU 0 has a total capacity of 39.39 GiB of which 1.06 GiB is free.\n", "", "", "gpu_free"},
	} {
		t.Run(c.name, func(t *testing.T) {
			inc := read(c.log).Runs[0].Incidents[0]
			var frames []string
			for _, f := range inc.Frames {
				frames = append(frames, f.Func)
			}
			if got := strings.Join(frames, " "); got != c.frames {
				t.Errorf("frames %q, want %q", got, c.frames)
			}
			if c.engine != "" && inc.Engine != c.engine {
				t.Errorf("engine %s, want %s", inc.Engine, c.engine)
			}
			if name, absent := strings.CutPrefix(c.facts, "!"); name != "" {
				if _, ok := inc.Facts[name]; ok == absent {
					t.Errorf("states %s: %v", name, ok)
				}
			}
		})
	}
}

// A line that holds the sentences of two ranks, the first without its end: each lists the other.
func TestSentencesOnALine(t *testing.T) {
	const one = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 96.00 MiB. GPU 0 has a total capacty of 23.69 GiB of which 10.00 MiB is free. Process 701 has 13.50 GiB memory in use. Including non-PyTorch memory, this process has 10.18 GiB memory in use. Of the allocated memory 9.90 GiB is allocated by PyTorch, and 8.00 MiB is reserved by PyTorch but unallocated. If reserved"
	const two = "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 32.00 MiB. GPU 0 has a total capacty of 23.69 GiB of which 10.00 MiB is free. Including non-PyTorch memory, this process has 13.50 GiB memory in use. Process 702 has 10.18 GiB memory in use. Of the allocated memory 13.20 GiB is allocated by PyTorch, and 6.00 MiB is reserved by PyTorch but unallocated.\n"
	facts := read(one + two).Runs[0].Incidents[0].Facts
	for name, want := range map[string]float64{"oom_requested": 96 << 20, "other_processes": 13.5 * (1 << 30), "torch_allocated": 9.9 * (1 << 30)} {
		if got := facts[name].Num; math.Abs(got-want) > 1<<20 {
			t.Errorf("%s = %.0f, want %.0f", name, got, want)
		}
	}
}

// The error advises expandable segments: set behind it, they are the answer to it and not what it met.
func TestAdvisedSetting(t *testing.T) {
	const set = "export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True\n"
	for log, want := range map[string]bool{set + torchOOM: true, torchOOM + set: false} {
		if _, got := read(log).Runs[0].Incidents[0].Before["expandable_segments"]; got != want {
			t.Errorf("%.20q…: on at the failure: %v, want %v", log, got, want)
		}
	}
}

// A failure that states no figures, or few, does not get those of a later one; another make of accelerator
// fails for itself.
func TestOtherMoments(t *testing.T) {
	bare := "RuntimeError: CUDA error: out of memory\n"
	few := "Allocation on device 0 would exceed allowed memory. (out of memory)\nCurrently allocated     : 7.25 GiB\n"
	npu := "RuntimeError: NPU out of memory. Tried to allocate 2.00 GiB (NPU 0; 60.97 GiB total capacity; 57.25 GiB already allocated; 1.50 GiB free; 58.25 GiB reserved in total by PyTorch)\n"
	busy := strings.Repeat("INFO:     10.2.0.9:40112 - \"POST /v1/completions HTTP/1.1\" 200 OK\n", 2100)
	for _, c := range []struct {
		name, log string
		incidents int
		stated    bool // the first one knows the size of the device
	}{
		{"bare, and later another", bare + busy + torchOOM, 2, false},
		{"half a sentence, and later another", few + busy + torchOOM, 2, false},
		{"bare, behind one that was caught", torchOOM + bare, 1, true},
		{"one make, then another", npu + torchOOM, 2, true},
		{"HIP, that calls itself CUDA", "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of 31.98 GiB of which 512.00 MiB is free.\n" + bare, 1, true},
	} {
		incidents := read(c.log).Runs[0].Incidents
		if len(incidents) != c.incidents {
			t.Errorf("%s: %d incidents, want %d", c.name, len(incidents), c.incidents)
			continue
		}
		if _, ok := incidents[0].Fact("gpu_total"); ok != c.stated {
			t.Errorf("%s: the first states the device's size: %v", c.name, ok)
		}
	}
}
