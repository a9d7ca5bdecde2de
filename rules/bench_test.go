package rules_test

import (
	"bytes"
	"testing"

	"github.com/oomdoc/oomdoc/knowledge"
	"github.com/oomdoc/oomdoc/parser"
	"github.com/oomdoc/oomdoc/rules"
)

// BenchmarkDiagnose is the engine alone: the causes, ledgers and remedies of one failure.
func BenchmarkDiagnose(b *testing.B) {
	log, err := parser.Read("log", bytes.NewReader([]byte("(EngineCore_DP0 pid=7) ERROR 02-03 04:05:06 [core.py:710] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free. Including non-PyTorch memory, this process has 22.40 GiB memory in use. Of the allocated memory 21.00 GiB is allocated by PyTorch, and 900.00 MiB is reserved by PyTorch but unallocated.\n")))
	if err != nil {
		b.Fatal(err)
	}
	kb := knowledge.Builtin()
	b.ReportAllocs()
	for b.Loop() {
		rules.Diagnose(log, kb, rules.Options{})
	}
}
