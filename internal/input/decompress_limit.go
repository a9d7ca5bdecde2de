package input

import (
	"fmt"
	"io"
)

// What may come out of a compressed input. The longest run of one line does not compress so well that
// it gets here; a bomb does. What came before is diagnosed.
const (
	maxRatio  = 500
	freeBytes = 256 << 20 // below this nothing is asked
)

// meter counts what is read through it.
type meter struct {
	r io.Reader
	n int64
}

func (c *meter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// bound is a decompressor that is watched.
type bound struct {
	meter
	in *meter // the compressed side
}

func bounded(out io.Reader, in *meter) io.Reader { return &bound{meter: meter{r: out}, in: in} }

func (b *bound) Read(p []byte) (int, error) {
	if b.n > freeBytes && b.n > maxRatio*b.in.n {
		return 0, fmt.Errorf("stopped after %d MiB, which came out of %d KiB: no log compresses more than %d times", b.n>>20, b.in.n>>10, maxRatio)
	}
	return b.meter.Read(p)
}
