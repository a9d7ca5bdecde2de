// Package loggen writes logs for tests, benchmarks and the choice of the gate's texts: what a busy server
// prints, and the worst that a parser can be given. Equal arguments give equal text.
package loggen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// Server returns at least n bytes of whole lines such as a busy server prints: no line of it is about
// memory that failed.
func Server(n int, seed uint64) []byte {
	s := newServer(seed)
	for s.Len() < n {
		s.line()
	}
	return s.Bytes()
}

// Around returns a log between two events of a server's log of about n bytes.
func Around(log []byte, n int, seed uint64) []byte {
	s := newServer(seed)
	s.Grow(n + len(log) + 64<<10)
	for at := s.r.IntN(n); s.Len() < at; {
		s.line()
	}
	s.WriteByte('\n')
	s.Write(log)
	s.WriteByte('\n')
	for end := n + len(log); s.Len() < end; {
		s.line()
	}
	return s.Bytes()
}

type sampler struct {
	bytes.Buffer
	r   *rand.Rand
	sec int
}

func newSampler(seed uint64) *sampler { return &sampler{r: rand.New(rand.NewPCG(seed, 0x6c6f67))} }

// newServer returns a sampler that has written what a server prints once, at its start.
func newServer(seed uint64) *sampler {
	s := newSampler(seed)
	for _, line := range []string{
		"[api_server.py:1805] vLLM API server version 0.10.1", "[cuda.py:323] Using Flash Attention backend on V1 engine.",
		"[parallel_state.py:1134] rank 0 in world size 2 is assigned as DP rank 0, PP rank 0, TP rank 0, EP rank 0",
		"[gpu_model_runner.py:1953] Starting to load model org/Some-Model-7B-Instruct...", "[default_loader.py:262] Loading weights took 4.02 seconds",
		"[backends.py:548] Using cache directory: /root/.cache/vllm/torch_compile_cache/3f1c/rank_0_0/backbone for vLLM's torch.compile",
	} {
		s.sec++
		fmt.Fprintf(s, "INFO %s %s\n", s.stamp(), line)
	}
	s.WriteString("INFO:     Application startup complete.\n")
	return s
}

// line writes one event, which may be several lines. The shares are those of a server at its default
// level: most lines are of the access log; debug output, progress bars and tracebacks are rare but there.
func (s *sampler) line() {
	s.sec++
	r := s.r
	api := pick(r, "(APIServer pid=7) ", "", "(ApiServer_%d pid=7) ")
	if strings.Contains(api, "%d") {
		api = fmt.Sprintf(api, r.IntN(9)+1)
	}
	core := pick(r, "(EngineCore_DP0 pid=341) ", "(EngineCore pid=88) ", "(Worker_TP1 pid=402) ", "(VllmWorker rank=2 pid=77) ", "[rank3]: ", "")
	switch x := r.IntN(1000); {
	case x < 560:
		fmt.Fprintf(s, "%sINFO:     %d.%d.%d.%d:%d - \"%s HTTP/1.1\" %s\n", api, r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), 1024+r.IntN(64000),
			pick(r, "POST /v1/chat/completions", "POST /v1/completions", "POST /v1/embeddings", "GET /health", "GET /metrics", "GET /v1/models", "POST /tokenize", "GET /favicon.ico"),
			pick(r, "200 OK", "200 OK", "200 OK", "200 OK", "404 Not Found", "400 Bad Request", "503 Service Unavailable"))
	case x < 720:
		fmt.Fprintf(s, "%sINFO %s [%s:%d] Engine 00%d: Avg prompt throughput: %.1f tokens/s, Avg generation throughput: %.1f tokens/s, Running: %d reqs, Waiting: %d reqs, GPU KV cache usage: %.1f%%, Prefix cache hit rate: %.1f%%\n",
			api, s.stamp(), pick(r, "loggers.py", "metrics.py", "llm_engine.py"), r.IntN(900), r.IntN(4), r.Float64()*9000, r.Float64()*5000, r.IntN(256), r.IntN(40), r.Float64()*90, r.Float64()*100)
	case x < 820:
		fmt.Fprintf(s, "%sINFO %s [logger.py:%d] Received request %s%016x%016x: prompt: '%s', params: SamplingParams(n=1, presence_penalty=0.0, frequency_penalty=0.0, repetition_penalty=1.0, temperature=%.1f, top_p=0.95, top_k=20, min_p=0.0, seed=None, stop=[], stop_token_ids=[], bad_words=[], include_stop_str_in_output=False, ignore_eos=False, max_tokens=%d, min_tokens=0, logprobs=None, prompt_logprobs=None, skip_special_tokens=True, spaces_between_special_tokens=True, truncate_prompt_tokens=None, guided_decoding=None), prompt_token_ids: %v, lora_request: None, prompt_adapter_request: None.\n",
			api, s.stamp(), 30+r.IntN(30), pick(r, "chatcmpl-", "cmpl-", "embd-"), r.Uint64(), r.Uint64(), s.prose(5+r.IntN(60)), r.Float64(), r.IntN(8192), s.ids(r.IntN(30)))
	case x < 870:
		fmt.Fprintf(s, "%sINFO %s [async_llm.py:%d] Added request chatcmpl-%016x%016x.\n", core, s.stamp(), r.IntN(400), r.Uint64(), r.Uint64())
	case x < 890:
		fmt.Fprintf(s, "%sINFO %s [async_llm_engine.py:%d] Finished request cmpl-%016x-0.\n", core, s.stamp(), r.IntN(400), r.Uint64())
	case x < 905:
		fmt.Fprintf(s, "%sWARNING %s [protocol.py:%d] The following fields were present in the request but ignored: {'%s'}\n", api, s.stamp(), r.IntN(90), pick(r, "max_completion_tokens", "strict", "parallel_tool_calls", "metadata"))
	case x < 925:
		fmt.Fprintf(s, "%sDEBUG %s [core.py:%d] EngineCore loop active, waiting for work. %d blocks free of %d\n", core, s.stamp(), r.IntN(900), r.IntN(30000), 30000)
	case x < 940:
		done, all := r.IntN(65)+1, 66
		bar := strings.Repeat("█", done*10/all) + strings.Repeat(" ", 10-done*10/all)
		fmt.Fprintf(s, "%s%s: %3d%% |%s| %d/%d [00:%02d<00:%02d, %5.2f%s]\r", core, pick(r, "Fetching files", "Map", "Batches", "Epoch 3"),
			done*100/all, bar, done, all, r.IntN(60), r.IntN(60), r.Float64()*9, pick(r, "it/s", "s/it"))
	case x < 950:
		fmt.Fprintf(s, "{'loss': %.4f, 'grad_norm': %.6f, 'learning_rate': %.3e, 'epoch': %.2f}\n", r.Float64()*3, r.Float64(), r.Float64()/1e4, r.Float64()*5)
	case x < 958:
		fmt.Fprintf(s, "%sINFO %s [%s:%d] %s\n", core, s.stamp(), pick(r, "parallel_state.py", "cuda.py", "config.py", "gpu_model_runner.py", "backends.py", "weight_utils.py"), r.IntN(2000),
			pick(r, "Using Flash Attention backend on V1 engine.",
				"Dynamo bytecode transform time: 6.61 s", "Automatically detected platform cuda.", "Cache the graph of shape None for later use"))
	case x < 963:
		s.traceback(core)
	default:
		fmt.Fprintf(s, "%s.%03d | %s | %s - %s\n", pick(r, "2025-11-04 11:20:07", "2026-02-17T08:44:31", "Mar 09 23:01:58"), r.IntN(1000), pick(r, "INFO", "DEBUG", "WARNING", "ERROR"),
			pick(r, "uvicorn.error", "httpx", "app.gateway", "transformers.tokenization_utils_base", "ray.serve"), s.prose(4+r.IntN(12)))
	}
}

