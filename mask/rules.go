package mask

import (
	"net/netip"
	"regexp"
	"strings"
	"sync"
)

// rule finds secrets of a kind: the groups of its expression. not tells, of the text s[i:j] that a
// group matched, that it is none; it stands in for what RE2 cannot look back at.
type rule struct {
	kind  Kind
	needs string // one of these words is in every match, in lower case
	re    func() *regexp.Regexp
	not   func(s string, i, j int) bool
}

// pattern is compiled when a text has one of the rule's words: few texts need many of them.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// value is what stands behind a key: in quotes, or up to a blank or bracket.
const value = `(?:"((?:\\.|[^"\\\n])+)"?|'((?:\\.|[^'\\\n])+)'?|([^\s"',;&)\]}\[{(]+))`

// quoted is a text in quotes, which may be cut off.
const quoted = `(?:"((?:\\.|[^"\\])+)"?|'((?:\\.|[^'\\])+)'?)`

// rules are applied in order: what one has replaced the next does not see.
var rules = []rule{
	{PrivateKey, "begin", pattern(`(-----BEGIN [A-Z ]*PRIVATE KEY-----(?s:.*?)(?:-----END [A-Z ]*PRIVATE KEY-----|\z))`), nil},

	// vLLM's request log, then the bodies of requests.
	{Prompt, "prompt:", pattern(`\bprompt:\s*` + quoted + `\s*(?:,\s*(?:params|prompt_token_ids|sampling_params|lora_request)\b|$)`), nil},
	{Prompt, "prompt input query text content", pattern(`\b(?:prompt|inputs?|query|text|content|system_prompt|user_prompt|prompt_text)["']?\s*[:=]\s*` + quoted), nil},
	{Prompt, "prompt_token_ids", pattern(`\bprompt_token_ids["']?\s*[:=]\s*\[([\d,\s]+)`), nil},

	{Credentials, "://", pattern(`://([^\s/@:"'<>]*:[^\s/@"'<>]+)@`), nil},
	{Credentials, "://", pattern(`://([^\s/@:"'<>]{20,})@`), nil},

	{Token, "hf_ org_ gh github_pat r8_ gsk_ npm_ dckr_ wandb_", pattern(`\b(hf_(?:oauth_)?[A-Za-z0-9]{20,}|api_org_[A-Za-z0-9]{20,}|gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,}|r8_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{30,}|npm_[A-Za-z0-9]{30,}|dckr_pat_[\w-]{20,}|wandb_v1_\w{20,})`), word},
	{Token, "sk_ rk_ dop_v1_ hvs. sg.", pattern(`\b([sr]k_(?:live|test)_\w{16,}|dop_v1_[0-9a-f]{40,}|hvs\.[\w-]{20,}|SG\.[\w-]{16,}\.[\w-]{16,})`), word},
	{Token, "sk- xox xapp- gl nvapi- pypi-", pattern(`\b(sk-[\w-]{16,}|xox[abeoprs]-[\w-]{10,}|xapp-\d-[\w-]{10,}|gl(?:pat|rt|dt|ft|ptt|cbt|soat|agent)-[\w-]{20,}|nvapi-[\w-]{20,}|pypi-AgE[\w-]{20,})`), word},
	{Token, "akia asia aroa aida", pattern(`\b((?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16})\b`), nil},
	{Token, "aiza ya29.", pattern(`\b(AIza[\w-]{35}|ya29\.[\w-]{20,})`), nil},
	{Token, "eyj", pattern(`\b(eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)`), nil},
	{Token, "hooks.slack", pattern(`hooks\.slack\.com/(?:services|workflows)/([\w/-]+)`), nil},
	{Token, "bearer auth", pattern(`(?i)\b(?:bearer|(?:authorization|auth)["']?\s*[:=]\s*["']?(?:basic|token|apikey))\s+([\w.~+/-]{8,}=*)`), word},
	{Token, "? &", pattern(`(?i)[?&](?:token|sig|signature|x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|x-goog-credential|key|api_?key|access_token|code)=([^&\s"'<>]{6,})`), nil},

	{Key, "--", pattern(`(?i)--(?:(?:[a-z0-9]+[-_])*api[-_]?keys?|(?:(?:hf|hub|auth|access|bearer|github|git|wandb|ray|redis)[-_])?token|(?:[a-z0-9]+[-_])*password|passwd|secret|secret[-_]key|access[-_]key|wandb[-_]key)(?:\s*=\s*|["']\s*,\s*|\s+)\[?` + value), noKey},
	{Key, "wandb", pattern(`\bwandb[ .]login\W+(?:key\W+)?([0-9a-f]{40})`), nil},
	{Key, "value:", pattern(`(?:TOKEN|KEY|PASSWORD|SECRET)["']?\s*\n\s*value:[ \t]*` + value), noKey}, // Kubernetes' env
	{Key, "key token secret pass credential", pattern(`(?i)\b(?:[a-z0-9]+[-_])*(?:api[-_]?keys?|secret[-_]?key|(?:shared)?access[-_]?key|secret[-_]access[-_]key|private[-_]key|account[-_]?key|auth[-_]?token|access[-_]?token|refresh[-_]?token|session[-_]?token|security[-_]?token|bot[-_]?token|hf[-_]token|hub[-_]token|hugging_?face(?:_?hub)?_token|client[-_]?secret|secret|passwo?r?d|passphrase|credentials?)["']?\s*[:=]\s*\[?` + value), noKey},
	{Key, "token= key= pat= pass= pwd= auth=", pattern(`\b(?:[A-Z0-9]+_)+(?:TOKEN|KEY|PAT|PASS|PWD|AUTH)=` + value), noEnvironment},
	{Key, "token key", pattern(`\b(?:token|key)["']?\s*[:=]\s*["']?([\w.+/-]{16,}=*)`), word},

	{Email, "@", pattern(`\b([A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,})\b`), notMail},

	{User, "/home/ users", pattern(`(?:/home/|/Users/|\b[A-Za-z]:\\+Users\\+|\b[A-Za-z]:/Users/|(?:^|[\s"'=:(])/(?:\w+/)?users/)([\p{L}\p{N}_][\p{L}\p{N}_.@+-]*)`), account},
	{User, "user logname", pattern(`\b(?:USER|LOGNAME|USERNAME|SUDO_USER|NB_USER)=["']?([\w.@+-]+)`), account},
	{User, "@", pattern(`(?m)(?:^|[\s(\[])([a-z_][\w.-]*)@[A-Za-z][\w.-]*(?::[~/]|[\])\s]+[~$#%/]|:?\s?[$#%]\s)`), account},
	{Host, "@", pattern(`(?m)(?:^|[\s(\[])(?:[a-z_][\w.-]*|<user-\d+>)@([A-Za-z][\w.-]*)(?::[~/]|[\])\s]+[~$#%/]|:?\s?[$#%]\s)`), noHost},

	{Host, "host node master server", pattern(`(?i)\b(?:host[-_]?name|node[-_]?name|nodelist|master[-_]addr|node[-_]ip|server[-_]name)["']?(?:\s*[:=]\s*|\s+)["']?([A-Za-z][\w.-]*[\w])`), noHost},
	{Host, "://", pattern(`://([A-Za-z0-9](?:[\w-]*\w)?(?:\.[A-Za-z0-9](?:[\w-]*\w)?)+|[A-Za-z][\w-]*)(?::\d+)?(?:[/\s"')\]?,;]|$)`), noHost},
	{Host, ".internal .local .lan .corp .intra .home .private .svc .test .invalid", pattern(`(?i)\b([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+\.(?:internal|local|lan|corp|intra|intranet|home|private|svc|test|invalid))\b`), noHost},
	{Host, ".internal .local .lan .corp .intranet", pattern(`(?i)\b([a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.(?:internal|local|lan|corp|intranet))(?::\d+)?(?:[\s/,;)\]"']|$)`), noHost},
	{Host, ".com .net .org .edu .gov .mil .int .info .cloud .io .ai .dev .app .tech .eu .de .fr .nl .be .ch .at .it .es .se .fi .dk .uk .us .ca .au .cn .jp .kr .tw .hk .sg .in .ru .br .mx .za", pattern(`\b([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+\.(?:com|net|org|edu|gov|mil|int|info|cloud|io|ai|dev|app|tech|eu|de|fr|nl|be|ch|at|it|es|se|fi|dk|uk|us|ca|au|cn|jp|kr|tw|hk|sg|in|ru|br|mx|za))\b`), noHost},
	{Host, "ip-", pattern(`\b(ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3})\b`), nil},
	// A pod of a Deployment or a DaemonSet: the hashes are of Kubernetes' own alphabet.
	{Host, "-", pattern(`\b([a-z][a-z0-9.-]*-[bcdf0-9ghjklmnpqrstvwxz]{7,10}-[bcdfghjklmnpqrstvwxz2456789]{5})\b`), noPod},

	{Address, ".", pattern(`(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})`), noIPv4},
	{Address, ":", pattern(`(?i)\b((?:[23][0-9a-f]{3}|f[cdef][0-9a-f]{2}|64):[0-9a-f:]{2,}(?:%\w+)?)`), noIPv6},
}

