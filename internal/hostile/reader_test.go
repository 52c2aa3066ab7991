package hostile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"path"
	"strings"

	"pcpscope/core/archive"
	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// A plain reader decodes records one by one, independently, according to
// spec/archive.md sections 5 and 6: without memory of previous records,
// shapes or a change store. Everything that package archive reports as valid
// must agree with it.
type plain struct {
	a       *archive.Archive
	version int
	metrics map[pcp.PMID]*plainMetric
	values  int
}

type plainMetric struct {
	obs       *series.Observations
	singular  bool
	row, void int
	series    map[int32]*plainSeries
}

type plainSeries struct {
	runs     []series.Run
	at, seen int
}

// compare reads all records of a from the files, and reports differences from
// what a returns.
func compareWithPlain(a *archive.Archive, files parts) (values int, err error) {
	p := &plain{a: a, version: a.Label().Version, metrics: map[pcp.PMID]*plainMetric{}}
	files = asRead(a, files)
	if err := p.descriptors(files["meta"]); err != nil {
		return 0, err
	}
	for _, r := range a.Records() {
		data := files[fmt.Sprint(r.Volume)]
		if r.Offset < 0 || r.Offset+int64(r.Size) > int64(len(data)) {
			return 0, fmt.Errorf("a record at %d of %d bytes lies outside volume %d", r.Offset, r.Size, r.Volume)
		}
		if err := p.record(data[r.Offset:r.Offset+int64(r.Size)], r.Time); err != nil {
			return 0, fmt.Errorf("record at %d of volume %d: %w", r.Offset, r.Volume, err)
		}
	}
	return p.values, p.finish()
}

// asRead renames files with swapped names to what the archive took them for.
func asRead(a *archive.Archive, files parts) parts {
	named := func(m archive.Member) []byte { return files[strings.TrimPrefix(path.Ext(m.Name), ".")] }
	g, is := a.Group(), parts{}
	if g.Meta != nil {
		is["meta"] = named(*g.Meta)
	}
	for _, v := range g.Volumes {
		is[fmt.Sprint(v.Number)] = named(v.Member)
	}
	return is
}

// descriptors reads the undamaged metadata; if all of them are undamaged, the
// first descriptor of a metric is the valid one.
func (p *plain) descriptors(data []byte) error {
	label := 132
	if p.version == 3 {
		label = 808
	}
	first := map[pcp.PMID]pcp.Desc{}
	for at := label; at < len(data); {
		n := 0
		if len(data)-at >= 12 {
			n = int(int32(be(data, at)))
		}
		if n < 12 || n > len(data)-at || be(data, at+n-4) != word(n) {
			return nil
		}
		rec := data[at : at+n]
		at += n
		if be(rec, 4) != 1 {
			continue
		}
		if n < 40 || int32(be(rec, 28)) < 0 || int(be(rec, 28)) > (n-36)/4 {
			return nil // how much of it may be used is a matter of taste
		}
		d := pcp.Desc{PMID: pcp.PMID(be(rec, 8) &^ (1 << 31)), Type: pcp.Type(int32(be(rec, 12))), InDom: pcp.InDom(be(rec, 16)), Sem: pcp.Semantics(int32(be(rec, 20))), Units: pcp.MakeUnits(be(rec, 24))}
		if d.InDom != pcp.NullInDom {
			d.InDom &^= 1 << 31
		}
		if _, again := first[d.PMID]; !again {
			first[d.PMID] = d
		}
	}
	for id, d := range first {
		if m, ok := p.a.Metric(id); ok && m.Desc != d {
			return fmt.Errorf("the descriptor of %s is %+v, the file says %+v", id, m.Desc, d)
		}
	}
	return nil
}

func be(b []byte, at int) word { return binary.BigEndian.Uint32(b[at:]) }

func (p *plain) record(rec []byte, now pcp.Time) error {
	at, want := 12, pcp.Time(0)
	if p.version == 2 {
		want = pcp.MakeTime(int64(int32(be(rec, 4))), int64(int32(be(rec, 8)))*1000)
	} else {
		want, at = pcp.MakeTime(int64(be(rec, 8))<<32|int64(be(rec, 4)), int64(int32(be(rec, 12)))), 16
	}
	if now != want {
		return fmt.Errorf("its time is %d, not %d", want, now)
	}
	sets := int(be(rec, at))
	at += 4
	seen := map[pcp.PMID]bool{}
	for range sets {
		id, n := pcp.PMID(be(rec, at)&^(1<<31)), int(int32(be(rec, at+4)))
		at += 8
		m, err := p.metric(id)
		if err != nil {
			return err
		}
		again := seen[id]
		seen[id] = true
		if n <= 0 {
			if again {
				continue
			}
			if m.void >= len(m.obs.Voids) || m.obs.Voids[m.void] != (series.Void{Time: now, Code: pcp.Code(n)}) {
				return fmt.Errorf("%s: error code %d at %d is missing", id, n, now)
			}
			m.void++
			continue
		}
		format := be(rec, at)
		at += 4
		pairs := rec[at : at+8*n]
		at += 8 * n
		if again { // the first of a metric counts
			continue
		}
		here := map[int32]bool{}
		for ; len(pairs) > 0; pairs = pairs[8:] {
			inst := int32(be(pairs, 0))
			if m.singular {
				inst = -1
			}
			if here[inst] { // the first of an instance counts
				continue
			}
			here[inst] = true
			if err := p.value(m, inst, format, be(pairs, 4), rec); err != nil {
				return fmt.Errorf("%s instance %d row %d: %w", id, inst, m.row, err)
			}
		}
		if m.row >= len(m.obs.Times) || m.obs.Times[m.row] != now {
			return fmt.Errorf("%s: row %d does not have the time %d", id, m.row, now)
		}
		m.row++
	}
	return nil
}

