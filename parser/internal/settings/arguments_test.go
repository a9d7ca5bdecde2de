package settings

import "testing"

func TestArguments(t *testing.T) {
	for _, c := range []struct{ text, arguments, constructor string }{
		{"{'model_tag': 'org/m', 'port': 8001, 'enable_prefix_caching': False, 'enforce_eager': True, 'quantization': None, 'gpu_memory_utilization': 0.9}",
			"vllm serve org/m --port 8001 --no-enable-prefix-caching --enforce-eager --gpu-memory-utilization 0.9", ""},
		{"{'host': '0.0.0.0', 'model': '/my models/m', 'limit_mm_per_prompt': {'image': 1, 'video': 0}, 'served_model_name': ['a', 'b']}",
			`vllm serve '/my models/m' --host 0.0.0.0 --limit-mm-per-prompt '{"image": 1, "video": 0}' --served-model-name a b`, ""},
		{"{'model': 'org/m', 'max_model_len': 4096}", "vllm serve org/m --max-model-len 4096", ""},
		{"{'model': 'org/m', 'max_model_len': 4096, 'disable_log_stats': True, 'enforce_eager': True}", "", "LLM(model='org/m', max_model_len=4096, enforce_eager=True)"},
		{"{'model_tag': 'org/m', 'kv_transfer_config': KVTransferConfig(kv_connector='X')}", "", ""}, // an object has no flag
		{"{'trust_remote_code': True, 'max_model_len': 4096}", "", ""},                               // of no model
		{"{'model_tag': 'org/m', 'port': 80", "", ""},                                                // cut
	} {
		d := Dialects[0]
		for _, d = range Dialects {
			if d.Literal == "non-default args:" {
				break
			}
		}
		facts, _, _ := d.Read(" " + c.text)
		if a, p := facts["arguments"].Text, facts["constructor"].Text; a != c.arguments || p != c.constructor {
			t.Errorf("%s:\n got %q %q\nwant %q %q", c.text, a, p, c.arguments, c.constructor)
		}
	}
}
