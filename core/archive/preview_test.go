package archive

import (
	"bytes"
	"sync/atomic"
	"testing"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// Previewed values are those of the whole archive at the same times.
func TestPreviewIsTrue(t *testing.T) {
	g := groups(t, testdata+"live")["web01-v2"]
	plain := reference.Unpack(t, testdata+"live/web01-v2.0.gz")
	g.Volumes = []Volume{{Member{"web01-v2.0", int64(len(plain)), bytes.NewReader(plain)}, 0}}
	a, err := Open(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := a.Preview(t.Context(), pcp.MinTime, pcp.MaxTime, 20)
	if p == nil || len(p.Times) < 10 || p.Bytes > int64(len(plain))/5 {
		t.Fatalf("preview %+v, want at least 10 records and at most a fifth of %d bytes", p, len(plain))
	}
	if err := a.Load(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, m := range a.Metrics() {
		some, ok := p.Observations(m.PMID)
		if !ok || !m.Type.Numeric() {
			continue
		}
		all, _ := a.Observations(m.PMID)
		for _, s := range some.Series {
			whole := valuesByTime(all, s.Inst)
			for at, v := range valuesByTime(some, s.Inst) {
				if w, ok := whole[at]; !ok || w != v {
					t.Fatalf("%s[%d] at %v: preview has %d, archive %d (%v)", m.Name(), s.Inst, at, v, w, ok)
				}
				compared++
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d values compared", compared)
	}
}

func valuesByTime(o *series.Observations, inst int32) map[pcp.Time]uint64 {
	m := map[pcp.Time]uint64{}
	for _, s := range o.Series {
		if s.Inst != inst {
			continue
		}
		for i, r := range s.Runs {
			end := len(o.Times)
			if i+1 < len(s.Runs) {
				end = int(s.Runs[i+1].Row & series.RowNum)
			}
			if r.Row&(series.Gone|series.Failed) == 0 {
				for row := int(r.Row & series.RowNum); row < end; row++ {
					m[o.Times[row]] = r.Val
				}
			}
		}
	}
	return m
}

// shaken panics at one of the times that it is read.
type shaken struct {
	*bytes.Reader
	left atomic.Int32 // reads until then
}

func (s *shaken) ReadAt(p []byte, off int64) (int, error) {
	if s.left.Add(-1) == -1 {
		panic("shaken")
	}
	return s.Reader.ReadAt(p, off)
}

// A panic while a preview looks at a volume, in goroutines of its own, ends at
// most the preview.
func TestPreviewOutlivesPanics(t *testing.T) {
	g := groups(t, testdata+"live")["web01-v2"]
	plain := reference.Unpack(t, testdata+"live/web01-v2.0.gz")
	reader := &shaken{Reader: bytes.NewReader(plain)}
	reader.left.Store(1 << 30)
	g.Volumes = []Volume{{Member{"web01-v2.0", int64(len(plain)), reader}, 0}}
	a, err := Open(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	reads := int32(0)
	for ; ; reads++ {
		reader.left.Store(reads)
		p, _ := a.Preview(t.Context(), pcp.MinTime, pcp.MaxTime, 20)
		if reader.left.Load() >= 0 { // it is not read that often
			if p == nil {
				t.Error("there is no preview although nothing has panicked")
			}
			break
		}
	}
	if reads < 3 {
		t.Errorf("a preview reads %d times", reads)
	}
}
