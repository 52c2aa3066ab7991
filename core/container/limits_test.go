package container

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"pcpscope/core/budget"
	"pcpscope/core/pcp"
)

// tarGz is a compressed tar of n files, which is written as it is made.
func tarGz(n int, entry func(i int) (name, text string)) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	w := tar.NewWriter(z)
	for i := range n {
		name, text := entry(i)
		w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644})
		io.WriteString(w, text)
	}
	w.Close()
	z.Close()
	return b.Bytes()
}

// live is the live heap.
func liveHeap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func count(x *Expanded, kind pcp.FaultKind, words string) (n int) {
	for _, f := range x.Problems {
		if f.Kind == kind && strings.Contains(f.Message, words) {
			n++
		}
	}
	return n
}

// Folios name at most 20,000 archives together, however many there are: 40
// that name 70,000 each take 50 kB.
func TestManyFolios(t *testing.T) {
	text := "PCPFolio\nVersion: 1\n" + strings.Repeat("Archive: h a\n", 70_000)
	packed := tarGz(40, func(i int) (string, string) { return fmt.Sprintf("f%d", i), text })
	before := liveHeap()
	x := expand(t, Options{}, memFile("a.tar.gz", packed))
	if took := liveHeap() - before; took > 8<<20 {
		t.Errorf("%d MiB stay of %d kB", took>>20, len(packed)>>10)
	}
	if len(x.Folios) != 0 || count(x, pcp.OutOfMemory, "more than 20,000 archives") != 1 || count(x, pcp.Corrupt, "39 further problems") != 1 {
		t.Errorf("%d folios, %v", len(x.Folios), x.Problems)
	}
	small := "PCPFolio\nVersion: 1\n" + strings.Repeat("Archive: h a\n", 3000)
	x = expand(t, Options{}, memFile("a.tar.gz", tarGz(10, func(i int) (string, string) { return fmt.Sprintf("f%d", i), small })))
	if len(x.Folios) != 6 || count(x, pcp.OutOfMemory, "more than 20,000 archives") != 1 {
		t.Errorf("ten folios of 3,000 archives: %d were opened, problems %v; want 6 and a message about the limit", len(x.Folios), x.Problems)
	}
}

// A name in a tar may be as long as a path in Linux, 4,096 bytes. Longer ones,
// which the POSIX format allows, are counted but not kept.
func TestLongNames(t *testing.T) {
	member := string(liveFiles(t)["web01-v2.meta.gz"])
	packed := tarGz(100, func(i int) (string, string) {
		return fmt.Sprintf("d%d/", i) + strings.Repeat("x/", 200_000) + "a.meta.gz", member
	})
	before := liveHeap()
	x := expand(t, Options{}, memFile("a.tar.gz", packed))
	if took := liveHeap() - before; took > 8<<20 {
		t.Errorf("%d MiB stay of %d kB", took>>20, len(packed)>>10)
	}
	if len(x.Leaves) != 0 || count(x, pcp.Unsupported, "100 files have names of more than 4096 bytes") != 1 || x.Skipped.Files != 100 {
		t.Errorf("%d files, %d skipped, %v", len(x.Leaves), x.Skipped.Files, x.Problems)
	}
	for _, n := range []int{2000, 2100} { // two bytes each
		name := strings.Repeat("x/", n) + "a.meta.gz"
		x = expand(t, Options{}, memFile("a.tar", tarOf(t, name, member)))
		if want := len(name) <= 4096; (len(x.Leaves) == 1) != want {
			t.Errorf("with a name of %d bytes there are %d files, %v", len(name), len(x.Leaves), x.Problems)
		}
	}
}

// What is stored about files in a container is claimed like their bytes: names of
// 4,000 bytes take more memory than the files they belong to, and hardly a byte
// when compressed.
func TestNamesAreClaimed(t *testing.T) {
	label := string(liveFiles(t)["web01-v2.index"])[:132]
	packed := tarGz(4000, func(i int) (string, string) {
		return strings.Repeat("x/", 1900) + fmt.Sprintf("d%d/a.index", i), label
	})
	b := budget.New(16 << 20)
	x := expand(t, Options{Spool: NewMemory(b.Claim(0))}, memFile("a.tar.gz", packed))
	if len(x.Leaves) == 0 || len(x.Leaves) > 1100 || count(x, pcp.OutOfMemory, "not enough memory") == 0 {
		t.Errorf("%d files of %d kB, %v", len(x.Leaves), len(packed)>>10, len(x.Problems))
	}
}

// Of very many problems the first 500 are reported, and the number of the
// rest.
func TestManyProblems(t *testing.T) {
	text := "PCPFolio\nVersion: 1\nArchive: h a\n"
	inner := string(tarOf(t, "x", text))
	x := expand(t, Options{}, memFile("a.tar.gz", tarGz(700, func(i int) (string, string) { return fmt.Sprintf("c%d.tar", i), inner[:520] })))
	if len(x.Problems) != 501 || count(x, pcp.Corrupt, "200 further problems") != 1 {
		t.Errorf("%d problems, the last %v", len(x.Problems), x.Problems[len(x.Problems)-1:])
	}
}
