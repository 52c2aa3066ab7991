package xz

import (
	stdcrc64 "hash/crc64"
	"math/rand/v2"
	"testing"
)

// The sums are those of the standard library, however the data are cut.
func TestCRC64(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	b := make([]byte, 100_000)
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
	table := stdcrc64.MakeTable(stdcrc64.ECMA)
	for range 200 {
		p := b[rng.IntN(1000) : rng.IntN(len(b)-1000)+1000]
		h := newCRC64()
		for rest := p; len(rest) > 0; {
			n := min(len(rest), rng.IntN(20_000))
			h.Write(rest[:n])
			rest = rest[n:]
		}
		want := stdcrc64.New(table)
		want.Write(p)
		if string(h.Sum(nil)) != string(want.Sum(nil)) {
			t.Fatalf("%d bytes: %x, want %x", len(p), h.Sum(nil), want.Sum(nil))
		}
	}
}

func BenchmarkCRC64(b *testing.B) {
	p := make([]byte, 1<<20)
	for i := range p {
		p[i] = byte(i * 7)
	}
	b.SetBytes(int64(len(p)))
	h := newCRC64()
	for b.Loop() {
		h.Write(p)
	}
}

func BenchmarkStdCRC64(b *testing.B) {
	p := make([]byte, 1<<20)
	for i := range p {
		p[i] = byte(i * 7)
	}
	b.SetBytes(int64(len(p)))
	h := stdcrc64.New(stdcrc64.MakeTable(stdcrc64.ECMA))
	for b.Loop() {
		h.Write(p)
	}
}
