package hostile

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"

	"pcpscope/core/container"
)

// Unpacking restores what was packed here.
func TestPackings(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 7, 8, 247, 248, 249, 3999, 4001, 20_000} {
		noise := make([]byte, n)
		for i := range noise {
			noise[i] = byte(draw.IntN(256))
		}
		for _, data := range [][]byte{noise, make([]byte, n), bytes.Repeat([]byte("abcd"), n/4)} {
			for _, p := range packings {
				packed := p.pack(data)
				r, err := container.Sniff(packed).NewReader(bytes.NewReader(packed))
				if err != nil {
					t.Errorf("%s of %d bytes: %v", p.suffix, n, err)
					continue
				}
				got, err := io.ReadAll(r)
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s of %d bytes: %d come back, %v", p.suffix, len(data), len(got), err)
				}
			}
		}
	}
}