func (p *plain) metric(id pcp.PMID) (*plainMetric, error) {
	if m := p.metrics[id]; m != nil {
		return m, nil
	}
	obs, ok := p.a.Observations(id)
	if !ok {
		return nil, fmt.Errorf("%s is missing from the archive", id)
	}
	known, _ := p.a.Metric(id)
	m := &plainMetric{obs: obs, singular: !known.Guessed && known.InDom == pcp.NullInDom, series: map[int32]*plainSeries{}}
	for _, s := range obs.Series {
		m.series[s.Inst] = &plainSeries{runs: s.Runs, at: -1}
	}
	p.metrics[id] = m
	return m, nil
}

func (p *plain) value(m *plainMetric, inst int32, format, raw word, rec []byte) error {
	s := m.series[inst]
	if s == nil {
		return fmt.Errorf("the instance has no series")
	}
	for s.at+1 < len(s.runs) && int(s.runs[s.at+1].Row&series.RowNum) <= m.row {
		s.at++
	}
	p.values++
	s.seen++
	if s.at < 0 || s.runs[s.at].Row&series.Gone != 0 {
		return fmt.Errorf("there is no value")
	}
	run := s.runs[s.at]
	want, payload, ok := decode(m.obs.Desc.Type, format, raw, rec)
	switch failed := run.Row&series.Failed != 0; {
	case !ok && (!failed || int64(run.Val) != int64(pcp.ErrConv)):
		return fmt.Errorf("it has the value %x, but cannot be converted", run.Val)
	case ok && failed:
		return fmt.Errorf("the value is an error, the file says %x %q", want, payload)
	case ok && payload != nil && !bytes.Equal(m.obs.Blobs.At(run.Val), payload):
		return fmt.Errorf("it is %q, not %q", payload, m.obs.Blobs.At(run.Val))
	case ok && payload == nil && run.Val != want:
		return fmt.Errorf("it is %x, not %x", want, run.Val)
	}
	return nil
}

// decode follows the table of spec/archive.md section 6.1.
func decode(t pcp.Type, format, raw word, rec []byte) (val uint64, payload []byte, ok bool) {
	if format == 0 {
		switch t {
		case pcp.Int32:
			return uint64(int64(int32(raw))), nil, true
		case pcp.Uint32, pcp.Float:
			return uint64(raw), nil, true
		}
		return 0, nil, false
	}
	block := rec[4*int(raw)-8:]
	kind, n := pcp.Type(block[0]), int(be(block, 0)&0xffffff)
	if kind != t && kind != 0 {
		return 0, nil, false
	}
	switch {
	case t.Width() == 8 && n == 12:
		return binary.BigEndian.Uint64(block[4:]), nil, true
	case t == pcp.Float && n == 8:
		return uint64(be(block, 4)), nil, true
	case t == pcp.String:
		payload, _, _ = bytes.Cut(block[4:n], []byte{0})
		return 0, append([]byte{}, payload...), true
	case t > pcp.String:
		return 0, append([]byte{}, block[4:n]...), true
	}
	return 0, nil, false
}

// finish reports what a returns that is in no record.
func (p *plain) finish() error {
	for _, known := range p.a.Metrics() {
		if obs, ok := p.a.Observations(known.PMID); ok && p.metrics[known.PMID] == nil && len(obs.Times)+len(obs.Voids)+len(obs.Series) > 0 {
			return fmt.Errorf("%s has values that no record holds", known.PMID)
		}
	}
	for id, m := range p.metrics {
		if m.row != len(m.obs.Times) || m.void != len(m.obs.Voids) {
			return fmt.Errorf("%s has %d rows and %d codes, the records %d and %d", id, len(m.obs.Times), len(m.obs.Voids), m.row, m.void)
		}
		for inst, s := range m.series {
			rows := 0
			for i, r := range s.runs {
				end := len(m.obs.Times)
				if i+1 < len(s.runs) {
					end = int(s.runs[i+1].Row & series.RowNum)
				}
				if r.Row&series.Gone == 0 {
					rows += end - int(r.Row&series.RowNum)
				}
			}
			if rows != s.seen {
				return fmt.Errorf("%s instance %d has %d values, the records %d", id, inst, rows, s.seen)
			}
		}
	}
	return nil
}
