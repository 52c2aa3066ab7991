package mmv

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"

	"pcpscope/core/pcp"
	"pcpscope/internal/damaged"
)

// check holds for whatever is read from whatever bytes.
func check(t *testing.T, data []byte) {
	f, err := Read("x", data)
	if err != nil {
		if pcp.AsFault(err).Kind == pcp.Internal {
			t.Errorf("error without a kind: %v", err)
		}
		return
	}
	instances := 0
	for _, d := range f.InDoms {
		instances += len(d.Instances)
	}
	if room := len(data)/24 + len(data)/32; len(f.Metrics) > len(data)/48 || instances > room || len(f.InDoms) > len(data)/32*2 {
		t.Errorf("%d metrics, %d domains, %d instances from %d bytes", len(f.Metrics), len(f.InDoms), instances, len(data))
	}
	names := map[string]bool{}
	for _, m := range f.Metrics {
		if names[m.Name] {
			t.Errorf("name %q twice", m.Name)
		}
		names[m.Name] = true
		seen := map[int32]bool{}
		for _, v := range m.Values {
			if seen[v.Inst] {
				t.Errorf("%s: instance %d twice", m.Name, v.Inst)
			}
			seen[v.Inst] = true
		}
	}
	for _, p := range f.Problems {
		if p.Message == "" || p.File != "x" {
			t.Errorf("problem %+v", p)
		}
	}
	f.Observations(1)
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{"acme", "sample_v1", "sample_v2", "sample_v3"} {
		f.Add(testdata(f, name))
	}
	all := everything(binary.BigEndian, 3).bytes()
	for _, data := range append(damaged.Copies(all, 900), all) {
		f.Add(data)
	}
	f.Fuzz(check)
}

// Thousands of seeded damages: bits flipped, words overwritten with values
// that hurt, ends cut, bytes put in.
func TestMutations(t *testing.T) {
	hurt := []uint64{0, 1, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 40, 255, 256}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"acme", "sample_v1", "sample_v2", "sample_v3"} {
		good := testdata(t, name)
		for range 5000 {
			bad := append([]byte{}, good...)
			for range 1 + rng.IntN(4) {
				at := rng.IntN(len(bad))
				switch rng.IntN(4) {
				case 0:
					bad[at] ^= 1 << rng.IntN(8)
				case 1:
					if at &^= 7; at+8 <= len(bad) {
						binary.LittleEndian.PutUint64(bad[at:], hurt[rng.IntN(len(hurt))])
					}
				case 2:
					if at &^= 3; at+4 <= len(bad) {
						binary.LittleEndian.PutUint32(bad[at:], uint32(hurt[rng.IntN(len(hurt))]))
					}
				case 3:
					bad = append(bad[:at:at], bad[min(len(bad), at+rng.IntN(9)):]...)
				}
				if len(bad) == 0 {
					break
				}
			}
			check(t, bad)
		}
	}
}

// A small file whose tables all point at one another must not cost more than
// its size.
func TestOverlaps(t *testing.T) {
	const size = 1 << 20
	data := make([]byte, size)
	copy(data, "MMV\x00\x02\x00\x00\x00")
	data[8], data[16] = 1, 1
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(data[at:], v) }
	const contents = 1000
	put(24, contents)
	for i := range contents {
		at := 40 + 16*i
		put(at, uint32(1+i%6))
		put(at+4, (size-20000)/256)
		put(at+8, 20000+uint32(32*i)) // each another section: the same one counts once
	}
	for at := 20000; at+32 <= size; at += 32 { // domains with all instances each
		put(at, uint32(at))
		put(at+4, (size-20000)/24)
		put(at+8, 20000)
	}
	if f, err := Read("x", data); err != nil || len(f.Metrics) == 0 || len(f.InDoms) == 0 {
		t.Fatalf("nothing is read: %v", err)
	}
	start := time.Now()
	check(t, data)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}
