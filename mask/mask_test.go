package mask

import (
	"strings"
	"testing"
)

// secrets: in each text what stands between ⟦ and ⟧ must not come through, and must be taken for its kind.
var secrets = []struct {
	kind Kind
	text string
}{
	{Token, "Using token ⟦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⟧ for the hub"},
	{Token, "401 for url https://huggingface.co/x (token=⟦hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ01234567⟧)"},
	{Token, "org token ⟦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⟧"},
	{Token, "client = OpenAI('⟦sk-4fT9xQ2mLp8ZrW1nKc7YbV3d⟧')"},
	{Token, "key ⟦sk-proj-Ab12_cd34-Ef56Gh78Ij90Kl12Mn34⟧ rejected"},
	{Token, "x-api-key: ⟦sk-ant-api03-R2D2c3poBB8xWingTie4-AA⟧"},
	{Token, "creds ⟦AKIA4FAKE7EXAMPLE9Q2⟧ in us-east-1"},
	{Token, "creds ⟦ASIAZ7FAKEKEY0000XYZ⟧ in us-east-1"},
	{Token, "git clone failed for ⟦ghp_9aB8cD7eF6gH5iJ4kL3mN2oP1qR0sT9uV8wX⟧"},
	{Token, "remote: ⟦github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789⟧"},
	{Token, "GITHUB says ⟦ghs_16C7e42F292c6912E7710c838347Ae178B4a⟧"},
	{Token, "CI job ⟦glpat-xY3zA9bC7dE5fG1hI0jK⟧ expired"},
	{Token, "slack ⟦xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx⟧"},
	{Token, "POST https://hooks.slack.com/services/⟦T0AB1CD2E/B0FG3HI4J/kLmNoPqRsTuVwXyZ01234567⟧"},
	{Token, "Authorization: Bearer ⟦abC123def456GHI789⟧"},
	{Token, "curl -H 'authorization: bearer ⟦9f8e7d6c5b4a39281706⟧' http://localhost:8000"},
	{Token, "Authorization: Basic ⟦YWxpY2U6b3BlbjEyMw==⟧"},
	{Token, "cookie ⟦eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U⟧ is old"},
	{Token, "google ⟦AIzaSyA1234567890abcdefghijklmnopqrstu_⟧"},
	{Token, "nim ⟦nvapi-Zx9_Yw8vUt7Sr6Qp5On4Ml3Kj2Ih1Gf0⟧"},
	{Token, "groq ⟦gsk_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6⟧"},
	{Token, "replicate ⟦r8_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6⟧"},
	{Token, "docker login -p ⟦dckr_pat_a1B2c3D4e5F6g7H8i9J0k1L2⟧"},
	{Token, "GET https://storage.googleapis.com/b/w.safetensors?X-Amz-Signature=⟦a1b2c3d4e5f6a7b8c9d0⟧ 403"},
	{Token, "GET /v1/models?api_key=⟦q1w2e3r4t5y6⟧ 200"},
	{Token, "fine-grained ⟦hf_oauth_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW⟧ is gone"},
	{Token, "key ⟦sk-svcacct-Zx81_Yw72-Vu63Ts54Rq45Po36Nm27⟧ of the service"},
	{Token, "key ⟦sk-or-v1-0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f6071⟧ of the router"},
	{Token, "⟦gho_9aB8cD7eF6gH5iJ4kL3mN2oP1qR0sT9uV8wX⟧ and more"},
	{Token, "refresh ⟦ghr_9aB8cD7eF6gH5iJ4kL3mN2oP1qR0sT9uV8wX⟧"},
	{Token, "runner ⟦glrt-xY3zA9bC7dE5fG1hI0jK⟧ registers"},
	{Token, "deploy ⟦gldt-xY3zA9bC7dE5fG1hI0jK⟧"},
	{Token, "user token ⟦xoxp-123456789012-123456789012-abcdef0123456789⟧"},
	{Token, "app token ⟦xapp-1-A0B1C2D3E4F-1234567890123-0a1b2c3d4e5f⟧"},
	{Token, "⟦ya29.a0AfH6SMBx1y2z3A4B5C6D7E8F9G0⟧ from the metadata server"},
	{Token, "stripe ⟦sk_live_51H8aB2cD4eF6gH8iJ0kL2mN⟧ in a notebook"},
	{Token, "mail ⟦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⟧"},
	{Token, "⟦dop_v1_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef⟧ for the droplet"},
	{Token, "⟦hvs.CAESIJ1a2B3c4D5e6F7g8H9i0JkLmNoPqRsT⟧ from the vault"},
	{Token, "PUT https://w.blob.core.windows.net/c/m.bin?sv=2023-01-03&se=2026-01-01&sig=⟦aB3%2FdE5fG7hI9jK1lM3nO5pQ%3D⟧ 403"},
	{Token, "GET https://b.s3.amazonaws.com/m.bin?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=⟦AKIA4FAKE7EXAMPLE9Q2%2F20260304⟧ 403"},
	{Token, "GET https://storage.googleapis.com/b/m.bin?X-Goog-Signature=⟦0a1b2c3d4e5f60718293⟧ 403"},
	{Token, "proxy-authorization: Basic ⟦dXNlcjpwYXNzd29yZDEy⟧"},
	{Key, "DefaultEndpointsProtocol=https;AccountName=w;AccountKey=⟦aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3aB4c==⟧;EndpointSuffix=core.windows.net"},
	{Key, "Endpoint=sb://bus.example.com/;SharedAccessKeyName=Root;SharedAccessKey=⟦Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA==⟧"},
	{Key, "wandb login ⟦9f8e7d6c5b4a39281706f5e4d3c2b1a098765432⟧"},
	{Key, "wandb.login(key='⟦9f8e7d6c5b4a39281706f5e4d3c2b1a098765432⟧')"},
	{Key, "WANDB_API_KEY: ⟦9f8e7d6c5b4a39281706f5e4d3c2b1a098765432⟧"},
	{Key, "--wandb_key=⟦9f8e7d6c5b4a39281706f5e4d3c2b1a098765432⟧"},
	{Key, "NGC_API_KEY=⟦bnZhcGktMTIzNDU2Nzg5MA⟧ docker run"},
	{Key, "args: ['--api-key', '⟦an-open-secret⟧', '--port', '8000']"},
	{Key, "{\"HF_TOKEN\": \"⟦not-of-the-usual-form-7⟧\"}"},
	{Key, "- name: HUGGING_FACE_HUB_TOKEN\n  value: ⟦abc987zyx654⟧"},
	{Key, "X-API-Key: ⟦0a1b-2c3d-4e5f⟧"},
	{Key, "vllm serve m --ssl-keyfile-password ⟦tr0ub4dor⟧"},
	{Key, "mysql://db/x?user=a&password=⟦letmein7⟧"},
	{PrivateKey, "⟦-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\n-----END OPENSSH PRIVATE KEY-----⟧"},
	{Credentials, "redis://⟦:s3cr3tpass⟧@cache:6379/0"},
	{Credentials, "postgresql+psycopg2://⟦app:pa55⟧@db:5432/x"},
	{Credentials, "GET http://⟦user:pa%2Fss⟧@registry:5000/v2/"},
	{Address, "peer ⟦2a02:8070:4185:2a00::5⟧ reset"},
	{Address, "bound to ⟦fd00::a1b2:c3d4⟧ port 29500"},
	{Address, "http://[⟦2001:db8::1⟧]:8000/v1"},
	{User, "/mnt/home/⟦henrik⟧/run.py"},
	{User, "file:///Users/⟦irene⟧/x.ipynb"},
	{User, "/home/⟦jürgen⟧/x.py"},
	{User, "D:\\Users\\⟦karl.m⟧\\x.py"},
	{User, "LOGNAME=⟦lena⟧"},
	{Email, "Co-authored-by: L <⟦l.m-n@sub.firma.de⟧>"},
	{Host, "ssh: connect to host ⟦login2.hpc.firma.de⟧ port 22"},
	{Host, "NODELIST=⟦gpu-node-17⟧"},
	{Host, "nodename: ⟦worker-a-3⟧"},
	{Host, "https://⟦ml.intra.firma.de⟧:8443/v1"},
	{Key, "vllm serve m --api-key ⟦correct-horse-battery⟧ --port 8000"},
	{Key, "vllm serve m --api-key=⟦S3cr3t!⟧"},
	{Key, "non-default args: {'model': 'a/b', 'api_key': '⟦team-7-pass⟧', 'max_model_len': 4096}"},
	{Key, "non-default args: {'api_key': ['⟦one-two-three⟧'], 'port': 8000}"},
	{Key, "Namespace(api_key='⟦hunter2⟧', host=None)"},
	{Key, `"api_key": "⟦p4ss w0rd⟧"`},
	{Key, "--hf-token ⟦abcdefg12345⟧"},
	{Key, "HF_TOKEN=⟦whatever-it-is-99⟧ python serve.py"},
	{Key, "export HUGGING_FACE_HUB_TOKEN=⟦abc987zyx654⟧"},
	{Key, "-e WANDB_API_KEY=⟦0123456789abcdef0123456789abcdef01234567⟧ img"},
	{Key, "AWS_SECRET_ACCESS_KEY=⟦wJalrXUtnFEMI/K7MDENG/bPxRfiCYFAKEKEY⟧"},
	{Key, "aws_session_token = ⟦FwoGZXIvYXdzEBYaDH1234567890⟧"},
	{Key, "OPENAI_API_KEY: '⟦team-key-2024⟧'"},
	{Key, "password: ⟦tr0ub4dor⟧"},
	{Key, "DB_PASSWORD=⟦letmein⟧"},
	{Key, "client_secret=⟦8Q~abc.DEF-123⟧"},
	{Key, "VLLM_API_KEY=⟦token-abc123⟧ vllm serve m"},
	{Key, "REDIS_AUTH=⟦foobared99⟧"},
	{Key, "use_auth_token='⟦abc123def456⟧'"},
	{PrivateKey, "⟦-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nq1w2e3\n-----END RSA PRIVATE KEY-----⟧ end"},
	{PrivateKey, `key=⟦-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg⟧`},
	{Credentials, "proxy http://⟦alice:open-sesame⟧@proxy:3128 set"},
	{Credentials, "--extra-index-url https://⟦__token__:glx-abc⟧@pypi.org/simple"},
	{Credentials, "git+https://⟦x0a1b2c3d4e5f6a7b8c9d0e1⟧@github.com/org/repo"},
	{Prompt, "Received request cmpl-7: prompt: '⟦My name is Eve, and it\\'s secret⟧', params: SamplingParams(n=1)"},
	{Prompt, `Received request chatcmpl-8: prompt: "⟦it's 5, isn't it⟧", params: SamplingParams(n=1)`},
	{Prompt, `{"role": "user", "content": "⟦draft my resignation⟧"}`},
	{Prompt, "messages=[{'role': 'user', 'content': '⟦who am I⟧'}]"},
	{Prompt, "prompt_token_ids: [⟦128000, 9906, 1917⟧], lora_request: None"},
	{Prompt, `{"type": "text", "text": "⟦diagnosis of patient 7⟧"}`},
	{Email, "contact ⟦alice.b+ml@uni-koeln.de⟧ for access"},
	{Email, "<⟦ops@bigcorp.co.uk⟧>"},
	{User, `File "/home/⟦alice⟧/venv/lib/python3.12/site-packages/vllm/engine.py", line 3`},
	{User, "/Users/⟦bob.smith⟧/models/llama"},
	{User, `C:\Users\⟦Carol⟧\AppData\Local`},
	{User, `"C:\\Users\\⟦dave⟧\\x.py"`},
	{User, "/lustre/home/⟦e1234567⟧/run.sh"},
	{User, "USER=⟦frank⟧ HOME=/root"},
	{User, "⟦grace⟧@localhost:~$ vllm serve m"},
	{Host, "connecting to ⟦gpu-07.cluster.internal⟧ failed"},
	{Host, "tcp://⟦node12.hpc.uni-koeln.de⟧:29500"},
	{Host, "http://⟦inference.bigcorp.io⟧/v1/models"},
	{Host, "MASTER_ADDR=⟦trainer-0⟧"},
	{Host, "hostname: ⟦dgx-a100-03⟧"},
	{Host, "[W socket.cpp:663] to (⟦ip-10-1-2-33.ec2.internal⟧, 29500)"},
	{Host, "pod ⟦vllm-llama-7d9f4b6c8-x2kqp⟧ was evicted"},
	{Host, "root@⟦dgx7⟧:/workspace# vllm serve m"},
	{Address, "worker at ⟦10.32.4.17⟧:29500"},
	{Address, "(RayWorkerWrapper pid=7, ip=⟦192.168.1.20⟧) loaded"},
	{Address, `INFO:     ⟦172.17.0.1⟧:51034 - "POST /v1/completions HTTP/1.1" 200 OK`},
	{Address, "peer ⟦203.0.113.77⟧ reset"},
	{Address, "node-⟦100.64.3.9⟧ is gone"},
	{Address, "listening on [⟦2001:db8:0:1::17⟧]:8000"},
	{Address, "[c10d] (⟦fe80::1ff:fe23:4567:890a⟧, 29500)"},
	{Address, "route ⟦fd12:3456:789a:1::1⟧"},
}

