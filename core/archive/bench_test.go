package archive

import (
	"context"
	"os"
	"path/filepath"
	"pcpscope/core/container"
	"runtime"
	"testing"
)

// benchGroup returns the archive in the folder that PCPSCOPE_BENCH names, whose
// files are uncompressed; where that is not set, one from testdata.
func benchGroup(b *testing.B) Group {
	dir := os.Getenv("PCPSCOPE_BENCH")
	if dir == "" {
		return groups(b, filepath.Join(testdata, "live"))["web01-v2"]
	}
	found, _ := Groups(members(b, dir))
	return found[0]
}

// inMemory replaces the files of an archive by their bytes.
func inMemory(b testing.TB, g Group) (Group, int64) {
	total := int64(0)
	readWhole := func(m Member) Member {
		data, err := m.readAll(context.Background(), container.Unpacker{}, 1<<40, nil)
		if err != nil {
			b.Fatal(err)
		}
		total += int64(len(data))
		return Member{m.Name, int64(len(data)), bytesAt(data)}
	}
	meta := readWhole(*g.Meta)
	index := readWhole(*g.Index)
	g.Meta, g.Index = &meta, &index
	total = 0
	vols := g.Volumes
	g.Volumes = nil
	for _, v := range vols {
		g.Volumes = append(g.Volumes, Volume{readWhole(v.Member), v.Number})
	}
	return g, total
}

// BenchmarkLoad measures the pass over the volumes, the files being in memory.
func BenchmarkLoad(b *testing.B) {
	g, size := inMemory(b, benchGroup(b))
	b.SetBytes(size)
	b.ReportAllocs()
	var a *Archive
	for b.Loop() {
		a = benchLoad(b, g)
	}
	b.StopTimer()
	runtime.GC()
	var with, without runtime.MemStats
	runtime.ReadMemStats(&with)
	b.ReportMetric(float64(a.store.log.total), "events")
	b.ReportMetric(float64(a.StoreBytes())/(1<<20), "store-MiB")
	runtime.KeepAlive(a)
	a = nil
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&without)
	runtime.KeepAlive(g)
	b.ReportMetric(float64(int64(with.HeapAlloc)-int64(without.HeapAlloc))/(1<<20), "heap-MiB")
}

func benchLoad(b *testing.B, g Group) *Archive {
	a, err := Open(context.Background(), g)
	if err != nil {
		b.Fatal(err)
	}
	if err := a.Load(context.Background(), nil); err != nil {
		b.Fatal(err)
	}
	return a
}

// BenchmarkOpen measures labels, metadata and index alone.
func BenchmarkOpen(b *testing.B) {
	g, _ := inMemory(b, benchGroup(b))
	b.SetBytes(g.Meta.Size)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Open(context.Background(), g); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInstances measures resolving every instance domain over time.
func BenchmarkInstances(b *testing.B) {
	a := benchLoad(b, benchGroup(b))
	for b.Loop() {
		for id, d := range a.meta.indoms {
			d.hist = nil
			a.Instances(id)
		}
	}
}

// BenchmarkObservations measures taking every metric out of the store.
func BenchmarkObservations(b *testing.B) {
	a := benchLoad(b, benchGroup(b))
	for b.Loop() {
		for _, m := range a.Metrics() {
			a.Observations(m.PMID)
		}
	}
}

// bytesAt is a file in memory.
type bytesAt []byte

func (m bytesAt) ReadAt(p []byte, off int64) (int, error) { return copy(p, m[off:]), nil }
