package archive

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"pcpscope/core/pcp"
	"pcpscope/core/series"
)

// Check checks everything that pmlogcheck(1) checks, even if it does not
// disturb a reader: implausible descriptors, impossible entries of the temporal
// index, values that change their encoding, counters that decrease. The result
// begins with Problems. The archive must be loaded.
func (a *Archive) Check(ctx context.Context) ([]pcp.Fault, error) {
	a.mu.Lock()
	loaded := a.loaded
	a.mu.Unlock()
	if !loaded {
		return nil, pcp.Faultf(pcp.BadArgument, "The archive must be loaded before it is checked.")
	}
	c := checker{a: a, found: a.Problems()}
	c.index()
	for _, m := range a.Metrics() {
		if !a.proceed(ctx) {
			return nil, cancelled()
		}
		if !m.Guessed {
			c.desc(m)
		}
		c.values(m)
	}
	return c.all(), nil
}

// maxFound is the most complaints listed by a check: each entry of an index may
// cause several, and a list of more would not be read.
const maxFound = 5000

type checker struct {
	a     *Archive
	found []pcp.Fault
	more  int // complaints beyond those listed
}

// all returns what was found.
func (c *checker) all() []pcp.Fault {
	if c.more > 0 {
		c.found = append(c.found, *pcp.Faultf(pcp.Corrupt, "%s like these.", pcp.Counted(c.more, "more complaint", "more complaints")).In(c.a.group.Name))
	}
	return c.found
}

func (c *checker) add(file string, offset int64, field, format string, args ...any) {
	if len(c.found) >= maxFound {
		c.more++
		return
	}
	f := pcp.Faultf(pcp.Corrupt, format, args...).In(file)
	if offset >= 0 {
		f = f.At(offset, field)
	}
	f.Field = field
	c.found = append(c.found, *f)
}

// index applies the rules of spec/archive.md section 10.3.
func (c *checker) index() {
	g, raw := c.a.group, c.a.rawIndex
	if g.Index == nil {
		c.add(g.Name+".index", -1, "", "The archive has no temporal index.")
		return
	}
	size := indexEntryLen(c.a.label.Version)
	first := int64(labelLen(c.a.label.Version))
	volumes := map[int]bool{}
	for _, v := range g.Volumes {
		volumes[v.Number] = true
	}
	var last IndexEntry
	n := 0
	for at := int(first); at+size <= len(raw); at += size {
		e := indexEntry(raw[at:at+size], c.a.label.Version)
		say := func(format string, args ...any) {
			c.add(g.Index.Name, int64(at), "index entry", "Entry %d of the temporal index "+format+".", append([]any{n + 1}, args...)...)
		}
		if sub := subSecond(raw[at:], c.a.label.Version); sub < 0 || sub > 999999999 {
			say("has a fraction of a second of %d ns", sub)
		}
		if e.Volume < 0 {
			say("names the data volume %d", e.Volume)
		}
		if e.Time < c.a.label.Start {
			say("lies before the start of the archive")
		}
		if n > 0 && e.Time < last.Time {
			say("goes back in time")
		}
		if n > 0 && e.Volume < last.Volume {
			say("goes back from volume %d to %d", last.Volume, e.Volume)
		}
		if !volumes[e.Volume] && e.Volume >= 0 && (n == 0 || e.Volume != last.Volume) {
			c.add(g.Index.Name, int64(at), "index entry", "The temporal index names data volume %d, which is not there.", e.Volume)
		}
		c.place(say, "metadata", e.Meta, first, int64(len(c.a.meta.data)), n > 0 && e.Meta < last.Meta)
		if volumes[e.Volume] {
			c.place(say, "data", e.Offset, first, c.a.readOf(e.Volume).out, n > 0 && e.Volume == last.Volume && e.Offset < last.Offset)
		}
		last = e
		n++
	}
}

// place checks one offset of an index entry against its file.
func (c *checker) place(say func(string, ...any), what string, offset, first, size int64, back bool) {
	switch {
	case offset < first:
		say("points at byte %s of the %s, inside the label", pcp.Grouped(offset), what)
	case offset > size:
		say("points at byte %s of the %s, which end at %s", pcp.Grouped(offset), what, pcp.Grouped(size))
	case back:
		say("goes back in the %s, to byte %s", what, pcp.Grouped(offset))
	}
}

