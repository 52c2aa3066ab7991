package archive

import (
	"bytes"
	"sync/atomic"
	"testing"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/internal/reference"
)

// counted counts the bytes that are read.
type counted struct {
	*bytes.Reader
	read atomic.Int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	c.read.Add(int64(len(p)))
	return c.Reader.ReadAt(p, off)
}

// A window that is widened again and again has the same values as one that is read at once, and
// no byte of it is read twice.
func TestWindowIsReadOnce(t *testing.T) {
	plain := reference.Unpack(t, testdata+"live/web01-v2.0.gz")
	open := func() (*Archive, *counted) {
		g := groups(t, testdata+"live")["web01-v2"]
		c := &counted{Reader: bytes.NewReader(plain)}
		g.Volumes = []Volume{{Member{"web01-v2.0", int64(len(plain)), c}, 0}}
		a, err := Open(t.Context(), g)
		if err != nil {
			t.Fatal(err)
		}
		c.read.Store(0)
		return a, c
	}
	a, c := open()
	mid := a.Start() + (a.End()-a.Start())/2
	asked := 0
	w, err := a.ReadWindow(t.Context(), mid, mid, 1<<30, func(w *Window) (before, after bool) {
		asked++
		return asked > 5, asked > 3
	})
	if w == nil || err != nil || asked != 6 {
		t.Fatalf("window %v after %d questions, error %v", w, asked, err)
	}
	if got := c.read.Load(); got > w.Bytes+container.SniffLen || w.Bytes < int64(len(plain))/20 {
		t.Errorf("%d bytes were read for a window of %d, of a volume of %d", got, w.Bytes, len(plain))
	}
	a, _ = open()
	once, err := a.ReadWindow(t.Context(), w.Times[0], w.Times[len(w.Times)-1], 1<<30, func(*Window) (before, after bool) { return true, true })
	if once == nil || err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, m := range a.Metrics() {
		all, ok := once.Observations(m.PMID)
		some, there := w.Observations(m.PMID)
		if !ok || !there || !m.Type.Numeric() {
			continue
		}
		for _, s := range some.Series {
			whole := valuesByTime(all, s.Inst)
			for at, v := range valuesByTime(some, s.Inst) {
				if at < once.Span.Start || at > once.Span.End || at == pcp.MinTime {
					continue
				}
				if x, ok := whole[at]; !ok || x != v {
					t.Fatalf("%s[%d] at %v: %d, read at once %d (%v)", m.Name(), s.Inst, at, v, x, ok)
				}
				compared++
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d values compared", compared)
	}
}
