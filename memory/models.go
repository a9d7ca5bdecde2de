package memory

import "strings"

// shape is a model's configuration as far as memory goes.
type shape struct {
	names   string  // substrings of the lower-case model name, separated by spaces; all letters and digits
	params  float64 // parameters, exact; 0 where not used
	vocab   float64
	hidden  float64
	inter   float64 // width of the feed-forward layer
	layers  float64
	heads   float64
	kvHeads float64
	headDim float64
	latent  float64 // width of the one latent a token and layer keeps instead of heads

	// Hybrid models: layers at full attention in one group, groups of recurrent layers, heads and
	// width of their states. layers counts the group alone.
	stateGroups, stateHeads, stateDim float64
}

// shapes are the published configurations of widely served models. The first whose name occurs in
// the log's model name is taken.
var shapes = append([]shape{
	{names: "qwen3-vl-embedding-2b", vocab: 151936, hidden: 2048, inter: 6144, layers: 28, heads: 16, kvHeads: 8, headDim: 128},
	{names: "deepseek-v2-lite deepseek-coder-v2-lite", vocab: 102400, hidden: 2048, layers: 27, heads: 16, latent: 576},
	{names: "deepseek-v3 deepseek-v3.1 deepseek-r1", vocab: 129280, hidden: 7168, layers: 61, heads: 128, latent: 576},
	{names: "gpt-oss-20b gpt-oss-120b", vocab: 201088, hidden: 2880, heads: 64},
	{names: "qwen3.5-27b qwen3.6-27b qwen3.8-27b", vocab: 248320, hidden: 5120, inter: 17408, layers: 16, heads: 24, kvHeads: 4, headDim: 256,
		stateGroups: 3, stateHeads: 48, stateDim: 128},
	{names: "qwen3.5-9b", vocab: 248320, hidden: 4096, inter: 12288, layers: 8, heads: 16, kvHeads: 4, headDim: 256,
		stateGroups: 3, stateHeads: 32, stateDim: 128},
}, denseShapes()...)

// denseShapes are the models with every layer at full attention.
func denseShapes() []shape {
	var list []shape
	for _, d := range dense {
		list = append(list, shape{names: d.names, params: d.params, vocab: d.vocab, hidden: d.hidden, inter: d.inter,
			layers: d.layers, heads: d.heads, kvHeads: d.kvHeads, headDim: d.headDim})
	}
	return list
}

var dense = []struct {
	names                                                         string
	params, vocab, hidden, inter, layers, heads, kvHeads, headDim float64
}{
	{"llama-3.2-1b", 1235814400, 128256, 2048, 8192, 16, 32, 8, 64},
	{"llama-3.2-3b", 3212749824, 128256, 3072, 8192, 28, 24, 8, 128},
	{"llama-3-8b llama-3.1-8b deepseek-r1-distill-llama-8b", 8030261248, 128256, 4096, 14336, 32, 32, 8, 128},
	{"llama-3-70b llama-3.1-70b llama-3.3-70b deepseek-r1-distill-llama-70b", 70553706496, 128256, 8192, 28672, 80, 64, 8, 128},
	{"llama-2-7b", 6738415616, 32000, 4096, 11008, 32, 32, 32, 128},
	{"llama-2-13b", 13015864320, 32000, 5120, 13824, 40, 40, 40, 128},
	{"llama-2-70b", 68976648192, 32000, 8192, 28672, 80, 64, 8, 128},
	{"qwen2.5-0.5b qwen2-0.5b qwen2.5-coder-0.5b", 494032768, 151936, 896, 4864, 24, 14, 2, 64},
	{"qwen2.5-1.5b qwen2-1.5b qwen2.5-coder-1.5b", 1543714304, 151936, 1536, 8960, 28, 12, 2, 128},
	{"qwen2.5-3b qwen2.5-coder-3b", 3085938688, 151936, 2048, 11008, 36, 16, 2, 128},
	{"qwen2.5-7b qwen2-7b qwen2.5-coder-7b", 7615616512, 152064, 3584, 18944, 28, 28, 4, 128},
	{"qwen2.5-14b qwen2.5-coder-14b deepseek-r1-distill-qwen-14b", 14770033664, 152064, 5120, 13824, 48, 40, 8, 128},
	{"qwen2.5-32b qwen2.5-coder-32b qwq-32b deepseek-r1-distill-qwen-32b", 32763876352, 152064, 5120, 27648, 64, 40, 8, 128},
	{"qwen2.5-72b qwen2-72b", 72706203648, 152064, 8192, 29568, 80, 64, 8, 128},
	{"qwen3-0.6b", 596049920, 151936, 1024, 3072, 28, 16, 8, 128},
	{"qwen3-1.7b", 1720574976, 151936, 2048, 6144, 28, 16, 8, 128},
	{"qwen3-4b", 4022468096, 151936, 2560, 9728, 36, 32, 8, 128},
	{"qwen3-8b", 8190735360, 151936, 4096, 12288, 36, 32, 8, 128},
	{"qwen3-14b", 14768307200, 151936, 5120, 17408, 40, 40, 8, 128},
	{"qwen3-32b", 32762123264, 151936, 5120, 25600, 64, 64, 8, 128},
	{"glm-4-9b", 9399951360, 151552, 4096, 13696, 40, 32, 2, 128},
	{"phi-4-mini", 0, 200064, 3072, 8192, 32, 24, 8, 128},
	{"phi-4", 14659507200, 100352, 5120, 17920, 40, 40, 10, 128},
	{"mistral-7b-instruct-v0.2 mistral-7b-v0.2", 7241732096, 32000, 4096, 14336, 32, 32, 8, 128},
	{"mistral-7b-instruct-v0.3 mistral-7b-v0.3", 7248023552, 32768, 4096, 14336, 32, 32, 8, 128},
	{"mistral-small-24b", 23572403200, 131072, 5120, 32768, 40, 32, 8, 128},
	{"opt-125m", 125239296, 50272, 768, 3072, 12, 12, 12, 64},
}

