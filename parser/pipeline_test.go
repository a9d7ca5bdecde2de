package parser

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/iotest"

	"github.com/oomdoc/oomdoc/internal/loggen"
)

// However a log comes, at once or in pieces, through the pipeline or not, it says the same.
func TestReadAllIsFeed(t *testing.T) {
	logs := map[string][]byte{}
	for name := range loggen.Worst {
		logs[name], _ = io.ReadAll(loggen.Reader(name, (1<<20)+(1<<20)/8, 1))
	}
	const failure = "RuntimeError: CUDA out of memory. Tried to allocate %d.00 GiB. GPU 0 has a total capacity of 23.50 GiB of which 1.00 GiB is free.\n"
	r := rand.New(rand.NewPCG(1, 2))
	busy := loggen.Server(3*(1<<20), 4)
	for range 40 {
		s := fmt.Sprintf(failure, 2+r.IntN(9))
		if r.IntN(3) == 0 {
			s = string(bytes.Repeat([]byte("a long line, "), 20_000)) + s + "\x00\x00"
		}
		at := r.IntN(len(busy))
		at += bytes.IndexByte(busy[at:], '\n') + 1
		busy = append(busy[:at:at], append([]byte(s), busy[at:]...)...)
	}
	logs["server"] = busy
	logs["no end"] = busy[:len(busy)-1]
	for name, log := range logs {
		t.Run(name, func(t *testing.T) {
			want := NewSession()
			for p := log; len(p) > 0; {
				n := min(len(p), 1+r.IntN(300_000))
				want.Feed(p[:n])
				p = p[n:]
			}
			whole := want.Close()
			for how, reader := range map[string]io.Reader{
				"at once": bytes.NewReader(log), "by halves": iotest.HalfReader(bytes.NewReader(log)), "with its error": iotest.DataErrReader(bytes.NewReader(log)),
			} {
				got, err := Read("stdin", reader)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, whole) {
					t.Errorf("read %s it says something else than fed in pieces", how)
				}
			}
		})
	}
}

func TestReadAllKeepsWhatCameBeforeAnError(t *testing.T) {
	for _, size := range []int{1000, 3 * (1 << 20)} {
		log := append(loggen.Server(size, 1), "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB.\n"...)
		session := NewSession()
		err := session.Stream("log").ReadAll(io.MultiReader(bytes.NewReader(log), iotest.ErrReader(io.ErrNoProgress)))
		if err != io.ErrNoProgress {
			t.Errorf("%d bytes: error %v", size, err)
		}
		if got := session.Close(); got.Sources[0].Bytes != int64(len(log)) || len(got.Runs) == 0 {
			t.Errorf("%d bytes before an error are %d bytes in %d runs", len(log), got.Sources[0].Bytes, len(got.Runs))
		}
	}
}