// word reports that a text is a word and no secret: letters of one case, or none but letters and dashes
// that read as words.
func word(s string, i, j int) bool {
	t := strings.TrimPrefix(s[i:j], "api_")
	if k := strings.IndexAny(t, "-_"); k >= 0 && k < 8 && k+1 < len(t) { // the token's own prefix
		t = t[k+1:]
	}
	digits, upper, lower := 0, 0, 0
	for _, c := range t {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
	}
	return digits == 0 && (upper == 0 || lower == 0 || strings.Count(t, "-")+strings.Count(t, "_") > 0)
}

// noValue are values that tell nothing.
var noValue = map[string]bool{
	"": true, "none": true, "null": true, "nil": true, "true": true, "false": true, "empty": true, "optional": true, "str": true, "bool": true,
	"not": true, "set": true, "unset": true, "is": true, "required": true, "redacted": true, "hidden": true, "default": true, "value": true, "undefined": true,
}

func noKey(s string, i, j int) bool {
	v := strings.Trim(s[i:j], `"'`)
	return noValue[strings.ToLower(v)] || strings.HasPrefix(v, "$") || strings.HasPrefix(v, "--") || strings.Trim(v, "*x.X•") == "" ||
		strings.HasPrefix(v, "<") || strings.HasPrefix(v, "os.") || strings.HasPrefix(v, "http") || strings.HasPrefix(v, "Optional")
}