// lookAlikes have nothing to hide.
var lookAlikes = []string{
	"meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen2.5-Coder-32B-Instruct-GPTQ-Int4", "model='deepseek-ai/DeepSeek-R1-0528-Qwen3-8B'",
	"unsloth/gemma-3-27b-it-bnb-4bit", "TheBloke/Mixtral-8x7B-v0.1-AWQ", "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5", "casperhansen/llama-3.3-70b-instruct-awq",
	"vLLM API server version 0.9.1", "vllm 0.9.1.2", "vLLM 0.10.1.1.dev5+gabc1234", "torch==2.8.0+cu128", "nvidia-cudnn-cu12==9.1.0.70", "nvidia-cublas-cu12  12.1.3.1", "[pip3] nvidia-curand-cu12==10.3.2.106",
	"cuDNN version: 9.10.2.21", "libcudnn.so.8.9.2.26", "NCCL version 2.21.5+cuda12.4", "Driver Version: 535.183.01   CUDA Version: 12.2", "Windows 10.0.19045.4170", "flash_attn-2.7.4.post1",
	"127.0.0.1:8000", "http://0.0.0.0:8000", "tcp://localhost:29500", "http://[::1]:8000", "Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)",
	"sha256:9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0", "snapshots/0e9e39f249a16976918f6564b8830bc894c89659/model.safetensors",
	"cmpl-7f3a9b2c4d5e6f708192a3b4c5d6e7f8", "GPU-3c1a5b7d-90ef-4321-8765-abcdef012345", "commit 1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b",
	"NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 4090", "AMD Instinct MI300X", "Tesla T4", "NVIDIA H100 80GB HBM3 MIG 1g.10gb",
	"max_tokens=512, temperature=0.7", "max_num_batched_tokens=8192", "skip_tokenizer_init=False, tokenizer_mode=auto", "pad_token='<|endoftext|>'", "eos_token_id=128001", "num_tokens: 4096", "PAD_TOKEN=<pad>",
	"--max-num-batched-tokens 16384", "--max-tokens=512 --num-speculative-tokens 3", "--tokenizer mistralai/Ministral-8B", "--enable-tokenizer-info-endpoint", "--stop-token </s>", "api_key=None", "'api_key': None, 'ssl_keyfile': None", "--api-key $VLLM_API_KEY", "HF_TOKEN=${HF_TOKEN}", "hf_token: null", "password: ********",
	"import hf_transfer", "HF_HUB_ENABLE_HF_TRANSFER=1", "hf_quantizer.preprocess_model", "from sklearn import metrics", "task-1234567890123456", "risk-management-for-everyone",
	"bearer authentication is required", "Avg prompt throughput: 12.3 tokens/s", "prompt: None, params: SamplingParams(n=1)", "prompt_logprobs=5", "content-type: application/json",
	"torch.nn.modules.linear", "vllm.entrypoints.openai.api_server", "self.model.net", "torch.OutOfMemoryError", "gpu_model_runner.py:2392", "std::runtime_error", "c10::add", "at::cuda::blas", "c10::be",
	"https://github.com/vllm-project/vllm/issues/1234", "https://docs.vllm.ai/en/latest/configuration/conserving_memory/", "https://pytorch.org/docs/stable/notes/cuda.html", "https://huggingface.co/meta-llama",
	"vllm/vllm-openai:v0.9.1", "nvcr.io/nvidia/pytorch:25.01-py3", "ghcr.io/huggingface/text-generation-inference:3.0.1", "image@sha256:abcdef", "flash-attn @ https://github.com/Dao-AILab/flash-attention",
	`File "/usr/local/lib/python3.12/dist-packages/torch/nn/modules/module.py", line 1751`, "/home/ubuntu/venv/bin/python", "/root/.cache/huggingface/hub", "/home/runner/work/repo",
	"12:34:56.789", "2025-10-08T20:33:48.123456789Z", "10-08 20:33:48", "1:2:3:4", "EngineCore_DP0 pid=18799", "[rank0]: x", "00000000:3B:00.0 Off",
	"Tried to allocate 16.00 GiB. GPU 0 has a total capacity of 79.15 GiB", "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True", "CUDA_VISIBLE_DEVICES=0,1,2,3", "VLLM_ATTENTION_BACKEND=FLASHINFER", "SORT_KEY=created_at",
	"gpu_memory_utilization=0.90", "key: value", "cache key = (512, 64, torch.bfloat16)", "the key is wrong", "token: 42", "next token=eos",
	"sk-learn", "scikit-learn==1.5.2", "task-sk-1", "hf_config.json", "hf_overrides={}", "hf_text_config", "glpat", "xoxo", "nvapi", "eyJ", "AKIA", "AIza",
	"openai/gpt-oss-120b", "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", "zai-org/GLM-4.5-Air", "moonshotai/Kimi-K2-Instruct-0905", "RedHatAI/Llama-4-Scout-17B-16E-Instruct-FP8-dynamic", "google/gemma-3n-E4B-it",
	"vllm 0.11.1rc6.dev123+g0a1b2c3d4.d20251020.cu129", "g1a2b3c4d5", "0.10.2rc1.dev7+g9e8d7c6b5", "transformers @ git+https://github.com/huggingface/transformers@0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
	"docker.io/rocm/vllm:rocm6.4.1_vllm_0.9.1_20250702", "registry.k8s.io/pause:3.10", "lmsysorg/sglang:v0.5.3-cu129", "vllm/vllm-openai@sha256:9834876dcfb05cb167a5c24953eba58c4ac89b1adf57f28f2f9d09af107ee8f0",
	"MIG-3c1a5b7d-90ef-4321-8765-abcdef012345", "uuid 3c1a5b7d-90ef-4321-8765-abcdef012345", "chatcmpl-0a1b2c3d4e5f60718293a4b5c6d7e8f9", "torch_compile_cache/0a1b2c3d4e/rank_0_0", "cache_dir=/root/.cache/vllm/torch_compile_cache/9f8e7d6c5b",
	"revision=9f8e7d6c5b4a39281706f5e4d3c2b1a098765432", "HEAD is now at 9f8e7d6 fix", "wandb: Run data is saved locally in /tmp/wandb/run-20260304_050607-ab12cd34", "wandb: Syncing run brave-sun-7",
	"kv_cache_dtype=fp8_e4m3", "block_hash=0x9f8e7d6c5b4a3928", "tokens/s: 1234.5", "token_ids=[1, 2, 3]", "prefix_cache_key='model'", "key_cache.shape=(2, 16)", "k_proj.weight key missing", "num_key_value_heads=8",
	"password=None", "'hf_token': None", "--hf-token", "token=True", "use_auth_token=False", "secret: not set", "bearer of bad news", "basic auth is off", "Authorization: none",
	"std::bad_alloc", "a::b::c", "fe80", "0000:3b:00.0", "00:1B:44:11:3A:B7 is a MAC", "10:20:30", "version 2.7.1.0", "cuda 12.4.1", "compute capability 9.0", "ROCm 6.2.41134-65d174c3e", "HIP 6.4.43483",
	"/opt/conda/lib/python3.11/site-packages/torch/cuda/__init__.py", "/workspace/vllm/vllm/worker/worker.py", "/usr/src/app", "model.safetensors.index.json", "layers.0-31", "%h:%p",
	"qwen2-5-coder-32b-instruct-awq", "model.layers.31.self_attn.k_proj.weight", "git@github.com:vllm-project/vllm.git",
}