// desc reports what is out of range in a descriptor.
func (c *checker) desc(m *Metric) {
	if c.a.group.Meta == nil {
		return
	}
	say := func(format string, args ...any) {
		c.add(c.a.group.Meta.Name, -1, "descriptor", "The metric %s (%s) has "+format+".", append([]any{m.Name(), m.PMID}, args...)...)
	}
	if len(m.Names) == 0 {
		say("no name")
	}
	if m.Type < pcp.NoSupport || m.Type > pcp.HighresEvent {
		say("the type %d, which does not exist", int32(m.Type))
	}
	known := m.Sem == pcp.Counter || m.Sem == pcp.Instant || m.Sem == pcp.Discrete || m.Type == pcp.NoSupport && m.Sem == 0
	if !known {
		say("the semantics %d, which do not exist", int32(m.Sem))
	}
	u := m.Units
	for _, d := range []struct {
		word       string
		dim        int8
		scale, max int
		zeroOnly   bool
	}{
		{"space", u.Space, int(u.SpaceScale), 8, true}, {"time", u.Time, int(u.TimeScale), pcp.Hour, true}, {"count", u.Count, 0, 0, false},
	} {
		if d.dim < -2 || d.dim > 2 {
			say("units with the dimension %d in %s", d.dim, d.word)
		}
		if d.scale > d.max {
			say("units with the scale %d in %s", d.scale, d.word)
		}
		if d.zeroOnly && d.dim == 0 && d.scale != 0 {
			say("units with a scale of %s but not its dimension", d.word)
		}
	}
	if m.InDom != pcp.NullInDom && m.InDom.Domain() != m.PMID.Domain() && m.InDom.Domain() != 0 && m.PMID.Domain() != 511 {
		// logged derived metrics (511) keep the domain of their operands: spec/archive.md section 2.3
		say("the instance domain %s of another agent", m.InDom)
	}
}

// values reports counters that decrease and encodings that change.
func (c *checker) values(m *Metric) {
	a := c.a
	a.mu.Lock()
	col := a.store.find(m.PMID)
	a.mu.Unlock()
	if col == nil {
		return
	}
	if col.formatChanges > 0 {
		r := a.store.recs[col.formatChangedAt]
		c.add(a.volumeName(r.Volume), r.Offset, "valfmt", "The metric %s changes its encoding from here on, %s.", m.Name(), pcp.Counted(col.formatChanges, "time", "times in all"))
	}
	if m.Sem != pcp.Counter || !m.Type.Numeric() {
		return
	}
	obs, _ := a.Observations(m.PMID)
	for _, s := range obs.Series {
		n := 0
		var at pcp.Time
		var was, is float64
		for i := 1; i < len(s.Runs); i++ {
			x, y := s.Runs[i-1], s.Runs[i]
			if (x.Row|y.Row)&(series.Gone|series.Failed) != 0 || series.Float(m.Type, y.Val) >= series.Float(m.Type, x.Val) {
				continue
			}
			row := y.Row & series.RowNum
			if a.markBetween(obs.Times[row-1], obs.Times[row]) {
				continue
			}
			if n == 0 {
				at, was, is = obs.Times[row], series.Float(m.Type, x.Val), series.Float(m.Type, y.Val)
			}
			n++
		}
		if n > 0 {
			c.add(a.group.Name, -1, "value", "The counter %s decreases %s, first at %s from %.17g to %.17g.",
				m.Name()+a.instanceSuffix(m.InDom, s.Inst), pcp.Counted(n, "time", "times"), at.Std().Format("2006-01-02 15:04:05.000 UTC"), was, is)
		}
	}
}

func (a *Archive) volumeName(number int32) string {
	vols := a.group.Volumes
	if i, found := slices.BinarySearchFunc(vols, int(number), func(v Volume, n int) int { return cmp.Compare(v.Number, n) }); found {
		return vols[i].Name
	}
	return a.group.Name
}

// markBetween reports whether a mark lies after t and up to u.
func (a *Archive) markBetween(t, u pcp.Time) bool {
	marks := a.Marks()
	i, _ := slices.BinarySearch(marks, t+1)
	return i < len(marks) && marks[i] <= u
}

func (a *Archive) instanceSuffix(id pcp.InDom, inst int32) string {
	if id == pcp.NullInDom {
		return ""
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if h := a.meta.history(id); h != nil {
		if i, found := slices.BinarySearchFunc(h.insts, inst, func(m member, id int32) int { return cmp.Compare(m.id, id) }); found {
			m := &h.insts[i]
			return "[" + m.spans[len(m.spans)-1].name + "]"
		}
	}
	return fmt.Sprintf("[%d]", inst)
}

// subSecond returns the fraction of an entry's second, unchecked.
func subSecond(b []byte, version int) int64 {
	if version == 2 {
		return int64(int32(be32(b[4:]))) * 1000
	}
	return int64(int32(be32(b[8:])))
}
