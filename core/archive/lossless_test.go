package archive

import (
	"bytes"
	"context"
	"encoding/binary"
	"testing"

	"pcpscope/core/container"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
	"pcpscope/internal/reference"
)

// TestStoreIsLossless decodes every record of every undamaged archive the
// plain way (spec/archive.md sections 5 and 6, value by value, with no memory of the
// record before) and finds each observation in the runs of the store, and no
// others.
func TestStoreIsLossless(t *testing.T) {
	dirs := []string{testdata + "live"}
	for _, kind := range []string{"archives", "archives/multi", "archives/multi_v3", "archives/multi-xz", "big"} {
		if dir := reference.Path("corpus", kind); dir != "" && (kind != "big" || !testing.Short()) {
			dirs = append(dirs, dir)
		}
	}
	archives, values := 0, 0
	for _, dir := range dirs {
		for name, g := range groups(t, dir) {
			a := load(t, g)
			p := plain{t: t, a: a, metrics: map[pcp.PMID]*plainMetric{}}
			for _, v := range g.Volumes {
				p.volume(&v)
			}
			p.finish()
			if t.Failed() {
				t.Fatalf("%s differs", name)
			}
			archives++
			values += p.values
		}
	}
	t.Logf("%d archives, %d values compared", archives, values)
	if reference.Path("corpus") != "" && !testing.Short() && (archives != 153 || values != 29_021_683) {
		t.Errorf("compared %d archives and %d values, want 153 and 29,021,683", archives, values)
	}
	if archives < 2 || values < 500_000 {
		t.Errorf("compared only %d archives and %d values", archives, values)
	}
}

type plain struct {
	t       *testing.T
	a       *Archive
	last    pcp.Time
	any     bool
	metrics map[pcp.PMID]*plainMetric
	values  int
}

type plainMetric struct {
	obs  *series.Observations
	row  int
	void int
	inst map[int32]*plainSeries
}

type plainSeries struct {
	runs []series.Run
	at   int
	seen int
}