func TestSecrets(t *testing.T) {
	if len(secrets) < 60 || len(lookAlikes) < 60 {
		t.Fatalf("%d secrets, %d look-alikes", len(secrets), len(lookAlikes))
	}
	for _, tt := range secrets {
		text := strings.NewReplacer("⟦", "", "⟧", "").Replace(tt.text)
		_, rest, _ := strings.Cut(tt.text, "⟦")
		secret, after, _ := strings.Cut(rest, "⟧")
		m := New()
		got := m.Text(text)
		if strings.Contains(got, secret) {
			t.Errorf("%s leaks: %s", tt.kind, got)
			continue
		}
		if m.counts[tt.kind] == 0 {
			t.Errorf("%s: counted %v: %s", tt.kind, m.Counts(), got)
		}
		// No part of it either, and what stands around it stays.
		before, _, _ := strings.Cut(tt.text, "⟦")
		for _, w := range strings.FieldsFunc(secret, func(r rune) bool { return strings.ContainsRune(" /:@.,\\'", r) }) {
			if len(w) > 4 && strings.Contains(got, w) && !strings.Contains(before+after, w) {
				t.Errorf("%s leaks %q: %s", tt.kind, w, got)
			}
		}
		if n := len(m.Counts()); n == 1 && (!strings.HasPrefix(got, before) || !strings.HasSuffix(got, after)) {
			t.Errorf("%s: more is gone than the secret: %s", tt.kind, got)
		}
		if again := New().Text(got); again != got {
			t.Errorf("masked twice: %s, then %s", got, again)
		}
	}
}