// specialToken is in front of the names of a tokenizer's special tokens and of counts.
var specialToken = pattern(`(?:PAD|EOS|BOS|UNK|SEP|CLS|MASK|IMAGE|IMG|VIDEO|AUDIO|STOP|START|END|SPECIAL|PER|BY|SORT|CACHE|PRIMARY|PUBLIC|FOREIGN|HOT)_(?:TOKEN|KEY)=["']?$`)

func noEnvironment(s string, i, j int) bool {
	return noKey(s, i, j) || specialToken().MatchString(s[max(0, i-40):i]) || j-i < 6
}

// notMail: a release or a digest behind an @ is no domain.
func notMail(s string, i, j int) bool {
	domain := s[i+strings.IndexByte(s[i:j], '@')+1 : j]
	return strings.HasSuffix(domain, ".py") || strings.HasPrefix(s[j:], ":") && strings.Contains(s[i:j], "git@") || domain == "example.com"
}

// accounts are user names that are nobody's.
var accounts = map[string]bool{
	"root": true, "ubuntu": true, "ec2-user": true, "user": true, "runner": true, "jovyan": true, "vllm": true, "app": true, "admin": true, "nobody": true,
	"docker": true, "node": true, "worker": true, "ray": true, "sglang": true, "default": true, "Public": true, "Shared": true, "Default": true, "azureuser": true,
	"azureml": true, "sagemaker-user": true, "studio-lab-user": true, "model-server": true, "huggingface": true, "mambauser": true, "debian": true, "centos": true, "vagrant": true,
	"git": true, "linuxbrew": true, "conda": true, "me": true,
}

func account(s string, i, j int) bool { return accounts[strings.TrimRight(s[i:j], ".")] }

