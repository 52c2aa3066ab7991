package series

import (
	"slices"
	"sort"

	"pcpscope/core/pcp"
)

// Between returns the observations between two times, both included. Times and
// strings are shared with o.
func (o *Observations) Between(from, to pcp.Time) *Observations {
	r0, _ := slices.BinarySearch(o.Times, from)
	r1 := len(o.Times)
	if to < pcp.MaxTime {
		r1, _ = slices.BinarySearch(o.Times, to+1)
	}
	r1 = max(r0, r1)
	c := &Observations{Desc: o.Desc, Times: o.Times[r0:r1], Blobs: o.Blobs, Backward: o.Backward}
	switch {
	case r0 == 0 && r1 == len(o.Times):
		c.Series = o.Series
	case r0 < r1:
		for _, s := range o.Series {
			if runs := rowsBetween(s.Runs, uint32(r0), uint32(r1)); len(runs) > 0 {
				c.Series = append(c.Series, Series{s.Inst, runs})
			}
		}
	}
	for _, v := range o.Voids {
		if v.Time >= from && v.Time <= to {
			c.Voids = append(c.Voids, v)
		}
	}
	return c
}

// rowsBetween returns the runs that cover rows r0 to r1-1, counted from r0.
func rowsBetween(runs []Run, r0, r1 uint32) []Run {
	var out []Run
	first := sort.Search(len(runs), func(i int) bool { return runs[i].Row&RowNum > r0 }) - 1
	for i := max(first, 0); i < len(runs); i++ {
		r := runs[i]
		row := r.Row & RowNum
		if row >= r1 {
			break
		}
		if r.Row&Gone != 0 && len(out) == 0 {
			continue // no earlier value to end
		}
		r.Row = r.Row&^RowNum | max(row, r0) - r0
		out = append(out, r)
	}
	return out
}