func (p *plain) volume(v *Volume) {
	data, err := v.readAll(context.Background(), container.Unpacker{}, 1<<40, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	version := p.a.Label().Version
	for at := labelLen(version); at+8 <= len(data); {
		n := int(binary.BigEndian.Uint32(data[at:]))
		if n < 16 || at+n > len(data) {
			return // a cut record at the end
		}
		p.record(data[at:at+n], version)
		at += n
	}
}

func (p *plain) record(rec []byte, version int) {
	c := cursor{buf: rec[:len(rec)-4], at: 4}
	now := c.time(version)
	if p.any && now < p.last {
		return
	}
	p.last, p.any = now, true
	seen := map[pcp.PMID]bool{}
	for range c.i32("sets") {
		id := pcp.PMID(c.u32("pmid"))
		n := c.i32("numval")
		m := p.metric(id)
		if n <= 0 {
			if !seen[id] {
				if v := m.obs.Voids[m.void]; v.Time != now || v.Code != pcp.Code(n) {
					p.t.Fatalf("%s: void %d is %v, want %d at %d", id, m.void, v, n, now)
				}
				m.void++
			}
			seen[id] = true
			continue
		}
		format := c.u32("format")
		here := map[int32]bool{}
		for range n {
			inst, raw := c.i32("inst"), c.u32("value")
			if m.obs.Desc.InDom == pcp.NullInDom {
				if g, _ := p.a.Metric(id); !g.Guessed {
					inst = -1
				}
			}
			if here[inst] || seen[id] {
				continue
			}
			here[inst] = true
			p.value(m, inst, format, raw, rec)
		}
		if !seen[id] {
			if m.row >= len(m.obs.Times) || m.obs.Times[m.row] != now {
				p.t.Fatalf("%s: row %d is not at %d", id, m.row, now)
			}
			m.row++
		}
		seen[id] = true
	}
}

func (p *plain) metric(id pcp.PMID) *plainMetric {
	m := p.metrics[id]
	if m == nil {
		obs, ok := p.a.Observations(id)
		if !ok {
			p.t.Fatalf("no observations of %s", id)
		}
		m = &plainMetric{obs: obs, inst: map[int32]*plainSeries{}}
		for _, s := range obs.Series {
			m.inst[s.Inst] = &plainSeries{runs: s.Runs, at: -1}
		}
		p.metrics[id] = m
	}
	return m
}

func (p *plain) value(m *plainMetric, inst int32, format, raw uint32, rec []byte) {
	s := m.inst[inst]
	if s == nil {
		p.t.Fatalf("%s: no series for instance %d", m.obs.Desc.PMID, inst)
	}
	for s.at+1 < len(s.runs) && int(s.runs[s.at+1].Row&series.RowNum) <= m.row {
		s.at++
	}
	p.values++
	s.seen++
	if s.at < 0 || s.runs[s.at].Row&series.Gone != 0 {
		p.t.Fatalf("%s instance %d row %d: the store has no value", m.obs.Desc.PMID, inst, m.row)
	}
	run := s.runs[s.at]
	want, payload, ok := plainDecode(m.obs.Desc.Type, format, raw, rec)
	switch {
	case !ok:
		if run.Row&series.Failed == 0 || int64(run.Val) != int64(pcp.ErrConv) {
			p.t.Fatalf("%s instance %d row %d: got %x, want a failed conversion", m.obs.Desc.PMID, inst, m.row, run)
		}
	case run.Row&series.Failed != 0:
		p.t.Fatalf("%s instance %d row %d: failed", m.obs.Desc.PMID, inst, m.row)
	case payload != nil:
		if got := m.obs.Blobs.At(run.Val); !bytes.Equal(got, payload) {
			p.t.Fatalf("%s instance %d row %d: got %q, want %q", m.obs.Desc.PMID, inst, m.row, got, payload)
		}
	case run.Val != want:
		p.t.Fatalf("%s instance %d row %d: got %x, want %x", m.obs.Desc.PMID, inst, m.row, run.Val, want)
	}
}

// plainDecode follows the table of spec/archive.md section 6.1.
func plainDecode(t pcp.Type, format, raw uint32, rec []byte) (val uint64, payload []byte, ok bool) {
	if format == 0 {
		switch t {
		case pcp.Int32:
			return uint64(int64(int32(raw))), nil, true
		case pcp.Uint32, pcp.Float:
			return uint64(raw), nil, true
		}
		return 0, nil, false
	}
	block := rec[4*raw-8:]
	kind, n := pcp.Type(block[0]), int(binary.BigEndian.Uint32(block)&0xffffff)
	if kind != t && kind != 0 {
		return 0, nil, false
	}
	switch {
	case t.Width() == 8 && n == 12:
		return binary.BigEndian.Uint64(block[4:]), nil, true
	case t == pcp.Float && n == 8:
		return uint64(binary.BigEndian.Uint32(block[4:])), nil, true
	case t == pcp.String:
		payload, _, _ = bytes.Cut(block[4:n], []byte{0})
		return 0, append([]byte{}, payload...), true
	case t > pcp.String:
		return 0, append([]byte{}, block[4:n]...), true
	}
	return 0, nil, false
}

// finish checks that the store holds nothing that the records do not.
func (p *plain) finish() {
	for id, m := range p.metrics {
		if m.row != len(m.obs.Times) || m.void != len(m.obs.Voids) {
			p.t.Fatalf("%s: %d rows and %d voids, want %d and %d", id, len(m.obs.Times), len(m.obs.Voids), m.row, m.void)
		}
		for inst, s := range m.inst {
			rows := 0
			for i, r := range s.runs {
				end := len(m.obs.Times)
				if i+1 < len(s.runs) {
					end = int(s.runs[i+1].Row & series.RowNum)
					if n := s.runs[i+1]; n.Row == r.Row || n.Val == r.Val && (n.Row^r.Row)&^series.RowNum == 0 {
						p.t.Fatalf("%s instance %d: run %d repeats the one before", id, inst, i+1)
					}
				}
				if r.Row&series.Gone == 0 {
					rows += end - int(r.Row&series.RowNum)
				}
			}
			if rows != s.seen {
				p.t.Fatalf("%s instance %d: %d observations, want %d", id, inst, rows, s.seen)
			}
		}
	}
}
