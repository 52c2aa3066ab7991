package archive

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// files is an archive in memory, by suffix.
type files map[string][]byte

func (f files) group() Group {
	var list []Member
	for suffix, b := range f {
		list = append(list, Member{"a." + suffix, int64(len(b)), bytes.NewReader(b)})
	}
	found, _ := Groups(list)
	if len(found) == 0 {
		return Group{}
	}
	return found[0]
}

func (f files) size() (n int) {
	for _, b := range f {
		n += len(b)
	}
	return n
}

// seeds returns small real archives, uncompressed, and one of our own.
func seeds(t testing.TB) []files {
	own := files{}
	for suffix, b := range small(t) {
		own[suffix] = b.Bytes()
	}
	list := []files{own, head(t, "web01", 12), head(t, "web01-v2", 12)}
	dir := reference.Path("corpus", "archives")
	if dir == "" {
		return list
	}
	all := groups(t, dir)
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		g := all[name]
		f := files{}
		for _, m := range g.Members() {
			data, err := m.readAll(context.Background(), container.Unpacker{}, 1<<30, nil)
			if err != nil {
				t.Fatal(err)
			}
			_, r, vol, _, _ := parseName(m.Name)
			f[[]string{"meta", "index", fmt.Sprint(vol)}[r]] = data
		}
		if f.size() < 100_000 {
			list = append(list, f)
		}
	}
	return list
}

// head returns the first records of an archive in testdata.
func head(t testing.TB, name string, records int) files {
	a := load(t, groups(t, testdata+"live")[name])
	f := files{"meta": a.meta.data, "index": a.rawIndex}
	data, err := a.group.Volumes[0].readAll(context.Background(), container.Unpacker{}, 1<<30, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := a.Records()[records]
	f["0"] = data[:r.Offset]
	// Metadata by the hundred kilobytes would only slow the damage down.
	for at := labelLen(a.label.Version); ; {
		n, ok := frame(f["meta"], at)
		if !ok || at > 60_000 {
			f["meta"] = f["meta"][:at]
			return f
		}
		at += n
	}
}

// mutate returns a damaged copy: flips, cuts, insertions, copied stretches.
func mutate(f files, r *rand.Rand) files {
	g := files{}
	var suffixes []string
	for suffix, b := range f {
		g[suffix] = slices.Clone(b)
		suffixes = append(suffixes, suffix)
	}
	slices.Sort(suffixes)
	for range 1 + r.IntN(4) {
		s := suffixes[r.IntN(len(suffixes))]
		b := g[s]
		if len(b) == 0 {
			continue
		}
		at := r.IntN(len(b))
		switch r.IntN(7) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.Uint32())
		case 2: // a word of a kind that counts and lengths dislike
			word := [][]byte{{0, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff}, {0x7f, 0xff, 0xff, 0xff}, {0x80, 0, 0, 0}, {0, 0xff, 0xff, 0xfc}, {0, 0, 0, 8}}[r.IntN(6)]
			copy(b[at&^3:], word)
		case 3:
			b = b[:at]
		case 4:
			b = slices.Insert(b, at, bytes.Repeat([]byte{byte(r.Uint32())}, 1+r.IntN(9))...)
		case 5:
			b = slices.Delete(b, at, min(len(b), at+1+r.IntN(64)))
		case 6:
			copy(b[at:], b[r.IntN(len(b)):])
		}
		g[s] = b
	}
	if r.IntN(40) == 0 {
		delete(g, suffixes[r.IntN(len(suffixes))])
	}
	return g
}

// exercise reads everything of an archive, whatever state it is in.
func exercise(t testing.TB, f files) (records int) {
	g := f.group()
	if g.Name == "" {
		return 0
	}
	a, err := Open(context.Background(), g)
	if err != nil {
		return 0
	}
	if err := a.Load(context.Background(), nil); err != nil {
		t.Fatalf("Load: %v", err)
	}
	for _, m := range a.Metrics() {
		obs, ok := a.Observations(m.PMID)
		if !ok {
			t.Fatalf("no observations of %s", m.PMID)
		}
		for i := range obs.Blobs.Len() {
			if m.Type == pcp.Event || m.Type == pcp.HighresEvent {
				UnpackEvents(obs.Blobs.At(uint64(i)), m.Type)
			}
		}
		for i := 1; i < len(obs.Times); i++ {
			if obs.Times[i] < obs.Times[i-1] {
				t.Fatal("times go backwards")
			}
		}
		a.InstanceLabels(m, 0, pcp.MaxTime)
	}
	for _, id := range a.InDoms() {
		a.Instances(id)
		a.InstancesAt(id, a.End())
		a.MaxInstances(id)
	}
	if _, err := a.Check(context.Background()); err != nil {
		t.Fatal(err)
	}
	return len(a.Records())
}

// TestMutations damages archives at random, thousands of times, always the
// same way: no panic, no hang, no memory out of proportion.
func TestMutations(t *testing.T) {
	rounds := 4000
	if testing.Short() {
		rounds = 400
	}
	list := seeds(t)
	var slowest time.Duration
	var peak uint64
	read := 0
	for i := range rounds {
		r := rand.New(rand.NewPCG(uint64(i), 1))
		f := mutate(list[i%len(list)], r)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		began := time.Now()
		if exercise(t, f) > 0 {
			read++
		}
		took := time.Since(began)
		runtime.ReadMemStats(&after)
		slowest = max(slowest, took)
		grown := after.TotalAlloc - before.TotalAlloc
		peak = max(peak, grown)
		if took > 2*time.Second {
			t.Errorf("mutation %d took %v", i, took)
		}
		if limit := uint64(16<<20 + 200*f.size()); grown > limit {
			t.Errorf("mutation %d allocated %d bytes for an archive of %d", i, grown, f.size())
		}
	}
	t.Logf("%d mutations of %d archives, %d with records; slowest %v, most memory %d MiB", rounds, len(list), read, slowest, peak>>20)
	if read < rounds/2 {
		t.Errorf("only %d of %d damaged archives gave records", read, rounds)
	}
}