// notLinear are names of models whose KV cache is not simply so many bytes a token: sliding or
// chunked windows, recurrent states, sparse caches.
var notLinear = []string{
	"gemma-2", "gemma-3", "gemma2", "gemma3", "gemma-4", "gemma4", "gpt-oss", "llama-4", "qwen3-next", "qwen3.5", "qwen3.6", "qwen3.7", "qwen3.8",
	"mamba", "jamba", "bamba", "zamba", "falcon-h1", "nemotron-h", "nemotron-nano", "granite-4", "minimax", "lfm2", "kimi-linear",
	"command-r7b", "command-a", "mistral-7b-v0.1", "mistral-7b-instruct-v0.1", "phi-3-small", "deepseek-v3.2", "deepseek-v4", "olmo-3", "plamo",
	"ministral-8b", "exaone-4", "step-3",
}

// latent are names of models with multi-head latent attention: one latent a token, on every rank.
var latent = []string{"deepseek-v2", "deepseek-v3", "deepseek-r1", "deepseek-coder-v2", "kimi-k2", "minicpm3", "moonlight"}

// modelName is the last part of a path or repository name, in lower case, with - for _.
func modelName(s string) string {
	s = strings.TrimRight(s, "/")
	if i := strings.LastIndexAny(s, "/\\"); i >= 0 {
		s = s[i+1:]
	}
	return strings.ReplaceAll(strings.ToLower(s), "_", "-")
}

// lookupShape finds the shape of a model by name. Names that go on with a digit or a mixture
// ("qwen3-4b0", "qwen3-30b-a3b") are other models.
func lookupShape(model string) (shape, bool) {
	name := modelName(model)
	for _, s := range shapes {
		for _, n := range strings.Fields(s.names) {
			i := strings.Index(name, n)
			if i < 0 || !bounded(name, i, i+len(n)) {
				continue
			}
			// What follows may make it another model.
			if rest := name[i+len(n):]; anyOf(rest, []string{"-a3b", "-vl", "moe", "distill"}) || strings.Contains(name[:i], "vl-") {
				continue
			}
			return s, true
		}
	}
	return shape{}, false
}

// bounded reports whether name[i:j] stands between separators.
func bounded(name string, i, j int) bool {
	word := func(c byte) bool { return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' }
	return (i == 0 || !word(name[i-1])) && (j == len(name) || !word(name[j]))
}

func anyOf(name string, list []string) bool {
	for _, p := range list {
		if strings.Contains(name, p) {
			return true
		}
	}
	return false
}

// kvBytes is the KV cache one token takes on one rank of tp, at bytes an element; below one head a
// rank, heads are replicated.
func (s shape) kvBytes(bytes, tp, pp float64) float64 {
	if s.latent > 0 {
		return s.layers / pp * s.latent * bytes
	}
	heads := s.kvHeads / tp
	if heads < 1 {
		heads = 1
	}
	return 2 * s.layers / pp * heads * s.headDim * bytes
}

// layer is the parameters of one layer: attention, and a feed-forward layer with a gate.
func (s shape) layer() float64 {
	return s.hidden*s.headDim*(2*s.heads+2*s.kvHeads) + 3*s.hidden*s.inter
}
