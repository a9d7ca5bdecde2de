package frame

import (
	"fmt"
	"strings"
	"testing"
)

// frames are lines and what framing gives for each, one logical line after "⏎" the other:
// the text, then in braces what was noted.
var frames = []struct{ raw, want string }{
	// vLLM, both generations of its own head, and what may stand around it.
	{"INFO 10-08 20:33:48 [core.py:708] KV ready", "KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{"INFO 03-11 02:56:57 llm_engine.py:322] # GPU blocks: 41, # CPU blocks: 5", "# GPU blocks: 41, # CPU blocks: 5 {time=03-11 02:56:57 level=INFO head logger}"},
	{"DEBUG 09-30 01:02:03 [v1/worker/gpu_worker.py:301] peak", "peak {time=09-30 01:02:03 level=DEBUG head logger}"},
	{"ERROR 09-30 01:02:03 [core.py:7]   File \"/a/b.py\", line 3, in run\r", "File \"/a/b.py\", line 3, in run {time=09-30 01:02:03 level=ERROR head logger}"},
	{"CRITICAL 09-30 01:02:03 [x.py:1] dead", "dead {time=09-30 01:02:03 level=CRITICAL head logger}"},
	{"WARNING 09-30 01:02:03 [x.py:1]", " {time=09-30 01:02:03 level=WARNING head logger}"},
	{"INFO 10-08 20:33:48 [v1/executor/multipr", "[v1/executor/multipr {time=10-08 20:33:48 level=INFO head logger}"},
	{"[my-service] INFO 10-08 20:33:48 [core.py:708] KV ready", "KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{"team=a (EngineCore_DP0 pid=7) ERROR 10-08 20:33:48 [core.py:708] bad", "team=a {} ⏎ bad {origin=EngineCore_DP0 pid=7 time=10-08 20:33:48 level=ERROR head logger}"},
	{"Loading safetensors checkpoint shards: 100% Completed | 4/4 [00:02<00:00, 1.9it/s]INFO 10-08 20:33:48 [core.py:708] KV ready",
		"Loading safetensors checkpoint shards: 100% Completed | 4/4 [00:02<00:00, 1.9it/s] {} ⏎ KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{"\x1b[32mINFO\x1b[0m \x1b[90m10-08 20:33:48\x1b[0m \x1b[90m[core.py:708]\x1b[0m KV ready", "KV ready {time=10-08 20:33:48 level=INFO head logger}"},

	{"Killed INFO 10-08 20:33:48 [a.py:7] one (Worker_TP1 pid=7) INFO 10-08 20:33:49 [a.py:8] two ERROR 10-08 20:33:50 [a.py:9] three",
		"Killed {} ⏎ one {time=10-08 20:33:48 level=INFO head logger} ⏎ two {origin=Worker_TP1 pid=7 time=10-08 20:33:49 level=INFO head logger} ⏎ three {time=10-08 20:33:50 level=ERROR head logger}"},
	{"(Worker_TP0 pid=6) boom (Worker_TP1 pid=7) boom [repeated 3x across cluster] (Worker_TP0 pid=6) INFO 10-08 20:33:48 [a.py:7] out",
		"boom {origin=Worker_TP0 pid=6} ⏎ boom {origin=Worker_TP1 pid=7 head repeat=3} ⏎ out {origin=Worker_TP0 pid=6 time=10-08 20:33:48 level=INFO head logger}"},
	{"(Worker pid=3) Loading: 50%|#####     | 1/2 [00:01<00:01]INFO 10-08 20:33:48 [a.py:7] one",
		"Loading: 50%|#####     | 1/2 [00:01<00:01] {origin=Worker pid=3} ⏎ one {origin=Worker pid=3 time=10-08 20:33:48 level=INFO head logger}"},
	{"2025-10-08T20:33:48.1Z one two 2025-10-08T20:33:48.2Z three", "one two {time=2025-10-08T20:33:48.1Z head} ⏎ three {time=2025-10-08T20:33:48.2Z head}"},

	// Rich's handler has the place in a column on the right.
	{"[11/28/24 13:24:44] ERROR    CUDA                    batch_handler.py:574", "ERROR    CUDA {time=11/28/24 13:24:44 head logger}"},
	{"ERROR    2024-11-28 13:24:44,248 x ERROR: CUDA   batch_handler.py:574  ", "x ERROR: CUDA {time=2024-11-28 13:24:44,248 level=ERROR head logger}"},
	{"INFO 10-08 20:33:48 [a.py:7] see b.py:12", "see b.py:12 {time=10-08 20:33:48 level=INFO head logger}"},
	{"  at  b.py:12", "at  b.py:12 {}"},

	// Process prefixes.
	{"(EngineCore_DP0 pid=18799) INFO 10-08 20:33:48 [core.py:708] KV ready", "KV ready {origin=EngineCore_DP0 pid=18799 time=10-08 20:33:48 level=INFO head logger}"},
	{"\x1b[1;36m(EngineCore_DP0 pid=18799)\x1b[0;0m Traceback (most recent call last):", "Traceback (most recent call last): {origin=EngineCore_DP0 pid=18799}"},
	{"(VllmWorkerProcess pid=12) INFO 03-11 02:56:57 worker.py:2] hi", "hi {origin=VllmWorkerProcess pid=12 time=03-11 02:56:57 level=INFO head logger}"},
	{"(VllmWorker rank=1 pid=12) ERROR 03-11 02:56:57 [worker.py:2] no", "no {origin=VllmWorker rank=1 pid=12 time=03-11 02:56:57 level=ERROR head logger}"},
	{"(VllmWorker PP0_TP1 pid=12) x", "x {origin=VllmWorker PP0_TP1 pid=12}"},
	{"(Worker_DP0_PP1_TP3_EP3 pid=12) x", "x {origin=Worker_DP0_PP1_TP3_EP3 pid=12}"},
	{"(APIServer pid=9) INFO:     Started server process [9]", "Started server process [9] {origin=APIServer pid=9 level=INFO head logger}"},
	{"(ApiServer_2 pid=9) x", "x {origin=ApiServer_2 pid=9}"},
	{"(RustFrontend pid=32) INFO 09-17 15:57:17 [log_stats.rs:273] up", "up {origin=RustFrontend pid=32 time=09-17 15:57:17 level=INFO head logger}"},
	{"(RayWorkerWrapper pid=2, ip=10.0.0.1) CUDA out of memory.", "CUDA out of memory. {origin=RayWorkerWrapper pid=2, ip=10.0.0.1}"},
	{"(pid=77, ip=10.0.0.2) CUDA out of memory.", "CUDA out of memory. {origin=pid=77, ip=10.0.0.2}"},
	{"\x1b[36m(RayWorkerVllm pid=4)\x1b[0m INFO 03-11 02:56:57 model_runner.py:2] x", "x {origin=RayWorkerVllm pid=4 time=03-11 02:56:57 level=INFO head logger}"},
	{"(raylet) Spilled 20000 MiB", "Spilled 20000 MiB {origin=raylet}"},
	{"(raylet, ip=10.0.0.3) [2025-10-08 20:33:48,120 E 12 34] (raylet) node_manager.cc:3069: 1 Workers", "node_manager.cc:3069: 1 Workers {origin=raylet time=2025-10-08 20:33:48,120 level=ERROR head logger}"},
	{"(ServeReplica:default:LLM pid=5) INFO 2025-10-08 20:33:48,120 default_LLM a1b2 replica.py:373 - ready", "ready {origin=ServeReplica:default:LLM pid=5 time=2025-10-08 20:33:48,120 level=INFO head logger}"},
	{"(EngineCore_DP0 pid=1) (RayWorkerWrapper pid=2, ip=10.0.0.1) INFO 10-08 20:33:48 [w.py:1] in", "in {origin=RayWorkerWrapper pid=2, ip=10.0.0.1 time=10-08 20:33:48 level=INFO head logger}"},
	{"(Worker_TP1 pid=9) [rank1]: Traceback (most recent call last):", "Traceback (most recent call last): {origin=Worker_TP1 pid=9}"},
	{"(RayWorkerWrapper pid=2) x took 3 s [repeated 7x across cluster] (Ray deduplicates logs by default. Set RAY_DEDUP_LOGS=0 to disable.)", "x took 3 s {origin=RayWorkerWrapper pid=2 repeat=7}"},
	{"(pid=3) again [repeated 30x across cluster]", "again {origin=pid=3 repeat=30}"},
	{"[rank0]: torch.OutOfMemoryError: CUDA out of memory.", "torch.OutOfMemoryError: CUDA out of memory. {origin=rank0}"},
	{"[rank3]:[E1008 20:33:48.512345678 ProcessGroupNCCL.cpp:632] [Rank 3] Watchdog", "[Rank 3] Watchdog {origin=rank3 time=1008 20:33:48.512345678 level=ERROR head logger}"},
	{"[rank1]:[W socket.cpp:601] retry", "retry {origin=rank1 level=WARNING head logger}"},
	{"[default1]:[rank9]: x", "x {origin=rank9}"},
	{"[trainer0]:x", "x {origin=trainer0}"},
	{"[1,2]<stdout>:RuntimeError: x", "RuntimeError: x {origin=rank2}"},
	{"[1,0]:INFO 10-08 20:33:48 [w.py:1] in", "in {origin=rank0 time=10-08 20:33:48 level=INFO head logger}"},
	{"[prterun-node7-99@1,5]<stderr>: x", "x {origin=rank5}"},
	{"2: (EngineCore pid=8) bye", "bye {origin=EngineCore pid=8}"},
	{"3: Traceback (most recent call last):", "Traceback (most recent call last): {origin=rank3}"},

	// Other loggers.
	{"[2025-10-16 09:06:22 TP5] Load weight end. avail mem=3.41 GB", "Load weight end. avail mem=3.41 GB {origin=TP5 time=2025-10-16 09:06:22 level= head logger}"},
	{"[2025-10-16 09:06:22 DP1 TP2 EP2] Capture", "Capture {origin=DP1 TP2 EP2 time=2025-10-16 09:06:22 level= head logger}"},
	{"[2025-10-16 09:06:22] INFO:     Application startup complete.", "Application startup complete. {time=2025-10-16 09:06:22 level=INFO head logger}"},
	{"[10/16/2025-09:06:22] [TRT-LLM] [I] KV cache", "KV cache {time=10/16/2025-09:06:22 level=INFO head logger}"},
	{"[10/16/2025-09:06:22] [TRT-LLM] [RANK 2] [E] no", "no {origin=rank2 time=10/16/2025-09:06:22 level=ERROR head logger}"},
	{"[TensorRT-LLM][INFO] [MemUsageChange] Allocated 1.00 GiB", "[MemUsageChange] Allocated 1.00 GiB {level=INFO head logger}"},
	{"[TRT-LLM] [RANK 1] [W] hm", "hm {origin=rank1 level=WARNING head logger}"},
	{"[2024-04-29 03:41:02,313] [INFO] [x.py:203:f] stage 3", "stage 3 {time=2024-04-29 03:41:02,313 level=INFO head logger}"},
	{"[2024-04-29 03:41:02,313] [INFO] [x.py:203:f] [Rank 0] stage 3", "[Rank 0] stage 3 {time=2024-04-29 03:41:02,313 level=INFO head logger}"},
	{"[2024-04-29 03:41:02,313][__main__][INFO] - epoch", "epoch {time=2024-04-29 03:41:02,313 level=INFO head logger}"},
	{"2024-05-01 12:00:00,123 - INFO - autotuner.py:262 - tuned", "tuned {time=2024-05-01 12:00:00,123 level=INFO head logger}"},
	{"2024-05-01 12:00:00,123 - vllm.engine - ERROR - no", "no {time=2024-05-01 12:00:00,123 level=ERROR head logger}"},
	{"05/01/2024 12:00:00 - WARNING - __main__ - slow", "slow {time=05/01/2024 12:00:00 level=WARNING head logger}"},
	{"2024-05-01 12:00:00 - INFO - loading - done", "loading - done {time=2024-05-01 12:00:00 level=INFO head logger}"},
	{"2024-05-01 12:00:00.123 | ERROR    | app.run:main:12 - CUDA out of memory.", "CUDA out of memory. {time=2024-05-01 12:00:00.123 level=ERROR head logger}"},
	{"2024-05-01 12:00:00,123\tINFO worker.py:1841 -- Started", "Started {time=2024-05-01 12:00:00,123 level=INFO head logger}"},
	{"2024-05-01 12:00:00,123 ERROR [a.py:3] no", "no {time=2024-05-01 12:00:00,123 level=ERROR head logger}"},
	{"2024-05-01T12:00:00.123456Z  INFO text_generation_launcher: ready", "ready {time=2024-05-01T12:00:00.123456Z level=INFO head logger}"},
	{"2024-05-01 12:00:00.123456: W tensorflow/core/bfc_allocator.cc:474] Allocator", "Allocator {time=2024-05-01 12:00:00.123456 level=WARNING head logger}"},
	{"2024-05-01:12:00:00,123 INFO     [lm_eval.task:420] Building", "Building {time=2024-05-01:12:00:00,123 level=INFO head logger}"},
	{"24/05/01 12:00:00 INFO Executor: ran", "Executor: ran {time=24/05/01 12:00:00 level=INFO head logger}"},
	{"E0325 20:57:27.620000 123 site-packages/torch/distributed/x.py:12] failed (exitcode: -9)", "failed (exitcode: -9) {time=0325 20:57:27.620000 level=ERROR head logger}"},
	{"[W1008 20:33:48.123456789 CUDAAllocatorConfig.h:28] Warning: no", "Warning: no {time=1008 20:33:48.123456789 level=WARNING head logger}"},
	{"[INFO|tokenization_utils_base.py:20] 2024-05-17 00:49:26,172 >> loading", "loading {time=2024-05-17 00:49:26,172 level=INFO head logger}"},
	{"[NeMo W 2024-05-01 12:00:00 nemo_logging:361] hm", "hm {time=2024-05-01 12:00:00 level=WARNING head logger}"},
	{"INFO:     127.0.0.1:5 - \"GET /health HTTP/1.1\" 200 OK", "127.0.0.1:5 - \"GET /health HTTP/1.1\" 200 OK {level=INFO head logger}"},
	{"WARNING:  hm", "hm {level=WARNING head logger}"},
	{"WARNING:root:careful", "careful {level=WARNING head logger}"},
	{"INFO:vllm.engine.x:started", "started {level=INFO head logger}"},
	{"[ERROR] no", "no {level=ERROR head}"},
	{"[INFO ] PyProcess - W-21-model-stdout: [1,2]<stdout>:x", "x {origin=rank2 level=INFO head}"},
	{"2025-10-08T20:33:48,123 [WARN ] W-9000-m_1.0-stderr org.x.WorkerLifeCycle - x", "x {time=2025-10-08T20:33:48,123 level=WARNING head}"},

	// Envelopes.
	{`{"log":"INFO 10-08 20:33:48 [core.py:708] KV ready\n","stream":"stdout","time":"2025-10-08T20:33:48.1Z"}`, "KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{`{"log":"\u001b[1;36m(EngineCore pid=5)\u001b[0;0m  \"quoted\" \ud83d\ude80\n","stream":"stderr","time":"2025-10-08T20:33:48.1Z"}`, "\"quoted\" 🚀 {origin=EngineCore pid=5 time=2025-10-08T20:33:48.1Z head}"},
	{`{"log":"one\ntwo\n","stream":"stderr"}`, "one {head} ⏎ two {}"},
	{`{"log":"cut off by the rot`, "cut off by the rot {head}"},
	{`{"MESSAGE":"boom","SYSLOG_IDENTIFIER":"vllm","_PID":"81","__REALTIME_TIMESTAMP":"1759955628000000"}`, "boom {origin=vllm[81] time=1759955628000000 head}"},
	{`{"_PID":"81","MESSAGE":[27,91,51,49,109,98,111,111,109]}`, "boom {head}"},
	{`{"asctime": "2025-10-08 20:33:48", "levelname": "error", "message": "failed", "exc_info": "Traceback (most recent call last):\nMemoryError"}`,
		"failed {time=2025-10-08 20:33:48 level=ERROR head} ⏎ Traceback (most recent call last): {time=2025-10-08 20:33:48 level=ERROR head} ⏎ MemoryError {time=2025-10-08 20:33:48 level=ERROR}"},
	{`{"timestamp":"2025-10-08T20:33:48Z","level":"INFO","fields":{"message":"warmed up"},"target":"tgi"}`, "warmed up {time=2025-10-08T20:33:48Z level=INFO head}"},
	{`{"textPayload":"[rank0]: boom","severity":"ERROR","resource":{"labels":{"container_name":"vllm"}}}`, "boom {origin=rank0 level=ERROR head}"},
	{`    "textPayload": "boom \"x\"",`, "boom \"x\" {}"},
	{`      "\u001b[0;31mOutOfMemoryError\u001b[0m: CUDA out of memory.\n"`, "OutOfMemoryError: CUDA out of memory. {}"},
	{`      "Traceback (most recent call last):\n",`, "Traceback (most recent call last): {}"},
	{"2025-10-08T20:33:48.123456789Z stdout F KV ready", "KV ready {time=2025-10-08T20:33:48.123456789Z head}"},
	{"2025-10-08T20:33:48.123456789+02:00 stderr P half a li", "half a li {time=2025-10-08T20:33:48.123456789+02:00 head partial}"},
	{"2025-10-08T20:33:48.123456789Z stdout F", " {time=2025-10-08T20:33:48.123456789Z head}"},
	{"2025-10-08T20:33:48.123Z (Worker pid=3) INFO 10-08 20:33:48 [w.py:1] in", "in {origin=Worker pid=3 time=10-08 20:33:48 level=INFO head logger}"},
	{"2025-10-08T20:33:48.0000000Z ##[error]Process completed with exit code 137.", "Process completed with exit code 137. {time=2025-10-08T20:33:48.0000000Z level=ERROR head}"},
	{"test\tRun it\t2025-10-08T20:33:48.0000000Z boom", "boom {time=2025-10-08T20:33:48.0000000Z head}"},
	{"2026-04-19 11:37:48.040 | (EngineCore pid=2) boom", "boom {origin=EngineCore pid=2 time=2026-04-19 11:37:48.040 head}"},
	{"[pod/vllm-7d9f-x/server] boom", "boom {origin=vllm-7d9f-x/server head}"},
	{"[pod/vllm-7d9f-x/server] 2025-10-08T20:33:48Z boom", "boom {origin=vllm-7d9f-x/server time=2025-10-08T20:33:48Z head}"},
	{"vllm-7d9f-x server › boom", "boom {origin=vllm-7d9f-x/server head}"},
	{"vllm-7d9f-x › server boom", "boom {origin=vllm-7d9f-x/server head}"},
	{"vllm-7d9f-x server INFO 10-08 20:33:48 [w.py:1] in", "in {origin=vllm-7d9f-x/server time=10-08 20:33:48 level=INFO head logger}"},
	{"vllm-7d9f4b6c8-x2kqj server boom", "boom {origin=vllm-7d9f4b6c8-x2kqj/server head}"},
	{"**RuntimeError: boom.** So much", "RuntimeError: boom. So much {}"},
	{"a ** b ** c", "a ** b ** c {}"},
	{"***** Running *****", "***** Running ***** {}"},
	{"gpu-04: [rank5]: boom", "boom {origin=rank5 head}"},
	{"error: [rank5]: boom", "error: [rank5]: boom {}"},
	{"vllm-1  | boom", "boom {origin=vllm-1 head}"},
	{"vllm-1  | |    0   N/A  N/A   54   C   python3   2079MiB |", "|    0   N/A  N/A   54   C   python3   2079MiB | {origin=vllm-1 head}"},
	{"vllm_vllm.1.k2j@node1    | boom", "boom {origin=vllm_vllm.1.k2j@node1 head}"},
	{"engine | (EngineCore pid=2) boom", "boom {origin=EngineCore pid=2 head}"},
	{"Oct  8 20:33:48 gpu1 vllm[123]: boom", "boom {origin=vllm[123] time=Oct  8 20:33:48 head}"},
	{"Oct 08 20:33:48.123456 gpu1 kernel: Out of memory: Killed process 5 (python3)", "Out of memory: Killed process 5 (python3) {origin=kernel time=Oct 08 20:33:48.123456 head}"},
	{"Oct 08 20:33:48 gpu1 (python3)[12]: boom", "boom {origin=(python3)[12] time=Oct 08 20:33:48 head}"},
	{"2025-10-08T20:33:48+0000 gpu1 kernel: boom", "boom {origin=kernel time=2025-10-08T20:33:48+0000 head}"},
	{"2025-10-08T20:33:48.123456+00:00 gpu1 python3[5]: INFO 10-08 20:33:48 [w.py:1] in", "in {origin=python3[5] time=10-08 20:33:48 level=INFO head logger}"},
	{"Wed 2025-10-08 20:33:48 UTC gpu1 vllm[123]: boom", "boom {origin=vllm[123] time=Wed 2025-10-08 20:33:48 UTC head}"},
	{"1759955628.123456 gpu1 vllm[123]: boom", "boom {origin=vllm[123] time=1759955628.123456 head}"},
	{"<30>Oct  8 20:33:48 gpu1 vllm[123]: boom", "boom {origin=vllm[123] time=Oct  8 20:33:48 head}"},
	{"<165>1 2025-10-08T20:33:48.003Z gpu1 vllm 81 ID47 [x@1 a=\"b\"] boom", "boom {origin=vllm[81] time=2025-10-08T20:33:48.003Z head}"},
	{"<165>1 2025-10-08T20:33:48.003Z gpu1 vllm - - - boom", "boom {origin=vllm time=2025-10-08T20:33:48.003Z head}"},
	{"[ 4412.006670] Out of memory: Killed process 5", "Out of memory: Killed process 5 {origin=kernel time=4412.006670 head}"},
	{"[ 4412.006670][ T1234] boom", "boom {origin=kernel time=4412.006670 head}"},
	{"<4>[44129.006670] boom", "boom {origin=kernel time=44129.006670 head}"},
	{"Oct 08 20:33:48 gpu1 kernel: [ 4412.006670] boom", "boom {origin=kernel time=Oct 08 20:33:48 head}"},
	{"[ 4412.006670] gpu1 vllm[123]: boom", "boom {origin=vllm[123] time=4412.006670 head}"},
	{"6,901,4412006670,-;boom", "boom {origin=kernel head}"},
	{"[Wed Oct  8 20:33:48 2025] oom-kill:constraint=CONSTRAINT_NONE", "oom-kill:constraint=CONSTRAINT_NONE {time=Wed Oct  8 20:33:48 2025 head}"},
	{"\x1b_bk;t=1759955628000\x07boom", "boom {}"},
	{"_bk;t=1759955628000\x07boom", "boom {head}"},
	{"#9 21.46 boom", "boom {head}"},
	{"INFO 2025-10-08T20:33:48.123456Z [resource.labels.containerName: vllm] boom", "boom {origin=vllm time=2025-10-08T20:33:48.123456Z level=INFO head logger}"},
	{"[16:10:33] stdout/INFO  boom", "boom {time=16:10:33 head}"},
	{"16:10:33 INFO boom", "boom {time=16:10:33 level=INFO head logger}"},
	{"stderr: boom", "boom {head}"},
	{"[stderr] boom", "boom {head}"},

	// Pastes.
	{"> INFO 10-08 20:33:48 [core.py:708] KV ready", "KV ready {time=10-08 20:33:48 level=INFO head logger quoted}"},
	{"> > boom", "boom {quoted}"},
	{"```console", " {}"},
	{"```", " {}"},
	{"# Traceback (most recent call last):", "Traceback (most recent call last): {}"},
	{"```torch.OutOfMemoryError: CUDA out of memory.", "torch.OutOfMemoryError: CUDA out of memory. {}"},
	{"12:(EngineCore pid=5) boom", "boom {origin=EngineCore pid=5}"},
	{"12:  File \"/a/b.py\", line 3, in f", "File \"/a/b.py\", line 3, in f {}"},
	{"12:torch.OutOfMemoryError: CUDA out of memory.", "torch.OutOfMemoryError: CUDA out of memory. {}"},
	{"server.log:12:INFO 10-08 20:33:48 [core.py:708] KV ready", "KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{"server.log:INFO 10-08 20:33:48 [core.py:708] KV ready", "KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{"   97\tTraceback (most recent call last):", "Traceback (most recent call last): {}"},
	{"   97→(Worker pid=3) boom", "boom {origin=Worker pid=3}"},
	{"  Line 97: (Worker pid=3) boom", "boom {origin=Worker pid=3}"},
	{"│ INFO 10-08 20:33:48 [core.py:708] KV ready      │", "KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{"╭───── Traceback (most recent call last) ─────╮", "Traceback (most recent call last) {}"},
	{"│ /opt/x/y.py:12 in forward                   │", "/opt/x/y.py:12 in forward {}"},
	{"| (EngineCore pid=5) boom |", "boom {origin=EngineCore pid=5}"},
	{"^[[1;36m(Worker pid=3)^[[0;0m boom", "boom {origin=Worker pid=3}"},
	{"#033[36m(Worker pid=3)#033[0m boom", "boom {origin=Worker pid=3}"},
	{"[1;36m(Worker pid=3)[0;0m boom", "boom {origin=Worker pid=3}"},
	{`\x1b[38;5;9mboom\x1b[0m`, "boom {}"},
	{"\x1b]8;;file://x\x1b\\boom\x1b]8;;\x1b\\ \x1b(B!", "boom ! {}"},
	{"\x1b]0;never ended boom", "0;never ended boom {}"},
	{"Loading:  10%\rLoading:  50%\rLoading: 100%\r", "Loading:  10% {} ⏎ Loading:  50% {head} ⏎ Loading: 100% {head}"},
	{"(Worker pid=3) \rCapturing: 1%\rCapturing: 2%", "Capturing: 1% {origin=Worker pid=3 head} ⏎ Capturing: 2% {origin=Worker pid=3 head}"},
	{"vllm-1  | 1%\r2%\rINFO 10-08 20:33:48 [w.py:1] in", "1% {origin=vllm-1 head} ⏎ 2% {origin=vllm-1 head} ⏎ in {origin=vllm-1 time=10-08 20:33:48 level=INFO head logger}"},
	{`Exception: failed\nTraceback (most recent call last):\n  File \"/a/b.py\", line 3, in f\n\tx\nMemoryError`,
		"Exception: failed {} ⏎ Traceback (most recent call last): {} ⏎ File \"/a/b.py\", line 3, in f {} ⏎ x {} ⏎ MemoryError {}"},
	{`(Worker pid=3) b'INFO 10-08 20:33:48 [w.py:1] in\nINFO 10-08 20:33:49 [w.py:2] out'`,
		"b' {origin=Worker pid=3} ⏎ in {origin=Worker pid=3 time=10-08 20:33:48 level=INFO head logger} ⏎ out' {origin=Worker pid=3 time=10-08 20:33:49 level=INFO head logger}"},
	{"\ufeffINFO 10-08 20:33:48 [core.py:708] KV ready", "KV ready {time=10-08 20:33:48 level=INFO head logger}"},
	{"", " {}"},
	{" \t ", " {}"},
	{"\r", " {}"},

	// The text's own first words stay.
	{"←[model] ^[a-z] \ufffd[rank0]", "←[model] ^[a-z] \ufffd[rank0] {}"},
	{"[0] NCCL INFO Channel 00/02", "[0] NCCL INFO Channel 00/02 {}"},
	{"node1:12:99 [0] NCCL WARN Cuda failure 2 'out of memory'", "node1:12:99 [0] NCCL WARN Cuda failure 2 'out of memory' {}"},
	{"[enforce fail at alloc_cpu.cpp:114] err == 0.", "[enforce fail at alloc_cpu.cpp:114] err == 0. {}"},
	{"|    0   N/A  N/A      5459      C   python3       2079MiB |", "|    0   N/A  N/A      5459      C   python3       2079MiB | {}"},
	{"| Allocated memory      |   71235 MiB |   71235 MiB |", "| Allocated memory      |   71235 MiB |   71235 MiB | {}"},
	{"{'loss': 1.5, 'epoch': 2}", "{'loss': 1.5, 'epoch': 2} {}"},
	{`{"model": "x", "max_model_len": 4096}`, `{"model": "x", "max_model_len": 4096} {}`},
	{"Process 123 has 3.00 GiB memory in use.", "Process 123 has 3.00 GiB memory in use. {}"},
	{"[Rank 0] Watchdog caught", "[Rank 0] Watchdog caught {}"},
	{"[1, 2]: x", "[1, 2]: x {}"},
	{"[12.5] x", "[12.5] x {}"},
	{"[titan] x", "[titan] x {}"},
	{"(pid=12, actor_id=ab) x", "(pid=12, actor_id=ab) x {}"},
	{"(see below) pid=12) x", "(see below) pid=12) x {}"},
	{"rate(x[5m]) [0m] a", "rate(x[5m]) [0m] a {}"},
	{"tensor[12] x[200m", "tensor[12] x[200m {}"},
	{"ERROR: Unexpected bus error encountered in worker.", "ERROR: Unexpected bus error encountered in worker. {level=ERROR head}"},
	{"/opt/x.py:12: UserWarning: hm", "/opt/x.py:12: UserWarning: hm {}"},
	{"x.py:12: UserWarning: hm", "x.py:12: UserWarning: hm {}"},
	{"loss | 0.5 | 12", "loss | 0.5 | 12 {}"},
	{"step_1 | 0.5 | 12", "step_1 | 0.5 | 12 {}"},
	{"INFO  | gptq | 1 | mlp", "INFO  | gptq | 1 | mlp {}"},
	{"0 | encoder | T5EncoderModel | 217 M", "0 | encoder | T5EncoderModel | 217 M {}"},
	{"0: 640x480 4 persons", "0: 640x480 4 persons {}"},
	{"12: x", "12: x {}"},
	{"flash-attention-split kernels boom", "flash-attention-split kernels boom {}"},
	{"non-default args: {'model': 'x'}", "non-default args: {'model': 'x'} {}"},
	{">>> llm = LLM(model='x')", ">>> llm = LLM(model='x') {}"},
	{"#1 is x", "#1 is x {}"},
	{"# Model configuration", "# Model configuration {}"},
	{"~~~~~~~~~~~~^^^^^^^^", "~~~~~~~~~~~~^^^^^^^^ {}"},
	{"INFORMATION: x", "INFORMATION: x {}"},
	{"1.50 GiB is free.", "1.50 GiB is free. {}"},
	{"12:34 is not a line number", "12:34 is not a line number {}"},
	{"C:\\new\\table", "C:\\new\\table {}"},
	{`Received request a: prompt: 'x\nTraceback (most recent call last):\n  y'`, `Received request a: prompt: 'x\nTraceback (most recent call last):\n  y' {}`},
	{"100%|██████████| 7/7 [00:05<00:00]", "100%|██████████| 7/7 [00:05<00:00] {}"},
	{"Worker said ERROR 10-8 20:33:48", "Worker said ERROR 10-8 20:33:48 {}"},
	{"one 2025-10-08T20:33:48.2Z two", "one 2025-10-08T20:33:48.2Z two {}"},
	{"worker (Worker pid=3) died", "worker (Worker pid=3) died {}"},
	{"a [repeated often] ]", "a [repeated often] ] {}"},
}

// show prints a line as the table writes it.
func show(l Line) string {
	var notes []string
	note := func(name, value string) {
		if value != "" {
			notes = append(notes, name+"="+value)
		}
	}
	note("origin", l.Origin)
	note("time", l.Time)
	note("level", l.level)
	for _, flag := range []struct {
		name string
		set  bool
	}{{"head", l.Head}, {"logger", l.Logger}, {"partial", l.Partial}, {"quoted", l.Quoted}} {
		if flag.set {
			notes = append(notes, flag.name)
		}
	}
	if l.Repeat != 1 {
		notes = append(notes, fmt.Sprint("repeat=", l.Repeat))
	}
	return fmt.Sprintf("%s {%s}", l.Text, strings.Join(notes, " "))
}

// frameAll frames lines with one framer and gives each logical line as the table writes it.
func frameAll(raws ...string) []string {
	var f Framer
	var out []string
	for i, raw := range raws {
		f.Frame(i+1, []byte(raw), func(l Line) { out = append(out, show(l)) })
	}
	return out
}

func TestFrame(t *testing.T) {
	for _, c := range frames {
		got := strings.Join(frameAll(c.raw), " ⏎ ")
		if want := strings.ReplaceAll(c.want, "level= ", ""); got != want {
			t.Errorf("%q\n got %s\nwant %s", c.raw, got, want)
		}
	}
}

// What is ambiguous counts once the stream has shown it in front of a head.
func TestFrameLearns(t *testing.T) {
	for _, c := range []struct {
		name string
		raws []string
		want string
	}{
		{"srun labels", []string{"1: boom", "1: (Worker pid=3) x", "1: boom"}, "1: boom {} | x {origin=Worker pid=3} | boom {origin=rank1}"},
		{"grep numbers", []string{"7: boom", "8:INFO 10-08 20:33:48 [w.py:1] in", "9:boom", "10-boom", "11: (Worker pid=3) x"},
			"7: boom {} | in {time=10-08 20:33:48 level=INFO head logger} | boom {} | boom {} | x {origin=Worker pid=3}"},
		{"the user's own prefix", []string{"svc-a INFO 10-08 20:33:48 [w.py:1] in", "svc-a INFO 10-08 20:33:48 [w.py:1] in"},
			"svc-a {} | in {time=10-08 20:33:48 level=INFO head logger} | in {time=10-08 20:33:48 level=INFO head logger}"},
		{"a container's own name", []string{"llm  | boom", "llm  | INFO 10-08 20:33:48 [w.py:1] in", "llm  | boom"},
			"llm  | boom {} | in {origin=llm time=10-08 20:33:48 level=INFO head logger} | boom {origin=llm}"},
		{"stern's pods", []string{"vllm-a server boom", "vllm-a server (Worker pid=3) x", "vllm-a server boom"},
			"vllm-a server boom {} | x {origin=Worker pid=3 head} | boom {origin=vllm-a/server}"},
	} {
		if got := strings.Join(frameAll(c.raws...), " | "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Where each line has an envelope it does not tell where records begin: a program may have wrapped
// its text inside. After a line without, which a terminal wrapped, it does.
func TestFrameHeads(t *testing.T) {
	for _, c := range []struct {
		name  string
		wrap  func(string) string
		wants string
	}{
		{"compose", func(s string) string { return "vllm-1  | " + s }, "true false false true"},
		{"CRI", func(s string) string { return "2025-10-08T20:33:48.1Z stdout F " + s }, "true false false true"},
		{"docker", func(s string) string { return `{"log":"` + s + `\n"}` }, "true false false true"},
		{"a logger", func(s string) string { return "[2025-10-16 09:06:22 TP5] " + s }, "true true false true"},
		{"the kernel", func(s string) string { return "[ 4412.006670] " + s }, "true true false true"},
		{"a process prefix", func(s string) string { return "(Worker pid=3) " + s }, "false false false false"},
	} {
		var f Framer
		var got []any
		for _, raw := range []string{c.wrap("one"), c.wrap("two"), "goes on", c.wrap("three")} {
			f.Frame(1, []byte(raw), func(l Line) { got = append(got, l.Head) })
		}
		if fmt.Sprintln(got...) != c.wants+"\n" {
			t.Errorf("%s: heads %v, want %s", c.name, got, c.wants)
		}
	}
}

func TestFrameWidth(t *testing.T) {
	for _, c := range []struct {
		raw  string
		want []int
	}{
		{"twelve bytes", []int{12}},
		{"\x1b[1;36m(Worker pid=3)\x1b[0;0m x\r", []int{16}},
		{"内存不足 OOM", []int{12}},
		{"\xff\xfe", []int{2}},
		{"e\u0301t\u00e9", []int{3}},
		{"12345\r123", []int{5, 3}},
		{`{"log":"12345\n123\n"}`, []int{5, 3}},
		{"vllm-1  | 12345", []int{15}},
		{"", []int{0}},
	} {
		var f Framer
		var got []int
		f.Frame(1, []byte(c.raw), func(l Line) { got = append(got, l.Width) })
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q: widths %v, want %v", c.raw, got, c.want)
		}
	}
}

// Docker cuts a long line into pieces, of which only the last one ends.
func TestFrameDockerPieces(t *testing.T) {
	var f Framer
	var got []bool
	add := func(l Line) { got = append(got, l.Partial) }
	long := strings.Repeat("x", 16384)
	f.Frame(1, []byte(`{"log":"`+long+`","stream":"stdout"}`), add)
	f.Frame(2, []byte(`{"log":"end\n","stream":"stdout"}`), add)
	f.Frame(3, []byte(`{"log":"no end, but short","stream":"stdout"}`), add)
	if fmt.Sprint(got) != "[true false false]" {
		t.Errorf("partial: %v", got)
	}
}

// A framed text has no layers left.
func TestFrameTwice(t *testing.T) {
	for _, c := range frames {
		var f Framer
		f.Frame(1, []byte(c.raw), func(l Line) {
			var again Framer
			again.Frame(1, []byte(string(l.Text)), func(m Line) {
				if string(m.Text) != string(l.Text) {
					t.Errorf("%q: %q, framed again %q", c.raw, l.Text, m.Text)
				}
			})
		})
	}
}

func FuzzFrame(f *testing.F) {
	for _, c := range frames {
		f.Add([]byte(c.raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		var fr Framer
		lines, bytes := 0, 0
		fr.Frame(7, raw, func(l Line) {
			lines++
			bytes += len(l.Text)
			if l.No != 7 || l.Repeat < 1 || l.Width < 0 {
				t.Errorf("%q: no %d, repeat %d, width %d", raw, l.No, l.Repeat, l.Width)
			}
			if string(trimBlanks(l.Text)) != string(l.Text) || look(l.Text)&(hasControl|hasEnd) != 0 {
				t.Errorf("%q: text %q", raw, l.Text)
			}
		})
		if lines == 0 || bytes > len(raw) {
			t.Errorf("%q: %d lines, %d bytes of text", raw, lines, bytes)
		}
		// What was learnt from a line never makes it fail, and the arena is not confused by reuse.
		fr.Frame(8, raw, func(Line) {})
	})
}

var benchLines = []struct{ name, raw string }{
	{"vllm", "INFO 10-08 20:33:48 [gpu_worker.py:298] Available KV cache memory: 41.27 GiB"},
	{"process", "(EngineCore_DP0 pid=18799) INFO 10-08 20:33:48 [gpu_worker.py:298] Available KV cache memory: 41.27 GiB"},
	{"coloured", "\x1b[1;36m(EngineCore_DP0 pid=18799)\x1b[0;0m INFO 10-08 20:33:48 [gpu_worker.py:298] Available KV cache memory: 41.27 GiB"},
	{"text", "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.16 GiB. GPU 0 has a total capacity of 79.15 GiB of which 611.75 MiB is free."},
	{"frame", `  File "/usr/local/lib/python3.12/dist-packages/vllm/v1/worker/gpu_model_runner.py", line 2171, in load_model`},
	{"cri", "2025-10-08T20:33:48.123456789Z stdout F (EngineCore_DP0 pid=18799) INFO 10-08 20:33:48 [gpu_worker.py:298] Available KV cache memory: 41.27 GiB"},
	{"docker", `{"log":"INFO 10-08 20:33:48 [gpu_worker.py:298] Available KV cache memory: 41.27 GiB\n","stream":"stdout","time":"2025-10-08T20:33:48.123456789Z"}`},
}

func BenchmarkFrame(b *testing.B) {
	for _, c := range benchLines {
		b.Run(c.name, func(b *testing.B) {
			var f Framer
			raw := []byte(c.raw)
			n := 0
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				f.Frame(1, raw, func(l Line) { n += len(l.Text) })
			}
		})
	}
}
