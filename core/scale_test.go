package core

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"testing"

	"pcpscope/core/api"
)

// shifted is a file of a version 2 archive, some days later: the seconds of
// its stamps are changed while it is read, so that any number of copies costs
// no space.
type shifted struct {
	at     io.ReaderAt
	stamps []int64 // offsets of 32-bit seconds, ascending
	by     uint32
}

func (s *shifted) ReadAt(p []byte, off int64) (int, error) {
	n, err := s.at.ReadAt(p, off)
	i := sort.Search(len(s.stamps), func(i int) bool { return s.stamps[i]+4 > off })
	for ; i < len(s.stamps) && s.stamps[i] < off+int64(n); i++ {
		var b [4]byte
		s.at.ReadAt(b[:], s.stamps[i])
		binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(b[:])+s.by)
		for k := range b {
			if at := s.stamps[i] + int64(k) - off; at >= 0 && at < int64(n) {
				p[at] = b[k]
			}
		}
	}
	return n, err
}

// stampsOf finds the stamps of a file: the label's, and those of the records
// of a data volume, of the index entries, or of instance domains and labels.
func stampsOf(tb testing.TB, f *os.File, size int64) []int64 {
	stamps := []int64{12}
	name := f.Name()
	if strings.HasSuffix(name, ".index") {
		for at := int64(132); at+20 <= size; at += 20 {
			stamps = append(stamps, at)
		}
		return stamps
	}
	var head [8]byte
	for at := int64(132); at+8 <= size; {
		if _, err := f.ReadAt(head[:], at); err != nil {
			tb.Fatal(err)
		}
		n := int64(binary.BigEndian.Uint32(head[:]))
		switch kind := binary.BigEndian.Uint32(head[4:]); {
		case !strings.HasSuffix(name, ".meta"):
			stamps = append(stamps, at+4)
		case kind == 2 || kind == 3:
			stamps = append(stamps, at+8)
		}
		if n < 8 {
			tb.Fatalf("%s: record of %d bytes at %d", name, n, at)
		}
		at += n
	}
	return stamps
}

// BenchmarkScale reads 1, 2, 4 and 8 days of the big archive as one set. The
// cost of reading must grow linearly with the data, that of a query about one
// metric with its values, and memory must stay far below the size of the
// data.
func BenchmarkScale(b *testing.B) {
	paths := bigFiles(b)
	type prepared struct {
		f      *os.File
		size   int64
		stamps []int64
	}
	var all []prepared
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		st, _ := f.Stat()
		all = append(all, prepared{f, st.Size(), stampsOf(b, f, st.Size())})
	}
	for _, days := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprintf("days=%d", days), func(b *testing.B) {
			var bytes int64
			for b.Loop() {
				s := NewSession(Options{})
				var files []File
				bytes = 0
				for d := range days {
					for _, p := range all {
						name := strings.Replace(filepath.Base(p.f.Name()), "20180416", fmt.Sprintf("201804%02d", 16+d), 1)
						files = append(files, File{Name: name, Size: p.size, At: &shifted{p.f, p.stamps, uint32(d * 86400)}})
						bytes += p.size
					}
				}
				o, err := s.Open(b.Context(), files, nil)
				if err != nil || len(o.Sources) != 1 {
					b.Fatal(len(o.Sources), err)
				}
				if _, err := s.Loaded(b.Context(), o.Sources[0].ID, nil); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				var m runtime.MemStats
				runtime.GC()
				runtime.ReadMemStats(&m)
				b.ReportMetric(float64(m.HeapAlloc)/1e6, "heap-MB")
				minute := int64(60e9)
				f, err := s.Fetch(b.Context(), api.Query{Source: o.Sources[0].ID, Metrics: []string{"kernel.all.load"}, Interval: &api.When{Nanos: &minute}}, nil)
				if err != nil || len(f.Columns) != 3 {
					b.Fatal(err)
				}
				s.Close(o.Sources[0].ID)
				b.StartTimer()
			}
			b.SetBytes(bytes)
		})
	}
}
