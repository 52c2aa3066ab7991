package core

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"pcpscope/core/api"
	"pcpscope/core/archive"
	"pcpscope/core/pcp"
)

// gzipOf compresses a beginning, and a text that is repeated as often as it fits
// into so many bytes. A piece of the repetitions is compressed only once.
func gzipOf(begin, unit []byte, size int) []byte {
	deflated := func(data []byte) []byte {
		var b bytes.Buffer
		w, _ := flate.NewWriter(&b, flate.BestCompression)
		w.Write(data)
		w.Flush()
		return b.Bytes()
	}
	piece := bytes.Repeat(unit, max(1, 1<<20/len(unit)))
	packed, times, sum := deflated(piece), size/len(piece), crc32.ChecksumIEEE(begin)
	out := append([]byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"), deflated(begin)...)
	for range times {
		out, sum = append(out, packed...), crc32.Update(sum, crc32.IEEETable, piece)
	}
	out = binary.LittleEndian.AppendUint32(append(out, 3, 0), sum) // after an empty last block
	return binary.LittleEndian.AppendUint32(out, uint32(len(begin)+times*len(piece)))
}

// begun is an archive of one metric with n instances and one record.
func begun(t testing.TB, n int, more func(w *archive.Writer)) written {
	t.Helper()
	w := written{}
	out := w.begin(t, "a", second(0))
	d := pcp.Desc{PMID: pcp.MakePMID(60, 0, 1), InDom: pcp.MakeInDom(60, 1), Type: pcp.Uint32, Sem: pcp.Instant}
	out.Desc(d, "a.b")
	var members []pcp.Instance
	set := archive.ValueSet{PMID: d.PMID, Type: d.Type}
	for i := range n {
		members = append(members, pcp.Instance{ID: int32(i), Name: fmt.Sprint("i", i)})
		set.Values = append(set.Values, archive.Value{Inst: int32(i), Val: 0})
	}
	out.InDom(second(0), d.InDom, members)
	if more != nil {
		more(out)
	}
	out.Record(second(0), []archive.ValueSet{set})
	for i := range set.Values {
		set.Values[i].Val = 0x7fffffff
	}
	out.Record(second(0), []archive.ValueSet{set})
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	return w
}

// record returns the last n records of equal length of a volume.
func lastRecords(volume []byte, n int) []byte {
	size := int(binary.BigEndian.Uint32(volume[len(volume)-4:]))
	return volume[len(volume)-n*size:]
}

// bombs are small files that need far more memory than they have bytes. The
// number is roughly their unpacked size in MiB.
var bombs = map[string]func(t testing.TB, mib int) []File{
	"zeros behind the metadata": func(t testing.TB, mib int) []File {
		w := begun(t, 1, nil)
		return w.with("a.meta", func(meta []byte) []byte {
			return gzipOf(meta, make([]byte, 1024), mib<<20)
		})
	},
	"zeros behind the volume": func(t testing.TB, mib int) []File {
		w := begun(t, 1, nil)
		return w.with("a.0", func(v []byte) []byte {
			return gzipOf(v, make([]byte, 1024), mib<<20)
		})
	},
	"marks": func(t testing.TB, mib int) []File {
		w := begun(t, 1, func(out *archive.Writer) { out.Mark(second(0)) })
		mark := w["a.0"].Bytes()
		mark = mark[808:][:int(binary.BigEndian.Uint32(mark[808:]))]
		return w.with("a.0", func(v []byte) []byte {
			return gzipOf(v, mark, mib<<20)
		})
	},
	"values that all change": func(t testing.TB, mib int) []File {
		w := begun(t, 1000, nil)
		return w.with("a.0", func(v []byte) []byte {
			return gzipOf(v, lastRecords(v, 2), mib<<20)
		})
	},
	"a record of hundreds of MiB": func(t testing.TB, mib int) []File {
		w := begun(t, 1, nil)
		return w.with("a.0", func(v []byte) []byte {
			return gzipOf(binary.BigEndian.AppendUint32(v, uint32(mib<<20)), make([]byte, 1024), mib<<20)
		})
	},
	"names that share their bytes": func(t testing.TB, mib int) []File {
		w := begun(t, 1, nil)
		n := mib
		return w.with("a.meta", func(meta []byte) []byte {
			rec := binary.BigEndian.AppendUint32(nil, 0)
			rec = binary.BigEndian.AppendUint32(rec, 5)
			rec = binary.BigEndian.AppendUint32(rec, 1) // seconds, low word first
			rec = binary.BigEndian.AppendUint32(rec, 0)
			rec = binary.BigEndian.AppendUint32(rec, 0)
			rec = binary.BigEndian.AppendUint32(rec, uint32(pcp.MakeInDom(60, 1)))
			rec = binary.BigEndian.AppendUint32(rec, uint32(n))
			for i := range n {
				rec = binary.BigEndian.AppendUint32(rec, uint32(i))
			}
			for i := range n {
				rec = binary.BigEndian.AppendUint32(rec, uint32(i))
			}
			rec = append(rec, strings.Repeat("x", 1<<20)...)
			rec = append(rec, 0, 0, 0, 0)
			rec = binary.BigEndian.AppendUint32(rec, uint32(len(rec)+4))
			binary.BigEndian.PutUint32(rec, uint32(len(rec)))
			return append(meta[:len(meta):len(meta)], rec...)
		})
	},
	"one large label for many metrics": func(t testing.TB, mib int) []File {
		w := begun(t, 1, func(out *archive.Writer) {
			out.Labels(second(0), archive.ContextLabels, 0, []archive.LabelSet{{Inst: pcp.NoInstance, JSON: `{"a":"` + strings.Repeat("x", 60_000) + `"}`}})
			for i := range mib << 20 / 60_000 {
				out.Desc(pcp.Desc{PMID: pcp.MakePMID(61, i/1000, i%1000), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}, fmt.Sprintf("m.n%d", i))
			}
		})
		return w.files()
	},
	"metrics with a value each": func(t testing.TB, mib int) []File {
		n := mib << 8
		w := begun(t, 1, func(out *archive.Writer) {
			for i := range n {
				d := pcp.Desc{PMID: pcp.MakePMID(61+i/1_000_000, i/1000%1000, i%1000), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Counter}
				out.Desc(d, fmt.Sprintf("m.n%d", i))
				out.Record(second(0), []archive.ValueSet{{PMID: d.PMID, Type: d.Type, Values: []archive.Value{{Inst: pcp.NoInstance, Val: uint64(i)}}}})
			}
		})
		return w.files()
	},
	"instances that all change": func(t testing.TB, mib int) []File {
		return begun(t, mib<<10/2, nil).files()
	},
	"descriptors without end": func(t testing.TB, mib int) []File {
		w := begun(t, 1, func(out *archive.Writer) {
			for i := range mib << 20 / 600 {
				out.Desc(pcp.Desc{PMID: pcp.MakePMID(61+i/1_000_000, i/1000%1000, i%1000), InDom: pcp.NullInDom, Type: pcp.Uint32, Sem: pcp.Instant}, fmt.Sprintf("m.n%d", i))
			}
		})
		return w.files()
	},
}

// with is files() with one of them changed.
func (w written) with(name string, change func([]byte) []byte) []File {
	packed := written{}
	for n, b := range w {
		packed[n] = b
	}
	packed[name] = bytes.NewBuffer(change(w[name].Bytes()))
	return packed.files()
}

// The budget covers everything that a session allocates, whatever files it is
// given, and omissions are reported. Measured is the live heap after garbage
// collections, repeatedly while the session works.
func TestBudgetHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which grows under the race detector")
	}
	const budget, mib = 32 << 20, 250
	for name, make := range bombs {
		t.Run(name, func(t *testing.T) {
			files := make(t, mib)
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			before, peak := m.HeapAlloc, uint64(0)
			var mu sync.Mutex // the engine yields in several goroutines
			last := time.Now()
			look := func() {
				mu.Lock()
				defer mu.Unlock()
				last = time.Now()
				runtime.GC()
				runtime.ReadMemStats(&m)
				peak = max(peak, m.HeapAlloc-min(m.HeapAlloc, before))
			}
			s := NewSession(Options{Memory: budget, Yield: func() {
				mu.Lock()
				due := time.Since(last) > 50*time.Millisecond
				mu.Unlock()
				if due {
					look()
				}
			}})
			o, err := s.Open(t.Context(), files, nil)
			look()
			if err != nil {
				t.Fatal(err)
			}
			reported := len(o.Rejected) > 0
			for _, src := range o.Sources {
				ask := func(what string, call func(ctx context.Context) error) {
					if err := call(t.Context()); err != nil && pcp.AsFault(err).Kind != pcp.OutOfMemory {
						t.Errorf("%s: %v", what, err)
					}
					look()
				}
				ask("loaded", func(ctx context.Context) error { _, err := s.Loaded(ctx, src.ID, nil); return err })
				ask("metrics", func(ctx context.Context) error { _, err := s.Metrics(src.ID, ""); return err })
				ask("instances", func(ctx context.Context) error { _, err := s.Instances(src.ID, "60.1"); return err })
				ask("summary", func(ctx context.Context) error {
					_, err := s.Summary(ctx, api.SummaryQuery{Source: src.ID}, nil)
					return err
				})
				ask("fetch", func(ctx context.Context) error {
					_, err := s.Fetch(ctx, api.Query{Source: src.ID, Metrics: []string{"a.b"}, Mode: "raw"}, nil)
					return err
				})
				ask("overview", func(ctx context.Context) error { _, err := s.Overview(ctx, src.ID, nil); return err })
				ask("activity", func(ctx context.Context) error { _, err := s.Activity(ctx, src.ID, nil); return err })
				ask("findings", func(ctx context.Context) error { _, err := s.Findings(ctx, src.ID, nil); return err })
				ask("dashboards", func(ctx context.Context) error { _, err := s.Dashboards(ctx, src.ID); return err })
				ask("search", func(ctx context.Context) error { _, err := s.Search(ctx, src.ID, "a", 0); return err })
				ask("sparklines", func(ctx context.Context) error {
					_, err := s.Sparklines(ctx, src.ID, []string{"a.b"}, 60, nil)
					return err
				})
				ask("reduced", func(ctx context.Context) error {
					_, err := s.Fetch(ctx, api.Query{Source: src.ID, Metrics: []string{"a.b", "rate(a.b)"}, Count: 500, Reduce: "mean"}, nil)
					return err
				})
				begin, middle, end := int64(second(0)), int64(second(1)), int64(second(3))
				ask("compare", func(ctx context.Context) error {
					_, err := s.Compare(ctx, api.CompareQuery{Source: src.ID, AStart: &api.When{Nanos: &begin}, AEnd: &api.When{Nanos: &middle},
						BStart: &api.When{Nanos: &begin}, BEnd: &api.When{Nanos: &end}, Processes: true}, nil) // some end where they begin
					return err
				})
				ask("days", func(ctx context.Context) error {
					_, err := s.Days(ctx, api.DaysQuery{Source: src.ID, Metric: "a.b"}, nil)
					return err
				})
				ask("inspect", func(ctx context.Context) error { _, err := s.Inspect(ctx, src.ID, nil); return err })
				ask("definitions", func(context.Context) error { _, err := s.Definitions(src.ID); return err })
				for _, p := range s.Sources()[0].Problems {
					reported = reported || p.Kind == pcp.OutOfMemory || strings.Contains(p.Message, "abandoned") || strings.Contains(p.Message, "longer than")
				}
			}
			t.Logf("%d MiB of %d at most", peak>>20, budget>>20)
			if peak > budget*5/4+16<<20 { // sizes in the budget are estimates
				t.Errorf("%d MiB are in use, of a budget of %d", peak>>20, budget>>20)
			}
			if !reported && !strings.HasPrefix(name, "zeros behind the vol") && !strings.HasPrefix(name, "a record of") {
				t.Errorf("no message about what did not fit")
			}
			for _, src := range o.Sources {
				s.Close(src.ID)
			}
			if used, _ := s.Memory(); used != 0 {
				t.Errorf("with nothing open %d bytes are claimed", used)
			}
		})
	}
}
