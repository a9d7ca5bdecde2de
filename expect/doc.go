// Package expect is the test language of oomdoc: what a log must give, one statement a line.
//
//	log input.log                          # relative to this file; several logs are several streams
//	expect cause kv-cache-below-max-len >= 0.9
//	expect other-cause no-kv-cache-memory  # among those considered
//	expect no cause                        # memory trouble whose cause is not established
//	expect nothing                         # no incident at all
//	expect degraded kv-preemption          # one of the incidents; the server goes on
//	expect phase kv_alloc
//	expect fact kv_needed = 16.00 GiB      # within half of the last digit given
//	expect fact kv_available = 5.4 GiB ± 0.1
//	expect remedy 1 lower-max-model-len
//	expect remedy 1 "--max-model-len 44144"
//	expect remedy fp8-kv-cache             # among the first three
//	expect no remedy lower-swap-space
//	expect dead end enforce-eager
//	expect no dead end fp8-kv-cache
//	expect line 412                        # of the decisive message
//	expect text "16.00 GiB of KV cache"    # in the text report, white space aside
//
// Where nothing else is said a statement is about the incident that stands first. A statement with
// "todo" in front is known not to hold: it is checked and reported, and fails once it does hold. A #
// at the beginning of a line or behind a blank begins a comment.
package expect