// traceback is of a failure that has nothing to do with memory.
func (s *sampler) traceback(prefix string) {
	head := fmt.Sprintf("%sERROR %s [serving_chat.py:%d] ", prefix, s.stamp(), s.r.IntN(900))
	fmt.Fprintf(s, "%sTraceback (most recent call last):\n", head)
	for range 3 + s.r.IntN(12) {
		fmt.Fprintf(s, "%s  File \"/usr/local/lib/python3.12/site-packages/%s.py\", line %d, in %s\n%s    %s\n", head,
			pick(s.r, "vllm/entrypoints/openai/serving_chat", "starlette/routing", "uvicorn/protocols/http/httptools_impl", "torch/nn/modules/module", "transformers/models/llama/modeling_llama", "asyncio/tasks"),
			s.r.IntN(3000), pick(s.r, "__call__", "create_chat_completion", "_wrapped_call_impl", "forward", "<module>", "run"), head,
			pick(s.r, "return await dependant.call(**values)", "return self._call_impl(*args, **kwargs)", "hidden_states = self.mlp(hidden_states)", "result = await app(scope, receive, send)"))
	}
	fmt.Fprintf(s, "%s%s\n", head, pick(s.r, "ValueError: unexpected role 'tool' in messages", "asyncio.exceptions.CancelledError", "KeyError: 'choices'", "jinja2.exceptions.TemplateError: Conversation roles must alternate"))
}

func (s *sampler) stamp() string {
	return fmt.Sprintf("%02d-%02d %02d:%02d:%02d", 1+s.sec/86400/28%12, 1+s.sec/86400%28, s.sec/3600%24, s.sec/60%60, s.sec%60)
}

func (s *sampler) ids(n int) []int {
	v := make([]int, n)
	for i := range v {
		v[i] = s.r.IntN(128000)
	}
	return v
}

// prose is text in word frequencies that fall off as a language's do.
func (s *sampler) prose(words int) string {
	const vocabulary = "the of and to a in is that it for was on are as with be at one have this from or had by not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than first been its who now people my made over did down only way find use may water long little very after words called just where most know get through back much before also around another came come work three word must because does part"
	list := strings.Fields(vocabulary)
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		u := s.r.Float64()
		b.WriteString(list[int(u*u*float64(len(list)))])
	}
	return b.String()
}

func pick(r *rand.Rand, s ...string) string { return s[r.IntN(len(s))] }