func TestLookAlikes(t *testing.T) {
	for _, text := range lookAlikes {
		for _, around := range []string{"%", "INFO 10-08 20:33:48 [x.py:1] % .", "(%)", "'%', x"} {
			in := strings.Replace(around, "%", text, 1)
			if got := New().Text(in); got != in {
				t.Errorf("%s\nbecame %s", in, got)
			}
		}
	}
}

// The same value has the same number, so that what is said of several can be told apart.
func TestNumbers(t *testing.T) {
	m := New()
	got := m.Text("10.0.0.1 and 10.0.0.2, then 10.0.0.1 on /home/alice and /home/bob")
	if want := "<address-1> and <address-2>, then <address-1> on /home/<user-1> and /home/<user-2>"; got != want {
		t.Errorf("got %s", got)
	}
	if c := m.Counts(); len(c) != 2 || c[0] != (Count{User, 2}) || c[1] != (Count{Address, 3}) {
		t.Errorf("counts %v", c)
	}
}

func FuzzText(f *testing.F) {
	for _, tt := range secrets {
		f.Add(tt.text)
	}
	for _, s := range lookAlikes {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := New()
		got := m.Text(s)
		n := 0
		for _, c := range m.Counts() {
			n += c.N
		}
		if (n == 0) != (got == s) {
			t.Errorf("%q became %q, %d masked", s, got, n)
		}
	})
}

func BenchmarkText(b *testing.B) {
	size := 0
	for _, line := range lookAlikes {
		size += len(line)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	m := New()
	for b.Loop() {
		for _, line := range lookAlikes {
			m.Text(line)
		}
	}
}
