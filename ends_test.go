package oomdoc_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/rules"
)

// What a process says last, and what its end leaves to be explained.
var lastWords = []struct {
	name, text string
	cause      string // of memory, whatever follows
	explains   bool   // why the process was killed, or that it was not
}{
	{"memory exception", "Traceback (most recent call last):\n  File \"/srv/fit/train.py\", line 61, in <module>\n    loss.backward()\n  File \"/opt/venv/lib/python3.12/site-packages/torch/_tensor.py\", line 648, in backward\n    torch.autograd.backward(\n" +
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.10 GiB. GPU 0 has a total capacity of 23.64 GiB of which 310.50 MiB is free. " +
		"Including non-PyTorch memory, this process has 23.33 GiB memory in use. Of the allocated memory 22.31 GiB is allocated by PyTorch, and 511.20 MiB is reserved by PyTorch but unallocated.\n", "training-activations", true},
	{"other exception", "Traceback (most recent call last):\n  File \"/srv/fit/train.py\", line 61, in <module>\n    row = table[key]\nKeyError: 'label'\n", "", true},
	{"SIGSEGV", "Fatal Python error: Segmentation fault\n", "", true},
	{"SIGABRT", "Fatal Python error: Aborted\n", "", true},
	{"SIGTERM", "INFO: received SIGTERM, shutting down\n", "", true},
	{"orderly shutdown", "INFO:     Application shutdown complete.\nINFO:     Finished server process [4120]\n", "", true},
	{"engine's kill", "CRITICAL 03-11 10:20:31 core_client.py:269] Got fatal signal from worker processes, shutting down. See stack trace above for root cause issue.\n", "", true},
	{"finished", "{'train_runtime': 812.4, 'train_samples_per_second': 4.1, 'epoch': 3.0}\n", "", true},
	{"nothing", "epoch 2: 410/900 loss 0.311\n", "", false},
}

// What a report of SIGKILL is a witness of.
type witness int

const (
	hearsay witness = iota // a status or a list of guesses: not even of the signal
	signal                 // of the signal, by a parent that lived to see it
	verdict                // of memory
)

// How others report that a process ended by SIGKILL.
var killed = []struct {
	name, text string
	of         witness
}{
	{"shell", "Killed\n", signal},
	{"job report", "/srv/fit/run.sh: line 12:  4120 Killed                  python3 train.py\n", signal},
	{"137", "train-1 exited with code 137\n", hearsay},
	{"-9", "[ERROR] [launch.py:321:sigkill_handler] ['/usr/bin/python3', '-u', 'train.py'] exits with return code = -9\n", signal},
	{"Ray", "A worker died or was killed while executing a task by an unexpected system error. There are some potential root causes. (1) The process is killed by SIGKILL by OOM killer due to high memory usage. (2) ray stop --force is called. (3) The worker is crashed unexpectedly due to SIGSEGV or other unexpected errors.\n", hearsay},
	{"supervisor", "systemd[1]: fit.service: Main process exited, code=killed, status=9/KILL\n", signal},
	{"systemd's verdict", "systemd[1]: fit.service: Failed with result 'oom-kill'.\n", verdict},
	{"Kubernetes' verdict", "    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137\n", verdict},
	{"kernel", "[88123.456789] Memory cgroup out of memory: Killed process 4120 (python3) total-vm:88112233kB, anon-rss:31457280kB, file-rss:70120kB, shmem-rss:0kB, UID:0 pgtables:80000kB oom_score_adj:0\n", verdict},
}

// A kill explains nothing where the process told how it ended, in whichever order the two are printed. Where it did
// not, host memory is to blame: certainly where a witness names it, perhaps where one saw the signal, else nobody knows.
func TestEnds(t *testing.T) {
	start := "epoch 2: 400/900 loss 0.320\nepoch 2: 405/900 loss 0.318\n"
	for _, end := range lastWords {
		for _, kill := range killed {
			for _, order := range []struct{ name, text string }{{"then", end.text + kill.text}, {"after", kill.text + end.text}} {
				t.Run(end.name+" "+order.name+" "+kill.name, func(t *testing.T) {
					s := oomdoc.NewSession(oomdoc.Options{})
					stream := s.Stream("log")
					stream.Feed([]byte(start + order.text))
					stream.Close()
					causes := firstCauses(s.Close())
					if end.cause != "" && causes[end.cause] == 0 && kill.of != verdict {
						t.Errorf("%v, want %s", causes, end.cause)
					}
					ram, found := causes["host-ram-killed"]
					switch {
					case kill.of == verdict:
						if ram < certain {
							t.Errorf("%v, want host-ram-killed for certain", causes)
						}
					case end.explains:
						if found || end.cause == "" && len(causes) > 0 {
							t.Errorf("%v for an end that is told", causes)
						}
					case kill.of == signal:
						if !found || ram >= certain {
							t.Errorf("%v, want host-ram-killed, perhaps", causes)
						}
					default:
						if _, unknown := causes[""]; !unknown || len(causes) > 1 {
							t.Errorf("%v, want no cause", causes)
						}
					}
				})
			}
		}
	}
}

// firstCauses are the first causes of the incidents with their confidence; "" for none.
func firstCauses(d *rules.Diagnosis) map[string]float64 {
	out := map[string]float64{}
	for _, f := range d.Findings {
		if f.Cause == nil {
			out[""] = 0
			continue
		}
		out[f.Cause.ID] = f.Confidence
	}
	return out
}