// publicHosts are known to everybody: documentation, registries, hubs. A name stands for its subdomains.
var publicHosts = []string{
	"github.com", "githubusercontent.com", "github.io", "gitlab.com", "huggingface.co", "hf.co", "modelscope.cn", "pytorch.org", "vllm.ai", "sglang.ai", "python.org",
	"pypi.org", "pythonhosted.org", "nvidia.com", "nvcr.io", "docker.io", "docker.com", "ghcr.io", "quay.io", "gcr.io", "k8s.io", "kubernetes.io", "mcr.microsoft.com",
	"public.ecr.aws", "readthedocs.io", "readthedocs.org", "amd.com", "intel.com", "ray.io", "kaggle.com", "stackoverflow.com", "openai.com", "wandb.ai", "anaconda.org",
	"anaconda.com", "conda.io", "arxiv.org", "wikipedia.org", "kernel.org", "man7.org", "google.com", "googleapis.com", "tensorflow.org", "lmsys.org", "example.com",
	"example.org", "download.pytorch.org", "microsoft.com", "apple.com", "debian.org", "ubuntu.com", "colab.research.google.com", "llvm.org", "gnu.org", "discuss.pytorch.org",
}

// roots begin the names of Python's modules and members: self.model.net.
var roots = map[string]bool{
	"self": true, "cls": true, "model": true, "module": true, "torch": true, "vllm": true, "transformers": true, "trainer": true, "args": true, "config": true,
	"np": true, "os": true, "sys": true, "nn": true, "net": true, "base": true, "backbone": true, "encoder": true, "decoder": true, "skimage": true, "torchvision": true,
}

func noHost(s string, i, j int) bool {
	h := strings.ToLower(strings.TrimRight(s[i:j], "."))
	switch h {
	case "localhost", "0.0.0.0", "none", "null", "host.docker.internal", "true", "false", "is", "of", "not", "and", "for", "to", "was":
		return true
	}
	if _, err := netip.ParseAddr(h); err == nil {
		return true // the addresses' rule decides
	}
	for _, p := range publicHosts {
		if h == p || strings.HasSuffix(h, "."+p) {
			return true
		}
	}
	root, _, _ := strings.Cut(h, ".")
	if roots[root] {
		return true
	}
	// A part of a path, a module or a call is no host.
	if j < len(s) && (s[j] == '(' || s[j] == '_' || s[j] == '[' || s[j] == '=') || i > 0 && (s[i-1] == '_' || s[i-1] == '.') {
		return true
	}
	return i > 0 && s[i-1] == '/' && (i < 2 || s[i-2] != '/')
}

// noPod: a name whose two last parts have neither digits nor the look of hashes.
func noPod(s string, i, j int) bool {
	parts := strings.Split(s[i:j], "-")
	hash := parts[len(parts)-2]
	return !strings.ContainsAny(hash, "0123456789") || i > 0 && (s[i-1] == '_' || s[i-1] == '.') || j < len(s) && (s[j] == '_' || s[j] == '-')
}

// versionBefore is what stands in front of a release of four numbers; addressBefore in front of an address.
var (
	versionBefore = pattern(`(?i)(?:[=<>~!]=\s*|\bv|ver\.?|version["']?\s*[:=]?\s*|release\s+|-cu\d+[\s|]+|[\w]-|\b(?:cudnn|cublas|nccl|cuda|driver|cusparse|cufft|curand|cusolver|nvjitlink|rccl|rocm|hip|miopen|triton|windows|build|gcc|jetpack|l4t)\s*[:=@/]?\s*)$`)
	addressBefore = pattern(`(?i)(?:\b(?:ip|host|node|worker|addr|address)[-_:= ]*)$`)
)

func noIPv4(s string, i, j int) bool {
	a, err := netip.ParseAddr(s[i:j])
	if err != nil || a.IsLoopback() || a.IsUnspecified() || a.As4()[0] == 0 || a.As4() == [4]byte{255, 255, 255, 255} {
		return true
	}
	if i > 0 && (s[i-1] == '.' || isWord(s[i-1])) || j < len(s) && (isWord(s[j]) || s[j] == '.' && j+1 < len(s) && isDigit(s[j+1])) {
		return true
	}
	before := s[max(0, i-32):i]
	return versionBefore().MatchString(before) && !addressBefore().MatchString(before)
}

func noIPv6(s string, i, j int) bool {
	a, err := netip.ParseAddr(strings.TrimRight(s[i:j], ":"))
	if err != nil {
		a, err = netip.ParseAddr(s[i:j])
	}
	return err != nil || a.IsLoopback() || i > 0 && (s[i-1] == ':' || s[i-1] == '.') || j < len(s) && isWord(s[j])
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
}
